#include "src/trace_data.h"

#include "graph/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const weir_activity_names[] = {"kernels", "waiting_for_data", "waiting_for_tasks", "overhead"};

const uint32_t weir_activity_colours[] = {0x0072b2, 0xd55e00, 0xe3e6ec, 0x8a8f9a};

enum weir_activity weir_activity_of(const char *state) {
    static const char *const waiting_for_data[] = {"Fi", "Po", NULL};
    static const char *const waiting_for_tasks[] = {"I", "Sl", "W", "WA", NULL};
    static const char *const overhead[] = {"In", "D", "C",  "B",  "Ps", "Sc", "P",
                                           "U",  "H", "Bu", "Su", "Th", NULL};
    for (int k = 0; waiting_for_data[k]; k++)
        if (strcmp(state, waiting_for_data[k]) == 0)
            return WEIR_WAITING_DATA;
    for (int k = 0; waiting_for_tasks[k]; k++)
        if (strcmp(state, waiting_for_tasks[k]) == 0)
            return WEIR_WAITING_TASKS;
    for (int k = 0; overhead[k]; k++)
        if (strcmp(state, overhead[k]) == 0)
            return WEIR_OVERHEAD;
    return WEIR_IN_KERNEL; /* the name of a kind of task, or "E" */
}

bool weir_task_name_read(const char *name, char kind[WEIR_TRACE_KIND_NAME], struct weir_traced_task *task) {
    if (sscanf(name, "%47[^.].b%" SCNd32 ".s%" SCNd64, kind, &task->block, &task->step) == 3)
        return true;
    task->block = -1;
    return sscanf(name, "%47[^.].s%" SCNd64, kind, &task->step) == 2;
}

int weir_trace_kind(struct weir_trace *trace, const char *name) {
    for (int k = 0; k < trace->kind_count; k++)
        if (strcmp(trace->kinds[k], name) == 0)
            return k;
    if (trace->kind_count == WEIR_TRACE_KINDS_MAX)
        return -1;
    snprintf(trace->kinds[trace->kind_count], WEIR_TRACE_KIND_NAME, "%s", name);
    return trace->kind_count++;
}

struct place {
    double start;
    int64_t index;
};

static int by_start(const void *a, const void *b) {
    const struct place *one = a, *other = b;
    return one->start != other->start ? (one->start > other->start) - (one->start < other->start)
                                      : (one->index > other->index) - (one->index < other->index);
}

static int transfers_by_start(const void *a, const void *b) {
    const struct weir_traced_transfer *one = a, *other = b;
    return (one->start > other->start) - (one->start < other->start);
}

/* Entries of one moment stay in their order: the last of them counts. */
static void order_changes(struct weir_trace *trace, struct place *places, struct weir_trace_change *copy) {
    memcpy(copy, trace->changes, sizeof *copy * (size_t)trace->change_count);
    for (int64_t k = 0; k < trace->change_count; k++)
        places[k] = (struct place){copy[k].time, k};
    qsort(places, (size_t)trace->change_count, sizeof *places, by_start);
    for (int64_t k = 0; k < trace->change_count; k++)
        trace->changes[k] = copy[places[k].index];
}

static double expectation_of(const struct weir_trace *trace, const struct weir_traced_task *task) {
    const struct weir_recorded_worker *worker = &trace->machine->workers[task->worker];
    for (int k = 0; k < trace->expectation_count; k++) {
        const struct weir_task_expectation *one = &trace->expectations[k];
        if (one->footprint == task->footprint && one->cuda == worker->cuda &&
            (one->cuda ? one->device == worker->device : one->cores == worker->cores) &&
            strcmp(one->kind, trace->kinds[task->kind]) == 0)
            return one->seconds;
    }
    return NAN;
}

static void order_tasks(struct weir_trace *trace, struct place *places, struct weir_traced_task *copy,
                        int64_t *new_index) {
    memcpy(copy, trace->tasks, sizeof *copy * (size_t)trace->task_count);
    for (int64_t k = 0; k < trace->task_count; k++)
        places[k] = (struct place){copy[k].start, k};
    qsort(places, (size_t)trace->task_count, sizeof *places, by_start);
    for (int64_t k = 0; k < trace->task_count; k++) {
        trace->tasks[k] = copy[places[k].index];
        new_index[places[k].index] = k;
    }
    for (int64_t k = 0; k < trace->dependency_count; k++)
        trace->dependencies[k] = new_index[trace->dependencies[k]];
    for (int64_t k = 0; k < trace->task_count; k++) {
        struct weir_traced_task *task = &trace->tasks[k];
        task->ready = task->submitted;
        for (int d = 0; d < task->dependency_count; d++) {
            const double end = trace->tasks[trace->dependencies[task->first_dependency + d]].end;
            task->ready = end > task->ready ? end : task->ready;
        }
        if (task->ready > task->start)
            task->ready = task->start;
        task->expected = expectation_of(trace, task);
    }
}

int weir_trace_order(struct weir_trace *trace) {
    const int64_t most =
        (trace->task_count > trace->change_count ? trace->task_count : trace->change_count) + 1;
    struct place *places = malloc(sizeof *places * (size_t)most);
    struct weir_traced_task *tasks = malloc(sizeof *tasks * (size_t)(trace->task_count + 1));
    struct weir_trace_change *changes = malloc(sizeof *changes * (size_t)(trace->change_count + 1));
    int64_t *new_index = malloc(sizeof *new_index * (size_t)(trace->task_count + 1));
    int error = 0;
    if (places && tasks && changes && new_index) {
        order_changes(trace, places, changes);
        order_tasks(trace, places, tasks, new_index);
        if (trace->transfer_count > 1)
            qsort(trace->transfers, (size_t)trace->transfer_count, sizeof *trace->transfers,
                  transfers_by_start);
    } else {
        error = weir_fail(WEIR_FAILED, "out of memory for the trace; record fewer steps with --steps");
    }
    free(places);
    free(tasks);
    free(changes);
    free(new_index);
    return error;
}

void weir_trace_release(struct weir_trace *trace) {
    free(trace->tasks);
    free(trace->dependencies);
    free(trace->changes);
    free(trace->transfers);
    *trace = (struct weir_trace){0};
}
