/* Cells near boundaries that let fluid pass, of a tile of cells that keep moments: by the threads of its
 * thread block, when they are done with the others. */
#ifndef WEIR_KERNELS_OPEN_TILES_CUH
#define WEIR_KERNELS_OPEN_TILES_CUH

#include "codelets/kernels/cuda/moment_tiles.cuh"
#include "codelets/kernels/cuda/open_cells.cuh"
#include "codelets/kernels/cuda/turns.cuh"

/* Collects the numbers of the flags of the cells without notes where the tile was. Returns how many there
 * are. By all threads. */
static __device__ __noinline__ int collect_cells_left(const weir_block_view *b, const tile_turn *turn,
                                                      int *waiting) {
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    for (int word = (int)threadIdx.x; word < WEIR_TILE_PLANES_MOST * TILE_ROWS; word += TILE_THREADS) {
        const int y = turn->tile_y * TILE_ROWS + word % TILE_ROWS, z = turn->z_begin + word / TILE_ROWS;
        for (uint32_t cells = cells_met()->without_note[word]; cells != 0; cells &= cells - 1) {
            const int x = turn->tile_x * WEIR_TILE_CELLS + lowest_bit(cells);
            waiting[atomicAdd(&found, 1)] = (int)(flag_of(b, x, y, z) - b->flags);
        }
    }
    __syncthreads();
    return found;
}

template <int parity, bool forced>
static __device__ __noinline__ void step_open_of_parity(const weir_block_view *b, const relaxation *r,
                                                        const tile_turn *turn) {
    int *const waiting = (int *)tile_memory;
    const int met = cells_met()->count, noted = met < NOTES ? met : NOTES,
              others = met > NOTES ? collect_cells_left(b, turn, waiting) : 0;
    for (int first = 0; first < noted + others; first += TILE_THREADS) {
        const int k = first + (int)threadIdx.x;
        const open_note *const note = k < noted ? cells_met()->notes + k : NULL;
        const int number = note ? note->flag_number : k < noted + others ? waiting[k - noted] : -1;
        step_open_cell<parity, forced>(b, r, number, note ? note->arriving : NULL);
    }
}

/* By all threads, when all of them are done with the tile. */
template <bool forced>
static __device__ __forceinline__ void step_open_of_tile(const weir_block_view *b, const relaxation *r,
                                                         int parity, const tile_turn *turn) {
    if (parity)
        step_open_of_parity<1, forced>(b, r, turn);
    else
        step_open_of_parity<0, forced>(b, r, turn);
}

#endif
