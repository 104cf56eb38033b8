/* Cells of lists (cell_list.h) on a CPU, taken in vectors: of neighbouring cells of a row, or of cells that
 * follow each other in the list, whatever their rows. Both consist of *runs*, neighbouring cells of a row. Of
 * the cells in the row beside a run those that are kept follow each other in the list, too. So what arrives
 * at a run along a direction lies in one piece of memory, or in two where a group ends, and is spread over
 * the lanes whose neighbours are kept. What arrives elsewhere is read from the cells' own slots. That is
 * right for walls; of links into other blocks it is not, but does no harm (docs/streaming.md): what crosses
 * faces then replaces what was read, and is written to messages as well. */
#ifndef WEIR_KERNELS_LIST_ROWS_H
#define WEIR_KERNELS_LIST_ROWS_H

#include "codelets/kernels/cells/list_places.h"
#include "codelets/kernels/cells/row_cells.h"

static inline struct row row_of(const struct weir_block_view *b, int parity, int y, int z) {
    (void)parity;
    return (struct row){.y = y,
                        .z = z,
                        .inside = row_is_inside(b, y, z),
                        .flags = flag_of(b, 0, y, z),
                        .segments = b->list.segments + first_segment(b, y, z)};
}

/* Of a row beside, or of the row itself, cells from x - 1 on. */
struct kept_row {
    uint32_t kept; /* bit k: the cell at x - 1 + k is kept, or, beyond an x face, fluid */
    int entry;     /* of the first that is */
};

FUNCTION struct kept_row kept_beside(const struct weir_block_view *b, const struct row *row, int x, int cy,
                                     int cz) {
    const int of_row = weir_row_segments(own_extent(b, 0)), number = x / WEIR_SEGMENT_CELLS,
              bit = x % WEIR_SEGMENT_CELLS;
    const struct weir_segment *const segment =
        row->segments + (cz * (own_extent(b, 1) + 2) + cy) * of_row + number;
    const uint64_t more = number + 1 < of_row ? (uint64_t)segment[1].kept << WEIR_SEGMENT_CELLS : 0;
    return (struct kept_row){(uint32_t)((segment->kept | more) >> bit), entry_from(*segment, bit)};
}

/* ---- within the block -------------------------------------------------------------------------------- */

/* Directions, filled up to whole vectors. */
enum { LINKS = (POPULATIONS + 15) / 16 * 16 };

/* Where populations arriving at a run lie in other cells of the block, by direction: those of lanes `some`,
 * in their order, in lanes low of the vector of slots at `at`, and in lanes behind of that at `next`, as in
 * spread_lanes. Places are distances as those of distance_to, of vectors that begin as groups do: so no line
 * of memory is touched that nothing is needed of. Where there is nothing, they are the cells' own slots. */
struct run {
    int32_t at[LINKS], next[LINKS];
    uint16_t some[LINKS], low[LINKS], behind[LINKS], high[LINKS];
};

/* What direction i has to say. */
struct run_table {
    uint32_t shift[LINKS], one[LINKS], two[LINKS]; /* 1 - c_x; whether it is at least 1, 2 */
    int32_t own[LINKS], slot[LINKS];               /* from slot 0 of a cell to slots i and o */
    int32_t jump[LINKS];                           /* from behind a group to the next group's slot */
};

#define PLACE_OF_SLOT_(i) (WEIR_LISTED_TOGETHER * ((i) < FLOW_POPULATIONS ? (i) : (i)-FLOW_POPULATIONS))
#define SLOTS_OF_SET_(i) ((i) < FLOW_POPULATIONS ? FLOW_POPULATIONS : POPULATIONS - FLOW_POPULATIONS)
static const struct run_table run_table = {
#define WEIR_DIRECTION(i, o, cx, ...)                                                          \
    .shift[i] = 1 - (cx), .one[i] = (cx) < 1, .two[i] = (cx) < 0, .own[i] = PLACE_OF_SLOT_(i), \
    .slot[i] = PLACE_OF_SLOT_(o), .jump[i] = WEIR_LISTED_TOGETHER * (SLOTS_OF_SET_(i) - 1),
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
};

/* Bits set, of 16: with operations that processors have for vectors. */
FUNCTION uint32_t bits_of_16(uint32_t bits) {
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (bits + (bits >> 8)) & 0x1f;
}

