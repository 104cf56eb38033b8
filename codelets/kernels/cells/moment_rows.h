/* Rows of cells on a CPU that keep moments: what rows.h offers of those that keep populations. */
#ifndef WEIR_KERNELS_MOMENT_ROWS_H
#define WEIR_KERNELS_MOMENT_ROWS_H

#include "codelets/kernels/cells/row_cells.h"

static inline struct row row_of(const struct weir_block_view *b, int parity, int y, int z) {
    (void)parity;
    return (struct row){.y = y, .z = z, .inside = row_is_inside(b, y, z), .flags = flag_of(b, 0, y, z)};
}

/* Moments of a vector of cells on their way to the arithmetic and back. */
struct vector_of_moments {
    real rows[KEPT_MOMENTS][VECTOR_CELLS];
};

/* Of some cells from x on, those whose moments lie together with the first one's. */
FUNCTION lanes together_from(int x, lanes some) {
    const int left = WEIR_KEPT_TOGETHER - x % WEIR_KEPT_TOGETHER;
    return left < VECTOR_CELLS ? some & lanes_below(left) : some;
}

/* Reads those of some cells of a row from x on; of others they are 0. */
FUNCTION void read_moments(const struct weir_block_view *b, int parity, const struct row *row, int x,
                           lanes some, struct vector_of_moments *m) {
    const lanes here = together_from(x, some);
    const stored *const place = kept_place(b, parity, x, row->y, row->z);
    if (here == some) {
        for (int k = 0; k < KEPT_MOMENTS; k++)
            unpack_lanes(m->rows[k], pack_lanes(place + k * WEIR_KEPT_TOGETHER, some));
        return;
    }
    const stored *const next = place + (KEPT_MOMENTS - 1) * WEIR_KEPT_TOGETHER; /* by the same lanes */
    for (int k = 0; k < KEPT_MOMENTS; k++)
        unpack_lanes(m->rows[k], also_lanes(pack_lanes(place + k * WEIR_KEPT_TOGETHER, here),
                                            next + k * WEIR_KEPT_TOGETHER, some & ~here));
}

/* Fetches into the cache the moments two groups behind that of the cell at x, of this row or the next. */
FUNCTION void fetch_moments_ahead(const struct weir_block_view *b, int parity, const struct row *row, int x) {
    const stored *const next =
        kept_place(b, parity, x, row->y, row->z) + 2 * KEPT_MOMENTS * WEIR_KEPT_TOGETHER;
    UNROLL(10)
    for (int k = 0; k < KEPT_MOMENTS; k++)
        __builtin_prefetch(next + k * WEIR_KEPT_TOGETHER);
}

/* The way back. */
FUNCTION void write_moments(const struct weir_block_view *b, int parity, const struct row *row, int x,
                            lanes some, const struct vector_of_moments *m) {
    const lanes here = together_from(x, some);
    stored *const place = kept_place(b, parity, x, row->y, row->z);
    for (int k = 0; k < KEPT_MOMENTS; k++)
        store_lanes(place + k * WEIR_KEPT_TOGETHER, m->rows[k], here);
    for (int k = 0; k < KEPT_MOMENTS && here != some; k++)
        store_lanes(place + (k + KEPT_MOMENTS - 1) * WEIR_KEPT_TOGETHER, m->rows[k], some & ~here);
}

FUNCTION struct kept_moments kept_of_lane(const struct vector_of_moments *m, int k) {
    real numbers[KEPT_MOMENTS];
    UNROLL(10)
    for (int number = 0; number < KEPT_MOMENTS; number++)
        numbers[number] = m->rows[number][k];
    return kept_of_numbers(numbers);
}

/* Populations with the moments of cells of a row; the two constants are of rows.h. */
static inline void read_cells(const struct weir_block_view *b, int parity, const struct row *row,
                              const struct cells *cells, bool at_ends, bool in_rows, struct vector *v) {
    struct vector_of_moments m;
    (void)at_ends, (void)in_rows;
    read_moments(b, parity, row, cells->x, cells->fluid, &m);
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        const struct kept_moments kept = kept_of_lane(&m, k);
        real f[POPULATIONS];
        populations_of_kept(&kept, f);
        UNROLL(27)
        for (int i = 0; i < POPULATIONS; i++)
            v->rows[i][k] = f[i];
    }
}

#endif
