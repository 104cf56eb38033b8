/* Where a population lies: the rule of the AA pattern without ghost ring, for one direction of one cell.
 * Correct everywhere, and used as it stands at block faces and walls; the kernels take shortcuts only where
 * this would give the plain address. Derivation: docs/streaming.md. Source of the AA pattern: Bailey et al.,
 * ICPP 2009; Riesinger et al. 2017, section 4.1.1. */
#ifndef WEIR_KERNELS_ADDRESSING_H
#define WEIR_KERNELS_ADDRESSING_H

#include "codelets/kernels/cells/kept_moments.h"
#include "codelets/kernels/lattice/directions.h"

/* Slots i of all cells of a brick. */
FUNCTION stored *slot(const struct weir_block_view *b, int i) {
#if WITH_FURTHER
    if (i >= FLOW_POPULATIONS)
        return (stored *)b->further + (size_t)(i - FLOW_POPULATIONS) * stride_of(b);
#endif
    return (stored *)b->populations + (size_t)i * stride_of(b);
}

/* Slot i of the cell with this entry (kept_cells.h). */
FUNCTION stored *slot_of(const struct weir_block_view *b, int i, int entry) {
#if IN_BRICKS
    return slot(b, i) + entry;
#else
    const size_t group = (size_t)entry / WEIR_LISTED_TOGETHER;
    const int cell = entry % WEIR_LISTED_TOGETHER;
#if WITH_FURTHER
    if (i >= FLOW_POPULATIONS)
        return (stored *)b->further +
               (group * (POPULATIONS - FLOW_POPULATIONS) + (size_t)(i - FLOW_POPULATIONS)) *
                   WEIR_LISTED_TOGETHER +
               cell;
#endif
    return (stored *)b->populations + (group * FLOW_POPULATIONS + (size_t)i) * WEIR_LISTED_TOGETHER + cell;
#endif
}

/* Width of the ring of flags around a block, along each axis (weir_lattice_ring). */
enum { RING_X = REACH, RING_Y = REACH, RING_Z = DIMENSIONS == 2 ? 1 : REACH };

/* From the flag of a cell to that of the next one along y, and along z. */
FUNCTION ptrdiff_t flags_row(const struct weir_block_view *b) {
    return own_extent(b, 0) + 2 * RING_X;
}

FUNCTION ptrdiff_t flags_plane(const struct weir_block_view *b) {
    return flags_row(b) * (own_extent(b, 1) + 2 * RING_Y);
}

/* Flag of a cell of the block or of the ring around it. */
FUNCTION const uint8_t *flag_of(const struct weir_block_view *b, int x, int y, int z) {
    return b->flags +
           (((ptrdiff_t)z + RING_Z) * (own_extent(b, 1) + 2 * RING_Y) + (y + RING_Y)) * flags_row(b) +
           (x + RING_X);
}

FUNCTION bool is_wall(uint8_t flag) {
    return flag != WEIR_FLUID && flag < WEIR_NEAR_WALL;
}

/* Bit i: the cell at c_i from here is part of a wall. */
FUNCTION direction_set walls_around(const struct weir_block_view *b, int x, int y, int z) {
    direction_set walls = 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    walls |= (direction_set)is_wall(*flag_of(b, x + (cx), y + (cy), z + (cz))) << (i);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return walls;
}

/* -1, 0, 1: a step of c along the axis from a coordinate of this block leads to the block before, stays in
 * this one, leads to the one after. */
FUNCTION int block_offset(const struct weir_block_view *b, int axis, int coordinate, int c) {
    return c > 0 ? (coordinate >= own_extent(b, axis) - c) : c < 0 ? -(coordinate < -c) : 0;
}

/* Whether a step of c leads from a cell into another block, or beyond the domain. */
FUNCTION bool leaves_block(const struct weir_block_view *b, int x, int y, int z, int cx, int cy, int cz) {
    return block_offset(b, 0, x, cx) != 0 || block_offset(b, 1, y, cy) != 0 || block_offset(b, 2, z, cz) != 0;
}

