#include "src/trace_json.h"

#include "codelets/task_colours.h"
#include "graph/error.h"
#include "src/bench_report.h"
#include "src/described.h"
#include "src/trace_words.h"

#include <stdlib.h>
#include <string.h>

/* Raised when a key changes its meaning. */
enum { DOCUMENT_VERSION = 1 };

static void put(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, weir_report_number(value));
}

static void put_integer(json_t *object, const char *key, int64_t value) {
    json_object_set_new(object, key, json_integer(value));
}

static json_t *describe_window(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    put_integer(object, "from", trace->from);
    put_integer(object, "steps", trace->steps);
    put(object, "seconds", a->seconds);
    put(object, "step_seconds", a->step_seconds);
    put(object, "mlups", a->run.mlups);
    put_integer(object, "tasks", trace->task_count);
    put(object, "late_tasks", a->late);
    return object;
}

static json_t *describe_recording(const struct weir_traced_run *traced) {
    double difference;
    const double cost = weir_trace_cost(traced->seconds, traced->before, traced->after, &difference);
    json_t *object = json_object();
    put(object, "wall_seconds", traced->seconds);
    put(object, "wall_seconds_before", traced->before);
    put(object, "wall_seconds_after", traced->after);
    put(object, "cost", cost);
    put(object, "difference_without", difference);
    return object;
}

/* Workers with what they did. */
static json_t *describe_time(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *list = weir_describe_workers(trace->machine->workers, a->worker_count, a->run.home_of);
    for (int worker = 0; worker < a->worker_count; worker++) {
        json_t *object = json_array_get(list, (size_t)worker);
        for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
            put(object, weir_activity_names[k], a->workers[worker].seconds[k]);
        put_integer(object, "tasks", a->workers[worker].tasks);
        put_integer(object, "rank", trace->machine->workers[worker].rank);
    }
    return list;
}

static json_t *describe_total(const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
        put(object, weir_activity_names[k], a->total[k]);
    put_integer(object, "workers", a->step_workers);
    return object;
}

static json_t *describe_path(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *object = json_object(), *tasks = json_array(), *steps = json_array();
    double gaps = 0;
    for (int64_t k = 0; k < a->path_count; k++) {
        const struct weir_path_entry *entry = &a->path[k];
        const struct weir_traced_task *task = &trace->tasks[entry->task];
        gaps += entry->gap;
        json_array_append_new(tasks,
                              json_pack("{s:I, s:I, s:s, s:i, s:I, s:i, s:o, s:s}", "task",
                                        (json_int_t)(task->job % WEIR_JOB_RANK), "index",
                                        (json_int_t)entry->task, "kind", trace->kinds[task->kind], "block",
                                        task->block, "step", (json_int_t)task->step, "worker", task->worker,
                                        "gap_seconds", weir_report_number(entry->gap), "after",
                                        k == 0              ? "begin"
                                        : entry->dependency ? "dependency"
                                                            : "worker"));
    }
    for (int64_t step = 0; step < trace->steps; step++) {
        json_t *one = json_object();
        put_integer(one, "step", trace->from + step);
        put_integer(one, "tasks", a->steps[step].tasks);
        put(one, "kernel_seconds", a->steps[step].kernel_seconds);
        put(one, "gap_seconds", a->steps[step].gap_seconds);
        json_array_append_new(steps, one);
    }
    put(object, "kernel_seconds", a->path_kernel_seconds);
    put(object, "gap_seconds", gaps);
    put(object, "tail_seconds", a->path_tail);
    put(object, "chain_seconds", a->chain_seconds);
    json_object_set_new(object, "steps", steps);
    json_object_set_new(object, "tasks", tasks);
    return object;
}

static json_t *describe_transfers(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    put_integer(object, "count", a->transfer_count);
    put_integer(object, "bytes", a->transfer_bytes);
    put_integer(object, "least_bytes", a->least_bytes);
    put_integer(object, "messages", a->message_count);
    put_integer(object, "message_bytes", a->message_bytes);
    put(object, "seconds", a->transfer_seconds);
    put(object, "hidden_seconds", a->hidden_seconds);
    put(object, "hidden", a->hidden);
    put_integer(object, "bytes_between_homes", a->home_bytes);
    put_integer(object, "moves", a->moves);
    put(object, "moved", a->moved);
    (void)trace;
    return object;
}

