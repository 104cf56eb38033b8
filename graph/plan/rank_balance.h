/* Decisions of the policy `balanced` between ranks: which blocks should change ranks, from how fast each rank
 * was lately. Numbers only, and the same result wherever they are the same: no MPI, no StarPU, no clock. */
#ifndef WEIR_GRAPH_PLAN_RANK_BALANCE_H
#define WEIR_GRAPH_PLAN_RANK_BALANCE_H

#include "graph/problem/blocks.h"

/* What is known when the decomposition is looked over. */
struct weir_rank_balance {
    const struct weir_block_grid *grid;
    const double *weight; /* [grid->total] cost of a step of each block, in updates of fluid cells */
    double (*bytes)(const void *context, int block); /* that go along when a block moves */
    const void *context;
    int ranks;
    const double *speed; /* [ranks] weight per second while a rank has something to do; > 0 */
    double bandwidth;    /* bytes per second that a rank sends and receives while blocks move */
    double pause;        /* seconds that all lose besides, however few blocks move */
    double horizon;      /* steps over which moves have to pay */
    double least_gain;   /* of the time per step, relative: smaller ones are left alone */
};

/* Time per step that the ranks need with this decomposition, the longest of them, in seconds, without waiting
 * for one another. rank_of[grid->total]. */
double weir_rank_balance_seconds(const struct weir_rank_balance *balance, const int *rank_of);

/* Seconds that all ranks stop for while blocks move from one decomposition to another. */
double weir_rank_balance_cost(const struct weir_rank_balance *balance, const int *before, const int *after);

/* Steps over which moves have to pay: as many as blocks have lain where they do (`since`), for how long
 * things have been as they are is all that is known of how long they will be; some hundreds or some seconds
 * at least; never beyond the end of the run (`left` steps from now; negative: unknown). */
double weir_rank_balance_horizon(double step_seconds, int64_t since, int64_t left);

/* Changes the decomposition so that the longest time gets shorter. Blocks move along the borders of the
 * ranks' regions only: from the slowest rank to one beside it that ends before, or through ranks in between,
 * each of which gets one block and gives one; to a rank without blocks from anywhere. A rank may be left
 * without: one for which a single block is too much. Changes nothing where the gain over the horizon is less
 * than the moves cost, or less than least_gain. Returns how many blocks changed their rank, or -WEIR_FAILED
 * when memory is short. */
int weir_rank_balance_improve(const struct weir_rank_balance *balance, int *rank_of);

#endif
