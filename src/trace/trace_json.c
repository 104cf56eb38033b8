#include "src/trace/trace_json.h"

#include "codelets/task_colours.h"
#include "graph/base/error.h"
#include "src/report/described.h"
#include "src/report/json_numbers.h"
#include "src/trace/trace_words.h"

#include <stdlib.h>
#include <string.h>

/* Raised when a key changes its meaning. */
enum { DOCUMENT_VERSION = 3 };

static void put(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, weir_json_of_number(value));
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
    put(object, "late_tasks", a->path.late);
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

static void put_time(json_t *object, const struct weir_worker_time *time) {
    for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
        put(object, weir_activity_names[k], time->seconds[k]);
    put_integer(object, "tasks", time->tasks);
}

/* Workers with what they did. */
static json_t *describe_time(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *list = weir_describe_workers(trace->machine->workers, a->worker_count, a->run.home_of);
    for (int worker = 0; worker < a->worker_count; worker++) {
        json_t *object = json_array_get(list, (size_t)worker);
        put_time(object, &a->workers[worker]);
        put_integer(object, "rank", trace->machine->workers[worker].rank);
    }
    return list;
}

static json_t *describe_total(const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
        put(object, weir_activity_names[k], a->total[k]);
    put_integer(object, "homes", a->run.home_count);
    return object;
}

/* A part of the path that is a task: what it is, and where in the report's list of tasks. */
static json_t *describe_task_part(const struct weir_trace *trace, int64_t index) {
    const struct weir_traced_task *task = &trace->tasks[index];
    return json_pack("{s:I, s:I, s:s, s:i, s:I, s:i}", "task", (json_int_t)(task->job % WEIR_JOB_RANK),
                     "index", (json_int_t)index, "kind", trace->kinds[task->kind], "block", task->block,
                     "step", (json_int_t)task->step, "worker", task->worker);
}

/* One that is a message: its row in the table of transfers. */
static json_t *describe_message_part(const struct weir_trace *trace, int64_t index) {
    const struct weir_traced_transfer *message = &trace->transfers[index];
    return json_pack("{s:I, s:s, s:I, s:i, s:i, s:I}", "message", (json_int_t)index, "carries",
                     weir_carried_name(message->carries), "step", (json_int_t)message->step, "from_rank",
                     message->from_rank, "to_rank", message->to_rank, "bytes", (json_int_t)message->bytes);
}

static json_t *describe_parts(const struct weir_trace *trace, const struct weir_critical_path *path) {
    json_t *parts = json_array();
    for (int64_t k = 0; k < path->count; k++) {
        const struct weir_path_part *part = &path->parts[k];
        json_t *object = part->task >= 0 ? describe_task_part(trace, part->task)
                                         : describe_message_part(trace, part->message);
        put(object, "begin_seconds", part->begin);
        put(object, "seconds", part->seconds);
        put(object, "gap_seconds", part->gap);
        if (part->message >= 0)
            put(object, "unsent_seconds", part->unsent);
        json_object_set_new(object, "after", json_string(weir_path_after_names[part->after]));
        json_array_append_new(parts, object);
    }
    return parts;
}

static json_t *describe_path_steps(const struct weir_trace *trace, const struct weir_critical_path *path) {
    json_t *steps = json_array();
    for (int64_t step = 0; step < trace->steps; step++) {
        json_t *one = json_object();
        put_integer(one, "step", trace->from + step);
        put_integer(one, "tasks", path->steps[step].tasks);
        put_integer(one, "messages", path->steps[step].messages);
        put(one, "kernel_seconds", path->steps[step].kernel_seconds);
        put(one, "message_seconds", path->steps[step].message_seconds);
        put(one, "gap_seconds", path->steps[step].gap_seconds);
        json_array_append_new(steps, one);
    }
    return steps;
}

static json_t *describe_links(const struct weir_critical_path *path) {
    json_t *links = json_array();
    for (int k = 0; k < path->link_count; k++) {
        const struct weir_path_link *link = &path->links[k];
        json_t *one = json_object();
        put_integer(one, "from_rank", link->from_rank);
        put_integer(one, "to_rank", link->to_rank);
        put_integer(one, "messages", link->messages);
        put_integer(one, "bytes", link->bytes);
        put(one, "seconds", link->seconds);
        json_array_append_new(links, one);
    }
    return links;
}

static json_t *describe_path(const struct weir_trace *trace, const struct weir_critical_path *path) {
    json_t *object = json_object();
    put(object, "kernel_seconds", path->kernel_seconds);
    put(object, "message_seconds", path->message_seconds);
    put(object, "unsent_seconds", path->unsent_seconds);
    put(object, "gap_seconds", path->gap_seconds);
    put(object, "tail_seconds", path->tail);
    put(object, "chain_seconds", path->chain_seconds);
    json_object_set_new(object, "links", describe_links(path));
    json_object_set_new(object, "steps", describe_path_steps(trace, path));
    json_object_set_new(object, "parts", describe_parts(trace, path));
    return object;
}

static json_t *describe_transfers(const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    put_integer(object, "count", a->transfer_count);
    put_integer(object, "bytes", a->transfer_bytes);
    put_integer(object, "least_bytes", a->least_bytes);
    put_integer(object, "messages", a->message_count);
    put_integer(object, "message_bytes", a->message_bytes);
    put(object, "seconds", a->transfer_seconds);
    put(object, "hidden_seconds", a->hidden_seconds);
    put(object, "hidden", a->hidden);
    put(object, "message_seconds", a->message_seconds);
    put(object, "message_hidden_seconds", a->message_hidden_seconds);
    put_integer(object, "bytes_between_homes", a->home_bytes);
    put_integer(object, "moves", a->moves);
    put_integer(object, "rank_moves", a->rank_moves);
    put(object, "moved", a->moved);
    return object;
}

