/* Multiply-adds as fast as a GPU can do them: every thread has some chains, and so many rounds are written
 * out that counting them costs next to nothing. */
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/multiply_adds.h"

static __device__ __forceinline__ float multiply_add(float x, float factor) {
    return fmaf(x, factor, x);
}
static __device__ __forceinline__ double multiply_add(double x, double factor) {
    return fma(x, factor, x);
}

/* values: [WEIR_CHAINS] of each thread, those of a chain together. */
template <typename real> static __device__ __forceinline__ void multiply_adds(real *values, int turns) {
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    real *const kept = values + ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    real x[WEIR_CHAINS];
#pragma unroll
    for (int k = 0; k < WEIR_CHAINS; k++)
        x[k] = kept[k * threads];
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll
        for (int round = 0; round < WEIR_ROUNDS_OF_TURN; round++) {
#pragma unroll
            for (int k = 0; k < WEIR_CHAINS; k++)
                x[k] = multiply_add(x[k], (real)-1e-7);
        }
    }
#pragma unroll
    for (int k = 0; k < WEIR_CHAINS; k++)
        kept[k * threads] = x[k];
}

extern "C" __global__ void __launch_bounds__(WEIR_CHAINS_THREADS)
    multiply_adds_single(float *values, int turns) {
    multiply_adds<float>(values, turns);
}
extern "C" __global__ void __launch_bounds__(WEIR_CHAINS_THREADS)
    multiply_adds_double(double *values, int turns) {
    multiply_adds<double>(values, turns);
}
