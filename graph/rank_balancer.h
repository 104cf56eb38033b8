/* The policy `balanced` between ranks at work: measures how fast this rank is, tells the others, and decides
 * with all of their numbers which blocks should change ranks (rank_balance.h). Every rank decides for itself,
 * and all alike. Called by the thread that submits. */
#ifndef WEIR_GRAPH_RANK_BALANCER_H
#define WEIR_GRAPH_RANK_BALANCER_H

#include "graph/domain.h"
#include "graph/plan/worker_groups.h"
#include "graph/runtime/runtime.h"

struct weir_rank_balancer_tasks {
    struct weir_task_kind tell, add, hear;
};

void weir_rank_balancer_define(struct weir_rank_balancer_tasks *tasks, const struct weir_kernels *kernels);

struct weir_rank_balancer;

/* The domain is that of one of several ranks; all must outlive the balancer. here, speed: what this rank is
 * expected to do, as blocks were divided by (weir_rank_decomposition_shares). first: the
 * first step; steps: planned, 0: unknown.
 * Collective: -WEIR_FAILED, agreed, when memory is short. */
int weir_rank_balancer_create(struct weir_world *world, struct weir_domain *domain,
                              const struct weir_worker_groups *groups, const struct weir_step_workers *here,
                              double speed, struct weir_rank_balancer_tasks *tasks, int64_t first,
                              int64_t steps, struct weir_rank_balancer **balancer);
void weir_rank_balancer_destroy(struct weir_rank_balancer *balancer); /* NULL is allowed */

/* To be called before every step is submitted, by all ranks. step: the one to be submitted; work[groups]:
 * weight of the steps that each worker group has ended so far. *rank_of: the decomposition that is better by
 * so much that blocks should move, the balancer's, the same on all ranks; mostly NULL. Waits where other
 * ranks' numbers have not come in time. Returns the run's failure, where there is one. */
int weir_rank_balancer_review(struct weir_rank_balancer *balancer, int64_t step, const double *work,
                              const int **rank_of);

/* To be called once blocks have moved, or could not: before step `step` is submitted. seconds: that it took
 * once all ranks had come to a stop. */
void weir_rank_balancer_moved(struct weir_rank_balancer *balancer, int64_t step, bool moved, double seconds);

#endif
