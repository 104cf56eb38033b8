/* Reductions over all blocks as tasks: totals, and the change of velocity. The time loop goes on meanwhile;
 * the result arrives in a callback, on a worker's thread, and where there are several ranks on every one. */
#ifndef WEIR_GRAPH_REDUCTION_H
#define WEIR_GRAPH_REDUCTION_H

#include "graph/domain.h"
#include "graph/problem/totals.h"

struct weir_reduction_tasks {
    struct weir_task_kind totals, change, combine_totals, combine_change, add_totals, add_change,
        report_totals, report_change;
};

/* where: kinds of workers that may run the tasks on blocks (StarPU's bits). */
void weir_reduction_define(struct weir_reduction_tasks *tasks, const struct weir_kernels *kernels,
                           unsigned where);

struct weir_reduction;

/* Called in the order of submission, never two at once; `totals` is valid during the call. Not called when
 * the flow had diverged: that is recorded as the domain's failure. */
typedef void weir_totals_function(void *context, const struct weir_totals *totals);

/* change: largest change of a velocity component in any cell since the last time (or since rest); speed:
 * largest component. */
typedef void weir_change_function(void *context, int64_t step, double change, double speed);

int weir_reduction_create(struct weir_domain *domain, struct weir_reduction_tasks *tasks,
                          struct weir_reduction **reduction);

/* Waits for the tasks of its data. NULL is allowed. */
void weir_reduction_destroy(struct weir_reduction *reduction);

/* To be called when other blocks are this rank's than before; no task may be under way. -WEIR_FAILED when
 * memory is short. */
int weir_reduction_follow_blocks(struct weir_reduction *reduction);

/* Submits totals of the state before step `step`. `function` may be NULL: then only divergence is checked. */
int weir_reduction_totals(struct weir_reduction *reduction, int64_t step, weir_totals_function *function,
                          void *context);

/* The same in two: of a block (its place in the domain), and, once all have been submitted, of all. */
int weir_reduction_totals_of_block(struct weir_reduction *reduction, int64_t step, int block);
int weir_reduction_combine_totals(struct weir_reduction *reduction, int64_t step,
                                  weir_totals_function *function, void *context);

/* Submits the change of velocity since the last call. The first call takes memory for the velocities. */
int weir_reduction_change(struct weir_reduction *reduction, int64_t step, weir_change_function *function,
                          void *context);

/* Handle that the verdict on the last totals submitted is written to: who reads it runs after that. */
starpu_data_handle_t weir_reduction_verdict(struct weir_reduction *reduction);

#endif
