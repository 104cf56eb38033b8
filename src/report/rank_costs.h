/* What a run cost beside computing: what its ranks sent each other, how long worker groups had nothing to
 * do, and how evenly updates were spread; over all ranks. */
#ifndef WEIR_SRC_REPORT_RANK_COSTS_H
#define WEIR_SRC_REPORT_RANK_COSTS_H

#include "graph/simulation.h"

struct weir_rank_costs {
    /* Of all ranks together, per step. */
    int64_t bytes, messages;
    int largest_neighbours; /* ranks that one rank sends to, at most */
    /* Share of the time loop during which a worker group had no task ready or under way: in the mean over the
     * groups of all ranks, and of the one that waited longest. What of the exchange was not hidden is in it,
     * and all else that workers wait for. NaN under a scheduler of StarPU's. */
    double waiting, longest_waiting;
    double balance; /* mean over largest share of updates among workers of one kind */
};

/* The beginning of a time loop. */
struct weir_loop_start {
    double seconds;
    double busy[WEIR_WORKER_GROUPS_MAX];
};

void weir_loop_start(const struct weir_runtime *runtime, struct weir_loop_start *start);

/* At the end of the time loop, all of whose tasks have ended: this rank's share, for weir_rank_costs_add_up.
 */
void weir_rank_costs_here(const struct weir_runtime *runtime, const struct weir_simulation *simulation,
                          const struct weir_loop_start *start, struct weir_rank_costs *costs);

/* Those of all ranks, on every rank. Collective. */
void weir_rank_costs_add_up(const struct weir_runtime *runtime, const struct weir_simulation *simulation,
                            struct weir_rank_costs *costs);

#endif
