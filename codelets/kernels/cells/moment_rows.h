/* Rows of cells on a CPU that keep moments: what rows.h offers of those that keep populations. */
#ifndef WEIR_KERNELS_MOMENT_ROWS_H
#define WEIR_KERNELS_MOMENT_ROWS_H

#include "codelets/kernels/cells/row_cells.h"
#if STRESS_IN_HALF
#include "codelets/kernels/cells/half_pair_rows.h"
#endif

static inline struct row row_of(const struct weir_block_view *b, int parity, int y, int z) {
    (void)parity;
    return (struct row){.y = y, .z = z, .inside = row_is_inside(b, y, z), .flags = flag_of(b, 0, y, z)};
}

/* Moments of a vector of cells on their way to the arithmetic and back; where pairs of them are kept, with a
 * row for what the last one has. */
struct vector_of_moments {
    real rows[2 * KEPT_WORDS - KEPT_IN_FULL][VECTOR_CELLS];
};

/* Of some cells from x on, those whose moments lie together with the first one's. */
FUNCTION lanes together_from(int x, lanes some) {
    const int left = WEIR_KEPT_TOGETHER - x % WEIR_KEPT_TOGETHER;
    return left < VECTOR_CELLS ? some & lanes_below(left) : some;
}

/* Reads the words of some cells of a row from x on; of others they are 0. */
FUNCTION void read_words(const struct weir_block_view *b, int parity, const struct row *row, int x,
                         lanes some, real words[KEPT_WORDS][VECTOR_CELLS]) {
    const lanes here = together_from(x, some);
    const stored *const place = kept_place(b, parity, x, row->y, row->z);
    if (here == some) {
        for (int k = 0; k < KEPT_WORDS; k++)
            unpack_lanes(words[k], pack_lanes(place + k * WEIR_KEPT_TOGETHER, some));
        return;
    }
    const stored *const next = place + (KEPT_WORDS - 1) * WEIR_KEPT_TOGETHER; /* by the same lanes */
    for (int k = 0; k < KEPT_WORDS; k++)
        unpack_lanes(words[k], also_lanes(pack_lanes(place + k * WEIR_KEPT_TOGETHER, here),
                                          next + k * WEIR_KEPT_TOGETHER, some & ~here));
}

/* The way back. */
FUNCTION void write_words(const struct weir_block_view *b, int parity, const struct row *row, int x,
                          lanes some, const real words[KEPT_WORDS][VECTOR_CELLS]) {
    const lanes here = together_from(x, some);
    stored *const place = kept_place(b, parity, x, row->y, row->z);
    for (int k = 0; k < KEPT_WORDS; k++)
        store_lanes(place + k * WEIR_KEPT_TOGETHER, words[k], here);
    for (int k = 0; k < KEPT_WORDS && here != some; k++)
        store_lanes(place + (k + KEPT_WORDS - 1) * WEIR_KEPT_TOGETHER, words[k], some & ~here);
}

#if STRESS_IN_HALF

/* Makes moments of the words that were read into their first rows; from the last to the first, as what a pair
 * has takes the place of words behind it. */
FUNCTION void moments_of_words(struct vector_of_moments *m) {
    for (int k = KEPT_WORDS - 1; k >= KEPT_IN_FULL; k--)
        pairs_of_words(m->rows[k], m->rows[2 * k - KEPT_IN_FULL], m->rows[2 * k - KEPT_IN_FULL + 1]);
}

/* The way back, elsewhere. */
FUNCTION void words_of_moments(const struct vector_of_moments *m, real words[KEPT_WORDS][VECTOR_CELLS]) {
    static const real nothing[VECTOR_CELLS] = {0};
    memcpy(words, m->rows, KEPT_IN_FULL * sizeof *words);
    for (int k = KEPT_IN_FULL; k < KEPT_WORDS; k++) {
        const int first = 2 * k - KEPT_IN_FULL;
        words_of_pairs(m->rows[first], first + 1 < KEPT_MOMENTS ? m->rows[first + 1] : nothing, words[k]);
    }
}

#endif

/* Reads the moments of some cells of a row from x on; of others they are 0. */
FUNCTION void read_moments(const struct weir_block_view *b, int parity, const struct row *row, int x,
                           lanes some, struct vector_of_moments *m) {
    read_words(b, parity, row, x, some, m->rows);
#if STRESS_IN_HALF
    moments_of_words(m);
#endif
}

/* The way back. */
FUNCTION void write_moments(const struct weir_block_view *b, int parity, const struct row *row, int x,
                            lanes some, const struct vector_of_moments *m) {
#if STRESS_IN_HALF
    real words[KEPT_WORDS][VECTOR_CELLS];
    words_of_moments(m, words);
    write_words(b, parity, row, x, some, words);
#else
    write_words(b, parity, row, x, some, m->rows);
#endif
}

/* Makes them what is kept of them. */
FUNCTION void round_as_kept(struct vector_of_moments *m) {
#if STRESS_IN_HALF
    real words[KEPT_WORDS][VECTOR_CELLS];
    words_of_moments(m, words);
    memcpy(m->rows, words, sizeof words);
    moments_of_words(m);
#else
    (void)m;
#endif
}

/* Fetches into the cache the moments two groups behind that of the cell at x, of this row or the next. */
FUNCTION void fetch_moments_ahead(const struct weir_block_view *b, int parity, const struct row *row, int x) {
    const stored *const next = kept_place(b, parity, x, row->y, row->z) + 2 * KEPT_WORDS * WEIR_KEPT_TOGETHER;
    UNROLL(10)
    for (int k = 0; k < KEPT_WORDS; k++)
        __builtin_prefetch(next + k * WEIR_KEPT_TOGETHER);
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
