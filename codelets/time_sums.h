/* Sums over time of a block's cells, where it lives: of averages (src/output/output_averages.h). */
#ifndef WEIR_CODELETS_TIME_SUMS_H
#define WEIR_CODELETS_TIME_SUMS_H

#include "codelets/block.h"

void weir_add_to_time_sums_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task that adds the state before a step of argument->parity. sums: handle of double
 * [weir_problem_time_sums][kept cells], read and written. */
int weir_add_to_time_sums_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                                 starpu_data_handle_t sums);

/* Two kinds of task: out of the block, and back into it. */
void weir_copy_time_sums_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);
void weir_restore_time_sums_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submit them. values: handle of double [weir_problem_time_sums][nz][ny][nx], written with NaN in solid
 * cells; or read. slot: written by who copies a block and by who has done with the copy (graph/sink.h). */
int weir_copy_time_sums_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                               starpu_data_handle_t sums, starpu_data_handle_t slot,
                               starpu_data_handle_t values);
int weir_restore_time_sums_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                                  starpu_data_handle_t sums, starpu_data_handle_t values);

#endif
