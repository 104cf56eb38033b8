/* Blocks without fluid: they have no data, no tasks and no messages, and nobody waits for them. Which these
 * are is found before blocks are dealt out, and the same on all ranks. */
#ifndef WEIR_GRAPH_PROBLEM_SOLID_BLOCKS_H
#define WEIR_GRAPH_PROBLEM_SOLID_BLOCKS_H

#include "graph/problem/blocks.h"

/* Finds them, where there may be some: there are solids, all stages of the problem's model look at fluid
 * cells only (any_cells), and the problem does not keep such blocks (keep_solid_blocks). grid->solid is set,
 * to *solid, which is the caller's (free) and NULL where there are none. -WEIR_FAILED when memory is short.
 */
int weir_solid_blocks_find(const struct weir_problem *problem, struct weir_block_grid *grid, bool **solid);

/* The same in two steps, for several that share the work: part number `part` of `parts` notes those that it
 * finds in *solid[grid->total], NULL where there can be none; what all have found is settled. */
int weir_solid_blocks_look(const struct weir_problem *problem, const struct weir_block_grid *grid, int part,
                           int parts, bool **solid);
void weir_solid_blocks_settle(struct weir_block_grid *grid, bool **solid);

#endif
