/* Collide and stream of cells that keep moments, on a GPU; in two dimensions of all but those near boundaries
 * that let fluid pass. */
#define WEIR_FEW_ALONE /* those boundaries have functions of their own here (open_tiles.cuh) */
#include "codelets/kernels/cuda/moment_tiles.cuh"
#include "codelets/kernels/cuda/turns.cuh"

#if WITH_OPEN_TILES
#include "codelets/kernels/cuda/open_tiles.cuh"
#endif

#if __CUDA_ARCH__ < 10 * WEIR_TILE_CAPABILITY_FROM || __CUDA_ARCH__ >= 10 * WEIR_TILE_CAPABILITY_BELOW
#error storage "moments" is for GPUs with 227 KB of shared memory for a thread block: of compute capability 9 to 11
#endif

#ifndef WEIR_FORCED
#define WEIR_FORCED 0
#endif

extern "C" __global__ void __launch_bounds__(TILE_THREADS, DIMENSIONS == 3 ? 1 : 2)
    step_tiles(const __grid_constant__ weir_block_view b, const __grid_constant__ relaxation r, int parity,
               const weir_tile_grid grid, unsigned moving_faces) {
    const tile_turn turn = begin_turn(&b, parity, grid);
#if DIMENSIONS == 3
#if WITH_OPEN_TILES
    if (b.flow && turn.number == 0)
        settle_flows_together(&b, parity, TILE_THREADS);
#endif
    const bool open = step_deep_tile<WEIR_FORCED != 0>(&b, &r, parity, moving_faces, turn.tile_x, turn.tile_y,
                                                       turn.z_begin, turn.z_end, (int)threadIdx.x);
#if WITH_OPEN_TILES
    if (__syncthreads_or(open))
        step_open_of_tile<WEIR_FORCED != 0>(&b, &r, parity, &turn);
    __syncthreads();
    if (threadIdx.x == 0)
        end_notes();
#else
    (void)open;
#endif
    end_turn(&turn);
#else
    step_flat_tile<WEIR_FORCED != 0>(&b, &r, parity, moving_faces, turn.tile_x, turn.tile_y,
                                     (int)threadIdx.x);
#endif
}