/* Finds where populations of a run of cells lie. first: the group's first entry; own: of the vector of cells,
 * counted from that. */
static inline void find_run(const struct weir_block_view *b, const struct row *row, const struct cells *cells,
                            int first, int own, struct run *run) {
    const struct run_table *const t = &run_table;
    const int lane = first_lane(cells->fluid), x = cells->x + lane;
    const uint32_t all = cells->fluid >> lane,
                   within = (cells->first != 0 ? ~1u : ~0u) & (cells->last != 0 ? all << 1 | 1 : ~0u);
    uint32_t kept[LINKS] = {0};
    int32_t entry[LINKS] = {0};
    struct kept_row around[3][3];
    for (int cz = DIMENSIONS == 2 ? 0 : -1; cz <= (DIMENSIONS == 2 ? 0 : 1); cz++)
        for (int cy = -1; cy <= 1; cy++) {
            struct kept_row beside = kept_beside(b, row, x, cy, cz);
            beside.entry += (int)(beside.kept & ~within & 1) - first;
            beside.kept &= within;
            around[cz + 1][cy + 1] = beside;
        }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)  \
    kept[i] = around[1 - (cz)][1 - (cy)].kept; \
    entry[i] = around[1 - (cz)][1 - (cy)].entry;
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    for (int i = 0; i < LINKS; i++) {
        const uint32_t some = kept[i] >> t->shift[i] & all, packed = (1u << bits_of_16(some)) - 1;
        const int32_t from = entry[i] + (int32_t)((kept[i] & t->one[i]) + (kept[i] >> 1 & t->two[i])),
                      in_vector = from & (VECTOR_CELLS - 1), vector = from - in_vector,
                      behind = vector + VECTOR_CELLS;
        const uint32_t here = packed & ((1u << VECTOR_CELLS) - 1) >> in_vector, high = packed & ~here;
        const int32_t at = some == 0 ? own + t->own[i] : vector + (vector >> 5) * t->jump[i] + t->slot[i];
        run->at[i] = at;
        run->next[i] = high == 0 ? at : behind + (behind >> 5) * t->jump[i] + t->slot[i];
        run->some[i] = (uint16_t)(some << lane);
        run->low[i] = (uint16_t)(here << in_vector);
        run->high[i] = (uint16_t)high;
        run->behind[i] = (uint16_t)(high >> (VECTOR_CELLS - in_vector));
    }
}

