/* How many variants tests have. A kernel takes seconds to compile, and up to a minute where sanitizers watch:
 * every lattice, collision and precision is met, and every lattice with every collision, but not all three
 * with each other, unless WEIR_TEST_EVERY_VARIANT is set (suite variants). */
#ifndef WEIR_TESTS_SANITIZED_H
#define WEIR_TESTS_SANITIZED_H

#ifdef __has_feature /* clang */
#if __has_feature(address_sanitizer)
#define WEIR_SANITIZED 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__ /* gcc */
#define WEIR_SANITIZED 1
#endif
#ifndef WEIR_SANITIZED
#define WEIR_SANITIZED 0
#endif

#include "graph/problem/problem.h"

#include <stdlib.h>

/* Precisions that keep populations, which every collision may have, are the first; the others keep moments.
 */
enum { POPULATION_PRECISIONS = WEIR_MOMENTS_SINGLE };

/* Whether this run has all of them. */
static inline bool every_variant(void) {
    return !WEIR_SANITIZED && getenv("WEIR_TEST_EVERY_VARIANT");
}

/* Whether a test that has three precisions of a lattice and collision is to have this one: of the lattice
 * that most use, all of those that other tests compile anyway. */
static inline bool has_precision(enum weir_lattice lattice, enum weir_collision collision,
                                 enum weir_precision precision) {
    return every_variant() || (int)precision == ((int)lattice + (int)collision) % POPULATION_PRECISIONS ||
           (!WEIR_SANITIZED && lattice == WEIR_D3Q19 && collision == WEIR_TRT);
}

#endif
