/* Decisions of the policy `balanced`: which blocks should change their homes, from how fast each worker group
 * of the machine was lately. Numbers only: no StarPU, no clock. */
#ifndef WEIR_GRAPH_PLAN_BALANCE_H
#define WEIR_GRAPH_PLAN_BALANCE_H

#include "graph/problem/blocks.h"

/* What is known when homes are looked over. */
struct weir_balance {
    const struct weir_block_grid *grid;
    struct weir_block_set set; /* blocks whose homes are looked over; others' are none of these groups */
    const double *weight;      /* [set.count] cost of a step of each block, in updates of fluid cells */
    int groups;                /* at most WEIR_WORKER_GROUPS_MAX */
    const double *rate; /* [groups] weight per second while the worker group was busy; 0: the worker group
                           cannot take blocks */
    /* Seconds that a block's move costs, from worker group to worker group: what is paid once. block: by its
     * place in the set. NULL: nothing. */
    double (*move_seconds)(const void *context, int block, int from, int to);
    const void *context;
    double horizon;    /* steps over which a move has to pay */
    double least_gain; /* of the time per step, relative: smaller ones are left alone */
};

/* Time per step that the worker groups need with these homes, the longest of them, in seconds; without
 * waiting for one another. home[set.count]: worker group of each block. */
double weir_balance_seconds(const struct weir_balance *balance, const int *home);

/* Changes homes so that the longest time gets shorter: block by block from the worker group that takes
 * longest to one that ends before it, along the border of their regions where they have one. Changes nothing
 * where the gain over the horizon is less than the moves cost, or less than least_gain. Returns how many
 * blocks changed their home, or -WEIR_FAILED when memory is short. */
int weir_balance_improve(const struct weir_balance *balance, int *home);

#endif