/* Reads what arrives at a run from other cells of the block. */
FUNCTION void read_run(struct group_slots slots, const struct run *run, struct vector *v) {
#define WEIR_DIRECTION(i, ...)                                                         \
    spread_lanes(v->rows[i], run->some[i], slot_at(slots, i, run->at[i]), run->low[i], \
                 slot_at(slots, i, run->next[i]), run->behind[i], run->high[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Writes what leaves it to other cells of the block: to where the opposite arrived. */
FUNCTION void write_run(struct group_slots slots, const struct run *run, const struct vector *v) {
#define WEIR_DIRECTION(i, o, ...)                                                       \
    collect_lanes(v->rows[i], run->some[o], slot_at(slots, o, run->at[o]), run->low[o], \
                  slot_at(slots, o, run->next[o]), run->behind[o], run->high[o]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* ---- through the block's faces ----------------------------------------------------------------------- */

/* Some lanes of a vector, to which f_i comes from other blocks: in[k], lane k; and where what leaves against
 * it goes. */
struct crossing {
    const stored *in;
    stored *out;
    lanes some;
    int i, o;
};

struct crossings {
    int count;
    struct crossing of[POPULATIONS * VECTOR_CELLS]; /* a direction's have no lane in common */
};

FUNCTION void add_crossing(struct crossings *c, struct direction d, const stored *in, stored *out,
                           lanes some) {
    c->of[c->count++] = (struct crossing){in, out, some, d.i, d.o};
}

FUNCTION void find_crossings_along(const struct weir_block_view *b, int parity, bool inside,
                                   const struct row *row, const struct cells *cells, struct direction d,
                                   struct direction back, struct crossings *c) {
    const bool beyond =
        !inside && (block_offset(b, 1, row->y, -d.c[1]) != 0 || block_offset(b, 2, row->z, -d.c[2]) != 0);
    const int lane = first_lane(cells->fluid);
    lanes some = beyond ? cells->fluid : leaving_along_x(cells, -d.c[0]);
    if (some == 0)
        return;
    some &= ~walls_of_row(b, row, cells->x + lane, -d.c[1], -d.c[2]) >> (1 - d.c[0]) << lane;
    const lanes edge = some & leaving_along_x(cells, -d.c[0]);
    if (edge != 0)
        add_crossing(c, d, arriving_at_end(b, parity, row, d) - first_lane(edge),
                     leaving_at_end(b, row, back) - first_lane(edge), edge);
    if ((some & ~edge) != 0)
        add_crossing(c, d, arriving_row(b, row, d) + cells->x, leaving_row(b, row, back) + cells->x,
                     some & ~edge);
}

CALLED void find_crossings_inside(const struct weir_block_view *b, int parity, const struct row *row,
                                  const struct cells *cells, struct crossings *c) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if ((cx) != 0)                             \
        find_crossings_along(b, parity, true, row, cells, d, DIRECTION_(o, i, -(cx), -(cy), -(cz)), c);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

CALLED void find_crossings_beside(const struct weir_block_view *b, int parity, const struct row *row,
                                  const struct cells *cells, struct crossings *c) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    find_crossings_along(b, parity, false, row, cells, d, DIRECTION_(o, i, -(cx), -(cy), -(cz)), c);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Finds what comes to a run from other blocks. */
FUNCTION void find_crossings(const struct weir_block_view *b, int parity, const struct row *row,
                             const struct cells *cells, struct crossings *c) {
    if (!row->inside)
        find_crossings_beside(b, parity, row, cells, c);
    else if ((cells->first | cells->last) != 0)
        find_crossings_inside(b, parity, row, cells, c);
}

FUNCTION void read_crossings(const struct crossings *c, struct vector *v) {
    for (int n = 0; n < c->count; n++)
        for (lanes left = c->of[n].some; left != 0; left &= left - 1)
            v->rows[c->of[n].i][first_lane(left)] = real_of(c->of[n].in[first_lane(left)]);
}

FUNCTION void write_crossings(const struct crossings *c, const struct vector *v) {
    for (int n = 0; n < c->count; n++)
        for (lanes left = c->of[n].some; left != 0; left &= left - 1)
            c->of[n].out[first_lane(left)] = stored_of(v->rows[c->of[n].o][first_lane(left)]);
}

/* ---- as rows.h ---------------------------------------------------------------------------------------- */

/* The run that some cells of a row begin with. */
FUNCTION struct cells first_run(const struct cells *cells) {
    const int lane = first_lane(cells->fluid);
    struct cells run = *cells;
    run.fluid = lanes_below(first_lane(~(cells->fluid >> lane))) << lane;
    run.first &= run.fluid;
    run.last &= run.fluid;
    return run;
}

/* Reads the populations arriving at cells of a row; of others they are 0. */
static inline void read_cells(const struct weir_block_view *b, int parity, const struct row *row,
                              const struct cells *cells, bool at_ends, bool in_rows, struct vector *v) {
    struct cells left = *cells;
    (void)at_ends;
    (void)in_rows;
    memset(v, 0, sizeof *v);
    while (left.fluid != 0) {
        const struct cells cells_of_run = first_run(&left);
        const int lane = first_lane(cells_of_run.fluid),
                  entry = cell_entry(b, cells->x + lane, row->y, row->z);
        const int first = entry - entry % WEIR_LISTED_TOGETHER;
        struct crossings crossings;
        struct run run;
        crossings.count = 0;
        left.fluid &= ~cells_of_run.fluid;
        for (lanes some = cells_of_run.fluid; some != 0; some &= some - 1)
            for (int i = 0; i < POPULATIONS; i++)
                v->rows[i][first_lane(some)] = real_of(*slot_of(b, i, entry + first_lane(some) - lane));
        if (parity) {
            find_run(b, row, &cells_of_run, first, 0, &run);
            read_run(slots_of_group(b, first), &run, v);
        }
        find_crossings(b, parity, row, &cells_of_run, &crossings);
        read_crossings(&crossings, v);
    }
}

#endif
