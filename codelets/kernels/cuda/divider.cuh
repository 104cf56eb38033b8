/* What a step's shape (shapes.h) says, on GPUs, where it may be a constant of the object (block_shape.h):
 * numbers of cells and rows into coordinates, because division is slow; which walls move. */
#ifndef WEIR_KERNELS_DIVIDER_CUH
#define WEIR_KERNELS_DIVIDER_CUH

#include "codelets/kernels/cells/block_shape.h"
#include "codelets/kernels/cuda/shapes.h"

static __device__ __forceinline__ int divided(int n, divider d) {
    return d.shift < 0 ? n : (int)(__umulhi((uint32_t)n, d.factor) >> d.shift);
}

/* The same where the divisor follows from the block's extents, and may be a constant of the object. */
static __device__ __forceinline__ int divided_by_extent(int n, divider d, int divisor) {
#if WEIR_CONSTANT_SHAPE
    (void)d;
    return (int)((uint32_t)n / (uint32_t)divisor);
#else
    (void)divisor;
    return divided(n, d);
#endif
}

/* Faces of the domain whose walls move (WEIR_MOVING_FACES: those of the run). */
static __device__ __forceinline__ unsigned moving_faces_of(const step_shape *shape) {
#ifdef WEIR_MOVING_FACES
    (void)shape;
    return WEIR_MOVING_FACES;
#else
    return shape->moving_faces;
#endif
}

#endif