/* Whether a row's neighbours along y and z are all in this block. */
FUNCTION bool row_is_inside(const struct weir_block_view *b, int y, int z) {
    return y > 0 && y < own_extent(b, 1) - 1 && (DIMENSIONS == 2 || (z > 0 && z < own_extent(b, 2) - 1));
}

/* Where such a step ends, as the block at the offset counts it. */
FUNCTION int local_coordinate(const struct weir_block_view *b, int axis, int offset, int coordinate, int c) {
    if (offset > 0)
        return c > 1 ? coordinate + c - own_extent(b, axis) : 0;
    if (offset < 0)
        return extent_at(b, axis, -1) + (c < -1 ? coordinate + c : -1);
    return coordinate + c;
}

/* Layer, among those of a direction, of a population that leaves the block of `count` cells along an axis
 * from this coordinate there by a step of c: how deep below the face its cell lies. */
FUNCTION int depth_of(int coordinate, int count, int c) {
    return c > 1 ? count - 1 - coordinate : c < -1 ? coordinate : 0;
}

/* Among the 27 cells around one and itself, by number of their offset (offsets.h): those that are walls, and
 * those that mirror. */
struct surroundings {
    uint32_t walls, mirrors;
};

/* Of a cell that has no mirrors beside it. */
FUNCTION struct surroundings without_mirrors(void) {
    const struct surroundings around = {0, 0};
    return around;
}

#if WITH_MIRRORS

/* Whether the cell there belongs to a boundary that mirrors; may be in the ring around the block. */
FUNCTION bool is_mirror(const struct weir_block_view *b, uint8_t flag) {
    return is_wall(flag) && b->boundary_rows[flag].mirrors;
}

/* Asks for all of them before it waits for one. */
FUNCTION struct surroundings surroundings_of(const struct weir_block_view *b, int x, int y, int z) {
    enum { DEEP = DIMENSIONS == 3 ? 1 : 0, CELLS = DIMENSIONS == 3 ? 27 : 9 };
    struct surroundings around = {0, 0};
    uint8_t flags[CELLS];
    UNROLL(27)
    for (int k = 0; k < CELLS; k++)
        flags[k] = *flag_of(b, x + k % 3 - 1, y + k / 3 % 3 - 1, z + DEEP * (k / 9 - 1));
    UNROLL(27)
    for (int k = 0; k < CELLS; k++) {
        const int number = k + (DEEP ? 0 : WEIR_OFFSET_NUMBER(-1, -1, 0));
        around.walls |= (uint32_t)is_wall(flags[k]) << number;
        around.mirrors |= (uint32_t)is_mirror(b, flags[k]) << number;
    }
    return around;
}

/* Along which axes, by bits, what leaves a cell along d, which leads to a wall, is turned round by mirrors,
 * and goes on along the others to another cell; 0: it comes back to this one, as from any wall. Both cells
 * have the mirrors beyond them, so it is the same the other way (docs/streaming.md, S13). */
FUNCTION unsigned turned_axes(const struct surroundings *around, struct direction d) {
    unsigned axes = 0;
    int along[3];
    for (int axis = 0; axis < 3; axis++) {
        const int c = d.c[axis];
        const bool beyond =
            c != 0 &&
            (around->mirrors >> WEIR_OFFSET_NUMBER(axis == 0 ? c : 0, axis == 1 ? c : 0, axis == 2 ? c : 0) &
             1) != 0;
        axes |= (unsigned)beyond << axis;
        along[axis] = beyond ? 0 : c;
    }
    if (d.i >= FLOW_POPULATIONS || axes == 0 || (along[0] == 0 && along[1] == 0 && along[2] == 0) ||
        around->walls >> WEIR_OFFSET_NUMBER(along[0], along[1], along[2]) & 1)
        return 0;
    for (int axis = 0; axis < 3; axis++)
        if (axes >> axis & 1 && !(around->mirrors >> WEIR_OFFSET_NUMBER(axis == 0 ? d.c[0] : along[0],
                                                                        axis == 1 ? d.c[1] : along[1],
                                                                        axis == 2 ? d.c[2] : along[2]) &
                                  1))
            return 0;
    return axes;
}

