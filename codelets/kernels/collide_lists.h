/* The step of blocks that are lists of fluid cells on a CPU: vectors of cells that follow each other in the
 * list, whatever their rows. Even steps are in place and need no table, but for cells with links into other
 * blocks; in odd steps populations are read and written by runs (list_rows.h). */
#ifndef WEIR_KERNELS_COLLIDE_LISTS_H
#define WEIR_KERNELS_COLLIDE_LISTS_H

#include "codelets/kernels/boundary/boundary_rows.h"
#include "codelets/kernels/collision/collide_rows.h"

/* Some cells of a vector on their way through a step. */
struct listed_vector {
    int entry;              /* of lane 0 */
    lanes some, own[LINKS]; /* of these, by direction, those whose populations lie in their own slots */
    int runs;               /* found, in odd steps */
    struct run run[VECTOR_CELLS];
    struct crossings crossings;
    struct vector v;
};

/* A step of a block, and the row that has been come to. */
struct list_step {
    const struct weir_block_view *block;
    const struct weir_fluid *fluid;
    const struct relaxation *relaxation;
    struct boundary_sums *sums;
    struct row row;
};

/* Turns to the row of a cell of the list, which is none before, and tells the cell's x. */
FUNCTION int turn_to(struct list_step *s, int parity, int entry) {
    const struct weir_block_view *b = s->block;
    const int segments = weir_row_segments(own_extent(b, 0));
    const weir_position position = b->list.positions[entry];
    const struct weir_segment *const segment = b->list.segments + (position >> 5);
    int y = s->row.y, z = s->row.z;
    while (segment >= b->list.segments + first_segment(b, y, z) + segments)
        if (++y == own_extent(b, 1)) {
            y = 0;
            z++;
        }
    if (y != s->row.y || z != s->row.z)
        s->row = row_of(b, parity, y, z);
    return (int)(segment - s->row.segments) * WEIR_SEGMENT_CELLS + (int)(position & 31) - 1;
}

/* Of some cells of the vector at an entry, the neighbouring ones from the first on, and their row. */
FUNCTION struct cells run_at(struct list_step *s, int parity, int entry, lanes some) {
    const struct weir_block_view *b = s->block;
    const int lane = first_lane(some), x = turn_to(s, parity, entry + lane), left = own_extent(b, 0) - x;
    const lanes kept = kept_beside(b, &s->row, x, 0, 0).kept >> 1 & lanes_below(left),
                neighbours = lanes_below(first_lane(~kept)) << lane & some;
    struct cells cells;
    cells.x = x - lane;
    cells.fluid = neighbours;
    cells.first = x == 0 ? neighbours & -neighbours : 0;
    cells.last = lane + left <= VECTOR_CELLS ? neighbours & (lanes)1 << (lane + left - 1) : 0;
    return cells;
}

/* What walls that move, or let fluid pass, do to what leaves cells of the vector. */
CALLED void reflect_from_walls(struct list_step *s, int parity, int entry, lanes some, struct vector *v) {
    while (some != 0) {
        struct cells cells = run_at(s, parity, entry, some);
        some &= ~cells.fluid;
        find_walls(s->block, &s->row, first_lane(cells.fluid), &cells);
        if (s->block->flow)
            reflect_from_boundaries(s->block, parity, &s->row, &cells, s->fluid, s->relaxation->force, v,
                                    s->sums);
        else
            reflect_from_moving_walls(s->block, &s->row, &cells, v);
    }
}

/* Fetches what later vectors are likely to read: from places as those of direction i lie at[i]. */
FUNCTION void fetch_ahead_of(struct group_slots slots, const int32_t at[POPULATIONS]) {
    UNROLL(64)
    for (int i = 0; i < POPULATIONS; i++)
        __builtin_prefetch(slot_at(slots, i, at[i]) + distance_ahead(i));
}

FUNCTION int first_of_group(int entry) {
    return entry / WEIR_LISTED_TOGETHER * WEIR_LISTED_TOGETHER;
}

/* Finds where the populations of some cells lie, and reads them. */
FUNCTION void read_listed(struct list_step *s, int parity, int entry, lanes some, struct listed_vector *l) {
    const struct weir_block_view *b = s->block;
    const int first = first_of_group(entry), lane = entry - first;
    const struct group_slots slots = slots_of_group(b, first);
    l->entry = entry;
    l->some = some;
    l->runs = l->crossings.count = 0;
    for (int i = 0; i < LINKS; i++)
        l->own[i] = some;
    for (lanes left = some; left != 0;) {
        const struct cells cells = run_at(s, parity, entry, left);
        left &= ~cells.fluid;
        if (parity) {
            struct run *const run = &l->run[l->runs++];
            find_run(b, &s->row, &cells, first, lane, run);
            for (int i = 0; i < LINKS; i++)
                l->own[i] &= ~(lanes)run->some[i];
        }
        find_crossings(b, parity, &s->row, &cells, &l->crossings);
    }
    UNROLL(64)
    for (int i = 0; i < POPULATIONS; i++)
        if (!parity || l->own[i] != 0) { /* what is not needed is not touched */
            const stored *const at = slot_at(slots, i, distance_to(i, lane));
            unpack_lanes(l->v.rows[i], pack_lanes(at, l->own[i]));
            __builtin_prefetch(at + distance_ahead(i));
        }
    for (int n = 0; n < l->runs; n++)
        read_run(slots, &l->run[n], &l->v);
    if (parity)
        fetch_ahead_of(slots, l->run[0].at);
    read_crossings(&l->crossings, &l->v);
}

