/* Single cells as a GPU thread takes them where nothing is special: all populations arriving at or leaving
 * one cell, by the rule of addressing.h. near_wall: the cell may have walls around it. */
#ifndef WEIR_KERNELS_CELLS_H
#define WEIR_KERNELS_CELLS_H

#include "codelets/kernels/addressing.h"

FUNCTION void arriving_at_cell(const struct weir_block_view *b, int parity, bool near_wall, int x, int y,
                               int z, real f[POPULATIONS]) {
    f[0] = slot(b, 0)[cell_number(b, x, y, z)];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    f[i] = *source_of(b, parity, near_wall, i, o, cx, cy, cz, mx, my, mz, x, y, z);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION void leaving_cell(const struct weir_block_view *b, int parity, bool near_wall, int x, int y, int z,
                           const real f[POPULATIONS]) {
    slot(b, 0)[cell_number(b, x, y, z)] = f[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                 \
    {                                                                                                   \
        const struct target t = target_of(b, parity, near_wall, i, o, cx, cy, cz, mx, my, mz, x, y, z); \
        *t.address = t.wall ? f[i] - wall_momentum(b, t.wall, (real)(w), cx, cy, cz) : f[i];            \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
