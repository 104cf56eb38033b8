/* Vectors of words that are pairs of numbers in 16 bits, on a CPU: half_pairs.h for as many as the processor
 * takes at once. */
#ifndef WEIR_KERNELS_HALF_PAIR_ROWS_H
#define WEIR_KERNELS_HALF_PAIR_ROWS_H

#include "codelets/kernels/cells/half_rows.h"

/* first may be the words themselves. */
FUNCTION void pairs_of_words(const real words[VECTOR_CELLS], real first[VECTOR_CELLS],
                             real second[VECTOR_CELLS]) {
    uint32_t bits[VECTOR_CELLS];
    uint16_t low[VECTOR_CELLS], high[VECTOR_CELLS];
    memcpy(bits, words, sizeof bits);
    for (int k = 0; k < VECTOR_CELLS; k++) {
        low[k] = (uint16_t)bits[k];
        high[k] = (uint16_t)(bits[k] >> 16);
    }
    load_halves(first, low);
    load_halves(second, high);
}

FUNCTION void words_of_pairs(const real first[VECTOR_CELLS], const real second[VECTOR_CELLS],
                             real words[VECTOR_CELLS]) {
    uint32_t bits[VECTOR_CELLS];
    uint16_t low[VECTOR_CELLS], high[VECTOR_CELLS];
    store_halves(low, first);
    store_halves(high, second);
    for (int k = 0; k < VECTOR_CELLS; k++)
        bits[k] = (uint32_t)high[k] << 16 | low[k];
    memcpy(words, bits, sizeof bits);
}

#endif
