/* The part of a block in the digest of all populations, on a CPU. Hashes of single cells, seeded with the
 * cell's place, are added up, so that the sum does not depend on how the domain is cut, and blocks can be
 * hashed side by side. */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/hash.h"
#include "codelets/kernels/rows.h"

weir_digest_cpu WEIR_NAME(digest);
void WEIR_NAME(digest)(const struct weir_block_view *b, int parity, const struct weir_place *place,
                       int row_begin, int row_end, uint64_t sum[2]) {
    struct staging staging;
    const stored *rows[POPULATIONS];
    struct run run;
    sum[0] = sum[1] = 0;
    for (int row = row_begin; row < row_end; row++) {
        const int y = row % b->extent[1][1], z = row / b->extent[1][1];
        for (int x = 0; next_run(b, &x, b->extent[0][1], y, z, &run);) {
            arriving_rows(b, parity, &run, &staging, rows);
            for (int k = 0; k < run.cells; k++) {
                real f[POPULATIONS];
                for (int i = 0; i < POPULATIONS; i++)
                    f[i] = real_of(rows[i][k]);
                for (int s = 0; s < 2; s++)
                    sum[s] += hash_populations(f, digest_seed(place, run.x + k, y, z, s));
            }
        }
    }
}
