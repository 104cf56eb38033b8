/* In-place update of 19 streams on a GPU: all loads of a thread first, then all its stores, as in the kernel
 * of a step. Either one real per thread and stream, or 16 bytes. */
#include "codelets/kernels/streams.h"

static __device__ __forceinline__ float updated(float value) {
    return value * 0.5f + 1;
}
static __device__ __forceinline__ double updated(double value) {
    return value * 0.5 + 1;
}
static __device__ __forceinline__ float4 updated(float4 v) {
    return make_float4(updated(v.x), updated(v.y), updated(v.z), updated(v.w));
}
static __device__ __forceinline__ double2 updated(double2 v) {
    return make_double2(updated(v.x), updated(v.y));
}

template <typename value> static __global__ void update(value *data, size_t stride, size_t count) {
    const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count)
        return;
    value f[WEIR_STREAMS];
#pragma unroll
    for (int s = 0; s < WEIR_STREAMS; s++)
        f[s] = data[s * stride + k];
#pragma unroll
    for (int s = 0; s < WEIR_STREAMS; s++)
        data[s * stride + k] = updated(f[s]);
}

template <typename value>
static int launch(void *data, size_t stride, size_t count, size_t reals_per_value, void *stream) {
    const unsigned threads = 256;
    const size_t values = count / reals_per_value;
    update<<<(unsigned)((values + threads - 1) / threads), threads, 0, (cudaStream_t)stream>>>(
        (value *)data, stride / reals_per_value, values);
    return (int)cudaGetLastError();
}

extern "C" int weir_update_streams_cuda_single(void *data, size_t stride, size_t count, void *stream) {
    return launch<float>(data, stride, count, 1, stream);
}
extern "C" int weir_update_streams_cuda_double(void *data, size_t stride, size_t count, void *stream) {
    return launch<double>(data, stride, count, 1, stream);
}
extern "C" int weir_update_streams_cuda_wide_single(void *data, size_t stride, size_t count, void *stream) {
    return launch<float4>(data, stride, count, 4, stream);
}
extern "C" int weir_update_streams_cuda_wide_double(void *data, size_t stride, size_t count, void *stream) {
    return launch<double2>(data, stride, count, 2, stream);
}
