/* The hash of one cell's populations: XXH64 (Collet, xxHash specification 0.1.1) of their bytes, f_0 first.
 * It stands here because the digest is computed where the blocks are, on GPUs too, where the library's own
 * code does not compile; tests/unit/kernels/test_digest.c holds it against the library.
 *
 * XXH64 begins otherwise for less than 32 bytes. That is left out: no cell of a flow is so small, the least
 * being 36 bytes of D2Q9 in single precision. */
#ifndef WEIR_KERNELS_HASH_H
#define WEIR_KERNELS_HASH_H

#include "codelets/kernels/variant.h"

#if POPULATIONS * REAL_BYTES < 32
#error "XXH64 of less than 32 bytes begins otherwise"
#endif

#define HASH_PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define HASH_PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define HASH_PRIME_3 UINT64_C(0x165667B19E3779F9)
#define HASH_PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define HASH_PRIME_5 UINT64_C(0x27D4EB2F165667C5)

FUNCTION uint64_t hash_rotate(uint64_t word, int bits) {
    return word << bits | word >> (64 - bits);
}

FUNCTION uint64_t hash_round(uint64_t accumulator, uint64_t word) {
    return hash_rotate(accumulator + word * HASH_PRIME_2, 31) * HASH_PRIME_1;
}

FUNCTION uint64_t hash_merge(uint64_t hash, uint64_t accumulator) {
    return (hash ^ hash_round(0, accumulator)) * HASH_PRIME_1 + HASH_PRIME_4;
}

/* Bytes 8 k to 8 k + 7 of the populations as a little-endian word, and the 4 bytes from 8 k on. */
FUNCTION uint64_t hash_word(const real f[POPULATIONS], int k) {
    uint64_t word;
    memcpy(&word, (const char *)f + 8 * k, sizeof word);
    return word;
}

FUNCTION uint32_t hash_half_word(const real f[POPULATIONS], int k) {
    uint32_t word;
    memcpy(&word, (const char *)f + 8 * k, sizeof word);
    return word;
}

FUNCTION uint64_t hash_populations(const real f[POPULATIONS], uint64_t seed) {
    enum { BYTES = POPULATIONS * sizeof(real), WORDS = BYTES / 8, STRIPES = BYTES / 32 };
    uint64_t a[4] = {seed + HASH_PRIME_1 + HASH_PRIME_2, seed + HASH_PRIME_2, seed, seed - HASH_PRIME_1};
    for (int s = 0; s < STRIPES; s++)
        for (int lane = 0; lane < 4; lane++)
            a[lane] = hash_round(a[lane], hash_word(f, 4 * s + lane));
    uint64_t hash =
        hash_rotate(a[0], 1) + hash_rotate(a[1], 7) + hash_rotate(a[2], 12) + hash_rotate(a[3], 18);
    for (int lane = 0; lane < 4; lane++)
        hash = hash_merge(hash, a[lane]);
    hash += BYTES;
    for (int k = 4 * STRIPES; k < WORDS; k++)
        hash = hash_rotate(hash ^ hash_round(0, hash_word(f, k)), 27) * HASH_PRIME_1 + HASH_PRIME_4;
    if (BYTES % 8 != 0)
        hash = hash_rotate(hash ^ hash_half_word(f, WORDS) * HASH_PRIME_1, 23) * HASH_PRIME_2 + HASH_PRIME_3;
    hash = (hash ^ hash >> 33) * HASH_PRIME_2;
    hash = (hash ^ hash >> 29) * HASH_PRIME_3;
    return hash ^ hash >> 32;
}

/* The two sums of a digest take two seeds per cell. */
FUNCTION uint64_t digest_seed(const struct weir_place *place, int x, int y, int z, int sum) {
    const int64_t row = (place->origin[2] + z) * place->domain[1] + place->origin[1] + y;
    return 2 * (uint64_t)(row * place->domain[0] + place->origin[0] + x) + (uint64_t)sum;
}

#endif
