/* Traces made by hand, for tests of what comes of them. */
#ifndef WEIR_TESTS_TRACE_FIXTURE_H
#define WEIR_TESTS_TRACE_FIXTURE_H

#include "src/trace/trace_analysis.h"

/* A trace whose tables have room for 128 entries each, and its machine: workers on node 0. */
struct bench {
    struct weir_run_record machine;
    struct weir_trace trace;
};

/* Fails unless a value is the expected one, up to rounding. */
void same(double value, double expected);

/* A window from step 10 on, of `steps` steps and `seconds`, in which every worker is a core and every block
 * has 100 cells. */
void make(struct bench *b, int64_t steps, int workers, int blocks, double seconds);

/* What a worker does from this time on. */
void change(struct bench *b, int worker, double time, enum weir_activity activity);

/* A task with what its worker does: in a kernel, then overhead. -1: waits for nothing. */
void task(struct bench *b, int block, int64_t step, int worker, double start, double end, int after);

/* A copy of this many bytes between two memory nodes. */
void transfer(struct bench *b, int64_t bytes, int from, int to, double start, double end);

/* A message from the rank of one task's worker to that of another's, which waits for it. Both tasks are
 * there. */
void message(struct bench *b, int64_t sender, int64_t receiver, double start, double end);

/* Analyses the trace, and sees that times of workers and of the critical path add up to the window. */
void analyse(struct bench *b, struct weir_trace_analysis *a);

/* Frees all three. */
void done(struct bench *b, struct weir_trace_analysis *a);

/* Two ranks with a worker and a block each, two steps of 2 s; the second steps wait for the first ones of the
 * other rank, by messages from the tasks in `pack`. */
void make_ranks(struct bench *b, double second_on_0, double second_on_1, double seconds);

/* A worker that takes ten steps of a second each; what else it does in each of the five sections. */
void make_sections(struct bench *b, struct weir_trace_analysis *a, const double overhead[5]);

/* The sentence about a trace: how it begins, and what comes in it in this order. */
void said(const struct bench *b, const struct weir_trace_analysis *a, const char *policy, const char *begin,
          const char *first, const char *second, const char *third);

#endif
