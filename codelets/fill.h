/* Data of a block filled with one byte, before the first step. */
#ifndef WEIR_CODELETS_FILL_H
#define WEIR_CODELETS_FILL_H

#include "codelets/block.h"

/* Traces call it "zero", which the byte mostly is. */
void weir_fill_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task, at the block's home: data of it is written as a whole. */
int weir_fill_submit(struct weir_task_kind *kind, const struct weir_block *block, starpu_data_handle_t data,
                     unsigned char byte);

#endif
