/* For which blocks steps on GPUs are worth being compiled with constants of theirs (demand/constants.h): a
 * few kinds of blocks, those that have most of the cells. */
#ifndef WEIR_GRAPH_PLAN_COMMON_CONSTANTS_H
#define WEIR_GRAPH_PLAN_COMMON_CONSTANTS_H

#include "codelets/kernels/demand/constants.h"

/* Of each of them objects are compiled: no more than these. */
enum { WEIR_COMMON_CONSTANTS_MAX = 2 };

/* Blocks, or one block, with what they have in common. */
struct weir_common_constants {
    struct weir_constants constants;
    int64_t cells; /* in all of them */
};

/* Leaves the best at the beginning of blocks[count], put together, those with most cells first. Returns how
 * many they are, at most WEIR_COMMON_CONSTANTS_MAX. Large blocks without solids are not among them: they gain
 * less than 1 % on an H200 (docs/measured/2026-11-22-h200-many-models-2.md, constants of a run). */
int weir_common_constants_choose(struct weir_common_constants *blocks, int count);

#endif
