/* Which worker group each block should live on, so that the time model predicts the shortest step. */
#ifndef WEIR_GRAPH_PLAN_BEST_SPLIT_H
#define WEIR_GRAPH_PLAN_BEST_SPLIT_H

#include "graph/plan/time_model.h"

struct weir_split {
    double share[WEIR_WORKER_GROUPS_MAX]; /* wanted share of the work of each worker group; sum 1 */
    struct weir_prediction prediction;
};

/* Places the blocks by weir_placement_bisect, with the shares whose actual cut has the shortest predicted
 * step. Worker groups of one kind have equal shares; a kind may get none. group_of[decomposition->set.count]:
 * result. -WEIR_USAGE for a machine without worker groups, -WEIR_FAILED when memory is short. */
int weir_best_split(const struct weir_machine *machine, const struct weir_decomposition *decomposition,
                    int *group_of, struct weir_split *split);

#endif
