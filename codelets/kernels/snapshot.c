/* The populations of a block in natural arrangement, or the moments that it keeps, for checkpoints, on a CPU.
 */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cells/rows.h"

weir_snapshot_cpu WEIR_NAME(snapshot);
void WEIR_NAME(snapshot)(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                         void *populations) {
    const int nx = b->extent[0][1], ny = b->extent[1][1];
    const size_t cells = (size_t)nx * (size_t)ny * (size_t)b->extent[2][1];
    struct cells some;
#if WITH_MOMENTS
    struct vector_of_moments arriving;
#else
    struct vector arriving;
#endif
    for (int number = row_begin; number < row_end; number++) {
        const struct row row = row_of(b, parity, number % ny, number / ny);
        stored *const out = (stored *)populations + (size_t)number * (size_t)nx;
        for (size_t i = 0; i < KEPT_NUMBERS; i++)
            memset(out + i * cells, 0, (size_t)nx * sizeof *out);
#if WITH_SURFACE
        for (int x = 0; x < nx; x++)
            if (is_gas(b, row.flags[x]))
                out[SURFACE_MASS * cells + (size_t)x] = stored_of(mass_in_gas(b, x, row.y, row.z));
#endif
        for (int x = 0; x < nx; x += VECTOR_CELLS) {
            if (!find_cells(b, &row, x, nx, &some))
                continue;
#if WITH_MOMENTS
            read_moments(b, parity, row.cell + some.x, some.fluid, &arriving);
#else
            read_cells(b, parity, &row, &some, true, false, &arriving);
#endif
            for (size_t i = 0; i < KEPT_NUMBERS; i++)
                for (lanes left = some.fluid; left != 0; left &= left - 1) {
                    const int k = first_lane(left);
                    out[i * cells + (size_t)(x + k)] = stored_of(arriving.rows[i][k]);
                }
        }
    }
}
