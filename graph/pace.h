/* Keeps ranks without blocks beside those that have some. Nothing of a step would hold them back: they would
 * submit the outputs and checks of a whole run at once, promise to stop at its end, and show no progress. */
#ifndef WEIR_GRAPH_PACE_H
#define WEIR_GRAPH_PACE_H

#include "graph/domain.h"

struct weir_pace_tasks {
    struct weir_task_kind tell, add, hear;
};

void weir_pace_define(struct weir_pace_tasks *tasks, const struct weir_kernels *kernels);

struct weir_pace;

/* The domain is that of one of several ranks; it and the tasks must outlive the pace. -WEIR_FAILED when
 * memory is short. */
int weir_pace_create(struct weir_domain *domain, struct weir_pace_tasks *tasks, struct weir_pace **pace);
void weir_pace_destroy(struct weir_pace *pace); /* NULL is allowed */

/* To be called before every step is submitted, by all ranks. A rank without blocks waits here until the
 * others are at most some steps behind; ranks with blocks never wait. Costs nothing where all ranks have
 * blocks. Returns the run's failure, where there is one. */
int weir_pace_keep(struct weir_pace *pace, int64_t step);

#endif
