/* What the first step is made of, cell by cell: what the problem's initial function says, or its constants,
 * and what cells of conductors keep. */
#ifndef WEIR_GRAPH_PROBLEM_START_VALUES_H
#define WEIR_GRAPH_PROBLEM_START_VALUES_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"

/* Whether cells differ; else the problem's constants say all. */
bool weir_start_values_differ(const struct weir_problem *problem);

/* Numbers of a cell: weir_problem_initial_values, and those of conductors. */
int weir_start_values_count(const struct weir_problem *problem);

/* Fills the numbers of the cells of a box, which may reach one cell beyond the domain, in the order of
 * weir_initial_state.values (kernels.h): values[count][z][y][x], the caller's. Called from several threads at
 * once. Returns 0 or a negative error. */
int weir_start_values_fill(const struct weir_problem *problem, const struct weir_box *box, double *values);

/* The last of them alone, those of conductors: the rates of the even and the odd moments and the inverse of
 * the heat capacity, 0 where there is none. -WEIR_FAILED when memory is short. */
int weir_start_values_conductors(const struct weir_problem *problem, const struct weir_box *box,
                                 double *values);

#endif
