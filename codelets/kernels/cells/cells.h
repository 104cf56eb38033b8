/* Single cells as a GPU thread takes them: all populations arriving at or leaving one cell, by the rule of
 * addressing.h. walls: of walls_around.
 *
 * In rows inside the block (row_is_inside) only the cells at its two ends have neighbours elsewhere, and most
 * of the rule falls away. Nothing branches, so that all populations are asked for before one is waited for.
 */
#ifndef WEIR_KERNELS_CELLS_H
#define WEIR_KERNELS_CELLS_H

#include "codelets/kernels/boundary/wet_cells.h"
#include "codelets/kernels/collision/cohesion.h"

/* The walls around a fluid cell with this flag. */
FUNCTION direction_set walls_of_cell(const struct weir_block_view *b, uint8_t flag, int x, int y, int z) {
    return flag == WEIR_FLUID ? 0 : walls_around(b, x, y, z);
}

/* Whether nothing that arrives at a cell, or leaves it, crosses a face to another block: it meets walls
 * there. For populations that move by one cell. */
FUNCTION bool is_enclosed(const struct weir_block_view *b, int x, int y, int z) {
    const int at[3] = {x, y, z};
    bool enclosed = true;
    for (int axis = 0; axis < DIMENSIONS; axis++)
        enclosed = enclosed && (at[axis] > 0 || domain_ends(b, axis, -1)) &&
                   (at[axis] < own_extent(b, axis) - 1 || domain_ends(b, axis, 1));
    return enclosed;
}

/* Place in a message through an x face. */
FUNCTION ptrdiff_t x_place(const struct weir_block_view *b, int mx, int y, int z) {
    return weir_layer_place(mx, z, own_extent(b, 2), y, own_extent(b, 1));
}

enum { /* in outgoing and incoming */
       LOW_X = WEIR_FACE(0, -1),
       HIGH_X = WEIR_FACE(0, 1),
       FROM_LOW_X = WEIR_OFFSET_NUMBER(-1, 0, 0),
       FROM_HIGH_X = WEIR_OFFSET_NUMBER(1, 0, 0)
};

/* What comes back from walls around a cell, in place of what leaves it towards them: from all whose boundary
 * lets nothing pass. */
