/* Values of boundaries that change in time: tasks that compute them, one for each block at such a face and
 * step. A block has them twice, by parity, so that those of a step are computed while the step before it
 * runs. */
#ifndef WEIR_GRAPH_BOUNDARY_VALUES_H
#define WEIR_GRAPH_BOUNDARY_VALUES_H

#include "graph/domain.h"

void weir_boundary_values_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the tasks for the values of a step, after the step of the same parity before it; nothing where the
 * values do not change any more. The first two steps of a run need it in any case (`first`). Errors of the
 * problem's function end the run. */
int weir_boundary_values_submit(struct weir_task_kind *kind, struct weir_domain *domain, int64_t step,
                                bool first);

/* The same for one block (its place in the domain), of a step that is none of the first two. */
int weir_boundary_values_of_block(struct weir_task_kind *kind, struct weir_domain *domain, int block,
                                  int64_t step);

#endif