/* The same where nothing is known of the cell yet. */
WEIR_CALLED unsigned mirrored_axes(const struct weir_block_view *b, struct direction d, int x, int y, int z) {
    const struct surroundings around = surroundings_of(b, x, y, z);
    return turned_axes(&around, d);
}

/* The direction with the velocity of d, turned round along some axes; constants for constants. */
FUNCTION struct direction turned_round(struct direction d, unsigned axes) {
    const int x = axes & 1 ? -d.c[0] : d.c[0], y = axes & 2 ? -d.c[1] : d.c[1],
              z = axes & 4 ? -d.c[2] : d.c[2];
    struct direction found = d;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, of_this) \
    if ((cx) == x && (cy) == y && (cz) == z)         \
        found = of_this;
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    return found;
}

/* The same, of which there is one for all. */
WEIR_CALLED struct direction turned(struct direction d, unsigned axes) {
    return turned_round(d, axes);
}

/* How what leaves along d travels past a mirror: as a population of the direction in which it arrives, by the
 * way along the face, in the layers of messages that d has for it, which nobody else uses. Between two steps
 * it lies where d's opposite would. */
FUNCTION struct direction past_mirror(struct direction d, struct direction turned_d, unsigned axes) {
    struct direction way = d;
    way.i = turned_d.i;
    for (int axis = 0; axis < 3; axis++)
        way.c[axis] = axes >> axis & 1 ? 0 : d.c[axis];
    return way;
}

/* The same of what arrives along d, by the way of what left in the direction `left` that mirrors turned. */
FUNCTION struct direction from_mirror(struct direction d, struct direction left, unsigned axes) {
    struct direction way = left;
    way.i = d.i;
    for (int axis = 0; axis < 3; axis++)
        way.c[axis] = axes >> axis & 1 ? 0 : d.c[axis];
    return way;
}

#else

/* There are none. */
FUNCTION struct surroundings surroundings_of(const struct weir_block_view *b, int x, int y, int z) {
    (void)b, (void)x, (void)y, (void)z;
    return without_mirrors();
}

FUNCTION unsigned turned_axes(const struct surroundings *around, struct direction d) {
    (void)around, (void)d;
    return 0;
}

FUNCTION unsigned mirrored_axes(const struct weir_block_view *b, struct direction d, int x, int y, int z) {
    (void)b, (void)d, (void)x, (void)y, (void)z;
    return 0;
}

#endif

/* The other way. Its layers in messages are those of its pair. */
FUNCTION struct direction opposite(struct direction d) {
    return direction_of(d.o, d.i, -d.c[0], -d.c[1], -d.c[2], d.layer[0], d.layer[1], d.layer[2]);
}

/* Whether all that arrives at a cell before a step of this parity lies in slots of its own: with a free
 * surface it has been taken out of messages then (free_surface.h, S15). */
FUNCTION bool is_taken_in(int parity) {
    return WITH_SURFACE && !parity;
}

/* Address of f_i arriving at fluid cell (x, y, z) at the beginning of a step, i being the number of d, but
 * past mirrors. wall: there is one at -c. */