FUNCTION void reflect_from_walls(const struct weir_block_view *b, direction_set walls, int x, int y, int z,
                                 real f[POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if (walls >> (i)&1)                        \
        f[i] = reflected_by_wall(b, flag_beside(b, d, x, y, z), d, (real)(w), f[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* around: of surroundings_of, or without_mirrors; here and below. */
FUNCTION void arriving_at_cell(const struct weir_block_view *b, int parity, direction_set walls,
                               const struct surroundings *around, int x, int y, int z, real f[POPULATIONS]) {
    f[0] = real_of(*slot_of(b, 0, cell_entry(b, x, y, z)));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)               \
    f[i] = real_of(*source_turned(b, parity, walls >> (o)&1, \
                                  walls >> (o)&1 ? turned_axes(around, opposite(d)) : 0, d, x, y, z));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* reflected: f holds already what comes back from walls (reflect_in_cell). */
FUNCTION void leaving_cell(const struct weir_block_view *b, int parity, direction_set walls,
                           const struct surroundings *around, bool reflected, int x, int y, int z,
                           const real f[POPULATIONS]) {
    *slot_of(b, 0, cell_entry(b, x, y, z)) = stored_of(f[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                   \
    {                                                                                            \
        real leaving = f[i];                                                                     \
        if (!reflected && walls >> (i)&1)                                                        \
            leaving = reflected_by_wall(b, flag_beside(b, d, x, y, z), d, (real)(w), f[i]);      \
        send(b, parity, walls >> (i)&1, walls >> (i)&1 ? turned_axes(around, d) : 0, d, x, y, z, \
             stored_of(leaving));                                                                \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#if WITH_WET

/* Completes what has arrived at such a cell, if it lies on a wet face. */
FUNCTION void complete_near_open(const struct weir_block_view *b, int parity, int x, int y, int z,
                                 bool forced, const struct body_force *body, real f[POPULATIONS]) {
    struct boundary_sums sums;
    memset(&sums, 0, sizeof sums);
    complete_and_count(b, parity, share_of(x, y, z), x, y, z, forced, body, f, &sums);
    add_flow(b, parity, share_of(x, y, z), &sums);
}

#endif

/* Number of slot i or o of a cell, counted from the lower of the two slots; fits, because a block has at most
 * 2^30 cells. */
FUNCTION uint32_t of_pair(const struct weir_block_view *b, int slot, int other, int cell) {
    return (uint32_t)cell + (slot > other ? (uint32_t)stride_of(b) : 0);
}

/* Arriving at a cell of a row inside the block, which is longer than one cell: so of two opposite directions
 * at most one comes from beyond an x face. */
FUNCTION void arriving_in_row(const struct weir_block_view *b, int parity, direction_set walls, int x, int y,
                              int z, real f[POPULATIONS]) {
    const int here = cell_number(b, x, y, z);
    const bool first = x == 0, last = x == own_extent(b, 0) - 1;
    stored arriving[POPULATIONS], beyond[POPULATIONS] = {0};
    arriving[0] = slot(b, 0)[here];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                                \
    arriving[i] =                                                                                            \
        slot(b, (i) < (o)                                                                                    \
                    ? i                                                                                      \
                    : o)[parity && !(walls >> (o)&1) ? of_pair(b, o, i, here - cell_distance(b, cx, cy, cz)) \
                                                     : of_pair(b, i, o, here)];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (first || last) {
        const stored *const message = (const stored *)b->incoming[first ? FROM_LOW_X : FROM_HIGH_X];
#define PAIR(i, o, cx, cy, cz, w)                                                                       \
    if ((cx) != 0) {                                                                                    \
        const bool i_crosses = (cx) > 0 ? first : last;                                                 \
        const bool wall = walls >> (i_crosses ? o : i) & 1;                                             \
        const int to_y = i_crosses ? cy : -(cy), to_z = i_crosses ? cz : -(cz);                         \
        const stored *const own =                                                                       \
            slot(b, (i) < (o) ? i : o) + (i_crosses ? of_pair(b, i, o, here) : of_pair(b, o, i, here)); \
        beyond[i] = *(wall ? own : message + x_place(b, LAYER_X_##i, y - to_y, z - to_z));              \
    }
        FOR_PAIRS(PAIR)
#undef PAIR
    }
    f[0] = real_of(arriving[0]);
#define PAIR(i, o, cx, ...)                                                           \
    f[i] = real_of((cx) != 0 && ((cx) > 0 ? first : last) ? beyond[i] : arriving[i]); \
    f[o] = real_of((cx) != 0 && ((cx) > 0 ? last : first) ? beyond[i] : arriving[o]);
    FOR_PAIRS(PAIR)
#undef PAIR
#define WEIR_DIRECTION(i, ...) f[i] = real_of(arriving[i]);
    FOR_RESTING
#undef WEIR_DIRECTION
}

/* What such a cell sends on after collision. walls_move: some of its walls do, and f is changed. */
FUNCTION void leaving_in_row(const struct weir_block_view *b, int parity, direction_set walls,
                             bool walls_move, int x, int y, int z, real f[POPULATIONS]) {
    const int here = cell_number(b, x, y, z);
    const bool first = x == 0, last = x == own_extent(b, 0) - 1;
    if (walls_move)
        reflect_from_walls(b, walls, x, y, z, f);
    slot(b, 0)[here] = stored_of(f[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                      \
    {                                                                                               \
        const bool wall = walls >> (i)&1;                                                           \
        stored *to = slot(b, (i) < (o) ? i : o) +                                                   \
                     (parity && !wall ? of_pair(b, i, o, here + cell_distance(b, cx, cy, cz))       \
                                      : of_pair(b, o, i, here));                                    \
        if ((cx) != 0 && ((cx) > 0 ? last : first) && !wall)                                        \
            to = (stored *)b->outgoing[(cx) > 0 ? HIGH_X : LOW_X] + x_place(b, (d).layer[0], y, z); \
        *to = stored_of(f[i]);                                                                      \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Arriving at any fluid cell; flag: its own. */
FUNCTION void arriving(const struct weir_block_view *b, int parity, uint8_t flag, int x, int y, int z,
                       real f[POPULATIONS]) {
#if WITH_MOMENTS
    const struct kept_moments kept = kept_at(b, parity, x, y, z);
    (void)flag;
    populations_of_kept(&kept, f);
#else
    const direction_set walls = walls_of_cell(b, flag, x, y, z);
    const bool mirrored = WITH_MIRRORS && (flag == WEIR_NEAR_OPEN || flag == WEIR_AT_MIRROR);
    if (BY_ROWS && row_is_inside(b, y, z) && own_extent(b, 0) > 1 && !mirrored) {
        arriving_in_row(b, parity, walls, x, y, z, f);
        return;
    }
    const struct surroundings around = mirrored ? surroundings_of(b, x, y, z) : without_mirrors();
    arriving_at_cell(b, parity, walls, &around, x, y, z, f);
#endif
}

#endif
