/* Thread blocks over bricks of cells: 256 threads, long in x where the brick is. */
#ifndef WEIR_KERNELS_LAUNCH_CUH
#define WEIR_KERNELS_LAUNCH_CUH

struct launch_shape {
    dim3 grid, threads;
};

static inline launch_shape launch_over(int nx, int ny, int nz) {
    const unsigned width = nx <= 32 ? 32 : nx <= 64 ? 64 : 128, height = 256 / width;
    launch_shape shape;
    shape.threads = dim3(width, height, 1);
    shape.grid = dim3(((unsigned)nx + width - 1) / width, ((unsigned)ny + height - 1) / height, (unsigned)nz);
    return shape;
}

/* The thread's cell; false for threads beyond the brick. */
static __device__ __forceinline__ bool thread_cell(int nx, int ny, int *x, int *y, int *z) {
    *x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    *y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    *z = (int)blockIdx.z;
    return *x < nx && *y < ny;
}

#endif
