/* Rows of cells on a CPU without the shortcuts of rows.h: what that offers, population by population, each by
 * the rule of addressing.h. For populations that move by more than one cell. Unhurried near walls; elsewhere
 * only what crosses the ends of rows is. */
#ifndef WEIR_KERNELS_SINGLE_CELLS_H
#define WEIR_KERNELS_SINGLE_CELLS_H

#include "codelets/kernels/cells/addressing.h"
#include "codelets/kernels/cells/vectors.h"

#define CALLED static __attribute__((noinline, unused))

struct row {
    int y, z;
    const uint8_t *flags; /* of its cells */
};

/* A vector of cells of a row, of which some are to be computed. */
struct cells {
    int x; /* of the first of the vector */
    lanes fluid;
    lanes walls[POPULATIONS]; /* by direction: those with a wall at c_i */
};

static inline struct row row_of(const struct weir_block_view *b, int parity, int y, int z) {
    (void)parity;
    return (struct row){y, z, flag_of(b, 0, y, z)};
}

#include "codelets/kernels/cells/near_open.h"

/* The general rule for a single cell, called. */
CALLED stored population_from(const struct weir_block_view *b, int parity, bool wall, struct direction d,
                              int x, int y, int z) {
    return *source_of(b, parity, wall, d, x, y, z);
}

CALLED void population_to(const struct weir_block_view *b, int parity, bool wall, struct direction d, int x,
                          int y, int z, stored population) {
    send(b, parity, wall, wall ? mirrored_axes(b, d, x, y, z) : 0, d, x, y, z, population);
}

#if BY_VECTORS

/* Whether a place along an axis is so far from the block's ends that what arrives there comes from within. */
static inline bool is_amid(const struct weir_block_view *b, int axis, int at) {
    return axis >= DIMENSIONS || (at >= REACH && at < b->extent[axis][1] - REACH);
}

static inline bool row_is_amid(const struct weir_block_view *b, const struct row *row) {
    return is_amid(b, 1, row->y) && is_amid(b, 2, row->z);
}

/* Whether populations of a row come from beyond an end of the domain. */
static inline bool row_is_at_end(const struct weir_block_view *b, const struct row *row) {
    const int at[3] = {0, row->y, row->z};
    for (int axis = 1; axis < DIMENSIONS; axis++)
        if ((at[axis] < REACH && domain_ends(b, axis, -1)) ||
            (at[axis] >= b->extent[axis][1] - REACH && domain_ends(b, axis, 1)))
            return true;
    return false;
}

/* Where along a row that is not at an end lies, by x, what arrives at its cells, in[i], and what leaves them,
 * out[i]: in the block, or in a message, for those x from which the other end of the link is neither before
 * nor beyond the row. */
struct row_places {
    const stored *in[POPULATIONS];
    stored *out[POPULATIONS];
};

