/* How much the velocity of one block changed since the last look: the test for a steady flow. */
#ifndef WEIR_CODELETS_VELOCITY_CHANGE_H
#define WEIR_CODELETS_VELOCITY_CHANGE_H

#include "codelets/block.h"

void weir_velocity_change_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task for the state before a step of argument->parity. previous: handle of float [3][cells],
 * read and replaced; change: handle of one struct weir_partial_change, written. */
int weir_velocity_change_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                                starpu_data_handle_t previous, starpu_data_handle_t change);

#endif
