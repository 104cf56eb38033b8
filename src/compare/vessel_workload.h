/* The vessels of weir compare's workload of that name: a tree that fits the domain of any case. */
#ifndef WEIR_SRC_COMPARE_VESSEL_WORKLOAD_H
#define WEIR_SRC_COMPARE_VESSEL_WORKLOAD_H

#include "graph/problem/problem.h"
#include "src/geometry/vessel_tree.h"

/* The tree: along the longest axis that is not periodic; of the trees that divide most often (four times, or
 * as often as there is room) the widest, up to an eighth of the domain across. Branches differ in width and
 * are not regular. Errors: -WEIR_USAGE where all axes are periodic, or no tree has room. */
int weir_vessel_workload(const struct weir_problem *problem, struct weir_vessel_tree_options *tree);

#endif
