#include "src/trace/trace_path.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const char *const weir_path_after_names[] = {"begin", "worker", "dependency", "message"};

static int no_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the analysis; record fewer steps with --steps");
}

/* A task or a message; both -1: nothing. */
struct part {
    int64_t task, message;
};

struct search {
    const struct weir_trace *trace;
    int64_t *before;                  /* [tasks]: that their workers took before them, -1: none */
    bool *task_taken, *message_taken; /* on the path already */
    double *chain;                    /* [tasks] */
};

static double end_of(const struct search *search, struct part part) {
    if (part.task >= 0)
        return search->trace->tasks[part.task].end;
    return part.message >= 0 ? search->trace->transfers[part.message].end : 0;
}

/* Takes `other` where it ends last. */
static void take_later(const struct search *search, struct part other, enum weir_path_after after,
                       struct part *found, enum weir_path_after *how) {
    if (*how != WEIR_AFTER_BEGIN && end_of(search, other) < end_of(search, *found))
        return;
    *found = other;
    *how = after;
}

/* What ended last of what a part waited for. */
static struct part released_by(const struct search *search, struct part part, enum weir_path_after *after) {
    const struct weir_trace *trace = search->trace;
    struct part found = {-1, -1};
    *after = WEIR_AFTER_BEGIN;
    if (part.message >= 0) {
        const struct weir_traced_transfer *message = &trace->transfers[part.message];
        if (message->passed_message >= 0)
            take_later(search, (struct part){-1, message->passed_message}, WEIR_AFTER_MESSAGE, &found, after);
        else if (message->sent_task >= 0)
            take_later(search, (struct part){message->sent_task, -1}, WEIR_AFTER_DEPENDENCY, &found, after);
        return found;
    }
    const struct weir_traced_task *task = &trace->tasks[part.task];
    if (search->before[part.task] >= 0)
        take_later(search, (struct part){search->before[part.task], -1}, WEIR_AFTER_WORKER, &found, after);
    for (int d = 0; d < task->dependency_count; d++)
        take_later(search, (struct part){trace->dependencies[task->first_dependency + d], -1},
                   WEIR_AFTER_DEPENDENCY, &found, after);
    for (int m = 0; m < task->message_count; m++)
        take_later(search, (struct part){-1, trace->awaited[task->first_message + m]}, WEIR_AFTER_MESSAGE,
                   &found, after);
    return found;
}

static int find_before(const struct search *search) {
    const struct weir_trace *trace = search->trace;
    int64_t *last = malloc(sizeof *last * ((size_t)trace->machine->worker_count + 1));
    if (!last)
        return no_memory();
    for (int worker = 0; worker < trace->machine->worker_count; worker++)
        last[worker] = -1;
    for (int64_t k = 0; k < trace->task_count; k++) {
        search->before[k] = last[trace->tasks[k].worker];
        last[trace->tasks[k].worker] = k;
    }
    free(last);
    return 0;
}

/* ---- the walk ----------------------------------------------------------------------------------------- */

static struct part last_task(const struct weir_trace *trace) {
    struct part last = {-1, -1};
    for (int64_t k = 0; k < trace->task_count; k++)
        if (last.task < 0 || trace->tasks[k].end > trace->tasks[last.task].end)
            last.task = k;
    return last;
}

/* Clocks of ranks agree only so well: what seems to wait for what comes after it must not go round. */
static bool is_taken(const struct search *search, struct part part) {
    bool *taken = part.task >= 0 ? &search->task_taken[part.task] : &search->message_taken[part.message];
    const bool before = *taken;
    *taken = true;
    return before;
}

static void count_part(const struct weir_trace *trace, const struct weir_path_part *part,
                       struct weir_critical_path *path) {
    const bool task = part->task >= 0;
    const int64_t step =
        (task ? trace->tasks[part->task].step : trace->transfers[part->message].step) - trace->from;
    path->gap_seconds += part->gap;
    path->kernel_seconds += task ? part->seconds : 0;
    path->message_seconds += task ? 0 : part->seconds;
    path->unsent_seconds += task ? 0 : part->unsent;
    path->tasks += task;
    path->messages += !task;
    if (step < 0 || step >= trace->steps)
        return;
    path->steps[step].gap_seconds += part->gap;
    path->steps[step].kernel_seconds += task ? part->seconds : 0;
    path->steps[step].message_seconds += task ? 0 : part->seconds;
    path->steps[step].tasks += task;
    path->steps[step].messages += !task;
}

/* Backwards. Every part begins where the one before it ends, so that all add up: what overlaps (a GPU's
 * stream begins a task before it ends another) counts once. */
