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

template <typename value>
static __device__ __forceinline__ void update(value *data, size_t stride, size_t count) {
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

#define UPDATE(name, value)                                                     \
    extern "C" __global__ void name(value *data, size_t stride, size_t count) { \
        update<value>(data, stride, count);                                     \
    }
UPDATE(update_single, float)
UPDATE(update_double, double)
UPDATE(update_wide_single, float4)
UPDATE(update_wide_double, double2)
