/* The part of a block in the digest of all populations. Hashes of single cells, seeded with the cell's place, are added up, so
 * that the sum does not depend on how the domain is cut, and blocks can be hashed side by side. */
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/rows.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

weir_digest_cpu WEIR_NAME(digest);
void WEIR_NAME(digest)(const struct weir_block_view *b, int parity, const struct weir_place *place, uint64_t sum[2]) {
    struct staging staging;
    const real *rows[POPULATIONS];
    struct run run;
    for (int z = 0; z < b->extent[2][1]; z++)
        for (int y = 0; y < b->extent[1][1]; y++)
            for (int x = 0; next_run(b, &x, b->extent[0][1], y, z, &run);) {
                arriving_rows(b, parity, &run, &staging, rows);
                const int64_t row = (place->origin[2] + z) * place->domain[1] + place->origin[1] + y;
                const int64_t first = row * place->domain[0] + place->origin[0] + run.x;
                for (int k = 0; k < run.cells; k++) {
                    real f[POPULATIONS];
                    for (int i = 0; i < POPULATIONS; i++)
                        f[i] = rows[i][k];
                    const XXH128_hash_t hash = XXH3_128bits_withSeed(f, sizeof f, (XXH64_hash_t)(first + k));
                    sum[0] += hash.low64;
                    sum[1] += hash.high64;
                }
            }
}
