/* The populations of a block in natural arrangement, or the moments that it keeps, for checkpoints, on a CPU.
 */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cells/rows.h"

#if WITH_MOMENTS
typedef struct vector_of_moments kept_vector;

FUNCTION void read_kept(const struct weir_block_view *b, int parity, const struct row *row,
                        const struct cells *some, kept_vector *kept) {
    read_words(b, parity, row, some->x, some->fluid, kept->rows);
}
#else
typedef struct vector kept_vector;

FUNCTION void read_kept(const struct weir_block_view *b, int parity, const struct row *row,
                        const struct cells *some, kept_vector *kept) {
    look_at_cells(b, parity, row, some, kept);
}
#endif

/* Cells of a vector of which some are not fluid: zero these, but for what cells of gas keep. kept is valid
 * where there are any that are fluid. */
static void copy_some(const struct weir_block_view *b, const struct row *row, int x, lanes fluid,
                      const kept_vector *kept, stored *out, size_t cells) {
    const int left = own_extent(b, 0) - x, count = left < VECTOR_CELLS ? left : VECTOR_CELLS;
    for (size_t i = 0; i < KEPT_NUMBERS; i++)
        for (int k = 0; k < count; k++)
            out[i * cells + (size_t)k] = fluid >> k & 1 ? stored_of(kept->rows[i][k]) : 0;
#if WITH_SURFACE
    for (int k = 0; k < count; k++)
        for (size_t i = SURFACE_MASS; i < KEPT_NUMBERS; i++)
            if (is_gas(b, row->flags[x + k]) && stays_in_gas((int)i))
                out[i * cells + (size_t)k] = *slot_of(b, (int)i, cell_entry(b, x + k, row->y, row->z));
#else
    (void)row;
#endif
}

weir_snapshot_cpu WEIR_NAME(snapshot);
void WEIR_NAME(snapshot)(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                         void *populations) {
    const int nx = own_extent(b, 0), ny = own_extent(b, 1);
    const size_t cells = (size_t)nx * (size_t)ny * (size_t)own_extent(b, 2);
    struct cells some;
    kept_vector kept;
    for (int number = row_begin; number < row_end; number++) {
        const struct row row = row_of(b, parity, number % ny, number / ny);
        for (int x = 0; x < nx; x += VECTOR_CELLS) {
            stored *const out = (stored *)populations + (size_t)number * (size_t)nx + x;
            const lanes fluid = find_cells(b, &row, x, nx, &some) ? some.fluid : 0;
            if (fluid != 0)
                read_kept(b, parity, &row, &some, &kept);
            if (fluid != lanes_below(VECTOR_CELLS)) {
                copy_some(b, &row, x, fluid, &kept, out, cells);
                continue;
            }
            for (size_t i = 0; i < KEPT_NUMBERS; i++)
                store_vector(out + i * cells, kept.rows[i]);
        }
    }
    clear_upper_halves();
}
