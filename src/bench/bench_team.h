/* Threads that work together on measurements, one per core and bound to it. Between runs they sleep. */
#ifndef WEIR_SRC_BENCH_BENCH_TEAM_H
#define WEIR_SRC_BENCH_BENCH_TEAM_H

#include "graph/runtime/cores.h"

#include <stdbool.h>

struct weir_bench_team;

/* Starts the threads. `cores` must outlive the team; bound: thread k on core k. Error: -WEIR_FAILED. */
int weir_bench_team_create(const struct weir_cores *cores, int threads, bool bound,
                           struct weir_bench_team **team);

/* Ends the threads. NULL is allowed. */
void weir_bench_team_destroy(struct weir_bench_team *team);

/* Threads in all. */
int weir_bench_team_threads(const struct weir_bench_team *team);

/* What each thread of a run does. thread: 0 to threads - 1. */
typedef void weir_bench_team_function(void *context, int thread, int threads);

/* Has the first `threads` of the team call the function and waits for them. Returns the seconds from the
 * moment when all were ready until the last had returned. */
double weir_bench_team_run(struct weir_bench_team *team, int threads, weir_bench_team_function *function,
                           void *context);

/* To be called in a run by all its threads: returns when all have called it. */
void weir_bench_team_meet(struct weir_bench_team *team);

#endif
