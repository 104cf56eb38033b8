/* Whether a domain has any fluid, and which of its blocks have: exact, and quick whatever its size. */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_SEARCH_H
#define WEIR_GRAPH_PROBLEM_FLUID_SEARCH_H

#include "graph/problem/blocks.h"
#include "graph/problem/problem.h"

/* 0 where some cell of the domain is fluid; -WEIR_USAGE where solids fill all of them, -WEIR_FAILED when
 * memory is short. Most domains answer with the first cell that is looked at; one that is full takes as long
 * as cells lie at the surfaces of its solids. */
int weir_fluid_search(const struct weir_problem *problem);

/* Notes in solid[grid->total] which blocks have no fluid. Looks at those only whose number leaves the
 * remainder `part` when divided by `parts`, so that several may share the work; the others are noted as
 * having some. -WEIR_FAILED when memory is short. */
int weir_fluid_search_blocks(const struct weir_problem *problem, const struct weir_block_grid *grid, int part,
                             int parts, bool *solid);

#endif
