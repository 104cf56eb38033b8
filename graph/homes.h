/* Placement at the start: which worker group of the machine each block lives on. */
#ifndef WEIR_GRAPH_HOMES_H
#define WEIR_GRAPH_HOMES_H

#include "graph/domain.h"
#include "graph/plan/time_model.h"
#include "graph/plan/worker_groups.h"

struct weir_rank_map;
struct weir_rank_seat;

/* Gives every worker group a compact region of blocks, whose weights (weir_block_weight) are as near to the
 * shares as whole blocks allow, and sets the blocks' homes. share[groups]: any unit, not all 0. -WEIR_FAILED
 * when memory is short.
 */
int weir_homes_choose(struct weir_domain *domain, int groups, const double *share);

/* The same for blocks of a map's regions (rank_map.h): those of a region that names a worker group of its
 * rank, here the one with this seat, go there. *found: whether any region of this rank's blocks does; else
 * homes stay as they are. -WEIR_USAGE where a worker group that is named takes no steps. */
int weir_homes_by_map(struct weir_domain *domain, const struct weir_worker_groups *groups,
                      const double *share, const struct weir_rank_map *map, const struct weir_rank_seat *seat,
                      bool *found);

/* Sets the homes, group_of[domain->set.count], at the start or while tasks are under way. */
void weir_homes_set(struct weir_domain *domain, const int *group_of);

/* Gives every block without a home one in the worker group that ends its step first then; the others keep
 * theirs. rate[groups]: weight per second, 0: takes none; not all 0. -WEIR_FAILED when memory is short. */
int weir_homes_for_newcomers(struct weir_domain *domain, int groups, const double *rate);

/* Gives the blocks the homes for which the time model predicts the shortest step, and that prediction.
 * machine: its worker groups have the numbers of the runtime's (weir_tune_describe). The domain's fluid cells
 * must be known. -WEIR_FAILED when memory is short. */
int weir_homes_by_model(struct weir_domain *domain, const struct weir_machine *machine,
                        struct weir_prediction *prediction);

/* Weight of blocks (weir_block_weight) that the time model expects of each worker group per second:
 * rate[groups of the machine]. */
void weir_homes_rates(const struct weir_domain *domain, const struct weir_machine *machine, double *rate);

/* The prediction for the homes that the blocks have. Errors as above. */
int weir_homes_predict(const struct weir_domain *domain, const struct weir_machine *machine,
                       struct weir_prediction *prediction);

#endif
