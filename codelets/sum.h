/* Numbers of other ranks added to those of this one. */
#ifndef WEIR_CODELETS_SUM_H
#define WEIR_CODELETS_SUM_H

#include "codelets/task_kind.h"

/* Buffers: RW double[n], the sum; R double[n] each, what is added to it, in this order. */
void weir_sum_define(struct weir_task_kind *kind, const char *name, const struct weir_kernels *kernels);

#endif
