/* What is seen of solid blocks, which have no data: what of other solid cells is seen, too. */
#ifndef WEIR_CODELETS_SOLID_VALUES_H
#define WEIR_CODELETS_SOLID_VALUES_H

#include "codelets/task_kind.h"

void weir_solid_values_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task: values is written as a whole, with numbers of real_bytes that are none (NaN), or with
 * zeros where that is 0: of populations. slot: written too, as of weir_snapshot_submit; NULL: there is none.
 */
int weir_solid_values_submit(struct weir_task_kind *kind, starpu_data_handle_t values, size_t real_bytes,
                             starpu_data_handle_t slot);

#endif
