/* Routes: where what arrives at the cells of a list (cell_list.h) lies in memory, for vectors of cells that
 * follow each other in the list, whatever their rows. They depend on the geometry alone, and a block that
 * CPUs step has a table of them; without one they are found anew in each step, which takes several times as
 * long as the rest of it.
 *
 * In odd steps what arrives at a vector along a direction lies in some *pieces* of memory: neighbouring cells
 * of a row have neighbouring cells beside them, which follow each other in the list, unless a solid one or
 * the end of a group is between them; and what comes back from walls is in the cells' own slots. Lane k of a
 * piece is `at + k` for some of the lanes. The n-th pieces of all directions are a *round*, so that a vector
 * is read in as many rounds as the direction with most pieces has, without asking which has how many. What
 * leaves along the opposite of a direction goes to where what arrived along it was.
 *
 * In all steps some populations come from other blocks through the block's faces: *crossings*. */
#ifndef WEIR_KERNELS_LIST_ROUTES_H
#define WEIR_KERNELS_LIST_ROUTES_H

#include "codelets/kernels/cells/list_rows.h"

/* A piece for each direction: distances as those of distance_to from the group of the vector. Where a
 * direction has no more pieces there are no lanes, and the place is that of its first one. */
struct round {
    int32_t at[POPULATIONS];
    uint16_t some[POPULATIONS];
};

/* Some lanes to which f_i comes from other blocks: lane k from place in + k of the message incoming[from];
 * what leaves along o goes to place out + k of outgoing[through]. */
struct crossing {
    int32_t in, out;
    uint16_t some;
    uint8_t i, o, from, through;
};

enum { ROUNDS_MAX = VECTOR_CELLS, CROSSINGS_MAX = POPULATIONS * VECTOR_CELLS };

/* The routes of a vector. */
struct route {
    const struct round *rounds, *rounds_end;
    const struct crossing *crossings, *crossings_end;
};

/* Room for those of one. */
struct route_space {
    struct round rounds[ROUNDS_MAX];
    struct crossing crossings[CROSSINGS_MAX];
};

/* ---- finding them ------------------------------------------------------------------------------------- */

/* The cell of an entry. */
FUNCTION void cell_of_entry(const struct weir_block_view *b, int entry, int at[3]) {
    const weir_position position = b->list.positions[entry];
    const int of_row = weir_row_segments(own_extent(b, 0)), segment = (int)(position >> 5),
              row = segment / of_row, rows = own_extent(b, 1) + 2;
    at[0] = segment % of_row * WEIR_SEGMENT_CELLS + (int)(position & 31) - 1;
    at[1] = row % rows - 1;
    at[2] = row / rows - (DIMENSIONS == 3);
}

FUNCTION int first_of_group(int entry) {
    return entry / WEIR_LISTED_TOGETHER * WEIR_LISTED_TOGETHER;
}

/* Finds the pieces of the vector at an entry, and returns how many rounds they are. */
CALLED int find_rounds(const struct weir_block_view *b, int entry, struct round rounds[ROUNDS_MAX]) {
    const int first = first_of_group(entry), nx = own_extent(b, 0);
    int distance[VECTOR_CELLS][POPULATIONS], cells = 0, count = 1;
    for (; cells < VECTOR_CELLS && entry + cells < b->kept; cells++) {
        int at[3];
        cell_of_entry(b, entry + cells, at);
        find_distances(b, 1, b->list.positions[entry + cells], bits_within(at[0] == 0, at[0] == nx - 1),
                       first, entry + cells - first, distance[cells]);
    }
    for (int i = 0; i < POPULATIONS; i++) {
        int pieces = 0;
        for (lanes left = lanes_below(cells); left != 0; pieces++) {
            const int at = distance[first_lane(left)][i] - first_lane(left);
            lanes some = 0;
            for (lanes l = left; l != 0; l &= l - 1)
                some |= distance[first_lane(l)][i] - first_lane(l) == at ? l & -l : 0;
            left &= ~some;
            rounds[pieces].at[i] = at;
            rounds[pieces].some[i] = (uint16_t)some;
        }
        for (int k = pieces; k < ROUNDS_MAX; k++) {
            rounds[k].at[i] = rounds[0].at[i];
            rounds[k].some[i] = 0;
        }
        count = pieces > count ? pieces : count;
    }
    return count;
}

/* The crossing of f_i to a lane, of the cell at (x, y, z). */
CALLED struct crossing crossing_at(const struct weir_block_view *b, struct direction d, int lane, int x,
                                   int y, int z) {
    const int from = WEIR_OFFSET_NUMBER(block_offset(b, 0, x, -d.c[0]), block_offset(b, 1, y, -d.c[1]),
                                        block_offset(b, 2, z, -d.c[2]));
    const int axis = block_offset(b, 0, x, -d.c[0]) != 0 ? 0 : block_offset(b, 1, y, -d.c[1]) != 0 ? 1 : 2;
    const int through = WEIR_FACE(axis, -d.c[axis]);
    return (struct crossing){
        .in = (int32_t)(single_source(b, 1, d, x, y, z) - (const stored *)b->incoming[from]) - lane,
        .out = (int32_t)(single_target(b, 1, opposite(d), x, y, z) - (stored *)b->outgoing[through]) - lane,
        .some = (uint16_t)(1u << lane),
        .i = (uint8_t)d.i,
        .o = (uint8_t)d.o,
        .from = (uint8_t)from,
        .through = (uint8_t)through};
}

