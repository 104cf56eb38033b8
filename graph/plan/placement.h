/* Static placement: which worker group of a machine each block lives on. Geometry only; worker groups are
 * whatever the caller numbers. */
#ifndef WEIR_GRAPH_PLAN_PLACEMENT_H
#define WEIR_GRAPH_PLAN_PLACEMENT_H

#include "graph/problem/blocks.h"

/* Splits the blocks into `groups` compact regions whose weights are as near as whole blocks allow to the
 * shares asked for, by recursive bisection across the longest side (Berger and Bokhari, IEEE Trans. Comput.
 * C-36 (1987) 570). set: the blocks to be split, NULL: all. weight[set->count]: cost of each of them (its
 * fluid cells, say); share[groups]: wanted shares, any unit, not all 0; home[set->count]: result, 0 to groups
 * - 1. Returns 0, or -WEIR_FAILED when memory is short. */
int weir_placement_bisect(const struct weir_block_grid *grid, const struct weir_block_set *set,
                          const double *weight, int groups, const double *share, int *home);

#endif