static json_t *describe_bounds(const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    put(object, "balanced_step_seconds", a->balanced_step_seconds);
    put(object, "transfers_free_step_seconds", a->transfers_free_seconds);
    put(object, "overhead_free_step_seconds", a->overhead_free_seconds);
    return object;
}

/* What decided on the sentence, and what the sections of the window say. */
static json_t *describe_loss(const struct weir_trace_analysis *a) {
    const enum weir_main_loss loss = weir_trace_main_loss(a);
    const struct weir_section_votes votes = weir_section_votes_for(&a->sections, loss);
    json_t *object = json_object(), *sections = json_array();
    json_object_set_new(object, "loss", json_string(weir_loss_names[loss]));
    put(object, "share", weir_loss_share(&a->shares, loss));
    put_integer(object, "agree", votes.agree);
    json_object_set_new(object, "sure", json_boolean(weir_sections_agree(&a->sections, loss)));
    for (int k = 0; k < a->sections.count; k++) {
        const struct weir_trace_section *section = &a->sections.section[k];
        json_t *one = json_object();
        json_object_set_new(one, "loss", json_string(weir_loss_names[section->loss]));
        put(one, "share", weir_loss_share(&section->shares, loss));
        put(one, "begin_seconds", section->begin);
        put(one, "end_seconds", section->end);
        json_array_append_new(sections, one);
    }
    json_object_set_new(object, "sections", sections);
    return object;
}

static json_t *describe_disturbance(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    const struct weir_trace_disturbance *d = &a->disturbance;
    json_t *object = json_object();
    json_object_set_new(object, "disturbed", json_boolean(weir_trace_is_disturbed(a)));
    put(object, "lost", d->lost);
    put(object, "others", trace->cores.others);
    put(object, "waited", trace->cores.waited);
    put(object, "switches_per_second", trace->cores.switches);
    put_integer(object, "compared", d->compared);
    put_integer(object, "slow", d->slow);
    put_integer(object, "worker", d->worker);
    put_integer(object, "worker_slow", d->worker_slow);
    put(object, "slow_seconds", d->slow_seconds);
    put(object, "slow_factor", d->slow_factor);
    return object;
}

static json_t *describe_kernels(const struct weir_trace_analysis *a) {
    json_t *object = json_object();
    put(object, "bandwidth_gbs", a->gbs);
    put(object, "limit_gbs", a->limit_gbs);
    put(object, "near_wall", a->near_wall.share);
    put(object, "near_wall_factor", a->near_wall.factor);
    put(object, "near_wall_seconds", a->near_wall.seconds);
    put(object, "near_wall_error", a->near_wall.error);
    json_object_set_new(object, "near_wall_measured", json_boolean(a->near_wall.measured));
    put(object, "stages_seconds", a->stages_seconds);
    return object;
}

/* A kind's times on each kind of worker. */
static json_t *describe_times(const struct weir_trace_analysis *a, int kind) {
    json_t *list = json_array();
    for (int k = 0; k < a->time_count; k++) {
        const struct weir_kind_times *times = &a->times[k];
        if (times->kind != kind)
            continue;
        json_t *object = weir_json_of_spread(&times->spread);
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
        json_t *object = weir_json_of_spread(&a->kinds[kind]);
        json_object_set_new(object, "kind", json_string(trace->kinds[kind]));
        json_object_set_new(object, "colour", json_string(colour));
        const int stage = weir_trace_stage(trace, kind);
        json_object_set_new(object, "stage", stage < 0 ? json_null() : json_integer(stage));
        put(object, "seconds", a->kind_seconds[kind]);
        json_object_set_new(object, "workers", describe_times(a, kind));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *describe_homes(const struct weir_trace *trace, const struct weir_trace_analysis *a) {
    json_t *list = json_array();
    for (int home = 0; home < a->run.home_count; home++) {
        json_t *object = weir_describe_home(&trace->machine->workers[a->run.homes[home].worker]);
        put_time(object, &a->homes[home]);
        json_array_append_new(list, object);
    }
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
    json_object_set_new(document, "main_loss", describe_loss(a));
    json_object_set_new(document, "disturbance", describe_disturbance(trace, a));
    json_object_set_new(document, "kernels", describe_kernels(a));
    json_object_set_new(document, "workers", describe_time(trace, a));
    json_object_set_new(document, "homes", describe_homes(trace, a));
    json_object_set_new(document, "time", describe_total(a));
    json_object_set_new(document, "bounds", describe_bounds(a));
    json_object_set_new(document, "transfers", describe_transfers(a));
    json_object_set_new(document, "kinds", describe_kinds(trace, a));
    json_object_set_new(document, "critical_path", describe_path(trace, &a->path));
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
        json_array_append_new(transfers,
                              json_pack("[I,i,i,f,f,f,s,I]", (json_int_t)transfer->bytes, transfer->from,
                                        transfer->to, transfer->start, transfer->end, transfer->hidden,
                                        weir_carried_name(transfer->carries), (json_int_t)transfer->step));
    }
    json_object_set(report, "analysis", document);
    json_object_set_new(report, "tasks", tasks);
    json_object_set_new(report, "transfers", transfers);
    return report;
}
