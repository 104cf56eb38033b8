#include "src/compare/compare_json.h"

#include "graph/base/error.h"
#include "src/common/json_text.h"
#include "src/compare/compare_words.h"
#include "src/report/described.h"
#include "src/report/json_numbers.h"

#include <stdlib.h>

/* Raised when a key changes its meaning. */
enum { DOCUMENT_VERSION = 1 };

static json_t *numbers(const double *values, int count) {
    json_t *list = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, weir_json_of_number(values[k]));
    return list;
}

/* ---- homes -------------------------------------------------------------------------------------------- */

static json_t *describe_homes(const struct weir_compared *compared) {
    json_t *list = json_array();
    for (int home = 0; home < compared->home_count; home++)
        json_array_append_new(list, weir_describe_home(&compared->workers[compared->home_worker[home]]));
    return list;
}

/* ---- runs --------------------------------------------------------------------------------------------- */

static json_t *recovery_of(const struct weir_recovery *r) {
    return json_pack(
        "{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "phase_steps", (json_int_t)r->phase_steps, "smoothing_steps",
        (json_int_t)r->smoothing, "ideal_step_seconds", weir_json_of_number(r->ideal_step_seconds),
        "settled_step_seconds", weir_json_of_number(r->settled_step_seconds), "settled_moves_per_100_steps",
        weir_json_of_number(r->settled_moves_per_100_steps), "steps",
        r->steps < 0 ? json_null() : json_integer(r->steps), "seconds", weir_json_of_number(r->seconds));
}

/* Each row of the map is a block, each entry the worker of one of the steps. */
static json_t *map_of(const struct weir_compared_workload *workload, const struct weir_compared_run *run) {
    json_t *rows = json_array();
    for (int row = 0; row < workload->map_blocks; row++) {
        json_t *entries = json_array();
        for (int column = 0; column < workload->map_steps; column++)
            json_array_append_new(entries, json_integer(run->map[row * workload->map_steps + column]));
        json_array_append_new(rows, entries);
    }
    return rows;
}

static json_t *run_of(const struct weir_compared *compared, const struct weir_compared_workload *workload,
                      const struct weir_compared_run *run, bool disturbed) {
    json_t *object = json_object();
    json_object_set_new(object, "turn", json_integer(run->turn));
    for (int measure = 0; measure < WEIR_MEASURE_COUNT; measure++)
        json_object_set_new(object, weir_measure_names[measure], weir_json_of_number(run->measure[measure]));
    json_object_set_new(object, "home_busy", numbers(run->home_busy, compared->home_count));
    json_object_set_new(object, "home_share", numbers(run->home_share, compared->home_count));
    json_object_set_new(object, "worker_busy", numbers(run->worker_busy, compared->worker_count));
    json_object_set_new(object, "curve", numbers(run->curve, workload->points));
    if (!disturbed)
        return object;
    json_object_set_new(object, "load",
                        json_pack("{s:i, s:f, s:f, s:I, s:I}", "threads", run->load_threads, "start_seconds",
                                  run->load_start, "end_seconds", run->load_end, "first_step",
                                  (json_int_t)run->load_first_step, "last_step",
                                  (json_int_t)run->load_last_step));
    json_object_set_new(object, "after_start", recovery_of(&run->after_start));
    json_object_set_new(object, "after_end", recovery_of(&run->after_end));
    return object;
}

static json_t *summary_of_recovery(const struct weir_compared *compared, bool after_end) {
    double steps;
    const int runs = weir_comparison_recovered(compared, after_end, &steps);
    const struct weir_settled settled = weir_comparison_settled(compared, after_end);
    return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o}", "recovered_runs", runs, "runs", compared->count,
                     "steps", weir_json_of_number(steps), "settled_step_seconds",
                     weir_json_of_number(settled.step_seconds), "ideal_step_seconds",
                     weir_json_of_number(settled.ideal_step_seconds), "settled_moves_per_100_steps",
                     weir_json_of_number(settled.moves));
}

static json_t *policy_of(const struct weir_comparison *comparison,
                         const struct weir_compared_workload *workload, int policy, bool disturbed) {
    const struct weir_compared *compared = &workload->policies[policy];
    json_t *object = json_object(), *runs = json_array();
    json_object_set_new(object, "policy", json_string(comparison->options->policies[policy]));
    for (int measure = 0; measure < WEIR_MEASURE_COUNT; measure++)
        json_object_set_new(object, weir_measure_names[measure],
                            weir_json_of_spread(&compared->spread[measure]));
    if (disturbed) {
        json_object_set_new(object, "after_start", summary_of_recovery(compared, false));
        json_object_set_new(object, "after_end", summary_of_recovery(compared, true));
    }
    json_object_set_new(object, "workers",
                        weir_describe_workers(compared->workers, compared->worker_count, compared->home_of));
    json_object_set_new(object, "homes", describe_homes(compared));
    json_object_set_new(object, "median_run", json_integer(compared->median_run));
    json_object_set_new(object, "map", map_of(workload, &compared->runs[compared->median_run]));
    for (int k = 0; k < compared->count; k++)
        json_array_append_new(runs, run_of(compared, workload, &compared->runs[k], disturbed));
    json_object_set_new(object, "runs", runs);
    return object;
}

