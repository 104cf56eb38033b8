/* The step of blocks that are lists of fluid cells on a CPU: vectors of cells that follow each other in the
 * list, whatever their rows. Even steps are in place; in odd ones populations are read and written by routes
 * (list_routes.h), as are those that cross the block's faces in both. */
#ifndef WEIR_KERNELS_COLLIDE_LISTS_H
#define WEIR_KERNELS_COLLIDE_LISTS_H

#include "codelets/kernels/boundary/boundary_rows.h"
#include "codelets/kernels/cells/list_routes.h"
#include "codelets/kernels/collision/collide_rows.h"

/* A step of a block. */
struct list_step {
    const struct weir_block_view *block;
    const struct weir_fluid *fluid;
    const struct relaxation *relaxation;
    struct boundary_sums *sums;
    bool routed; /* the block has this: */
    struct route_table table;
    int vectors;
};

/* Vectors from that whose populations are read to that whose are fetched into the cache meanwhile. */
enum { VECTORS_AHEAD = 8 };

/* Of some cells of the vector at an entry, the neighbouring ones from the first on, and their row. */
FUNCTION struct cells run_at(const struct weir_block_view *b, int entry, lanes some, struct row *row) {
    const int lane = first_lane(some);
    int at[3], next[3], end = lane + 1;
    cell_of_entry(b, entry + lane, at);
    for (; some >> end & 1; end++) {
        cell_of_entry(b, entry + end, next);
        if (next[0] != at[0] + end - lane || next[1] != at[1] || next[2] != at[2])
            break;
    }
    *row = row_of(b, 0, at[1], at[2]);
    struct cells cells;
    cells.x = at[0] - lane;
    cells.fluid = lanes_below(end) & ~lanes_below(lane);
    cells.first = cells.last = 0;
    return cells;
}

/* What walls that move, or let fluid pass, do to what leaves cells of the vector. */
CALLED void reflect_from_walls(const struct list_step *s, int parity, int entry, lanes some,
                               struct vector *v) {
    const struct body_force body = body_force_of(s->relaxation);
    while (some != 0) {
        struct row row;
        struct cells cells = run_at(s->block, entry, some, &row);
        some &= ~cells.fluid;
        find_walls(s->block, &row, first_lane(cells.fluid), &cells);
        if (s->block->flow)
            reflect_from_boundaries(s->block, parity, &row, &cells, s->fluid, &body, v, s->sums);
        else
            reflect_from_moving_walls(s->block, &row, &cells, v);
    }
}

#if WITH_WET

/* Completes cells of the vector that lie on wet faces. */
CALLED void complete_listed(const struct list_step *s, int parity, int entry, lanes some, struct vector *v) {
    const struct body_force body = body_force_of(s->relaxation);
    while (some != 0) {
        struct row row;
        const struct cells cells = run_at(s->block, entry, some, &row);
        some &= ~cells.fluid;
        complete_wet_cells(s->block, parity, &row, &cells, s->fluid->forced, &body, v, s->sums);
    }
}

#endif

/* ---- reading and writing by routes -------------------------------------------------------------------- */

FUNCTION void read_own(struct group_slots slots, int lane, lanes some, struct vector *v) {
    UNROLL(64)
    for (int i = 0; i < POPULATIONS; i++) {
        const stored *const at = slot_at(slots, i, distance_to(i, lane));
        unpack_lanes(v->rows[i], pack_lanes(at, some));
        __builtin_prefetch(at + distance_ahead(i));
    }
}

