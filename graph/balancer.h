/* The policy `balanced` at work: looks at how busy each worker group of the machine was, every so many steps,
 * and moves homes of blocks when that pays (balance.h). Called by the thread that submits. */
#ifndef WEIR_GRAPH_BALANCER_H
#define WEIR_GRAPH_BALANCER_H

#include "graph/domain.h"
#include "graph/plan/worker_groups.h"

struct weir_balancer;

/* Blocks have their homes. rate[groups->count]: weight per second that is expected of each worker group until
 * it has been measured, 0 where unknown (then others' is taken). Both must outlive the balancer. Error:
 * -WEIR_FAILED. */
int weir_balancer_create(struct weir_domain *domain, const struct weir_worker_groups *groups,
                         const double *rate, struct weir_balancer **balancer);
void weir_balancer_destroy(struct weir_balancer *balancer); /* NULL is allowed */

/* To be called at every step. step: steps that all blocks have ended; work[groups->count]: weight of the
 * steps that each worker group has ended so far. */
int weir_balancer_review(struct weir_balancer *balancer, int64_t step, const double *work);

/* To be called when other blocks are this rank's than before, each with a home, and no task is under way.
 * -WEIR_FAILED when memory is short. */
int weir_balancer_follow_blocks(struct weir_balancer *balancer);

/* Weight per second of each worker group, as measured lately or expected; 0: unknown. */
const double *weir_balancer_rates(const struct weir_balancer *balancer);

/* Blocks that changed their home so far, counted at every change. */
int64_t weir_balancer_moves(const struct weir_balancer *balancer);

#endif
