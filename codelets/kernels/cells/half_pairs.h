/* Pairs of numbers in 16 bits (halves.h), each pair in one word that lies among reals, which nobody may
 * compute with: the first in the lower bits. */
#ifndef WEIR_KERNELS_HALF_PAIRS_H
#define WEIR_KERNELS_HALF_PAIRS_H

#include "codelets/kernels/cells/halves.h"

#ifdef __CUDACC__

FUNCTION real word_of_pair(real first, real second) {
    uint32_t word;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second * HALF_SCALE), "f"(first * HALF_SCALE));
    return __uint_as_float(word);
}

#else

FUNCTION real word_of_pair(real first, real second) {
    const uint32_t bits = (uint32_t)half_of_real(second) << 16 | half_of_real(first);
    real word;
    memcpy(&word, &bits, sizeof word);
    return word;
}

#endif

FUNCTION void pair_of_word(real word, real *first, real *second) {
    uint32_t bits;
    memcpy(&bits, &word, sizeof bits);
    *first = real_of_half((uint16_t)bits);
    *second = real_of_half((uint16_t)(bits >> 16));
}

#endif
