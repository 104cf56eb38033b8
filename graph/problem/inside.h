/* Which places belong to a shape, whatever it is made of and wherever it stands among others. */
#ifndef WEIR_GRAPH_PROBLEM_INSIDE_H
#define WEIR_GRAPH_PROBLEM_INSIDE_H

#include "graph/problem/problem.h"

/* Whether a shape has a point. */
bool weir_shape_has(const struct weir_problem *problem, const struct weir_shape *shape,
                    const double point[3]);

/* The same of many cells of the domain: every `step`-th along each axis, `count` of them, from the one on
 * that has its centre there. inside[count z][y][x]. */
void weir_shape_has_box(const struct weir_problem *problem, const struct weir_shape *shape,
                        const double first[3], int step, const int count[3], bool *inside);

#endif
