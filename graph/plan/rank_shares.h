/* What each of several ranks on one host gets of the things there, cores or GPUs. Numbers only: neither MPI
 * nor hwloc. */
#ifndef WEIR_GRAPH_PLAN_RANK_SHARES_H
#define WEIR_GRAPH_PLAN_RANK_SHARES_H

#include <stdbool.h>

/* may[ranks * count]: whether a rank (slow index) may use a thing; things are numbered so that near ones
 * follow each other. gets[ranks * count] is set: no thing goes to two ranks. Ranks that share nothing with
 * others keep what they may use, for who started them has divided. Ranks that share things, directly or
 * through others, divide all that they may use together: evenly, each a run of neighbours, in the order of
 * ranks. Where things are fewer than ranks, some ranks, evenly spread, get one and the others none.
 * -WEIR_FAILED when memory is short. */
int weir_rank_shares(int ranks, int count, const bool *may, bool *gets);

#endif