static void walk(const struct search *search, struct weir_critical_path *path) {
    const struct weir_trace *trace = search->trace;
    struct part part = last_task(trace);
    double until = part.task >= 0 ? trace->tasks[part.task].end : 0;
    path->tail = trace->seconds - until;
    if (part.task >= 0)
        search->task_taken[part.task] = true;
    while (part.task >= 0 || part.message >= 0) {
        enum weir_path_after after;
        struct part other = released_by(search, part, &after);
        if (after != WEIR_AFTER_BEGIN && is_taken(search, other)) {
            other = (struct part){-1, -1};
            after = WEIR_AFTER_BEGIN;
        }
        const double from = fmin(fmax(end_of(search, other), 0), until);
        const bool whole =
            part.message >= 0 && after != WEIR_AFTER_BEGIN; /* a message from its sender's task */
        const double start =
            part.task >= 0 ? trace->tasks[part.task].start : trace->transfers[part.message].start;
        const double starts = fmin(fmax(start, from), until), begins = whole ? from : starts;
        struct weir_path_part *entry = &path->parts[path->count++];
        *entry = (struct weir_path_part){.task = part.task,
                                         .message = part.message,
                                         .gap = begins - from,
                                         .begin = begins,
                                         .seconds = until - begins,
                                         .unsent = part.message >= 0 ? starts - begins : 0,
                                         .after = after};
        count_part(trace, entry, path);
        part = other;
        until = from;
    }
    for (int64_t k = 0; 2 * k < path->count - 1; k++) {
        const struct weir_path_part entry = path->parts[k];
        path->parts[k] = path->parts[path->count - 1 - k];
        path->parts[path->count - 1 - k] = entry;
    }
}

/* ---- what is told of it ------------------------------------------------------------------------------- */

static int longest_first(const void *a, const void *b) {
    const struct weir_path_link *one = a, *other = b;
    return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

static int find_links(const struct weir_trace *trace, struct weir_critical_path *path) {
    const int ranks =
        trace->machine->workers[trace->machine->worker_count - 1].rank + 1; /* workers by rank */
    path->links = calloc((size_t)ranks * (size_t)ranks + 1, sizeof *path->links);
    if (!path->links)
        return no_memory();
    for (int64_t k = 0; k < path->count; k++) {
        const struct weir_path_part *part = &path->parts[k];
        if (part->message < 0)
            continue;
        const struct weir_traced_transfer *message = &trace->transfers[part->message];
        struct weir_path_link *link = path->links;
        while (link->messages > 0 &&
               (link->from_rank != message->from_rank || link->to_rank != message->to_rank))
            link++;
        path->link_count += link->messages == 0;
        link->from_rank = message->from_rank;
        link->to_rank = message->to_rank;
        link->messages++;
        link->bytes += message->bytes;
        link->seconds += part->seconds;
    }
    qsort(path->links, (size_t)path->link_count, sizeof *path->links, longest_first);
    return 0;
}

/* The tasks that their worker and their data waited for, and not the other way round. */
static void find_late(const struct search *search, struct weir_critical_path *path) {
    const struct weir_trace *trace = search->trace;
    int64_t late = 0;
    for (int64_t k = 0; k < trace->task_count; k++) {
        enum weir_path_after after;
        const struct part other = released_by(search, (struct part){k, -1}, &after);
        path->is_late[k] = after != WEIR_AFTER_BEGIN && trace->tasks[k].submitted > end_of(search, other);
        late += path->is_late[k];
    }
    path->late = trace->task_count > 0 ? (double)late / (double)trace->task_count : 0;
}

/* The chain that a message ends: that of the task which made what it carries. */
static double chain_of_message(const struct search *search, int64_t message) {
    const struct weir_traced_transfer *transfers = search->trace->transfers;
    for (int64_t hops = 0; transfers[message].passed_message >= 0 && hops < search->trace->transfer_count;
         hops++)
        message = transfers[message].passed_message;
    return transfers[message].sent_task >= 0 ? search->chain[transfers[message].sent_task] : 0;
}

static double longest_chain(const struct search *search) {
    const struct weir_trace *trace = search->trace;
    double longest = 0;
    for (int64_t k = 0; k < trace->task_count; k++) {
        const struct weir_traced_task *t = &trace->tasks[k];
        double *chain = &search->chain[k];
        for (int d = 0; d < t->dependency_count; d++)
            *chain = fmax(*chain, search->chain[trace->dependencies[t->first_dependency + d]]);
        for (int m = 0; m < t->message_count; m++)
            *chain = fmax(*chain, chain_of_message(search, trace->awaited[t->first_message + m]));
        *chain += t->end - t->start;
        longest = fmax(longest, *chain);
    }
    return longest;
}

static int find(const struct search *search, struct weir_critical_path *path) {
    WEIR_TRY(find_before(search));
    walk(search, path);
    WEIR_TRY(find_links(search->trace, path));
    find_late(search, path);
    path->chain_seconds = longest_chain(search);
    return 0;
}

int weir_critical_path_find(const struct weir_trace *trace, struct weir_critical_path *path) {
    const size_t tasks = (size_t)trace->task_count + 1, messages = (size_t)trace->transfer_count + 1;
    const struct search search = {.trace = trace,
                                  .before = malloc(sizeof *search.before * tasks),
                                  .task_taken = calloc(tasks, sizeof *search.task_taken),
                                  .message_taken = calloc(messages, sizeof *search.message_taken),
                                  .chain = calloc(tasks, sizeof *search.chain)};
    *path = (struct weir_critical_path){.parts = calloc(tasks + messages, sizeof *path->parts),
                                        .steps = calloc((size_t)trace->steps + 1, sizeof *path->steps),
                                        .is_late = calloc(tasks, sizeof *path->is_late)};
    const bool room = search.before && search.task_taken && search.message_taken && search.chain &&
                      path->parts && path->steps && path->is_late;
    const int error = room ? find(&search, path) : no_memory();
    free(search.before);
    free(search.task_taken);
    free(search.message_taken);
    free(search.chain);
    return error;
}

void weir_critical_path_release(struct weir_critical_path *path) {
    free(path->parts);
    free(path->steps);
    free(path->is_late);
    free(path->links);
    *path = (struct weir_critical_path){0};
}
