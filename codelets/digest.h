/* The part of one block in the digest of all populations. Done once, at the end of a run. */
#ifndef WEIR_CODELETS_DIGEST_H
#define WEIR_CODELETS_DIGEST_H

#include "codelets/block.h"

void weir_digest_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task for the state before a step of argument->parity. sum: handle of two uint64_t, written. */
int weir_digest_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t sum);

#endif
