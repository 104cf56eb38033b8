/* One step as a GPU's thread takes part in it. Knows nothing of launches, so that tests can run it where no
 * GPU is. */
#ifndef WEIR_KERNELS_STEP_CUH
#define WEIR_KERNELS_STEP_CUH

#include "codelets/kernels/cells.h"
#include "codelets/kernels/collision.h"
#include "codelets/kernels/strips.cuh"

#define STRIP_CELLS WEIR_STRIP_CELLS(POPULATIONS, REAL_BYTES)

#if REACH == 1

/* A warp of strips inside the block of which some are near walls; open: as below. Called,
 * as is what follows: expanded in place these would take registers from plain strips, which then keep some of
 * theirs in memory. */
template <int parity, bool forced, int width, bool open>
static __device__ __noinline__ void step_walled_strips(const weir_block_view *b, const relaxation *r,
                                                       const step_shape *shape, int number) {
    const strip s = strip_of<width>(b, shape->strips_per_row, shape->rows_per_layer, number);
    strip_cells c = cells_of<width>(&s, flags_at_strip<width>(b, &s));
    if (__all_sync(WHOLE_WARP, c.fluid == 0))
        return;
    direction_set walls[width];
    real f[width][POPULATIONS];
    arriving_at_walled_strip<parity, width>(b, &s, &c, walls, f);
    for (int v = 0; v < width; v++)
        collide(f[v], forced, r);
    if (open)
        reflect_in_strip<width>(b, parity, &s, &c, walls, forced, r->force, f);
    leaving_walled_strip<parity, width>(b, &s, &c, walls, f);
}

#endif

/* The cells of any warp, neighbours with neighbouring threads. */
template <int parity, bool forced, int width, bool open>
static __device__ __noinline__ void step_cells(const weir_block_view *b, const relaxation *r,
                                               const step_shape *shape, int number) {
    const int cells = b->extent[0][1] * b->extent[1][1] * b->extent[2][1];
    const int lane = (int)threadIdx.x % WARP, first = (number - lane) * width + lane;
    const int end = first + WARP * width < cells ? first + WARP * width : cells;
#pragma unroll 1
    for (int cell = first; cell < end; cell += WARP) {
        const int row = divided(cell, shape->cells_per_row), z = divided(row, shape->rows_per_layer);
        const int x = cell - row * b->extent[0][1], y = row - z * b->extent[1][1];
        const uint8_t flag = *flag_of(b, x, y, z);
        if (is_wall(flag))
            continue;
        const direction_set walls = walls_of_cell(b, flag, x, y, z);
        real f[POPULATIONS];
        arriving_at_cell(b, parity, walls, x, y, z, f);
        collide(f, forced, r);
        if (open && flag == WEIR_NEAR_OPEN)
            leaving_cell_near_open(b, parity, walls, x, y, z, forced, r->force, f);
        else
            leaving_cell(b, parity, walls, false, x, y, z, f);
    }
}

/* Thread number `number` of a block; warps are whole. open: boundaries of the run let fluid pass. */
template <int parity, bool forced, int width, bool open>
static __device__ __forceinline__ void step_thread(const weir_block_view *b, const relaxation *r,
                                                   const step_shape *shape, int number) {
#if REACH > 1 /* no shortcut */
    step_cells<parity, forced, width, open>(b, r, shape, number);
#else
    const int cells = b->extent[0][1] * b->extent[1][1] * b->extent[2][1];
    const strip s = strip_of<width>(b, shape->strips_per_row, shape->rows_per_layer, number);
    if (!__all_sync(WHOLE_WARP, number * width < cells && row_is_inside(b, s.y, s.z))) {
        step_cells<parity, forced, width, open>(b, r, shape, number);
        return;
    }
    /* Whether the strips are plain is told by flags that take as long to come as the populations do, so both
     * are asked for at once. */
    const strip_flags<width> flags = flags_at_strip<width>(b, &s);
    real f[width][POPULATIONS];
    arriving_at_strip<parity, width>(b, &s, f);
    if (!__all_sync(WHOLE_WARP, is_plain<width>(&s, flags))) {
        step_walled_strips<parity, forced, width, open>(b, r, shape, number);
        return;
    }
    for (int v = 0; v < width; v++)
        collide(f[v], forced, r);
    leaving_strip<parity, width>(b, &s, f);
#endif
}

#endif
