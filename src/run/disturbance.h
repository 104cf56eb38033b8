/* A load in the background of a run: threads that keep cores and memory busy between two steps, to see how a
 * placement copes with a machine that others use too. */
#ifndef WEIR_SRC_RUN_DISTURBANCE_H
#define WEIR_SRC_RUN_DISTURBANCE_H

#include "graph/runtime/runtime.h"

#include <stdint.h>

struct weir_disturbance_options {
    int64_t from, to; /* steps: the load runs while at least `from` and fewer than `to` are done */
    int threads;      /* 0: one for every two CPU cores that take steps, at least one */
};

struct weir_disturbance;

/* Reads FROM:TO[:THREADS]. -WEIR_USAGE when it is nothing of the kind. */
int weir_disturbance_parse(const char *text, struct weir_disturbance_options *options);

/* Starts the threads, which wait for their step: done(context) tells how many steps are done, and is called
 * from them every millisecond. Each is bound to a core on which a CPU worker or its team computes, first of
 * those that take steps, as far as these are bound. -WEIR_UNAVAILABLE when there are not so many such cores,
 * -WEIR_FAILED when threads cannot be started. */
int weir_disturbance_create(const struct weir_disturbance_options *options,
                            const struct weir_runtime *runtime, int64_t (*done)(void *context), void *context,
                            struct weir_disturbance **disturbance);

/* When the load began and ended, weir_seconds(), of the first and of the last thread; NaN where it did not.
 * Only after weir_disturbance_stop. */
struct weir_disturbance_report {
    int threads;
    double start, end;
};

/* Ends the load, if it still goes on, and waits for its threads. */
struct weir_disturbance_report weir_disturbance_stop(struct weir_disturbance *disturbance);

/* Stops it and gives everything back. NULL is allowed. */
void weir_disturbance_destroy(struct weir_disturbance *disturbance);

#endif
