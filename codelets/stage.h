/* A stage of a step of one block (stage.h of kernels): collision and streaming, say, with the messages to its
 * neighbours. */
#ifndef WEIR_CODELETS_STAGE_H
#define WEIR_CODELETS_STAGE_H

#include "codelets/block.h"

/* `stage` must outlive the tasks. */
void weir_stage_define(struct weir_task_kind *kind, const struct weir_stage *stage,
                       const struct weir_kernels *kernels);

/* Submits the stage for `step->steps` steps of a block as one task, the first of parity `step->parity`: more
 * than one only where it is all of a step and the block is alone, with no neighbour but itself across
 * periodic axes. done(done_argument) is called when they have ended; the argument of the task that has ended
 * begins with *step, which is copied. */
int weir_stage_submit(struct weir_task_kind *kind, const struct weir_stage *stage,
                      const struct weir_step_argument *step, void (*done)(void *), void *done_argument);

#endif
