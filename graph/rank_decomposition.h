/* The blocks of a problem over the ranks of this run: weights, shares by what the ranks can do, and the
 * decomposition itself (ranks.h). Collective. */
#ifndef WEIR_GRAPH_RANK_DECOMPOSITION_H
#define WEIR_GRAPH_RANK_DECOMPOSITION_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "graph/problem/blocks.h"
#include "graph/problem/problem.h"
#include "graph/runtime/runtime.h"

struct weir_host_share;
struct weir_machine;
struct weir_rank_map;
struct weir_rank_seat;
struct weir_world;

/* Workers that take steps, of all ranks together. */
struct weir_step_workers weir_rank_decomposition_workers(const struct weir_world *world,
                                                         const struct weir_step_workers *here);

/* Finds the solid blocks: as weir_solid_blocks_find, of which every rank does its part. Collective; world:
 * NULL for one rank. -WEIR_FAILED, agreed, when memory is short. */
int weir_rank_decomposition_find_solid(struct weir_world *world, const struct weir_problem *problem,
                                       struct weir_block_grid *grid, bool **solid);

/* What cells cost on the machines of all ranks, in the mean, or, where some are unmeasured (machine: NULL),
 * as cell_kinds.h says: the same on all ranks. Whether they are measured. Collective; world: NULL for one
 * rank. */
bool weir_rank_decomposition_costs(const struct weir_world *world, const struct weir_machine *machine,
                                   struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT]);

/* What a step of each block costs, as decompositions weigh it: weight[grid->total], 0 of solid blocks. costs:
 * as above. Where the domain is large and has solids, an estimate (fluid_estimate.h), of which every rank
 * makes its part. Collective; world: NULL for one rank. -WEIR_FAILED, agreed, when memory is short. */
int weir_rank_decomposition_weights(struct weir_world *world, const struct weir_problem *problem,
                                    const struct weir_block_grid *grid,
                                    const struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT], double *weight);

/* Where all ranks are, and their GPUs: seats[ranks]. share: what this rank got of its host, looked at where
 * there are several ranks. Collective. */
void weir_rank_decomposition_seats(const struct weir_world *world, const struct weir_host_share *share,
                                   struct weir_rank_seat *seats);

/* What each rank can do, in one unit for all: share[ranks]. speed: updates per second that this rank's parts
 * can do, as measured; 0: unknown, and where any rank's is, ranks count by their GPUs and cores. Collective.
 */
void weir_rank_decomposition_shares(const struct weir_world *world, const struct weir_step_workers *here,
                                    double speed, double *share);

/* Gives every block a rank; a rank that is too slow for a block, or one of more than there are blocks, is
 * left without. speed, costs: as above. ranks_along: as the case wants it (0: not). map: NULL, or what the
 * case says of regions, with the seats of all ranks. rank_of[grid->total]: the same on all ranks, as are
 * errors: those of weir_ranks_divide and weir_rank_map_divide. */
int weir_rank_decomposition_make(struct weir_world *world, const struct weir_problem *problem,
                                 const struct weir_block_grid *grid, const struct weir_step_workers *here,
                                 double speed, const struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT],
                                 const int ranks_along[3], const struct weir_rank_map *map,
                                 const struct weir_rank_seat *seats, int *rank_of);

#endif
