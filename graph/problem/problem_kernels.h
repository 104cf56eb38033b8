/* The kernels that compute a problem. */
#ifndef WEIR_GRAPH_PROBLEM_KERNELS_H
#define WEIR_GRAPH_PROBLEM_KERNELS_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "codelets/kernels/demand/find.h"
#include "graph/problem/problem.h"

/* What those of blocks that keep their cells in this way are compiled with. */
struct weir_kernel_specification weir_problem_specification(const struct weir_problem *problem,
                                                            enum weir_cell_kind kind);

/* These kernels, where they are wanted (WEIR_KERNELS_CPU, WEIR_KERNELS_CUDA; 0: names and sizes only),
 * compiled if need be. They last until the process ends. -WEIR_UNAVAILABLE where they would have to be
 * compiled and there is no compiler; -WEIR_FAILED. */
int weir_problem_kernels(const struct weir_problem *problem, enum weir_cell_kind kind, unsigned where,
                         const struct weir_kernels **kernels);

/* The same on the CPU for instruction set number `choice` of weir_instruction_set. */
int weir_problem_kernels_choice(const struct weir_problem *problem, enum weir_cell_kind kind, int choice,
                                const struct weir_kernels **kernels);

/* An error of what finds kernels, as one of ours. */
int weir_fail_for_kernels(const struct weir_kernel_news *news);

#endif
