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

/* Words of so many cells side by side: on a CPU as many as a vector has, as a cell's words wait for each
 * other. */
#if defined __CUDACC__ || defined WEIR_GPU_ON_CPU /* as tests have it */
typedef uint64_t hash_words;
#else
#ifdef __AVX2__
enum { HASH_CELLS = 4 };
#else
enum { HASH_CELLS = 2 };
#endif
typedef uint64_t hash_words __attribute__((vector_size(HASH_CELLS * sizeof(uint64_t))));
#endif

/* Little-endian words of 8 bytes that a cell's populations are, and what is left. */
enum { HASH_BYTES = POPULATIONS * REAL_BYTES, HASH_WORDS = HASH_BYTES / 8, HASH_LEFT = HASH_BYTES % 8 };

FUNCTION hash_words hash_rotate(hash_words word, int bits) {
    return word << bits | word >> (64 - bits);
}

FUNCTION hash_words hash_mix(hash_words word) {
    return hash_rotate(word, 31) * HASH_PRIME_1;
}

FUNCTION hash_words hash_merge(hash_words hash, hash_words accumulator) {
    return (hash ^ hash_mix(accumulator * HASH_PRIME_2)) * HASH_PRIME_1 + HASH_PRIME_4;
}

/* words: the last one, where bytes are left, has these alone. */
FUNCTION hash_words hash_populations(const hash_words words[HASH_WORDS + 1], hash_words seed) {
    enum { STRIPES = HASH_BYTES / 32 };
    hash_words a[4] = {seed + HASH_PRIME_1 + HASH_PRIME_2, seed + HASH_PRIME_2, seed, seed - HASH_PRIME_1};
    for (int s = 0; s < STRIPES; s++)
        for (int lane = 0; lane < 4; lane++)
            a[lane] = hash_mix(a[lane] + words[4 * s + lane] * HASH_PRIME_2);
    hash_words hash =
        hash_rotate(a[0], 1) + hash_rotate(a[1], 7) + hash_rotate(a[2], 12) + hash_rotate(a[3], 18);
    for (int lane = 0; lane < 4; lane++)
        hash = hash_merge(hash, a[lane]);
    hash += HASH_BYTES;
    for (int k = 4 * STRIPES; k < HASH_WORDS; k++)
        hash = hash_rotate(hash ^ hash_mix(words[k] * HASH_PRIME_2), 27) * HASH_PRIME_1 + HASH_PRIME_4;
    if (HASH_LEFT != 0)
        hash = hash_rotate(hash ^ words[HASH_WORDS] * HASH_PRIME_1, 23) * HASH_PRIME_2 + HASH_PRIME_3;
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
