#include "src/report/described.h"

#include "graph/base/error.h"
#include "graph/runtime/cores.h"
#include "graph/runtime/runtime.h"
#include "src/common/json_text.h"
#include "src/common/output_files.h"
#include "src/common/version.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static json_t *triple(const int value[3]) {
    return json_pack("[i,i,i]", value[0], value[1], value[2]);
}

int weir_describe_machine(json_t *document) {
    struct weir_cores *cores = NULL;
    char starpu[WEIR_STARPU_VERSION_SIZE], date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    WEIR_TRY(weir_cores_create(&cores));
    weir_runtime_starpu_version(starpu);
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_object_set_new(document, "date", json_string(date));
    json_object_set_new(document, "versions",
                        json_pack("{s:s, s:s}", "weir", weir_version, "starpu", starpu));
    json_object_set_new(document, "machine",
                        json_pack("{s:s, s:i, s:i}", "processor", weir_cores_model(cores), "cores",
                                  weir_cores_count(cores), "gpus", weir_runtime_gpus()));
    weir_cores_destroy(cores);
    return 0;
}

json_t *weir_describe_case(const struct weir_case *c, const int block_cells[3], int blocks) {
    const struct weir_problem *p = &c->problem;
    return json_pack("{s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:i}", "name", c->name, "file",
                     weir_json_text(c->file), "lattice", weir_lattice_names[p->lattice], "collision",
                     weir_collision_names[p->collision], "precision", weir_precision_names[p->precision],
                     "cells", triple(p->cells), "block_cells", triple(block_cells), "blocks", blocks);
}

json_t *weir_describe_workers(const struct weir_recorded_worker *workers, int count, const int *home_of) {
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        const struct weir_recorded_worker *worker = &workers[k];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:b, s:i}", "name", worker->name,
                                        "kind", worker->cuda ? "cuda" : "cpu", "device", worker->device,
                                        "cores", worker->cores, "core", worker->core, "memory_node",
                                        worker->memory_node, "steps", worker->steps, "home", home_of[k]));
    }
    return list;
}

const char *weir_home_name(const struct weir_recorded_worker *worker, char name[WEIR_HOME_NAME]) {
    if (worker->cuda &&
        strncmp(worker->name, "rank ", 5) == 0) /* there are several (graph/ranks/gathered_record.c) */
        snprintf(name, WEIR_HOME_NAME, "rank %d: GPU %d", worker->rank, worker->device);
    else if (worker->cuda)
        snprintf(name, WEIR_HOME_NAME, "GPU %d", worker->device);
    else if (worker->cores > 1)
        snprintf(name, WEIR_HOME_NAME, "team of %d (%.60s)", worker->cores, worker->name);
    else
        snprintf(name, WEIR_HOME_NAME, "%s", worker->name);
    return name;
}

json_t *weir_describe_home(const struct weir_recorded_worker *worker) {
    char name[WEIR_HOME_NAME];
    return json_pack("{s:s, s:s, s:i}", "name", weir_home_name(worker, name), "kind",
                     worker->cuda ? "cuda" : "cpu", "memory_node", worker->memory_node);
}

int weir_document_write(const char *path, const json_t *document) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create_anywhere(path, &file));
    json_dumpf(document, weir_output_file_stream(file), JSON_INDENT(1) | JSON_REAL_PRECISION(10));
    fputc('\n', weir_output_file_stream(file));
    return weir_output_file_finish(file);
}
