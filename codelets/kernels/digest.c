/* The part of a block in the digest of all populations, on a CPU. Hashes of single cells, seeded with the
 * cell's place, are added up, so that the sum does not depend on how the domain is cut, and blocks can be
 * hashed side by side. */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/sums/hash.h"

weir_digest_cpu WEIR_NAME(digest);
void WEIR_NAME(digest)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                       const struct weir_place *place, int row_begin, int row_end, uint64_t sum[2]) {
    const struct body_force body = body_force_of_fluid(fluid);
    struct cells cells;
    struct vector arriving;
    sum[0] = sum[1] = 0;
    for (int number = row_begin; number < row_end; number++) {
        const int y = number % b->extent[1][1], z = number / b->extent[1][1];
        const struct row row = row_of(b, parity, y, z);
        for (int x = 0; x < b->extent[0][1]; x += VECTOR_CELLS) {
            if (!find_cells(b, &row, x, b->extent[0][1], &cells))
                continue;
            read_cells(b, parity, &row, &cells, true, false, &arriving);
            add_cohesion_to_cells(b, &body, &row, &cells, &arriving);
            for (lanes left = cells.fluid; left != 0; left &= left - 1) {
                const int k = first_lane(left);
                real f[POPULATIONS];
                for (int i = 0; i < POPULATIONS; i++)
                    f[i] = arriving.rows[i][k];
                for (int s = 0; s < 2; s++)
                    sum[s] += hash_populations(f, digest_seed(place, x + k, y, z, s));
            }
        }
    }
}