/* ---- workloads ---------------------------------------------------------------------------------------- */

/* The steps or blocks, of `all`, that points of a curve or rows of a map stand for. */
static json_t *thinned(int64_t all, int points) {
    json_t *list = json_array();
    for (int k = 0; k < points; k++)
        json_array_append_new(list, json_integer(weir_thinned(all, points, k)));
    return list;
}

static json_t *sentences(const struct weir_comparison *comparison, enum weir_workload workload) {
    json_t *object = json_object();
    for (int section = 0; section < WEIR_SECTION_COUNT; section++) {
        if (section == WEIR_SECTION_RECOVERY && workload != WEIR_DISTURBED)
            continue;
        char *text = weir_compare_words(comparison, workload, (enum weir_compare_section)section);
        json_object_set_new(object, weir_section_names[section], json_string(text ? text : ""));
        free(text);
    }
    return object;
}

static json_t *workload_of(const struct weir_comparison *comparison, enum weir_workload number) {
    const struct weir_compared_workload *workload = &comparison->workloads[number];
    json_t *object = json_object(), *policies = json_array();
    json_object_set_new(object, "workload", json_string(weir_workload_names[number]));
    json_object_set_new(object, "steps", json_integer(workload->steps));
    json_object_set_new(object, "fluid_cells", json_integer(workload->fluid_cells));
    json_object_set_new(object, "blocks", json_integer(workload->blocks));
    json_object_set_new(object, "block_fluid_least", json_integer(workload->fluid_least));
    json_object_set_new(object, "block_fluid_most", json_integer(workload->fluid_most));
    json_object_set_new(object, "digest", json_string(workload->digest));
    json_object_set_new(object, "sentences", sentences(comparison, number));
    json_object_set_new(object, "curve_steps", thinned(workload->steps, workload->points));
    json_object_set_new(object, "map_steps", thinned(workload->steps, workload->map_steps));
    json_object_set_new(object, "map_blocks", thinned(workload->blocks, workload->map_blocks));
    for (int policy = 0; policy < comparison->options->policy_count; policy++)
        json_array_append_new(policies, policy_of(comparison, workload, policy, number == WEIR_DISTURBED));
    json_object_set_new(object, "policies", policies);
    return object;
}

static json_t *trace_of(const struct weir_comparison *comparison, int policy) {
    const struct weir_compared_trace *trace = &comparison->traces[policy];
    json_t *object = json_pack("{s:s}", "policy", comparison->options->policies[policy]);
    if (trace->failure) {
        json_object_set_new(object, "failure", weir_json_text(trace->failure));
        return object;
    }
    json_object_set_new(object, "folder", weir_json_text(trace->folder));
    json_object_set_new(object, "sentence", json_string(trace->sentence));
    json_object_set_new(object, "from", json_integer(trace->from));
    json_object_set_new(object, "steps", json_integer(trace->steps));
    json_object_set_new(object, "step_seconds", weir_json_of_number(trace->step_seconds));
    for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
        json_object_set_new(object, weir_activity_names[k], weir_json_of_number(trace->part[k]));
    json_object_set_new(object, "hidden", weir_json_of_number(trace->hidden));
    json_object_set_new(object, "moved", weir_json_of_number(trace->moved));
    return object;
}

static json_t *traces_of(const struct weir_comparison *comparison) {
    json_t *policies = json_array();
    for (int policy = 0; policy < comparison->options->policy_count; policy++)
        json_array_append_new(policies, trace_of(comparison, policy));
    return json_pack("{s:s, s:o}", "workload", weir_workload_names[comparison->traced], "policies", policies);
}

int weir_compare_document(const struct weir_comparison *comparison, double seconds, json_t **result) {
    json_t *document = json_object(), *policies = json_array(), *workloads = json_array();
    if (!document || !policies || !workloads)
        return weir_fail(WEIR_FAILED, "out of memory for the comparison");
    json_object_set_new(document, "comparison_version", json_integer(DOCUMENT_VERSION));
    const int error = weir_describe_machine(document);
    json_object_set_new(document, "seconds", json_real(seconds));
    json_object_set_new(document, "case",
                        weir_describe_case(comparison->c, comparison->block_cells, comparison->blocks));
    json_object_set_new(document, "repeat", json_integer(comparison->options->repeat));
    for (int policy = 0; policy < comparison->options->policy_count; policy++)
        json_array_append_new(policies, json_string(comparison->options->policies[policy]));
    json_object_set_new(document, "policies", policies);
    for (int w = 0; w < WEIR_WORKLOAD_COUNT; w++)
        if (comparison->workloads[w].wanted)
            json_array_append_new(workloads, workload_of(comparison, (enum weir_workload)w));
    json_object_set_new(document, "workloads", workloads);
    if (comparison->traces)
        json_object_set_new(document, "traces", traces_of(comparison));
    if (error != 0) {
        json_decref(document);
        return error;
    }
    *result = document;
    return 0;
}
