/* How coarsely a domain is cut when the case does not say: into as few blocks as keep all workers busy, so
 * that handing out tasks costs little beside computing; and, where even that is too many for cores, one block
 * that a team of them takes together. Pure decisions on rough speeds, of which only the order of magnitude
 * matters; where they come from: docs/performance.md, "Small domains". */
#ifndef WEIR_GRAPH_PLAN_GRANULARITY_H
#define WEIR_GRAPH_PLAN_GRANULARITY_H

#include "graph/plan/worker_groups.h"
#include "graph/problem/problem.h"

/* The cores of a machine without GPUs. */
struct weir_granularity_cores {
    int count;
    int memories;       /* NUMA nodes: a team that spans several finds half of its rows far away */
    double cache_bytes; /* of the last-level caches, all together */
};

/* Cores of the team that shall take the domain as one block; 0: it is large enough for every core to have
 * blocks of its own, or shall be cut: block_cells is what blocks are to be like, 0 along an axis where nobody
 * says. */
int weir_granularity_team(const struct weir_problem *problem, const int block_cells[3],
                          const struct weir_granularity_cores *cores);

/* Block size for these workers. */
void weir_granularity_blocks(const struct weir_problem *problem, const struct weir_step_workers *workers,
                             int block_cells[3]);

/* The same where blocks are to be placed, by shares, a map or a scheduler: several for each worker, whatever
 * they cost. */
void weir_granularity_movable_blocks(const struct weir_problem *problem,
                                     const struct weir_step_workers *workers, int block_cells[3]);

/* Tasks that steps of so many blocks ask for in a second, where these workers are not kept waiting, as a
 * share of what one thread can submit: above 1 it is the thread that decides the speed. */
double weir_granularity_submission(const struct weir_problem *problem,
                                   const struct weir_step_workers *workers, int blocks);

#endif
