/* Cells near boundaries that let fluid pass. What comes back from these takes far longer than a step of other
 * cells, and there are few of them in a warp of neighbours: so warps of their own look for them, gather as
 * many as they have threads, and step these together, while the others of the block leave them out. A step
 * reads and writes what is its cell's own (addressing.h), in any order. */
#ifndef WEIR_KERNELS_OPEN_CELLS_CUH
#define WEIR_KERNELS_OPEN_CELLS_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/collision/collision.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/cuda/strips.cuh"

/* The flags that a warp reads at a time, four by each thread. */
enum { FLAGS_AT_A_TIME = 4 * WARP };

/* The cell whose flag is number `number` of the block's array. */
template <int parity, bool forced>
static __device__ __noinline__ void step_open_cell(const weir_block_view *b, const relaxation *r,
                                                   int number) {
    const int rows = own_extent(b, 1) + 2 * RING_Y, row = number / flags_row(b), layer = row / rows;
    const int x = number - row * flags_row(b) - RING_X, y = row - layer * rows - RING_Y, z = layer - RING_Z;
    if (x < 0 || x >= own_extent(b, 0) || y < 0 || y >= own_extent(b, 1) || z < 0 || z >= own_extent(b, 2))
        return; /* another block's */
    const direction_set walls = walls_around(b, x, y, z);
    real f[POPULATIONS];
    arriving_at_cell(b, parity, walls, x, y, z, f);
    const body_force body = body_force_of(r);
#if WITH_WET
    complete_near_open(b, parity, x, y, z, forced, &body, f);
#endif
    collide(f, forced, r);
    reflect_near_open(b, parity, walls, x, y, z, forced, &body, f);
    leaving_cell(b, parity, walls, true, x, y, z, f);
}

/* Warp number `warp` of those that look for such cells (open_cell_blocks). */
template <int parity, bool forced>
static __device__ __forceinline__ void step_open_cells(const weir_block_view *b, const relaxation *r,
                                                       int warp) {
    __shared__ int found[WEIR_STEP_THREADS / WARP][2 * WARP];
    int *const queue = found[threadIdx.x / WARP];
    const int lane = (int)threadIdx.x % WARP;
    const int count = flags_row(b) * (own_extent(b, 1) + 2 * RING_Y) * (own_extent(b, 2) + 2 * RING_Z);
    const int begin = warp * WEIR_FLAGS_OF_WARP;
    const int end = count - begin < WEIR_FLAGS_OF_WARP ? count : begin + WEIR_FLAGS_OF_WARP;
    int queued = 0;
    for (int first = begin; first < end; first += FLAGS_AT_A_TIME) {
        const int mine = first + 4 * lane;
        uint8_t flags[4];
        bool none = true;
        for (int k = 0; k < 4; k++) {
            flags[k] = mine + k < end ? b->flags[mine + k] : (uint8_t)WEIR_FLUID;
            none = none && flags[k] != WEIR_NEAR_OPEN;
        }
        if (__all_sync(WHOLE_WARP, none))
            continue;
        for (int k = 0; k < 4; k++) {
            const bool open = flags[k] == WEIR_NEAR_OPEN;
            const unsigned all = __ballot_sync(WHOLE_WARP, open);
            if (open)
                queue[queued + count_bits(all & ((1u << lane) - 1))] = mine + k;
            queued += count_bits(all);
            __syncwarp();
            if (queued >= WARP) {
                queued -= WARP;
                step_open_cell<parity, forced>(b, r, queue[queued + lane]);
                __syncwarp();
            }
        }
    }
    if (lane < queued)
        step_open_cell<parity, forced>(b, r, queue[lane]);
}

#endif
