/* For which blocks steps on GPUs are worth being compiled with constants of theirs (demand/constants.h): a
 * few kinds of bricks, those that have most of the cells. What lists would gain has not been measured. */
#ifndef WEIR_GRAPH_PLAN_COMMON_CONSTANTS_H
#define WEIR_GRAPH_PLAN_COMMON_CONSTANTS_H

#include "codelets/kernels/demand/constants.h"
#include "graph/problem/blocks.h"
#include "graph/problem/problem.h"

/* Two sizes along each axis, open or not, are as many kinds as a grid can have; of the best ones objects are
 * compiled. */
enum { WEIR_COMMON_CONSTANTS_KINDS = 16, WEIR_COMMON_CONSTANTS_BEST = 2 };

struct weir_common_constants {
    int count;
    struct weir_alike_blocks {
        struct weir_constants constants; /* that all of them have */
        int64_t cells;                   /* in all of them */
    } kind[WEIR_COMMON_CONSTANTS_KINDS];
};

/* Adds a block to those that are alike. */
void weir_common_constants_add(struct weir_common_constants *common, const struct weir_constants *block);

/* Sorts the kinds, most cells first, and leaves the best. */
void weir_common_constants_choose(struct weir_common_constants *common);

/* The same of all blocks of a grid, whoever may get them. */
void weir_common_constants_of_grid(const struct weir_problem *problem, const struct weir_block_grid *grid,
                                   struct weir_common_constants *common);

#endif
