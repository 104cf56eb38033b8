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

/* Runs of flags that a warp reads at a time, one flag of each by each thread. */
enum { RUNS_AT_A_TIME = 4 };

/* The run of flags, of as many as a warp has threads, that is a warp's in this round. Runs that follow each
 * other belong to different warps, and each round begins with another one: such cells lie in planes, in rows
 * along y or z faces and in columns along x faces, and no warp may have many of them, whatever the block's
 * extents (triangular numbers, and what is linear added to them, meet all residues of a power of two, and
 * most of any number). */
static __device__ __forceinline__ int run_of_warp(int round, int warp, int warps) {
    return round * warps + (warp + round * (round + 1) / 2) % warps;
}

/* All directions, for loops over them: expanded for each, instructions of one warp drive those of others out
 * of the cache, and all wait for them (three quarters of the time on an H200). */
#define direction_of(i, o, cx, cy, cz, layer_x, layer_y, layer_z) \
    {                                                             \
        i, o, {cx, cy, cz}, {                                     \
            layer_x, layer_y, layer_z                             \
        }                                                         \
    } /* the same as a constant */
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) d,
static __constant__ const direction open_directions[POPULATIONS - 1] = {FOR_DIRECTIONS};
#undef WEIR_DIRECTION
#undef direction_of

/* The cell whose flag is number `number` of the block's array. */
template <int parity, bool forced>
static __device__ __noinline__ void step_open_cell(const weir_block_view *b, const relaxation *r,
                                                   int number) {
    const int length = (int)flags_row(b), rows = own_extent(b, 1) + 2 * RING_Y;
    const int row = number / length, layer = row / rows;
    const int x = number - row * length - RING_X, y = row - layer * rows - RING_Y, z = layer - RING_Z;
    if (x < 0 || x >= own_extent(b, 0) || y < 0 || y >= own_extent(b, 1) || z < 0 || z >= own_extent(b, 2))
        return; /* another block's */
    const direction_set walls = walls_around(b, x, y, z);
    const surroundings around = surroundings_of(b, x, y, z);
    real f[POPULATIONS];
    f[0] = real_of(*slot_of(b, 0, cell_entry(b, x, y, z)));
#pragma unroll 1
    for (int k = 0; k < POPULATIONS - 1; k++) {
        const direction d = open_directions[k];
        const bool wall = walls >> d.o & 1;
        f[d.i] = real_of(
            *source_turned(b, parity, wall, wall ? turned_axes(&around, opposite(d)) : 0, d, x, y, z));
    }
    const body_force body = body_force_of(r);
#if WITH_WET
    complete_near_open(b, parity, x, y, z, forced, &body, f);
#endif
    collide(f, forced, r);
    reflect_near_open(b, parity, walls, &around, x, y, z, forced, &body, f);
    *slot_of(b, 0, cell_entry(b, x, y, z)) = stored_of(f[0]);
#pragma unroll 1
    for (int k = 0; k < POPULATIONS - 1; k++) {
        const direction d = open_directions[k];
        const bool wall = walls >> d.i & 1;
        *target_turned(b, parity, wall, wall ? turned_axes(&around, d) : 0, d, x, y, z) = stored_of(f[d.i]);
    }
}

/* Warp number `warp` of `warps` that look for such cells (open_cell_blocks). */
template <int parity, bool forced>
static __device__ __forceinline__ void step_open_cells(const weir_block_view *b, const relaxation *r,
                                                       int warp, int warps) {
    __shared__ int found[WEIR_STEP_THREADS / WARP][2 * WARP];
    int *const queue = found[threadIdx.x / WARP];
    const int lane = (int)threadIdx.x % WARP;
    const int count = flags_row(b) * (own_extent(b, 1) + 2 * RING_Y) * (own_extent(b, 2) + 2 * RING_Z);
    int queued = 0;
    for (int round = 0; round * warps * WARP < count; round += RUNS_AT_A_TIME) {
        int mine[RUNS_AT_A_TIME];
        uint8_t flags[RUNS_AT_A_TIME];
        bool none = true;
        for (int k = 0; k < RUNS_AT_A_TIME; k++) {
            mine[k] = run_of_warp(round + k, warp, warps) * WARP + lane;
            flags[k] = mine[k] < count ? b->flags[mine[k]] : (uint8_t)WEIR_FLUID;
            none = none && flags[k] != WEIR_NEAR_OPEN;
        }
        if (__all_sync(WHOLE_WARP, none))
            continue;
        for (int k = 0; k < RUNS_AT_A_TIME; k++) {
            const bool open = flags[k] == WEIR_NEAR_OPEN;
            const unsigned all = __ballot_sync(WHOLE_WARP, open);
            if (open)
                queue[queued + count_bits(all & ((1u << lane) - 1))] = mine[k];
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
