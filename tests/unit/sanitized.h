/* Whether sanitizers watch. A kernel then takes up to a minute to compile, so tests leave out variants: every
 * lattice, collision and precision is met all the same, but not all of them with each other. */
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

/* Whether a test that has three precisions of a lattice and collision is to have this one. */
static inline bool has_precision(enum weir_lattice lattice, enum weir_collision collision,
                                 enum weir_precision precision) {
    return !WEIR_SANITIZED || (int)precision == ((int)lattice + (int)collision) % WEIR_PRECISION_COUNT;
}

#endif
