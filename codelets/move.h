/* Moves a datum of a block between main memory, where all of them have room, and the memory where steps are
 * taken, where only some have (graph/slabs.h). StarPU would do that by itself, when a task is short of room,
 * and what it throws out then is what was used longest ago: here it is known long before what comes next. */
#ifndef WEIR_CODELETS_MOVE_H
#define WEIR_CODELETS_MOVE_H

#include "codelets/block.h"

/* Into the place where steps are taken; back to main memory. */
void weir_bring_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);
void weir_put_back_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submit a copy of all bytes of a datum of the block, which main memory and the place have in these handles
 * (the place may be larger). worker: StarPU's number of who does it; -1: anybody. Return as weir_task_submit.
 */
int weir_bring_submit(struct weir_task_kind *kind, const struct weir_block *block, starpu_data_handle_t home,
                      starpu_data_handle_t place, int worker);
int weir_put_back_submit(struct weir_task_kind *kind, const struct weir_block *block,
                         starpu_data_handle_t home, starpu_data_handle_t place, int worker);

#endif
