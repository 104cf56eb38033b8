/* What tasks and messages of a trace wait for: from StarPU's numbers of jobs to indices. Knows no files.
 *
 * Between our tasks StarPU puts jobs of its own: where several tasks read what another is to write, and at
 * both ends of every message. Who waits for one of them waits for what it waits for; and where it is the
 * receiving end of a message, for that message. */
#ifndef WEIR_SRC_TRACE_TRACE_RESOLVE_H
#define WEIR_SRC_TRACE_TRACE_RESOLVE_H

#include "src/trace/trace_data.h"

/* A job of StarPU's own. */
struct weir_trace_relay {
    int64_t job, first_dependency, dependency_count; /* in the trace's dependencies: numbers of jobs */
};

/* The jobs at the ends of a message: one waits for what is to be sent; what needs what was received waits for
 * the other. -1: not known. */
struct weir_message_ends {
    int64_t transfer; /* index */
    int64_t sending_job, receiving_job;
};

/* Puts indices of tasks for numbers of jobs in the trace's dependencies, fills its awaited messages, and what
 * messages were sent after, with their steps. Before weir_trace_order; times on one rank must be by one
 * clock. What is not in the window is left out. -WEIR_FAILED when memory is short; the trace can only be
 * released then. */
int weir_trace_resolve(struct weir_trace *trace, const struct weir_trace_relay *relays, int64_t relay_count,
                       const struct weir_message_ends *ends, int64_t end_count);

#endif
