/* Rows of cells on a CPU without the shortcuts of rows.h: what that offers, population by population, each by
 * the rule of addressing.h. For populations that move by more than one cell. Unhurried, but where a whole
 * vector is far from faces and walls. */
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

/* Whether cells x ... x + VECTOR_CELLS - 1 of a row are as stays_inside has it, with no wall in reach. */
static inline bool all_inside(const struct weir_block_view *b, const struct row *row, int x) {
    uint8_t any = 0;
    if (!is_amid(b, 2, row->z) || !is_amid(b, 1, row->y) || !is_amid(b, 0, x) ||
        !is_amid(b, 0, x + VECTOR_CELLS - 1))
        return false;
    for (int k = 0; k < VECTOR_CELLS; k++)
        any |= row->flags[x + k];
    return any == 0;
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

#if BY_VECTORS

/* Where along the row what arrives at such cells lies, by x; what leaves goes there too, against its
 * direction. */
static inline void rows_inside(const struct weir_block_view *b, int parity, const struct row *row,
                               const stored *rows[POPULATIONS]) {
    const int here = cell_entry(b, 0, row->y, row->z);
    rows[0] = slot_of(b, 0, here);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    rows[i] = place_inside(b, parity, false, d, here, 0, row->y, row->z);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif

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
