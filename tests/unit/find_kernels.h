/* Kernels of a variant for tests; a test fails where they cannot be had. Those who include this include
 * cmocka (assert_close.h) first. */
#ifndef WEIR_TESTS_FIND_KERNELS_H
#define WEIR_TESTS_FIND_KERNELS_H

#include "codelets/kernels/demand/find.h"
#include "tests/unit/sanitized.h"

/* Whether a variant is compared for other instruction sets than the best too. Each has to be compiled, and
 * they differ in what is loaded and stored: one collision will do, in every precision on one lattice and in
 * one precision on the others. Tests that agree on it share what is compiled. */
static inline bool has_instruction_sets(enum weir_lattice lattice, enum weir_collision collision,
                                        enum weir_precision precision) {
    return collision == WEIR_TRT &&
           (lattice == WEIR_D3Q19 ||
            (int)precision == ((int)lattice + (int)collision) % POPULATION_PRECISIONS);
}

/* For the best instruction set. */
static inline const struct weir_kernels *find_kernels(enum weir_lattice lattice,
                                                      enum weir_collision collision,
                                                      enum weir_precision precision) {
    const struct weir_kernel_specification specification =
        weir_kernel_specification(lattice, collision, precision);
    struct weir_kernel_news news;
    const struct weir_kernels *const kernels = weir_kernels_find(&specification, WEIR_KERNELS_CPU, &news);
    if (!kernels)
        fail_msg("%s", news.error);
    return kernels;
}

/* For instruction set number `choice`; NULL past the last. */
static inline const struct weir_kernels *find_kernels_choice(enum weir_lattice lattice,
                                                             enum weir_collision collision,
                                                             enum weir_precision precision, int choice) {
    const struct weir_kernel_specification specification =
        weir_kernel_specification(lattice, collision, precision);
    struct weir_kernel_news news;
    if (!weir_instruction_set(choice))
        return NULL;
    const struct weir_kernels *const kernels = weir_kernels_choice(&specification, choice, &news);
    if (!kernels)
        fail_msg("%s", news.error);
    return kernels;
}

#endif
