/* A free surface, on a GPU, a thread for each cell: see free_surface.c. Cells far from the surface ask
 * whether they are, and are done. */
#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/brick.cuh"

extern "C" __global__ void count_surface_mass(const __grid_constant__ weir_block_view b,
                                              const __grid_constant__ weir_surface_view s, int parity) {
    int x, y, z;
    if (thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        count_mass(&b, &s, parity, x, y, z);
}

extern "C" __global__ void convert_surface_cells(const __grid_constant__ weir_block_view b,
                                                 const __grid_constant__ weir_surface_view s) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    if (s.prepares)
        tell_level(&b, &s, real_of(*slot_of(&b, SURFACE_LEVEL, cell_entry(&b, x, y, z))), 0, x, y, z);
    else if (is_far_from_surface(&b, &s, x, y, z))
        ((real *)s.shares)[cell_entry(&b, x, y, z)] = 0;
    else
        convert_cell(&b, &s, x, y, z);
}

/* Threads for the ring around the block, too; of flat lattices not along z. Curvature takes long, and those
 * who need it are few and lie apart: the cells of several planes wait until all threads can take one. */
extern "C" __global__ void settle_surface_flags(const __grid_constant__ weir_block_view b,
                                                const __grid_constant__ weir_surface_view s) {
    enum { DEEP = DIMENSIONS == 3 ? 1 : 0 };
    const int nx = b.extent[0][1], ny = b.extent[1][1], nz = b.extent[2][1];
    const int first_x = (int)(blockIdx.x * blockDim.x) - 1, first_y = (int)(blockIdx.y * blockDim.y) - 1,
              first_z = (int)blockIdx.z * WEIR_SURFACE_PLANES - DEEP;
    const int x = first_x + (int)threadIdx.x, y = first_y + (int)threadIdx.y;
    const int thread = (int)(threadIdx.y * blockDim.x + threadIdx.x),
              threads = (int)(blockDim.x * blockDim.y);
#if WITH_TENSION
    __shared__ int count;
    __shared__ uint16_t waiting[WEIR_SURFACE_PLANES * WEIR_BRICK_THREADS];
    if (thread == 0)
        count = 0;
    __syncthreads();
#endif
    for (int plane = 0; plane < WEIR_SURFACE_PLANES; plane++) {
        const int z = first_z + plane;
        if (x > nx || y > ny || z >= nz + DEEP)
            break;
        if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz)
            settle_ring(&b, &s, x, y, z);
        else if ((s.prepares || !is_far_from_surface(&b, &s, x, y, z)) && settle_cell(&b, &s, x, y, z)) {
#if WITH_TENSION
            waiting[atomicAdd(&count, 1)] = (uint16_t)(plane * threads + thread);
#endif
        }
    }
#if WITH_TENSION
    __syncthreads();
    for (int k = thread; k < count; k += threads) {
        const int place = waiting[k] % threads, width = (int)blockDim.x;
        pull_by_tension(&b, &s, first_x + place % width, first_y + place / width,
                        first_z + waiting[k] / threads);
    }
#endif
}
