/* What blocks hold of the problem's boundaries: how much memory, and what kernels read there. */
#ifndef WEIR_GRAPH_PROBLEM_BOUNDARIES_H
#define WEIR_GRAPH_PROBLEM_BOUNDARIES_H

#include "codelets/kernels/cells/layout.h"
#include "graph/problem/forms.h"
#include "graph/problem/problem.h"

/* Where in a block's data things are. What open boundaries need, blocks that touch none have not. */
struct weir_block_layout weir_boundaries_layout(const struct weir_problem *problem,
                                                const struct weir_block_form *block);

/* Fills the profiles of a block that change in time, for a step: a piece of memory with `varying_bytes` of
 * the layout. Errors of the problem's profile function. */
int weir_boundaries_vary(const struct weir_problem *problem, const struct weir_box *block,
                         const struct weir_block_layout *layout, int64_t step, void *varying);

/* Fills a block's geometry, which has this layout: flags, and what block_view.h has of boundaries (rules,
 * values, profiles) and of the cells that are kept, by that many threads. Returns the number of fluid cells;
 * errors of the problem's profile function, or -WEIR_FAILED when memory is short. */
int64_t weir_boundaries_fill(const struct weir_problem *problem, const struct weir_box *block, int threads,
                             const struct weir_block_layout *layout, void *geometry);

#endif
