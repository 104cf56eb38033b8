/* Single cells as a GPU thread takes them where something is special: all populations arriving at or leaving
 * one cell, by the rule of addressing.h. walls: of walls_around. */
#ifndef WEIR_KERNELS_CELLS_H
#define WEIR_KERNELS_CELLS_H

#include "codelets/kernels/addressing.h"

/* The walls around a fluid cell with this flag. */
FUNCTION uint32_t walls_of_cell(const struct weir_block_view *b, uint8_t flag, int x, int y, int z) {
    return flag == WEIR_FLUID ? 0 : walls_around(b, x, y, z);
}

FUNCTION void arriving_at_cell(const struct weir_block_view *b, int parity, uint32_t walls, int x, int y,
                               int z, real f[POPULATIONS]) {
    f[0] = real_of(slot(b, 0)[cell_number(b, x, y, z)]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    f[i] = real_of(*source_of(b, parity, walls >> (o)&1, i, o, cx, cy, cz, mx, my, mz, x, y, z));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION void leaving_cell(const struct weir_block_view *b, int parity, uint32_t walls, int x, int y, int z,
                           const real f[POPULATIONS]) {
    slot(b, 0)[cell_number(b, x, y, z)] = stored_of(f[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                    \
    {                                                                                                      \
        real leaving = f[i];                                                                               \
        if (walls >> (i)&1)                                                                                \
            leaving = as_stored(f[i]) -                                                                    \
                      wall_momentum(b, *flag_of(b, x + (cx), y + (cy), z + (cz)), (real)(w), cx, cy, cz);  \
        *target_of(b, parity, walls >> (i)&1, i, o, cx, cy, cz, mx, my, mz, x, y, z) = stored_of(leaving); \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
