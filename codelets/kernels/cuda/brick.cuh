/* Threads over bricks of cells. */
#ifndef WEIR_KERNELS_BRICK_CUH
#define WEIR_KERNELS_BRICK_CUH

/* The thread's cell; false for threads beyond the brick. */
static __device__ __forceinline__ bool thread_cell(int nx, int ny, int *x, int *y, int *z) {
    *x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    *y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    *z = (int)blockIdx.z;
    return *x < nx && *y < ny;
}

#endif