/* Adds one, to the last if it goes on with that. */
FUNCTION int add_crossing(struct crossing *crossings, int count, struct crossing one) {
    struct crossing *const last = count > 0 ? &crossings[count - 1] : NULL;
    if (last && last->i == one.i && last->from == one.from && last->through == one.through &&
        last->in == one.in && last->out == one.out) {
        last->some |= one.some;
        return count;
    }
    crossings[count] = one;
    return count + 1;
}

/* Finds the crossings of the vector at an entry, and returns how many they are. */
CALLED int find_crossings(const struct weir_block_view *b, int entry,
                          struct crossing crossings[CROSSINGS_MAX]) {
    int count = 0, cell[VECTOR_CELLS][3];
    lanes edge = 0;
    for (int k = 0; k < VECTOR_CELLS && entry + k < b->kept; k++) {
        cell_of_entry(b, entry + k, cell[k]);
        for (int axis = 0; axis < DIMENSIONS; axis++)
            if (cell[k][axis] == 0 || cell[k][axis] == own_extent(b, axis) - 1)
                edge |= (lanes)1 << k;
    }
    if (edge == 0)
        return 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                          \
    for (lanes left = edge; left != 0; left &= left - 1) {                              \
        const int k = first_lane(left), x = cell[k][0], y = cell[k][1], z = cell[k][2]; \
        if (leaves_block(b, x, y, z, -(cx), -(cy), -(cz)) &&                            \
            !is_wall(*flag_of(b, x - (cx), y - (cy), z - (cz))))                        \
            count = add_crossing(crossings, count, crossing_at(b, d, k, x, y, z));      \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return count;
}

/* ---- the table of them -------------------------------------------------------------------------------- */

/* How it begins; then there are, for each vector and at the end, how many rounds are before its own, and how
 * many crossings; then all rounds, then all crossings. Even steps read crossings only. */
struct route_head {
    uint32_t rounds, crossings;
};

struct route_table {
    uint32_t *rounds_before, *crossings_before;
    struct round *rounds;
    struct crossing *crossings;
};

FUNCTION int route_vectors(const struct weir_block_view *b) {
    return (b->kept + VECTOR_CELLS - 1) / VECTOR_CELLS;
}

/* Where in memory they are. */
FUNCTION struct route_table route_table_in(const struct weir_block_view *b, const void *memory) {
    const struct route_head *const head = memory;
    const size_t numbers = (size_t)route_vectors(b) + 1;
    struct route_table t;
    t.rounds_before = (uint32_t *)(head + 1);
    t.crossings_before = t.rounds_before + numbers;
    t.rounds = (struct round *)(t.crossings_before + numbers);
    t.crossings = (struct crossing *)(t.rounds + head->rounds);
    return t;
}

FUNCTION struct route route_in(const struct route_table *t, int vector) {
    return (struct route){t->rounds + t->rounds_before[vector], t->rounds + t->rounds_before[vector + 1],
                          t->crossings + t->crossings_before[vector],
                          t->crossings + t->crossings_before[vector + 1]};
}

/* Finds the route of the vector at an entry. */
CALLED struct route find_route(const struct weir_block_view *b, int entry, struct route_space *space) {
    return (struct route){space->rounds, space->rounds + find_rounds(b, entry, space->rounds),
                          space->crossings, space->crossings + find_crossings(b, entry, space->crossings)};
}

/* Counts them all. */
static struct route_head count_routes(const struct weir_block_view *b) {
    struct route_head head = {0, 0};
    struct route_space space;
    for (int vector = 0; vector < route_vectors(b); vector++) {
        const struct route route = find_route(b, vector * VECTOR_CELLS, &space);
        head.rounds += (uint32_t)(route.rounds_end - route.rounds);
        head.crossings += (uint32_t)(route.crossings_end - route.crossings);
    }
    return head;
}

static size_t bytes_of_routes(const struct weir_block_view *b, struct route_head head) {
    return sizeof head + 2 * ((size_t)route_vectors(b) + 1) * sizeof(uint32_t) +
           head.rounds * sizeof(struct round) + head.crossings * sizeof(struct crossing);
}

/* Fills the table: in memory of that many bytes. */
static void fill_routes(const struct weir_block_view *b, struct route_head head, void *memory) {
    const int vectors = route_vectors(b);
    struct route_space space;
    memcpy(memory, &head, sizeof head);
    const struct route_table t = route_table_in(b, memory);
    t.rounds_before[0] = t.crossings_before[0] = 0;
    for (int vector = 0; vector < vectors; vector++) {
        const struct route route = find_route(b, vector * VECTOR_CELLS, &space);
        const size_t rounds = (size_t)(route.rounds_end - route.rounds),
                     crossings = (size_t)(route.crossings_end - route.crossings);
        memcpy(t.rounds + t.rounds_before[vector], route.rounds, rounds * sizeof *t.rounds);
        memcpy(t.crossings + t.crossings_before[vector], route.crossings, crossings * sizeof *t.crossings);
        t.rounds_before[vector + 1] = t.rounds_before[vector] + (uint32_t)rounds;
        t.crossings_before[vector + 1] = t.crossings_before[vector] + (uint32_t)crossings;
    }
}

#endif
