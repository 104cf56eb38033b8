/* Kernels of a variant for tests; a test fails where they cannot be had. Those who include this include
 * cmocka (assert_close.h) first. */
#ifndef WEIR_TESTS_FIND_KERNELS_H
#define WEIR_TESTS_FIND_KERNELS_H

#include "codelets/kernels/demand/find.h"

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
