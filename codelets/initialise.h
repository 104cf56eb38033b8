/* The state of one block before the first step: populations, and both sets of messages. */
#ifndef WEIR_CODELETS_INITIALISE_H
#define WEIR_CODELETS_INITIALISE_H

#include "codelets/block.h"

void weir_initialise_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task. values: handle of double [4 or 5][nz + 2][ny + 2][nx + 2], or NULL for a uniform state.
 * `state` is copied. */
int weir_initialise_submit(struct weir_task_kind *kind, struct weir_block *block,
                           const struct weir_initial_state *state, starpu_data_handle_t values);

#endif
