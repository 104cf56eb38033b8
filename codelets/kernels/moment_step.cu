/* Collide and stream of cells that keep moments, on a GPU: all but those near boundaries that let fluid pass.
 */
#include "codelets/kernels/cuda/moment_tiles.cuh"

#if __CUDA_ARCH__ < 10 * WEIR_TILE_CAPABILITY_FROM || __CUDA_ARCH__ >= 10 * WEIR_TILE_CAPABILITY_BELOW
#error storage "moments" is for GPUs with 227 KB of shared memory for a thread block: of compute capability 9 to 11
#endif

#ifndef WEIR_FORCED
#define WEIR_FORCED 0
#endif

extern __shared__ __align__(16) unsigned char shared_memory[];

extern "C" __global__ void __launch_bounds__(TILE_THREADS, DIMENSIONS == 3 ? 1 : 2)
    step_tiles(const __grid_constant__ weir_block_view b, const __grid_constant__ relaxation r, int parity,
               int planes, unsigned moving_faces) {
    real *const memory = (real *)shared_memory;
#if DIMENSIONS == 3
    const int nz = own_extent(&b, 2), begin = (int)blockIdx.z * planes,
              end = begin + planes < nz ? begin + planes : nz;
    step_deep_tile<WEIR_FORCED != 0>(&b, &r, parity, moving_faces, (int)blockIdx.x, (int)blockIdx.y, begin,
                                     end, (int)threadIdx.x, memory);
#else
    (void)planes;
    step_flat_tile<WEIR_FORCED != 0>(&b, &r, parity, moving_faces, (int)blockIdx.x, (int)blockIdx.y,
                                     (int)threadIdx.x, memory);
#endif
}
