/* The part of a block in the digest of all populations, on a CPU. Hashes of single cells, seeded with the
 * cell's place, are added up, so that the sum does not depend on how the domain is cut, and blocks can be
 * hashed side by side. */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/sums/hash.h"

#if REAL_BYTES == 8

FUNCTION hash_words word_of(const struct vector *v, int at, int k) {
    hash_words word;
    memcpy(&word, v->rows[k] + at, sizeof word);
    return word;
}

#else

FUNCTION hash_words bits_of(const real *row) {
    uint32_t bits __attribute__((vector_size(HASH_CELLS * sizeof(uint32_t))));
    memcpy(&bits, row, sizeof bits);
    return __builtin_convertvector(bits, hash_words);
}

FUNCTION hash_words word_of(const struct vector *v, int at, int k) {
    const hash_words first = bits_of(v->rows[2 * k] + at);
    return 2 * k + 1 < POPULATIONS ? first | bits_of(v->rows[2 * k + 1] + at) << 32 : first;
}

#endif

/* Adds the hashes of some cells of a vector: those from `at` on, of which `some` are fluid. */
FUNCTION void add_hashes(const struct vector *v, int at, lanes some, uint64_t first_seed, uint64_t sum[2]) {
    hash_words words[HASH_WORDS + 1], seed = {0}, hash[2];
    for (int k = 0; k < HASH_WORDS + (HASH_LEFT != 0); k++)
        words[k] = word_of(v, at, k);
    for (int k = 0; k < HASH_CELLS; k++)
        seed[k] = first_seed + 2 * (uint64_t)(at + k);
    hash[0] = hash_populations(words, seed);
    hash[1] = hash_populations(words, seed + 1);
    for (int k = 0; k < HASH_CELLS; k++)
        for (int s = 0; s < 2; s++)
            sum[s] += some >> k & 1 ? hash[s][k] : 0;
}

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
            look_at_cells(b, parity, &row, &cells, &arriving);
            add_cohesion_to_cells(b, &body, &row, &cells, &arriving);
            for (int at = 0; at < VECTOR_CELLS; at += HASH_CELLS)
                add_hashes(&arriving, at, cells.fluid >> at, digest_seed(place, x, y, z, 0), sum);
        }
    }
    clear_upper_halves();
}
