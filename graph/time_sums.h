/* Sums over time as tasks: what blocks keep of their cells is added to where they live, and moves with them
 * between workers and ranks. Each cell's numbers are added in the order of steps, so that no result depends
 * on blocks, workers or ranks. Who wants to see the sums watches them with a sink (sink.h). */
#ifndef WEIR_GRAPH_TIME_SUMS_H
#define WEIR_GRAPH_TIME_SUMS_H

#include "graph/domain.h"

struct weir_time_sums_tasks {
    struct weir_task_kind add, read, restore;
};

/* where: kinds of workers that may run the tasks on blocks (StarPU's bits). */
void weir_time_sums_define(struct weir_time_sums_tasks *tasks, const struct weir_kernels *kernels,
                           unsigned where);

/* Submits that the state before step `step` is added to the sums of this rank's blocks. number: of those
 * that the problem has, from 0. */
int weir_time_sums_add(struct weir_domain *domain, struct weir_time_sums_tasks *tasks, int number,
                       int64_t step);

/* Where sums are gone on with. */
struct weir_time_sums_source {
    /* Fills values[weir_problem_time_sums][box], whatever in solid cells. From several threads. Returns 0 or
     * a negative error (weir_fail). */
    int (*read)(void *context, const struct weir_box *box, double *values);
    void *context;
};

/* Replaces the sums of this rank's blocks, and waits for it; no other task may be under way. step: that is
 * taken next. Errors: those of the source; memory. */
int weir_time_sums_restore(struct weir_domain *domain, struct weir_time_sums_tasks *tasks, int number,
                           int64_t step, const struct weir_time_sums_source *source);

#endif
