/* Tasks that call a function of who submits them, on a CPU: for what takes more than codelets know, such as a
 * case's geometry, an output, or what ranks agree on. What only computes has a codelet of its own. */
#ifndef WEIR_CODELETS_CALL_H
#define WEIR_CODELETS_CALL_H

#include "codelets/block.h"

/* Sets up a kind named `name` whose tasks call the function. Of tasks on a block, whose argument begins with
 * it, StarPU's models are kept by the block's size. */
void weir_call_define(struct weir_task_kind *kind, const char *name, const struct weir_kernels *kernels,
                      weir_call_function *function);
void weir_call_define_on_blocks(struct weir_task_kind *kind, const char *name,
                                const struct weir_kernels *kernels, weir_call_function *function);

/* Submits a task of a kind on blocks that fills one datum, of the block's or for it, on any CPU. argument:
 * copied, so many bytes; begins with the block. Returns as weir_task_submit. */
int weir_call_fill_submit(struct weir_task_kind *kind, const struct weir_block *block, const void *argument,
                          size_t argument_size, starpu_data_handle_t filled);

#endif
