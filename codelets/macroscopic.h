/* Density, velocity and what else is seen of a box of cells of one block, between two steps. */
#ifndef WEIR_CODELETS_MACROSCOPIC_H
#define WEIR_CODELETS_MACROSCOPIC_H

#include "codelets/block.h"

void weir_macroscopic_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task for the state before a step of this parity. values: handle of real
 * [weir_problem_observed][cells of the box], written. */
int weir_macroscopic_submit(struct weir_task_kind *kind, struct weir_block *block, int parity,
                            const struct weir_local_box *box, starpu_data_handle_t values);

#endif
