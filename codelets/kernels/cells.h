/* Single cells as a GPU thread takes them: all populations arriving at or leaving one cell, by the rule of
 * addressing.h. */
#ifndef WEIR_KERNELS_CELLS_H
#define WEIR_KERNELS_CELLS_H

#include "codelets/kernels/addressing.h"

FUNCTION void arriving_at_cell(const struct weir_block_view *b, int parity, int x, int y, int z,
                               real f[POPULATIONS]) {
    f[0] = slot(b, 0)[cell_number(b, x, y, z)];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    f[i] = *source_of(b, parity, i, o, cx, cy, cz, mx, my, mz, x, y, z);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION void leaving_cell(const struct weir_block_view *b, int parity, int x, int y, int z,
                           const real f[POPULATIONS]) {
    slot(b, 0)[cell_number(b, x, y, z)] = f[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                      \
    {                                                                                        \
        const struct target t = target_of(b, parity, i, o, cx, cy, cz, mx, my, mz, x, y, z); \
        *t.address = t.wall ? f[i] - wall_momentum(b, t.wall, (real)(w), cx, cy, cz) : f[i]; \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* The same for a cell whose neighbours are all fluid cells of this block. */
FUNCTION void arriving_at_inner_cell(const struct weir_block_view *b, int parity, int x, int y, int z,
                                     real f[POPULATIONS]) {
    f[0] = slot(b, 0)[cell_number(b, x, y, z)];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                \
    f[i] = parity ? slot(b, o)[cell_number(b, x - (cx), y - (cy), z - (cz))] \
                  : slot(b, i)[cell_number(b, x, y, z)];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION void leaving_inner_cell(const struct weir_block_view *b, int parity, int x, int y, int z,
                                 const real f[POPULATIONS]) {
    slot(b, 0)[cell_number(b, x, y, z)] = f[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                            \
    if (parity)                                                          \
        slot(b, i)[cell_number(b, x + (cx), y + (cy), z + (cz))] = f[i]; \
    else                                                                 \
        slot(b, o)[cell_number(b, x, y, z)] = f[i];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION bool is_inner(const struct weir_block_view *b, int x, int y, int z) {
    return x > 0 && x < b->extent[0][1] - 1 && y > 0 && y < b->extent[1][1] - 1 &&
           (DIMENSIONS == 2 || (z > 0 && z < b->extent[2][1] - 1));
}

#endif
