/* Where a population lies: the rule of the AA pattern without ghost ring, for one direction of one cell.
 * Correct everywhere, and used as it stands at block faces and walls; the kernels take shortcuts only where
 * this would give the plain address. Derivation: docs/streaming.md. Source of the AA pattern: Bailey et al.,
 * ICPP 2009; Riesinger et al. 2017, section 4.1.1. */
#ifndef WEIR_KERNELS_ADDRESSING_H
#define WEIR_KERNELS_ADDRESSING_H

#include "codelets/kernels/variant.h"

/* Number of cell (x, y, z) in a direction's array; may point outside, for rows that are shifted by a lattice
 * velocity. */
FUNCTION int cell_number(const struct weir_block_view *b, int x, int y, int z) {
    return (z * b->extent[1][1] + y) * b->extent[0][1] + x;
}

FUNCTION real *slot(const struct weir_block_view *b, int i) {
    return (real *)b->populations + (size_t)i * b->stride;
}

/* Flag of a cell of the block or of the ring around it. */
FUNCTION const uint8_t *flag_of(const struct weir_block_view *b, int x, int y, int z) {
    return b->flags + (((ptrdiff_t)z + 1) * (b->extent[1][1] + 2) + (y + 1)) * (b->extent[0][1] + 2) +
           (x + 1);
}

FUNCTION bool is_wall(uint8_t flag) {
    return flag != WEIR_FLUID && flag < WEIR_NEAR_WALL;
}

/* -1, 0, 1: the coordinate lies in the block before, in this one, in the one after. */
FUNCTION int block_offset(const struct weir_block_view *b, int axis, int coordinate) {
    return coordinate < 0 ? -1 : coordinate >= b->extent[axis][1] ? 1 : 0;
}

/* A coordinate at `offset` as the block that holds it counts it. */
FUNCTION int local_coordinate(const struct weir_block_view *b, int axis, int offset, int coordinate) {
    return offset < 0   ? b->extent[axis][0] + coordinate
           : offset > 0 ? coordinate - b->extent[axis][1]
                        : coordinate;
}

/* Address of f_i arriving at fluid cell (x, y, z) at the beginning of a step. near_wall: the cell may have
 * walls around it. */
FUNCTION const real *source_of(const struct weir_block_view *b, int parity, bool near_wall, int i, int o,
                               int cx, int cy, int cz, int mx, int my, int mz, int x, int y, int z) {
    const int qx = x - cx, qy = y - cy, qz = z - cz;
    if (near_wall && is_wall(*flag_of(b, qx, qy, qz)))
        return slot(b, i) + cell_number(b, x, y, z);
    const int ox = cx ? block_offset(b, 0, qx) : 0;
    const int oy = cy ? block_offset(b, 1, qy) : 0;
    const int oz = cz ? block_offset(b, 2, qz) : 0;
    if (ox == 0 && oy == 0 && oz == 0)
        return parity ? slot(b, o) + cell_number(b, qx, qy, qz) : slot(b, i) + cell_number(b, x, y, z);
    const real *message = (const real *)b->incoming[(ox + 1) + 3 * (oy + 1) + 9 * (oz + 1)];
    const int lx = local_coordinate(b, 0, ox, qx), ly = local_coordinate(b, 1, oy, qy),
              lz = local_coordinate(b, 2, oz, qz);
    const ptrdiff_t nx = b->extent[0][ox + 1], ny = b->extent[1][oy + 1], nz = b->extent[2][oz + 1];
    if (ox != 0)
        return message + ((ptrdiff_t)mx * nz + lz) * ny + ly;
    if (oy != 0)
        return message + ((ptrdiff_t)my * nz + lz) * nx + lx;
    return message + ((ptrdiff_t)mz * ny + ly) * nx + lx;
}

/* Where f*_i of a cell goes after collision, and the wall it meets on the way (0: none). */
struct target {
    real *address;
    uint8_t wall;
};

FUNCTION struct target target_of(const struct weir_block_view *b, int parity, bool near_wall, int i, int o,
                                 int cx, int cy, int cz, int mx, int my, int mz, int x, int y, int z) {
    const int qx = x + cx, qy = y + cy, qz = z + cz;
    struct target t;
    t.wall = 0;
    if (near_wall && is_wall(*flag_of(b, qx, qy, qz))) {
        t.wall = *flag_of(b, qx, qy, qz);
        t.address = slot(b, o) + cell_number(b, x, y, z);
        return t;
    }
    const int ox = cx ? block_offset(b, 0, qx) : 0;
    const int oy = cy ? block_offset(b, 1, qy) : 0;
    const int oz = cz ? block_offset(b, 2, qz) : 0;
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][1], nz = b->extent[2][1];
    if (ox != 0)
        t.address = (real *)b->outgoing[ox > 0] + ((ptrdiff_t)mx * nz + z) * ny + y;
    else if (oy != 0)
        t.address = (real *)b->outgoing[2 + (oy > 0)] + ((ptrdiff_t)my * nz + z) * nx + x;
    else if (oz != 0)
        t.address = (real *)b->outgoing[4 + (oz > 0)] + ((ptrdiff_t)mz * ny + y) * nx + x;
    else
        t.address = parity ? slot(b, i) + cell_number(b, qx, qy, qz) : slot(b, o) + cell_number(b, x, y, z);
    return t;
}

/* What a moving wall takes from f*_i when it reflects it: f_o = f*_i - 6 w_i rho_0 (c_i . u_wall)
 * (Ladd, J. Fluid Mech. 271 (1994); Krueger et al. 2017, section 5.3.3). Zero for a wall at rest. */
FUNCTION real wall_momentum(const struct weir_block_view *b, uint8_t wall, real weight, int cx, int cy,
                            int cz) {
    return weight * dot_lattice(cx, cy, cz, (const real *)b->wall_velocity + 3 * wall);
}

#endif
