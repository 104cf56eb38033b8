/* The populations of a block as a checkpoint has them: in natural arrangement, with their part of the digest.
 * The block may go on as soon as they are copied. */
#ifndef WEIR_CODELETS_SNAPSHOT_H
#define WEIR_CODELETS_SNAPSHOT_H

#include "codelets/block.h"

/* Bytes of a snapshot: two uint64_t, the block's part of the digest, and its populations (weir_snapshot_cpu
 * in kernels.h). */
enum { WEIR_SNAPSHOT_HEAD = 2 * sizeof(uint64_t) };

void weir_snapshot_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task for the state before a step of argument->parity. slot: handle that the task takes for
 * writing, so that no more snapshots are there at once than slots; snapshot: handle of the above, written. */
int weir_snapshot_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                         starpu_data_handle_t slot, starpu_data_handle_t snapshot);

#endif