FUNCTION void write_own(struct group_slots slots, int lane, lanes some, const struct vector *v) {
    store_lanes(slot_at(slots, 0, distance_to(0, lane)), v->rows[0], some);
#define WEIR_DIRECTION(i, o, ...) store_lanes(slot_at(slots, o, distance_to(o, lane)), v->rows[i], some);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Both ends of each piece: without the processor's own fetching ahead, which loses track of so many streams,
 * each that is missed is waited for. */
FUNCTION void fetch_rounds(struct group_slots slots, const struct route *route) {
    for (const struct round *round = route->rounds; round < route->rounds_end; round++) {
        UNROLL(64)
        for (int i = 0; i < POPULATIONS; i++) {
            __builtin_prefetch(slot_at(slots, i, round->at[i]));
            __builtin_prefetch(slot_at(slots, i, round->at[i]) + VECTOR_CELLS - 1);
        }
    }
}

FUNCTION void fetch_crossings(const struct weir_block_view *b, const struct route *route) {
    for (const struct crossing *c = route->crossings; c < route->crossings_end; c++) {
        __builtin_prefetch((const stored *)b->incoming[c->from] + c->in + first_lane(c->some));
        __builtin_prefetch((stored *)b->outgoing[c->through] + c->out + first_lane(c->some));
    }
}

FUNCTION void read_rounds(struct group_slots slots, const struct route *route, lanes some, struct vector *v) {
    packed_populations p[POPULATIONS];
    UNROLL(64)
    for (int i = 0; i < POPULATIONS; i++)
        p[i] = pack_lanes(slot_at(slots, i, route->rounds->at[i]), route->rounds->some[i] & some);
    for (const struct round *round = route->rounds + 1; round < route->rounds_end; round++) {
        UNROLL(64)
        for (int i = 0; i < POPULATIONS; i++)
            p[i] = also_lanes(p[i], slot_at(slots, i, round->at[i]), round->some[i] & some);
    }
    UNROLL(64)
    for (int i = 0; i < POPULATIONS; i++)
        unpack_lanes(v->rows[i], p[i]);
}

/* What leaves along the opposite of a direction goes to where what arrived along it was. */
FUNCTION void write_rounds(struct group_slots slots, const struct route *route, lanes some,
                           const struct vector *v) {
    for (const struct round *round = route->rounds; round < route->rounds_end; round++) {
        store_lanes(slot_at(slots, 0, round->at[0]), v->rows[0], round->some[0] & some);
#define WEIR_DIRECTION(i, o, ...) \
    store_lanes(slot_at(slots, o, round->at[o]), v->rows[i], round->some[o] & some);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

FUNCTION void read_crossings(const struct weir_block_view *b, const struct route *route, lanes some,
                             struct vector *v) {
    for (const struct crossing *c = route->crossings; c < route->crossings_end; c++) {
        const lanes crossing = c->some & some;
        real *const row = v->rows[c->i], arriving[VECTOR_CELLS];
        unpack_lanes(arriving, pack_lanes((const stored *)b->incoming[c->from] + c->in, crossing));
        for (int k = 0; k < VECTOR_CELLS; k++)
            row[k] = crossing >> k & 1 ? arriving[k] : row[k];
    }
}

FUNCTION void write_crossings(const struct weir_block_view *b, const struct route *route, lanes some,
                              const struct vector *v) {
    for (const struct crossing *c = route->crossings; c < route->crossings_end; c++)
        store_lanes((stored *)b->outgoing[c->through] + c->out, v->rows[c->o], c->some & some);
}

/* ---- steps of vectors --------------------------------------------------------------------------------- */

/* The step of some cells of the vector at an entry. */
FUNCTION void step_listed(const struct list_step *s, int parity, int entry, lanes some, bool walls,
                          const struct route *route) {
    const int first = first_of_group(entry), lane = entry - first,
              later = entry / VECTOR_CELLS + VECTORS_AHEAD;
    const struct group_slots slots = slots_of_group(s->block, first);
    struct vector v;
    if (parity)
        read_rounds(slots, route, some, &v);
    else
        read_own(slots, lane, some, &v);
    if (s->routed && later < s->vectors) {
        const struct route ahead = route_in(&s->table, later);
        if (parity)
            fetch_rounds(slots_of_group(s->block, first_of_group(later * VECTOR_CELLS)), &ahead);
        fetch_crossings(s->block, &ahead);
    }
    read_crossings(s->block, route, some, &v);
#if WITH_WET
    if (walls && s->block->flow)
        complete_listed(s, parity, entry, some, &v);
#endif
    collide_one(&v, s->fluid->forced, s->relaxation);
    if (walls)
        reflect_from_walls(s, parity, entry, some, &v);
    if (parity)
        write_rounds(slots, route, some, &v);
    else
        write_own(slots, lane, some, &v);
    write_crossings(s->block, route, some, &v);
}

CALLED void step_even(const struct list_step *s, int entry, lanes some, bool walls,
                      const struct route *route) {
    step_listed(s, 0, entry, some, walls, route);
}

CALLED void step_odd(const struct list_step *s, int entry, lanes some, bool walls,
                     const struct route *route) {
    step_listed(s, 1, entry, some, walls, route);
}

/* The even step of a vector's cells where all that they read and write is their own. */
CALLED void step_own(const struct list_step *s, int entry, lanes some) {
    const int first = first_of_group(entry), lane = entry - first;
    const stored *in[POPULATIONS];
    stored *out[POPULATIONS];
    in[0] = out[0] = slot_of(s->block, 0, first);
#define WEIR_DIRECTION(i, o, ...) in[i] = out[o] = slot_of(s->block, i, first);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (some == lanes_below(VECTOR_CELLS))
        collide_inside(in, out, NULL, lane, lane + VECTOR_CELLS, s->fluid->forced, s->relaxation);
    else
        collide_some_inside(in, lane, some, s->fluid->forced, s->relaxation);
}

/* Marks of groups in which walls change populations. */
FUNCTION unsigned marks_of_walls(const struct weir_block_view *b, const struct weir_fluid *fluid) {
    return (fluid->walls_move ? WEIR_WALLS_MOVE | WEIR_WALLS_AT_END : 0) | (b->flow ? WEIR_WALLS_OPEN : 0);
}

static void step_rows(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                      const struct weir_fluid *fluid, const struct relaxation *r,
                      struct boundary_sums *sums) {
    const int begin = first_entry(b, row_begin), end = first_entry(b, row_end);
    const unsigned of_walls = marks_of_walls(b, fluid);
    struct list_step s = {.block = b,
                          .fluid = fluid,
                          .relaxation = r,
                          .sums = sums,
                          .routed = b->list.routes != NULL,
                          .vectors = route_vectors(b)};
    if (s.routed)
        s.table = route_table_in(b, b->list.routes);
    struct route_space space;
    for (int entry = begin / VECTOR_CELLS * VECTOR_CELLS; entry < end; entry += VECTOR_CELLS) {
        const lanes before = entry < begin ? lanes_below(begin - entry) : 0,
                    some = lanes_below(end - entry) & ~before;
        const bool walls = (b->list.marks[entry / WEIR_LISTED_TOGETHER] & of_walls) != 0;
        const struct route route =
            s.routed ? route_in(&s.table, entry / VECTOR_CELLS) : find_route(b, entry, &space);
        if (parity)
            step_odd(&s, entry, some, walls, &route);
        else if (walls || route.crossings < route.crossings_end)
            step_even(&s, entry, some, walls, &route);
        else
            step_own(&s, entry, some);
    }
}

weir_list_routes_cpu WEIR_NAME(list_routes);
size_t WEIR_NAME(list_routes)(const struct weir_block_view *b, void *routes) {
    const struct route_head head = count_routes(b);
    if (routes)
        fill_routes(b, head, routes);
    return bytes_of_routes(b, head);
}

#endif
