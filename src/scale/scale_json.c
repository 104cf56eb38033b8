#include "src/scale/scale_json.h"

#include "graph/base/error.h"
#include "src/common/json_text.h"
#include "src/report/described.h"
#include "src/report/json_numbers.h"

/* Raised when a key changes its meaning. */
enum { DOCUMENT_VERSION = 1 };

static json_t *triple(const int value[3]) {
    return json_pack("[i,i,i]", value[0], value[1], value[2]);
}

static json_t *run_of(const struct weir_scaling_run *run) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "mlups", weir_json_of_number(run->mlups),
                     "step_seconds", weir_json_of_number(run->step_seconds), "waiting",
                     weir_json_of_number(run->waiting), "longest_waiting",
                     weir_json_of_number(run->longest_waiting), "balance", weir_json_of_number(run->balance),
                     "digest", run->digest);
}

static json_t *point_of(const struct weir_scaling_point *point) {
    const struct weir_scaling_run *first = &point->runs[0];
    json_t *runs = json_array();
    json_t *object = json_pack("{s:i, s:i, s:i, s:o, s:I, s:i, s:I, s:I, s:i}", "ranks", point->ranks,
                               "hosts", first->hosts, "workers", first->workers, "cells",
                               triple(point->cells), "fluid_cells", (json_int_t)first->fluid_cells, "blocks",
                               point->blocks, "bytes_per_step", (json_int_t)first->bytes, "messages_per_step",
                               (json_int_t)first->messages, "largest_neighbours", first->neighbours);
    json_object_set_new(object, "mlups", weir_json_of_spread(&point->mlups));
    json_object_set_new(object, "step_seconds", weir_json_of_spread(&point->step_seconds));
    json_object_set_new(object, "speedup", weir_json_of_spread(&point->speedup));
    json_object_set_new(object, "efficiency", weir_json_of_spread(&point->efficiency));
    json_object_set_new(object, "waiting", weir_json_of_spread(&point->waiting));
    json_object_set_new(object, "longest_waiting", weir_json_of_spread(&point->longest_waiting));
    json_object_set_new(object, "balance", weir_json_of_spread(&point->balance));
    for (int k = 0; k < point->count; k++)
        json_array_append_new(runs, run_of(&point->runs[k]));
    json_object_set_new(object, "runs", runs);
    return object;
}

int weir_scale_document(const struct weir_scale_plan *plan, const struct weir_scaling *scaling,
                        double seconds, json_t **result) {
    json_t *document = json_object(), *points = json_array();
    if (!document || !points)
        return weir_fail(WEIR_FAILED, "out of memory for the report");
    json_object_set_new(document, "scale_version", json_integer(DOCUMENT_VERSION));
    const int error = weir_describe_machine(document);
    json_object_set_new(document, "seconds", json_real(seconds));
    json_object_set_new(document, "case",
                        weir_describe_case(plan->c, scaling->block_cells, scaling->points[0].blocks));
    json_object_set_new(document, "scaling", json_string(scaling->weak ? "weak" : "strong"));
    json_object_set_new(document, "launcher", weir_json_text(plan->launcher));
    json_object_set_new(document, "cores_per_rank",
                        plan->cores > 0 ? json_integer(plan->cores) : json_null());
    json_object_set_new(document, "gpus_per_rank", plan->gpus > 0 ? json_integer(plan->gpus) : json_null());
    json_object_set_new(document, "cores_shared", json_boolean(scaling->shared));
    json_object_set_new(document, "oversubscribed", json_boolean(plan->options->oversubscribe));
    json_object_set_new(document, "steps", json_integer(scaling->steps));
    json_object_set_new(document, "repeat", json_integer(scaling->repeat));
    for (int k = 0; k < scaling->count; k++)
        json_array_append_new(points, point_of(&scaling->points[k]));
    json_object_set_new(document, "points", points);
    if (error != 0) {
        json_decref(document);
        return error;
    }
    *result = document;
    return 0;
}
