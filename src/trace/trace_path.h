/* The critical path of a window: from what ended last, back to whichever ended last of what that waited for,
 * and so on to the window's begin. Tasks are on it, and the messages that ranks wait for. docs/tracing.md. */
#ifndef WEIR_SRC_TRACE_TRACE_PATH_H
#define WEIR_SRC_TRACE_TRACE_PATH_H

#include "src/trace/trace_data.h"

#include <stdbool.h>

/* What a part of the path waited for last. */
enum weir_path_after {
    WEIR_AFTER_BEGIN,      /* nothing in the window */
    WEIR_AFTER_WORKER,     /* a task: its worker was busy with it */
    WEIR_AFTER_DEPENDENCY, /* a task: needed what it made */
    WEIR_AFTER_MESSAGE,
};
extern const char *const weir_path_after_names[]; /* in JSON */

/* One part: a task, from when its function begins; or a message, from when what it carries had been made. */
struct weir_path_part {
    int64_t task, message; /* indices into tasks and transfers; one of them is -1 */
    double gap;     /* seconds from the end of the part before it (or the window's begin) to its own begin */
    double begin;   /* when the path comes to be in it */
    double seconds; /* that the path is in it: all of it, or what came after the part before it ended */
    double unsent;  /* those of a message until MPI had taken it */
    enum weir_path_after after;
};

/* Parts of one step: of tasks of that step, and of messages that such tasks wait for. */
struct weir_path_step {
    double kernel_seconds, message_seconds, gap_seconds;
    int64_t tasks, messages;
};

/* Messages on the path from one rank to another. */
struct weir_path_link {
    int from_rank, to_rank;
    int64_t messages, bytes;
    double seconds; /* that the path is in them */
};

struct weir_critical_path {
    struct weir_path_part *parts; /* [count], in order of time */
    int64_t count, tasks, messages;
    struct weir_path_step *steps;                        /* [the trace's steps] */
    double kernel_seconds, message_seconds, gap_seconds; /* sums over parts: with the tail, the window */
    double unsent_seconds;                               /* of the messages': until MPI had taken them */
    double tail;                  /* from the end of its last part to the end of the window */
    struct weir_path_link *links; /* [link_count], the longest first */
    int link_count;
    double chain_seconds; /* longest chain of tasks that wait for each other, as if messages took no time */
    bool *is_late;        /* [tasks]: all that they waited for had ended when they were submitted */
    double late;          /* part of the tasks for which that is so */
};

/* Of a trace that weir_trace_order has ordered. The caller releases it in any case. -WEIR_FAILED when memory
 * is short. */
int weir_critical_path_find(const struct weir_trace *trace, struct weir_critical_path *path);

void weir_critical_path_release(struct weir_critical_path *path);

#endif