static json_t *describe_bounds(const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    put(object, "balanced_step_seconds", a->balanced_step_seconds);
    put(object, "transfers_free_step_seconds", a->transfers_free_seconds);
    put(object, "overhead_free_step_seconds", a->overhead_free_seconds);
    return object;
}

/* A kind's times on each kind of worker. */
static json_t *describe_times(const struct weir_trace_analysis *a, int kind) {
    json_t *list = json_array();
    for (int k = 0; k < a->time_count; k++) {
        const struct weir_kind_times *times = &a->times[k];
        if (times->kind != kind)
            continue;
        json_t *object = weir_report_spread(&times->spread);
        json_object_set_new(object, "workers", json_string(weir_worker_class_names[times->workers]));
        put(object, "seconds", times->seconds);
        put_integer(object, "expected_count", times->expected_count);
        put(object, "expected_seconds", times->expected);
        put(object, "deviation", times->deviation);
        put(object, "mean_deviation", times->mean_deviation);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *describe_kinds(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *list = json_array();
    for (int kind = 0; kind < trace->kind_count; kind++) {
        char colour[8];
        snprintf(colour, sizeof colour, "#%06x", weir_task_colour(trace->kinds[kind]));
        json_t *object = weir_report_spread(&a->kinds[kind]);
        json_object_set_new(object, "kind", json_string(trace->kinds[kind]));
        json_object_set_new(object, "colour", json_string(colour));
        put(object, "seconds", a->kind_seconds[kind]);
        json_object_set_new(object, "workers", describe_times(a, kind));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *describe_homes(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *list = json_array();
    for (int home = 0; home < a->run.home_count; home++)
        json_array_append_new(list, weir_describe_home(&trace->machine->workers[a->run.homes[home].worker]));
    return list;
}

int weir_trace_document(const struct weir_case *c, const struct weir_traced_run *traced,
                        const struct weir_trace *trace, const struct weir_trace_analysis *a,
                        json_t **result) {
    json_t *document = json_object();
    char *sentence = weir_trace_words(trace, a, traced->policy);
    const int *extent = trace->machine->blocks[0].extent;
    if (!document || !sentence) {
        json_decref(document);
        free(sentence);
        return weir_fail(WEIR_FAILED, "out of memory for the analysis; record fewer steps with --steps");
    }
    json_object_set_new(document, "analysis_version", json_integer(DOCUMENT_VERSION));
    json_object_set_new(document, "sentence", json_string(sentence));
    free(sentence);
    const int error = weir_describe_machine(document);
    json_object_set_new(document, "case", weir_describe_case(c, extent, trace->machine->block_count));
    json_object_set_new(document, "policy", json_string(traced->policy));
    json_object_set_new(document, "window", describe_window(trace, a));
    json_object_set_new(document, "recording", describe_recording(traced));
    json_object_set_new(document, "workers", describe_time(trace, a));
    json_object_set_new(document, "homes", describe_homes(trace, a));
    json_object_set_new(document, "time", describe_total(a));
    json_object_set_new(document, "bounds", describe_bounds(a));
    json_object_set_new(document, "transfers", describe_transfers(trace, a));
    json_object_set_new(document, "kinds", describe_kinds(trace, a));
    json_object_set_new(document, "critical_path", describe_path(trace, a));
    if (error != 0) {
        json_decref(document);
        return error;
    }
    *result = document;
    return 0;
}

json_t *weir_trace_report(const struct weir_trace *trace, json_t *document) {
    json_t *report = json_object(), *tasks = json_array(), *transfers = json_array();
    for (int64_t k = 0; k < trace->task_count; k++) {
        const struct weir_traced_task *task = &trace->tasks[k];
        json_array_append_new(tasks, json_pack("[i,i,I,i,f,f]", task->kind, task->block,
                                               (json_int_t)task->step, task->worker, task->start, task->end));
    }
    for (int64_t k = 0; k < trace->transfer_count; k++) {
        const struct weir_traced_transfer *transfer = &trace->transfers[k];
        json_array_append_new(transfers, json_pack("[I,i,i,f,f]", (json_int_t)transfer->bytes, transfer->from,
                                                   transfer->to, transfer->start, transfer->end));
    }
    json_object_set(report, "analysis", document);
    json_object_set_new(report, "tasks", tasks);
    json_object_set_new(report, "transfers", transfers);
    return report;
}