FUNCTION const stored *plain_source(const struct weir_block_view *b, int parity, bool wall,
                                    struct direction d, int x, int y, int z) {
    if (is_taken_in(parity))
        return slot_of(b, d.i, cell_entry(b, x, y, z));
    const int ox = block_offset(b, 0, x, -d.c[0]), oy = block_offset(b, 1, y, -d.c[1]),
              oz = block_offset(b, 2, z, -d.c[2]);
    const int here = cell_entry(b, x, y, z);
    const stored *const plain =
        parity && !wall ? slot_of(b, d.o, entry_beside(b, here, x, y, z, -d.c[0], -d.c[1], -d.c[2]))
                        : slot_of(b, d.i, here);
    const int lx = local_coordinate(b, 0, ox, x, -d.c[0]), ly = local_coordinate(b, 1, oy, y, -d.c[1]),
              lz = local_coordinate(b, 2, oz, z, -d.c[2]);
    const int nx = extent_at(b, 0, ox), ny = extent_at(b, 1, oy), nz = extent_at(b, 2, oz);
    const ptrdiff_t place = ox != 0 ? weir_layer_place(d.layer[0] + depth_of(lx, nx, d.c[0]), lz, nz, ly, ny)
                            : oy != 0
                                ? weir_layer_place(d.layer[1] + depth_of(ly, ny, d.c[1]), lz, nz, lx, nx)
                                : weir_layer_place(d.layer[2] + depth_of(lz, nz, d.c[2]), ly, ny, lx, nx);
    const stored *const message = (const stored *)b->incoming[WEIR_OFFSET_NUMBER(ox, oy, oz)];
    return wall || (ox == 0 && oy == 0 && oz == 0) ? plain : message + place;
}

/* Address to which f*_i of a cell goes after collision, but past mirrors. wall: it meets one at c. */
FUNCTION stored *plain_target(const struct weir_block_view *b, int parity, bool wall, struct direction d,
                              int x, int y, int z) {
    const int ox = block_offset(b, 0, x, d.c[0]), oy = block_offset(b, 1, y, d.c[1]),
              oz = block_offset(b, 2, z, d.c[2]);
    const int here = cell_entry(b, x, y, z);
    stored *const plain = parity && !wall
                              ? slot_of(b, d.i, entry_beside(b, here, x, y, z, d.c[0], d.c[1], d.c[2]))
                              : slot_of(b, d.o, here);
    const int nx = own_extent(b, 0), ny = own_extent(b, 1), nz = own_extent(b, 2);
    const ptrdiff_t place = ox != 0   ? weir_layer_place(d.layer[0] + depth_of(x, nx, d.c[0]), z, nz, y, ny)
                            : oy != 0 ? weir_layer_place(d.layer[1] + depth_of(y, ny, d.c[1]), z, nz, x, nx)
                                      : weir_layer_place(d.layer[2] + depth_of(z, nz, d.c[2]), y, ny, x, nx);
    stored *const message = (stored *)b->outgoing[ox != 0   ? WEIR_FACE(0, d.c[0])
                                                  : oy != 0 ? WEIR_FACE(1, d.c[1])
                                                            : WEIR_FACE(2, d.c[2])];
    return wall || (ox == 0 && oy == 0 && oz == 0) ? plain : message + place;
}

#if WITH_MIRRORS

/* The two where mirrors turn what moves along d round along some axes. */
WEIR_CALLED const stored *source_past_mirrors(const struct weir_block_view *b, int parity, unsigned axes,
                                              struct direction d, int x, int y, int z) {
    return plain_source(b, parity, false, from_mirror(d, turned(d, axes), axes), x, y, z);
}

WEIR_CALLED stored *target_past_mirrors(const struct weir_block_view *b, int parity, unsigned axes,
                                        struct direction d, int x, int y, int z) {
    return plain_target(b, parity, false, past_mirror(d, turned(d, axes), axes), x, y, z);
}

#endif

/* The whole rule, where it is known along which axes mirrors turn what moves along d (of a source: what left
 * against it). */
FUNCTION const stored *source_turned(const struct weir_block_view *b, int parity, bool wall, unsigned axes,
                                     struct direction d, int x, int y, int z) {
#if WITH_MIRRORS
    if (axes != 0)
        return source_past_mirrors(b, parity, axes, d, x, y, z);
#endif
    (void)axes;
    return plain_source(b, parity, wall, d, x, y, z);
}

