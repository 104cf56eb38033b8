/* What a task finds out for the thread that submits, which goes on meanwhile and comes back for it: once it
 * is set, what was written before can be read. */
#ifndef WEIR_GRAPH_FUTURE_H
#define WEIR_GRAPH_FUTURE_H

#include "codelets/failure.h"

#include <pthread.h>
#include <stdbool.h>

struct weir_future {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ready;
};

void weir_future_init(struct weir_future *future);
void weir_future_release(struct weir_future *future);

/* Not set: before the task is submitted. */
void weir_future_reset(struct weir_future *future);

/* In the task. */
void weir_future_set(struct weir_future *future);

/* Waits until it is set; false: it will not be, as the run has failed. */
bool weir_future_wait(struct weir_future *future, struct weir_failure *failure);

#endif
