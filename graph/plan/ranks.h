/* Blocks over ranks: compact regions in three dimensions, and what they have to say to each other (Obrecht et
 * al., paper 002, cut along three axes for the same reason). Geometry only: no MPI. */
#ifndef WEIR_GRAPH_PLAN_RANKS_H
#define WEIR_GRAPH_PLAN_RANKS_H

#include "graph/problem/blocks.h"

/* Gives every block a rank, solid ones that of a block near by: rank_of[grid->total], 0 to ranks - 1.
 * share[ranks]: wanted parts of the weight, any unit, NULL: equal ones; any number of ranks will do, primes
 * too. Ranks may be left without a block: where there are more of them than blocks, or a share is far below
 * one. ranks_along: NULL, or how many ranks along each axis, whose blocks are then divided evenly there.
 * -WEIR_USAGE where there are more ranks than blocks along an axis, or ranks_along does not make `ranks`;
 * -WEIR_FAILED when memory is short. */
int weir_ranks_divide(const struct weir_block_grid *grid, const double *weight, int ranks,
                      const double *share, const int ranks_along[3], int *rank_of);

/* The blocks of all ranks that have fluid, one rank after the other, each in the order of their numbers:
 * those of rank r from blocks[first[r]] on, before blocks[first[r + 1]]. first[ranks + 1],
 * blocks[grid->total]. */
void weir_ranks_sort(const struct weir_block_grid *grid, const int *rank_of, int ranks, int *first,
                     int *blocks);

/* What one rank has and sends. */
struct weir_rank_part {
    int blocks;
    int64_t cells;
    int neighbours;     /* other ranks that it sends to */
    int64_t sent_bytes; /* per step, to all of them: populations that cross, no others */
};

/* part[ranks]. -WEIR_FAILED when memory is short. */
int weir_ranks_count(const struct weir_problem *problem, const struct weir_block_grid *grid,
                     const int *rank_of, int ranks, struct weir_rank_part *part);

#endif
