/* Totals of one block between two steps: mass, momentum, kinetic energy, largest speed, forces on walls,
 * diverged cells. */
#ifndef WEIR_CODELETS_TOTALS_H
#define WEIR_CODELETS_TOTALS_H

#include "codelets/block.h"

void weir_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task for the state before a step of argument->parity. totals: handle of one struct
 * weir_partial_totals, written. */
int weir_totals_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t totals);

#endif
