/* How much of what blocks keep is fluid: the utilisation of Tomczak and Szafran's model (Comput. Phys.
 * Commun. 235 (2019) 258), for blocks where they have tiles. */
#ifndef WEIR_GRAPH_PROBLEM_UTILISATION_H
#define WEIR_GRAPH_PROBLEM_UTILISATION_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "graph/problem/blocks.h"
#include "graph/problem/problem.h"

struct weir_utilisation {
    int blocks;          /* that have fluid */
    double cells, fluid; /* of these */
};

/* Of the blocks of each kind, by the estimate that decides which kind they are (fluid_estimate.h): exact in
 * domains of up to some 16 million cells. Blocks without fluid (grid->solid) do not count. */
void weir_utilisation_find(const struct weir_problem *problem, const struct weir_block_grid *grid,
                           struct weir_utilisation kinds[WEIR_CELL_KIND_COUNT]);

/* Fluid cells as a share of all cells that are kept: eta. */
static inline double weir_utilisation_share(const struct weir_utilisation *u) {
    return u->cells > 0 ? u->fluid / u->cells : 1;
}

/* Solid cells that are kept for each fluid one: (1 - eta) / eta. */
static inline double weir_utilisation_overhead(const struct weir_utilisation *u) {
    return u->fluid > 0 ? (u->cells - u->fluid) / u->fluid : 0;
}

#endif
