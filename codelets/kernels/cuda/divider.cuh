/* Numbers of cells and rows into coordinates, on GPUs, where division is slow. */
#ifndef WEIR_KERNELS_DIVIDER_CUH
#define WEIR_KERNELS_DIVIDER_CUH

#include "codelets/kernels/cuda/shapes.h"

static __device__ __forceinline__ int divided(int n, divider d) {
    return d.shift < 0 ? n : (int)(__umulhi((uint32_t)n, d.factor) >> d.shift);
}

#endif
