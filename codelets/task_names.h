/* Names of single tasks while a trace is recorded: their kind, block and step. Only one thread submits tasks,
 * and StarPU with its recording is one per process: so is this list. Without recording nothing is named, and
 * nothing is paid. */
#ifndef WEIR_CODELETS_TASK_NAMES_H
#define WEIR_CODELETS_TASK_NAMES_H

#include <stdint.h>

/* From now on tasks get names. */
void weir_task_names_start(void);

/* Tasks that are submitted from now on belong to this step, or observe the state before it. */
void weir_task_names_step(int64_t step);

/* No more names; frees those there are: no task may be under way. */
void weir_task_names_stop(void);

/* "KIND.bBLOCK.sSTEP", without ".bBLOCK" where it is negative; valid until weir_task_names_stop. NULL when
 * nothing is named, or memory is short. */
const char *weir_task_name(const char *kind, int block);

#endif