FUNCTION stored *target_turned(const struct weir_block_view *b, int parity, bool wall, unsigned axes,
                               struct direction d, int x, int y, int z) {
#if WITH_MIRRORS
    if (axes != 0)
        return target_past_mirrors(b, parity, axes, d, x, y, z);
#endif
    (void)axes;
    return plain_target(b, parity, wall, d, x, y, z);
}

/* Sends f*_i of a cell along. With a free surface what leaves the block is kept in the cell's own slot, too,
 * where nothing is otherwise: what crosses the links of a cell is counted after the step (S15). */
FUNCTION void send(const struct weir_block_view *b, int parity, bool wall, unsigned axes, struct direction d,
                   int x, int y, int z, stored population) {
    *target_turned(b, parity, wall, axes, d, x, y, z) = population;
    if (WITH_SURFACE && !wall)
        if (leaves_block(b, x, y, z, d.c[0], d.c[1], d.c[2]))
            *slot_of(b, d.o, cell_entry(b, x, y, z)) = population;
}

/* The whole rule for any cell. */
FUNCTION const stored *source_of(const struct weir_block_view *b, int parity, bool wall, struct direction d,
                                 int x, int y, int z) {
    return source_turned(b, parity, wall, wall ? mirrored_axes(b, opposite(d), x, y, z) : 0, d, x, y, z);
}

FUNCTION stored *target_of(const struct weir_block_view *b, int parity, bool wall, struct direction d, int x,
                           int y, int z) {
    return target_turned(b, parity, wall, wall ? mirrored_axes(b, d, x, y, z) : 0, d, x, y, z);
}

/* f_i, i being the number of d, that arrived at a cell before the step of this parity; wall: from one;
 * around: of surroundings_of. */
FUNCTION real arrived_along(const struct weir_block_view *b, int parity, bool wall,
                            const struct surroundings *around, struct direction d, int x, int y, int z) {
#if WITH_MOMENTS
    const struct kept_moments kept = kept_at(b, parity, x, y, z);
    real f[POPULATIONS];
    (void)wall, (void)around;
    populations_of_kept(&kept, f);
    return f[d.i];
#else
    return real_of(*source_turned(b, parity, wall, wall ? turned_axes(around, opposite(d)) : 0, d, x, y, z));
#endif
}

#if WITH_MIRRORS

/* The way past a mirror out of the block of what leaves the cell along d; d itself where there is none. */
FUNCTION struct direction way_into_block(const struct weir_block_view *b, struct direction d, int x, int y,
                                         int z) {
    const unsigned axes =
        is_wall(*flag_of(b, x + d.c[0], y + d.c[1], z + d.c[2])) ? mirrored_axes(b, d, x, y, z) : 0;
    const struct direction way = axes != 0 ? past_mirror(d, turned(d, axes), axes) : d;
    return axes != 0 && leaves_block(b, x, y, z, way.c[0], way.c[1], way.c[2]) ? way : d;
}

/* Whether it is another way than that of direction number `number`. */
FUNCTION bool is_other_way(struct direction way, int number) {
    return way.i != number;
}

#endif

/* Whether nothing that arrives at a cell, or leaves it, comes from another block. */
FUNCTION bool stays_inside(const struct weir_block_view *b, int x, int y, int z) {
    const int at[3] = {x, y, z};
    for (int axis = 0; axis < DIMENSIONS; axis++)
        if (at[axis] < REACH || at[axis] >= own_extent(b, axis) - REACH)
            return false;
    return true;
}

/* Where f_i lies that arrives at such a cell. By (S5) what leaves along i goes to where f_o was. */
FUNCTION stored *place_inside(const struct weir_block_view *b, int parity, bool wall, struct direction d,
                              int here, int x, int y, int z) {
    return parity && !wall ? slot_of(b, d.o, entry_within(b, here, x, y, z, -d.c[0], -d.c[1], -d.c[2]))
                           : slot_of(b, d.i, here);
}

#endif