/* Writes what leaves them. */
FUNCTION void write_listed(const struct weir_block_view *b, int parity, const struct listed_vector *l) {
    const int first = first_of_group(l->entry), lane = l->entry - first;
    const struct group_slots slots = slots_of_group(b, first);
    store_lanes(slot_at(slots, 0, distance_to(0, lane)), l->v.rows[0], l->some);
#define WEIR_DIRECTION(i, o, ...)  \
    if (!parity || l->own[o] != 0) \
        store_lanes(slot_at(slots, o, distance_to(o, lane)), l->v.rows[i], l->own[o]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    for (int n = 0; n < l->runs; n++)
        write_run(slots, &l->run[n], &l->v);
    write_crossings(&l->crossings, &l->v);
}

/* The step of some cells of the vector at an entry. */
FUNCTION void step_listed(struct list_step *s, int parity, int entry, lanes some, bool walls) {
    const struct row row = s->row;
    struct listed_vector l;
    read_listed(s, parity, entry, some, &l);
    collide_one(&l.v, s->fluid->forced, s->relaxation);
    if (walls) {
        s->row = row;
        reflect_from_walls(s, parity, entry, some, &l.v);
    }
    write_listed(s->block, parity, &l);
}

CALLED void step_even(struct list_step *s, int entry, lanes some, bool walls) {
    step_listed(s, 0, entry, some, walls);
}

CALLED void step_odd(struct list_step *s, int entry, lanes some, bool walls) {
    step_listed(s, 1, entry, some, walls);
}

/* Marks of groups in which walls change populations. */
FUNCTION unsigned marks_of_walls(const struct weir_block_view *b, const struct weir_fluid *fluid) {
    return (fluid->walls_move ? WEIR_WALLS_MOVE | WEIR_WALLS_AT_END : 0) | (b->flow ? WEIR_WALLS_OPEN : 0);
}

/* The even step of a group's cells begin .. end - 1 where all that they read and write is their own. */
static void step_own(const struct list_step *s, int begin, int end) {
    const int first = begin / WEIR_LISTED_TOGETHER * WEIR_LISTED_TOGETHER;
    const stored *in[POPULATIONS];
    stored *out[POPULATIONS];
    in[0] = out[0] = slot_of(s->block, 0, first);
#define WEIR_DIRECTION(i, o, ...) in[i] = out[o] = slot_of(s->block, i, first);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (end - begin == WEIR_LISTED_TOGETHER)
        collide_inside(in, out, 0, WEIR_LISTED_TOGETHER, s->fluid->forced, s->relaxation);
    else
        for (int x = begin - first; x < end - first; x += VECTOR_CELLS)
            collide_some_inside(in, x, lanes_below(end - first - x), s->fluid->forced, s->relaxation);
}

static void step_group(struct list_step *s, int parity, unsigned walls, int begin, int end) {
    const unsigned marks = s->block->list.marks[begin / WEIR_LISTED_TOGETHER];
    if (parity == 0 && (marks & (WEIR_CROSSES | WEIR_CROSSES_X | walls)) == 0) {
        step_own(s, begin, end);
        return;
    }
    for (int entry = begin / VECTOR_CELLS * VECTOR_CELLS; entry < end; entry += VECTOR_CELLS) {
        const lanes before = entry < begin ? lanes_below(begin - entry) : 0,
                    some = lanes_below(end - entry) & ~before;
        (parity ? step_odd : step_even)(s, entry, some, (marks & walls) != 0);
    }
}

static void step_rows(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                      const struct weir_fluid *fluid, const struct relaxation *r,
                      struct boundary_sums *sums) {
    const int begin = first_entry(b, row_begin), end = first_entry(b, row_end), ny = own_extent(b, 1);
    struct list_step step = {b, fluid, r, sums, row_of(b, parity, row_begin % ny, row_begin / ny)};
    for (int entry = begin; entry < end;) {
        const int next = (entry / WEIR_LISTED_TOGETHER + 1) * WEIR_LISTED_TOGETHER;
        step_group(&step, parity, marks_of_walls(b, fluid), entry, next < end ? next : end);
        entry = next;
    }
}

#endif
