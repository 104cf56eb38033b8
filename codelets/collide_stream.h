/* Steps of one block: collide, stream, write the messages to its neighbours. */
#ifndef WEIR_CODELETS_COLLIDE_STREAM_H
#define WEIR_CODELETS_COLLIDE_STREAM_H

#include "codelets/block.h"

void weir_collide_stream_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits `argument->steps` steps of a block as one task, the first of parity `argument->parity`: more than
 * one only of a block that is alone, with no neighbour but itself across periodic axes. done(done_argument)
 * is called when they have ended. The argument is copied. */
int weir_collide_stream_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                               void (*done)(void *), void *done_argument);

#endif
