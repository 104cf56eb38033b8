/* Numbers by which solids are placed at random: the same for the same seed, on any machine. */
#ifndef WEIR_SRC_GEOMETRY_RANDOM_NUMBERS_H
#define WEIR_SRC_GEOMETRY_RANDOM_NUMBERS_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the next number from 0 up to below 1, of 53 bits. *state is
 * the seed before the first. */
static inline double weir_random_number(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

#endif
