/* What blocks hold of the problem's boundaries: how much memory, and what kernels read there. */
#ifndef WEIR_GRAPH_PROBLEM_BOUNDARIES_H
#define WEIR_GRAPH_PROBLEM_BOUNDARIES_H

#include "codelets/kernels/layout.h"
#include "graph/problem/box.h"
#include "graph/problem/problem.h"

/* Where in a block's data things are. What open boundaries need, blocks that touch none have not. */
struct weir_block_layout weir_boundaries_layout(const struct weir_problem *problem,
                                                const struct weir_box *block);

/* Fills the boundaries' part of a block's geometry, which has this layout: rules, values and profiles, as
 * block_view.h has them. Errors of the problem's profile function, or -WEIR_FAILED when memory is short. */
int weir_boundaries_fill(const struct weir_problem *problem, const struct weir_box *block,
                         const struct weir_block_layout *layout, void *geometry);

#endif
