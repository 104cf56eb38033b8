/* Changes of velocity of blocks combined to those of a rank, and these to those of all: the largest. */
#ifndef WEIR_CODELETS_CHANGE_SUM_H
#define WEIR_CODELETS_CHANGE_SUM_H

#include "codelets/task_kind.h"

/* combine_change: blocks of a rank; add_change: of ranks. Buffers of both: R ... struct weir_partial_change
 * behind the result, which add_change updates (RW). */
void weir_combine_change_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);
void weir_add_change_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits one task: RW total, R parts[count], at most WEIR_COMBINED_MAX. first: begins anew, W total. Returns
 * as weir_task_submit. */
int weir_combine_change_submit(struct weir_task_kind *kind, starpu_data_handle_t total,
                               const starpu_data_handle_t *parts, int count, bool first);

#endif