CALLED void place_row(const struct weir_block_view *b, int parity, const struct row *row,
                      struct row_places *places) {
    const int y = row->y, z = row->z, here = cell_entry(b, 0, y, z);
    const bool amid = row_is_amid(b, row);
    places->in[0] = places->out[0] = slot_of(b, 0, here);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                  \
    places->in[i] =                                             \
        amid ? place_inside(b, parity, false, d, here, 0, y, z) \
             : plain_source(b, parity, false, d, (cx) > 0 ? (cx) : 0, y, z) - ((cx) > 0 ? (cx) : 0);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    places->out[i] =                           \
        amid ? (stored *)places->in[o]         \
             : plain_target(b, parity, false, d, (cx) < 0 ? -(cx) : 0, y, z) - ((cx) < 0 ? -(cx) : 0);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Of the cells x + k, as lanes, those for which begin <= x + k < end. */
static inline lanes lanes_within(int x, int begin, int end) {
    const int from = begin - x, to = end - x;
    return to > 0 ? lanes_below(to) & ~(from > 0 ? lanes_below(from) : 0) : 0;
}

/* Of cells that are fluid with nothing else in reach: all from x on and before x_end, or none. */
static inline lanes plain_cells(const struct row *row, int x, int x_end) {
    uint8_t any = 0;
    for (int k = x; k < x_end; k++)
        any |= row->flags[k];
    return any == 0 ? lanes_below(x_end - x) : 0;
}

/* Whether the vector from x on is of such cells, and what arrives there comes from the row's places. */
static inline bool all_inside(const struct weir_block_view *b, const struct row *row, int x) {
    return is_amid(b, 0, x) && is_amid(b, 0, x + VECTOR_CELLS - 1) &&
           plain_cells(row, x, x + VECTOR_CELLS) != 0;
}

#endif

/* Finds the cells from x on and before x_end, VECTOR_CELLS at most; false if none is fluid. */
static inline bool find_cells(const struct weir_block_view *b, const struct row *row, int x, int x_end,
                              struct cells *cells) {
    cells->x = x;
    cells->fluid = 0;
    memset(cells->walls, 0, sizeof cells->walls);
    for (int k = 0; k < VECTOR_CELLS && x + k < x_end; k++) {
        const uint8_t flag = *flag_of(b, x + k, row->y, row->z);
        if (is_wall(flag))
            continue;
        cells->fluid |= (lanes)1 << k;
        if (flag == WEIR_FLUID)
            continue;
        const direction_set walls = walls_around(b, x + k, row->y, row->z);
        for (int i = 1; i < POPULATIONS; i++)
            cells->walls[i] |= (lanes)(walls >> i & 1) << k;
    }
    return cells->fluid != 0;
}

/* Reads the populations arriving at cells of a row; of others they are 0. The two constants tell rows.h what
 * there is no need to look at. */
static inline void read_cells(const struct weir_block_view *b, int parity, const struct row *row,
                              const struct cells *cells, bool at_ends, bool in_place, struct vector *v) {
    const int y = row->y, z = row->z;
    (void)at_ends;
    (void)in_place;
    memset(v, 0, sizeof *v);
    for (lanes left = cells->fluid; left != 0; left &= left - 1) {
        const int k = first_lane(left), x = cells->x + k, here = cell_entry(b, x, y, z);
        v->rows[0][k] = real_of(*slot_of(b, 0, here));
        if (!WITH_MIRRORS && stays_inside(b, x, y, z)) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    v->rows[i][k] = real_of(*place_inside(b, parity, cells->walls[o] >> k & 1, d, here, x, y, z));
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
            continue;
        }
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    v->rows[i][k] = real_of(population_from(b, parity, cells->walls[o] >> k & 1, d, x, y, z));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#if BY_VECTORS

/* Where what comes to a cell along d from behind an x face lies, if what is beside its row is in this block,
 * and where what leaves one along d through such a face goes. */
FUNCTION const stored *arriving_across(const struct weir_block_view *b, struct direction d, int x, int y,
                                       int z) {
    const int depth = d.c[0] > 0 ? d.c[0] - 1 - x : x - d.c[0] - b->extent[0][1];
    return (const stored *)b->incoming[WEIR_OFFSET_NUMBER(d.c[0] > 0 ? -1 : 1, 0, 0)] +
           weir_layer_place(d.layer[0] + depth, z - d.c[2], b->extent[2][1], y - d.c[1], b->extent[1][1]);
}

FUNCTION stored *leaving_across(const struct weir_block_view *b, struct direction d, int x, int y, int z) {
    const int depth = d.c[0] > 0 ? b->extent[0][1] - 1 - x : x;
    return (stored *)b->outgoing[WEIR_FACE(0, d.c[0])] +
           weir_layer_place(d.layer[0] + depth, z, b->extent[2][1], y, b->extent[1][1]);
}

/* The same of plain cells of a row that has places: one by one where they cross the row's ends. */
CALLED void read_plain_cells(const struct weir_block_view *b, int parity, const struct row *row,
                             const struct row_places *places, int x, lanes some, struct vector *v) {
    const int nx = b->extent[0][1];
    const bool amid = row_is_amid(b, row);
    unpack_lanes(v->rows[0], pack_lanes(places->in[0] + x, some));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                           \
    {                                                                                                    \
        const lanes within = some & lanes_within(x, cx, nx + (cx));                                      \
        unpack_lanes(v->rows[i], pack_lanes(places->in[i] + x, within));                                 \
        for (lanes left = (cx) != 0 ? some & ~within : 0; left != 0; left &= left - 1) {                 \
            const int k = first_lane(left);                                                              \
            v->rows[i][k] = real_of(amid ? *arriving_across(b, d, x + k, row->y, row->z)                 \
                                         : population_from(b, parity, false, d, x + k, row->y, row->z)); \
        }                                                                                                \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

CALLED void write_plain_cells(const struct weir_block_view *b, const struct row *row,
                              const struct row_places *places, int x, lanes some, const struct vector *v) {
    const int nx = b->extent[0][1];
    store_lanes(places->out[0] + x, v->rows[0], some);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                         \
    {                                                                                  \
        const lanes within = some & lanes_within(x, -(cx), nx - (cx));                 \
        store_lanes(places->out[i] + x, v->rows[i], within);                           \
        for (lanes left = (cx) != 0 ? some & ~within : 0; left != 0; left &= left - 1) \
            *leaving_across(b, d, x + first_lane(left), row->y, row->z) =              \
                stored_of(v->rows[i][first_lane(left)]);                               \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif

/* Writes what leaves them. */
static inline void write_single_cells(const struct weir_block_view *b, int parity, const struct row *row,
                                      const struct cells *cells, const struct vector *v) {
    const int y = row->y, z = row->z;
    for (lanes left = cells->fluid; left != 0; left &= left - 1) {
        const int k = first_lane(left), x = cells->x + k, here = cell_entry(b, x, y, z);
        *slot_of(b, 0, here) = stored_of(v->rows[0][k]);
        if (!WITH_MIRRORS && stays_inside(b, x, y, z)) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    *place_inside(b, parity, cells->walls[o] >> k & 1, d, here, x, y, z) = stored_of(v->rows[o][k]);
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
            continue;
        }
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    population_to(b, parity, cells->walls[i] >> k & 1, d, x, y, z, stored_of(v->rows[i][k]));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#endif
