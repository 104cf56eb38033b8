#include "src/trace/trace_data.h"

#include "codelets/kernels/stage.h"
#include "graph/base/error.h"
#include "graph/ranks/rank_tags.h"

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

const char *weir_carried_name(int carries) {
    static const char *const names[] = {"halo", "sum", "values", "block"};
    _Static_assert(sizeof names / sizeof *names == WEIR_MESSAGE_KIND_COUNT, "a name for each kind");
    return carries < 0 || carries >= WEIR_MESSAGE_KIND_COUNT ? "copy" : names[carries];
}

bool weir_task_name_read(const char *name, char kind[WEIR_TRACE_KIND_NAME], struct weir_traced_task *task) {
    if (sscanf(name, "%47[^.].b%" SCNd32 ".s%" SCNd64, kind, &task->block, &task->step) == 3)
        return true;
    task->block = -1;
    return sscanf(name, "%47[^.].s%" SCNd64, kind, &task->step) == 2;
}

int weir_trace_stage(const struct weir_trace *trace, int kind) {
    for (int stage = 0; stage < trace->machine->stage_count; stage++)
        if (strcmp(trace->machine->stages[stage], trace->kinds[kind]) == 0)
            return stage;
    return -1;
}

bool weir_trace_is_further_stage(const struct weir_trace *trace, int kind) {
    return trace->machine->stage_count > 1 && weir_trace_stage(trace, kind) >= 0 &&
           strcmp(trace->kinds[kind], weir_collide_stream_stage.name) != 0;
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

/* Room to sort in. */
struct sorting {
    struct place *places;
    int64_t *new_index; /* of tasks, then of transfers */
    void *copy;
};

/* Entries of one moment stay in their order: the last of them counts. */
static void order_changes(struct weir_trace *trace, const struct sorting *room) {
    struct place *places = room->places;
    struct weir_trace_change *copy = room->copy;
    if (trace->change_count == 0)
        return;
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

static void order_tasks(struct weir_trace *trace, const struct sorting *room) {
    struct place *places = room->places;
    struct weir_traced_task *copy = room->copy;
    memcpy(copy, trace->tasks, sizeof *copy * (size_t)trace->task_count);
    for (int64_t k = 0; k < trace->task_count; k++)
        places[k] = (struct place){copy[k].start, k};
    qsort(places, (size_t)trace->task_count, sizeof *places, by_start);
    for (int64_t k = 0; k < trace->task_count; k++) {
        trace->tasks[k] = copy[places[k].index];
        room->new_index[places[k].index] = k;
    }
    for (int64_t k = 0; k < trace->dependency_count; k++)
        trace->dependencies[k] = room->new_index[trace->dependencies[k]];
    for (int64_t k = 0; k < trace->transfer_count; k++)
        if (trace->transfers[k].sent_task >= 0)
            trace->transfers[k].sent_task = room->new_index[trace->transfers[k].sent_task];
}

static void order_transfers(struct weir_trace *trace, const struct sorting *room) {
    if (trace->transfer_count == 0)
        return;
    struct place *places = room->places;
    struct weir_traced_transfer *copy = room->copy;
    memcpy(copy, trace->transfers, sizeof *copy * (size_t)trace->transfer_count);
    for (int64_t k = 0; k < trace->transfer_count; k++)
        places[k] = (struct place){copy[k].start, k};
    qsort(places, (size_t)trace->transfer_count, sizeof *places, by_start);
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        trace->transfers[k] = copy[places[k].index];
        room->new_index[places[k].index] = k;
    }
    for (int64_t k = 0; k < trace->awaited_count; k++)
        trace->awaited[k] = room->new_index[trace->awaited[k]];
    for (int64_t k = 0; k < trace->transfer_count; k++)
        if (trace->transfers[k].passed_message >= 0)
            trace->transfers[k].passed_message = room->new_index[trace->transfers[k].passed_message];
}

static void complete_tasks(struct weir_trace *trace) {
    for (int64_t k = 0; k < trace->task_count; k++) {
        struct weir_traced_task *task = &trace->tasks[k];
        task->ready = task->submitted;
        for (int d = 0; d < task->dependency_count; d++) {
            const double end = trace->tasks[trace->dependencies[task->first_dependency + d]].end;
            task->ready = end > task->ready ? end : task->ready;
        }
        for (int m = 0; m < task->message_count; m++) {
            const double end = trace->transfers[trace->awaited[task->first_message + m]].end;
            task->ready = end > task->ready ? end : task->ready;
        }
        if (task->ready > task->start)
            task->ready = task->start;
        task->expected = expectation_of(trace, task);
    }
}

static bool takes_steps_on(const struct weir_run_record *machine, int memory) {
    for (int worker = 0; worker < machine->worker_count; worker++)
        if (machine->workers[worker].steps && machine->workers[worker].memory_node == memory)
            return true;
    return false;
}

/* Whether all workers of a rank that take steps may wait for what comes, not only those on the memory that it
 * goes to: it is a message, or nobody takes steps there, as in the main memory of a rank whose GPUs take all.
 */
static bool for_the_rank(const struct weir_trace *trace, const struct weir_traced_transfer *transfer) {
    return weir_is_message(transfer) || !takes_steps_on(trace->machine, transfer->to);
}

/* The first task that starts at a moment or after it. */
static int64_t first_from(const struct weir_trace *trace, double moment) {
    int64_t low = 0, high = trace->task_count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (trace->tasks[middle].start < moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Seconds of a transfer in which some worker that it is for ran a kernel. No task is longer than `longest`.
 */
static double computed_meanwhile(const struct weir_trace *trace, const struct weir_traced_transfer *transfer,
                                 double longest) {
    const double start = transfer->start, end = transfer->end;
    const bool rank = for_the_rank(trace, transfer);
    double covered = 0, until = start;
    for (int64_t k = first_from(trace, start - longest); k < trace->task_count && trace->tasks[k].start < end;
         k++) {
        const struct weir_traced_task *t = &trace->tasks[k];
        const struct weir_recorded_worker *worker = &trace->machine->workers[t->worker];
        if (!worker->steps || t->end <= until ||
            (rank ? worker->rank != transfer->to_rank : worker->memory_node != transfer->to))
            continue;
        covered += fmin(t->end, end) - fmax(t->start, until);
        until = fmin(t->end, end);
    }
    return covered;
}

static void complete_transfers(struct weir_trace *trace) {
    double longest = 0;
    for (int64_t k = 0; k < trace->task_count; k++)
        longest = fmax(longest, trace->tasks[k].end - trace->tasks[k].start);
    for (int64_t k = 0; k < trace->transfer_count; k++)
        trace->transfers[k].hidden = computed_meanwhile(trace, &trace->transfers[k], longest);
}

static int64_t largest(int64_t a, int64_t b, int64_t c) {
    const int64_t ab = a > b ? a : b;
    return ab > c ? ab : c;
}

int weir_trace_order(struct weir_trace *trace) {
    const size_t most = (size_t)largest(trace->task_count, trace->change_count, trace->transfer_count) + 1;
    const size_t entry =
        (size_t)largest(sizeof *trace->tasks, sizeof *trace->changes, sizeof *trace->transfers);
    const struct sorting room = {malloc(sizeof *room.places * most), malloc(sizeof *room.new_index * most),
                                 malloc(entry * most)};
    int error = 0;
    if (room.places && room.new_index && room.copy) {
        order_changes(trace, &room);
        order_tasks(trace, &room);
        order_transfers(trace, &room);
        complete_tasks(trace);
        complete_transfers(trace);
    } else {
        error = weir_fail(WEIR_FAILED, "out of memory for the trace; record fewer steps with --steps");
    }
    free(room.places);
    free(room.new_index);
    free(room.copy);
    return error;
}

void weir_trace_release(struct weir_trace *trace) {
    free(trace->tasks);
    free(trace->dependencies);
    free(trace->awaited);
    free(trace->changes);
    free(trace->transfers);
    *trace = (struct weir_trace){0};
}
