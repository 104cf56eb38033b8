/* The state of one block before the first step: populations, and both sets of messages. */
#ifndef WEIR_CODELETS_INITIALISE_H
#define WEIR_CODELETS_INITIALISE_H

#include "codelets/block.h"

void weir_initialise_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task. values: handle of what state->values or, where there is such a pointer to anything,
 * state->populations is to point to (kernels.h); NULL for a uniform state. `state` is copied. */
int weir_initialise_submit(struct weir_task_kind *kind, struct weir_block *block,
                           const struct weir_initial_state *state, starpu_data_handle_t values);

#endif
