/* Cells near boundaries that let fluid pass, of a tile of cells that keep moments: by the threads of its
 * thread block, when they are done with the others. */
#ifndef WEIR_KERNELS_OPEN_TILES_CUH
#define WEIR_KERNELS_OPEN_TILES_CUH

#include "codelets/kernels/cuda/moment_tiles.cuh"
#include "codelets/kernels/cuda/open_cells.cuh"
#include "codelets/kernels/cuda/turns.cuh"

/* waiting: in shared memory, room for the number of each cell of the tile. By all threads. */
template <int parity, bool forced>
static __device__ __noinline__ void step_open_of_parity(const weir_block_view *b, const relaxation *r,
                                                        const tile_turn *turn, int *waiting) {
    __shared__ int found;
    const int thread = (int)threadIdx.x;
    const tile_place p = place_in_tile(b, turn->tile_x, turn->tile_y, thread);
    if (thread == 0)
        found = 0;
    __syncthreads();
    for (int z = turn->z_begin; z < turn->z_end && p.own; z++) {
        const uint8_t *const flag = flag_of(b, p.x, p.y, z);
        if (weir_near_open(*flag))
            waiting[atomicAdd(&found, 1)] = (int)(flag - b->flags);
    }
    __syncthreads();
    const int all = found;
    for (int first = 0; first < all; first += TILE_THREADS)
        step_open_cell<parity, forced>(b, r, first + thread < all ? waiting[first + thread] : -1);
}

template <bool forced>
static __device__ __forceinline__ void step_open_of_tile(const weir_block_view *b, const relaxation *r,
                                                         int parity, const tile_turn *turn, int *waiting) {
    if (parity)
        step_open_of_parity<1, forced>(b, r, turn, waiting);
    else
        step_open_of_parity<0, forced>(b, r, turn, waiting);
}

#endif
