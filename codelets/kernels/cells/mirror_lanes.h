/* Which of a vector's cells exchange populations past mirrors, on a CPU: the rule of addressing.h for one
 * cell (mirrored_axes), in a few operations on bits for all of them. Included by row_cells.h. */
#ifndef WEIR_KERNELS_MIRROR_LANES_H
#define WEIR_KERNELS_MIRROR_LANES_H

#if WITH_MIRRORS

#include "codelets/kernels/lattice/numbered_directions.h"

/* Cells of the rows around a vector: bit k + 1 of [cz + 1][cy + 1] is cell k of the row at (cy, cz). */
struct cells_around {
    uint32_t walls[3][3], mirrors[3][3], quiet[3][3];
};

/* Lanes whose neighbour at c is among such cells. */
FUNCTION lanes lanes_beside(const uint32_t cells[3][3], int cx, int cy, int cz) {
    return cells[cz + 1][cy + 1] >> (1 + cx);
}

/* Sorts walls of a row. flags: of the cell of bit 0. */
CALLED void sort_walls(const struct weir_block_view *b, const uint8_t *flags, uint32_t walls,
                       uint32_t *mirrors, uint32_t *quiet) {
    *mirrors = *quiet = 0;
    for (uint32_t left = walls; left != 0;) {
        const uint8_t wall = flags[__builtin_ctz(left)];
        const uint32_t alike = left & flag_bits(flags, wall);
        *mirrors |= b->boundary_rows[wall].mirrors ? alike : 0;
        *quiet |= b->boundary_rows[wall].quiet ? alike : 0;
        left &= ~alike;
    }
}

/* Lanes that have a mirror beside them, one step of d along an axis. */
FUNCTION lanes beside_mirror(const struct cells_around *around, struct direction d, int axis) {
    return d.c[axis] == 0 ? 0
                          : lanes_beside(around->mirrors, axis == 0 ? d.c[0] : 0, axis == 1 ? d.c[1] : 0,
                                         axis == 2 ? d.c[2] : 0);
}

/* Lanes of which what leaves along d, towards a wall, is turned round by mirrors along exactly these axes,
 * and goes on along others. */
FUNCTION lanes turned_along(const struct cells_around *around, struct direction d, unsigned axes) {
    const int *const c = d.c, x = axes & 1 ? 0 : c[0], y = axes & 2 ? 0 : c[1], z = axes & 4 ? 0 : c[2];
    lanes some = lanes_below(VECTOR_CELLS) & ~lanes_beside(around->walls, x, y, z);
    for (int axis = 0; axis < 3; axis++) {
        const lanes beyond = beside_mirror(around, d, axis);
        if (axes >> axis & 1)
            some &= beyond & lanes_beside(around->mirrors, axis == 0 ? c[0] : x, axis == 1 ? c[1] : y,
                                          axis == 2 ? c[2] : z);
        else
            some &= ~beyond;
    }
    return some;
}

/* Axes, by bits, along which a direction moves. */
FUNCTION unsigned axes_of(struct direction d) {
    return (unsigned)(d.c[0] != 0) | (unsigned)(d.c[1] != 0) << 1 | (unsigned)(d.c[2] != 0) << 2;
}

/* Cells of a vector of which what leaves in a direction is turned round along the same axes. */
struct turned_cells {
    lanes some;
    uint8_t direction, axes;
};

/* Notes which of the cells with walls at d's end are turned round along which axes, and returns how many
 * such notes there are now. */
CALLED int note_turned(const struct cells_around *around, struct direction d, lanes walls,
                       struct turned_cells *turned, int turns) {
    unsigned mirrored = 0;
    for (int axis = 0; axis < 3; axis++)
        mirrored |= (unsigned)((beside_mirror(around, d, axis) & walls) != 0) << axis;
    for (unsigned axes = mirrored; axes != 0; axes = (axes - 1) & mirrored) {
        const lanes some = axes != axes_of(d) ? walls & turned_along(around, d, axes) : 0;
        if (some != 0)
            turned[turns++] = (struct turned_cells){some, (uint8_t)d.i, (uint8_t)axes};
    }
    return turns;
}

/* Of D3Q27: each of 12 directions may be turned in two ways, and each of 8 in six. */
enum { TURNS_MAX = 72 };

#endif

#endif
