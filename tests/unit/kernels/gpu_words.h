/* What texts in CUDA need to be compiled as C++, for a CPU. */
#ifndef WEIR_TESTS_GPU_WORDS_H
#define WEIR_TESTS_GPU_WORDS_H

#include <stdint.h>

#define WEIR_GPU_ON_CPU 1
#if !defined WEIR_PHASES && !defined WEIR_SURFACE /* whose tests run for longer than they compile */
#define WEIR_LEAVE_CALLS 1
#endif
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __shared__ static
#define __constant__
#define __grid_constant__

[[maybe_unused]] static struct { unsigned x, y, z; } threadIdx, blockIdx, blockDim = {32, 8, 1};

[[maybe_unused]] static uint32_t __umulhi(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)a * b >> 32);
}

#endif
