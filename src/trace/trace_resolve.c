#include "src/trace/trace_resolve.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>

static int no_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the trace; record fewer steps with --steps");
}

struct job {
    int64_t job, index;
};

static int by_job(const void *a, const void *b) {
    const struct job *one = a, *other = b;
    return (one->job > other->job) - (one->job < other->job);
}

/* Numbers of jobs, to find what they stand for. */
struct job_table {
    struct job *rows; /* [count], sorted */
    int64_t count;
};

static int64_t find_job(const struct job_table *table, int64_t number) {
    const struct job key = {number, 0};
    const struct job *row = bsearch(&key, table->rows, (size_t)table->count, sizeof key, by_job);
    return row ? row->index : -1;
}

/* Indices, as they are put together. */
struct index_list {
    int64_t *entries, count, room;
};

/* Adds an entry, unless it is there from `first` on. */
static int add_index(struct index_list *list, int64_t first, int64_t entry) {
    for (int64_t k = first; k < list->count; k++)
        if (list->entries[k] == entry)
            return 0;
    if (list->count == list->room) {
        const int64_t more = list->room > 0 ? 2 * list->room : 1024;
        int64_t *larger = realloc(list->entries, sizeof *larger * (size_t)more);
        if (!larger)
            return no_memory();
        list->entries = larger;
        list->room = more;
    }
    list->entries[list->count++] = entry;
    return 0;
}

/* What tasks and messages wait for, as indices in place of StarPU's numbers. */
struct resolving {
    struct weir_trace *trace;
    const struct weir_trace_relay *relay;
    int64_t relay_count;
    const struct weir_message_ends *ends;
    int64_t end_count;
    struct job_table tasks, relays, arrivals; /* arrivals: of messages, by the job at their receiving end */
    struct index_list waited, awaited;        /* tasks; messages */
};

/* Relays that wait for relays; StarPU makes one of each, and two at each end of a message. */
enum { RELAYS_IN_A_ROW_MAX = 8 };

/* Where in the lists those of one task begin. */
struct own {
    int64_t waited, awaited;
};

/* Adds what a list of numbers stands for, each once; what is not in the window is left out. */
static int add_dependencies(struct resolving *r, struct own own, int64_t first, int64_t count, int depth) {
    const struct weir_trace *trace = r->trace;
    for (int64_t k = first; k < first + count; k++) {
        const int64_t job = trace->dependencies[k], task = find_job(&r->tasks, job),
                      relay = find_job(&r->relays, job), message = find_job(&r->arrivals, job);
        if (task >= 0)
            WEIR_TRY(add_index(&r->waited, own.waited, task));
        if (message >= 0)
            WEIR_TRY(add_index(&r->awaited, own.awaited, message));
        if (relay >= 0 && depth < RELAYS_IN_A_ROW_MAX) {
            const struct weir_trace_relay *through = &r->relay[relay];
            WEIR_TRY(
                add_dependencies(r, own, through->first_dependency, through->dependency_count, depth + 1));
        }
    }
    return 0;
}

static int resolve_task(struct resolving *r, struct weir_traced_task *task) {
    const struct own own = {r->waited.count, r->awaited.count};
    WEIR_TRY(add_dependencies(r, own, task->first_dependency, task->dependency_count, 0));
    task->first_dependency = own.waited;
    task->dependency_count = (int32_t)(r->waited.count - own.waited);
    task->first_message = own.awaited;
    task->message_count = (int32_t)(r->awaited.count - own.awaited);
    for (int64_t k = own.awaited; k < r->awaited.count; k++)
        r->trace->transfers[r->awaited.entries[k]].step = task->step;
    return 0;
}

/* Of what the sending end of a message waited for, what ended last; all that is on one rank, by one clock. */
static int resolve_message(struct resolving *r, const struct weir_message_ends *ends) {
    const struct weir_trace *trace = r->trace;
    struct weir_traced_transfer *message = &trace->transfers[ends->transfer];
    const int64_t relay = find_job(&r->relays, ends->sending_job);
    const struct own own = {r->waited.count, r->awaited.count};
    if (relay < 0)
        return 0;
    const struct weir_trace_relay *sending = &r->relay[relay];
    WEIR_TRY(add_dependencies(r, own, sending->first_dependency, sending->dependency_count, 1));
    double last = -INFINITY;
    for (int64_t k = own.waited; k < r->waited.count; k++) {
        const struct weir_traced_task *task = &trace->tasks[r->waited.entries[k]];
        if (task->end >= last) {
            last = task->end;
            message->sent_task = r->waited.entries[k];
            message->step = message->step < 0 ? task->step : message->step;
        }
    }
    for (int64_t k = own.awaited; k < r->awaited.count; k++)
        if (trace->transfers[r->awaited.entries[k]].end >= last) {
            last = trace->transfers[r->awaited.entries[k]].end;
            message->sent_task = -1;
            message->passed_message = r->awaited.entries[k];
        }
    r->waited.count = own.waited;
    r->awaited.count = own.awaited;
    return 0;
}

static int make_table(struct job_table *table, int64_t count) {
    table->rows = malloc(sizeof *table->rows * (size_t)(count + 1));
    return table->rows ? 0 : no_memory();
}

static int make_tables(struct resolving *r) {
    const struct weir_trace *trace = r->trace;
    WEIR_TRY(make_table(&r->tasks, trace->task_count));
    WEIR_TRY(make_table(&r->relays, r->relay_count));
    WEIR_TRY(make_table(&r->arrivals, r->end_count));
    for (int64_t k = 0; k < trace->task_count; k++)
        r->tasks.rows[r->tasks.count++] = (struct job){trace->tasks[k].job, k};
    for (int64_t k = 0; k < r->relay_count; k++)
        r->relays.rows[r->relays.count++] = (struct job){r->relay[k].job, k};
    for (int64_t k = 0; k < r->end_count; k++)
        if (r->ends[k].receiving_job >= 0)
            r->arrivals.rows[r->arrivals.count++] =
                (struct job){r->ends[k].receiving_job, r->ends[k].transfer};
    struct job_table *const tables[] = {&r->tasks, &r->relays, &r->arrivals};
    for (int k = 0; k < 3; k++)
        qsort(tables[k]->rows, (size_t)tables[k]->count, sizeof *tables[k]->rows, by_job);
    return 0;
}

static int resolve_all(struct resolving *r) {
    WEIR_TRY(make_tables(r));
    for (int64_t k = 0; k < r->trace->task_count; k++)
        WEIR_TRY(resolve_task(r, &r->trace->tasks[k]));
    for (int64_t k = 0; k < r->end_count; k++)
        WEIR_TRY(resolve_message(r, &r->ends[k]));
    return 0;
}

int weir_trace_resolve(struct weir_trace *trace, const struct weir_trace_relay *relays, int64_t relay_count,
                       const struct weir_message_ends *ends, int64_t end_count) {
    struct resolving r = {
        .trace = trace, .relay = relays, .relay_count = relay_count, .ends = ends, .end_count = end_count};
    const int error = resolve_all(&r);
    free(r.tasks.rows);
    free(r.relays.rows);
    free(r.arrivals.rows);
    if (error != 0) {
        free(r.waited.entries);
        free(r.awaited.entries);
        return error;
    }
    free(trace->dependencies);
    trace->dependencies = r.waited.entries;
    trace->dependency_count = r.waited.count;
    trace->awaited = r.awaited.entries;
    trace->awaited_count = r.awaited.count;
    return 0;
}
