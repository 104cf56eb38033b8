#include "src/report/summary.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/problem/model.h"
#include "graph/ranks/world.h"
#include "src/common/json_text.h"
#include "src/common/output_files.h"
#include "src/common/version.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *triple(const int value[3]) {
    return json_pack("[i,i,i]", value[0], value[1], value[2]);
}

static json_t *own_workers(const struct weir_runtime *runtime, const struct weir_simulation *simulation) {
    const int rank = weir_world_rank(weir_runtime_world(runtime));
    json_t *list = json_array();
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
        const struct weir_worker *worker = weir_runtime_worker(runtime, k);
        const struct weir_worker_share share = weir_simulation_share(simulation, k);
        json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:i, s:b, s:i, s:I, s:I}", "rank", rank,
                                              "name", worker->name, "kind", worker->cuda ? "cuda" : "cpu",
                                              "core", worker->core, "steps", worker->steps, "home_blocks",
                                              share.blocks, "tasks", (json_int_t)share.tasks, "updates",
                                              (json_int_t)share.updates));
    }
    return list;
}

/* Adds the workers of other ranks to those of rank 0, in the order of ranks. Collective. */
static int add_other_ranks(struct weir_world *world, json_t *list) {
    char *words = json_dumps(list, JSON_COMPACT);
    int64_t size = words ? (int64_t)strlen(words) + 1 : 0;
    weir_world_max_counts(world, &size, 1);
    const size_t ranks = weir_world_speaks(world) ? (size_t)weir_world_size(world) : 0;
    char *padded = calloc(1, (size_t)size), *all = calloc(ranks + 1, (size_t)size);
    int error = 0;
    if (words && padded && all)
        strcpy(padded, words);
    else
        error = weir_fail(WEIR_FAILED, "out of memory for the summary");
    error = weir_world_agree(world, error);
    if (error == 0)
        error = weir_world_gather(world, padded, (size_t)size, all);
    for (size_t rank = 1; error == 0 && rank < ranks; rank++) {
        json_t *others = json_loads(all + rank * (size_t)size, 0, NULL);
        json_array_extend(list, others);
        json_decref(others);
    }
    free(words);
    free(padded);
    free(all);
    return error;
}

/* What crosses between ranks; null where there is one. */
static json_t *exchange(const struct weir_world *world, const struct weir_rank_costs *costs) {
    if (weir_world_size(world) == 1)
        return json_null();
    return json_pack("{s:I, s:I, s:i}", "bytes_per_step", (json_int_t)costs->bytes, "messages_per_step",
                     (json_int_t)costs->messages, "largest_neighbours", costs->largest_neighbours);
}

/* What a force that holds a mean velocity has reached; null where there is none. */
static json_t *flow_rate(const struct weir_case *c, const struct weir_run_result *r) {
    if (c->flow_rate.every == 0)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "velocity", number(r->mean_velocity * weir_units_velocity(&c->units)),
                     "reynolds", number(r->reynolds), "force",
                     number(r->driving_force * weir_units_force_density(&c->units)));
}

/* Names of the hosts, each once, in the order of their first ranks. */
static json_t *hosts(const struct weir_world *world) {
    char here[HOST_NAME_MAX + 1] = "";
    gethostname(here, sizeof here - 1);
    json_t *list = json_array();
    for (int rank = 0; rank < weir_world_size(world); rank++) {
        const char *host = weir_world_size(world) > 1 ? weir_world_host(world, rank) : here;
        bool known = false;
        for (size_t k = 0; k < json_array_size(list); k++)
            known = known || strcmp(json_string_value(json_array_get(list, k)), host) == 0;
        if (!known)
            json_array_append_new(list, weir_json_text(host));
    }
    return list;
}

/* A failed run has no ranks that could be asked. */
static int list_workers(const struct weir_runtime *runtime, const struct weir_simulation *simulation,
                        const struct weir_run_result *r, json_t **list) {
    struct weir_world *world = weir_runtime_world(runtime);
    *list = own_workers(runtime, simulation);
    return weir_world_size(world) > 1 && !r->failure ? add_other_ranks(world, *list) : 0;
}

static json_t *rank_blocks(const struct weir_world *world, const struct weir_simulation *simulation) {
    int *blocks = malloc(sizeof *blocks * (size_t)weir_world_size(world));
    json_t *list = blocks ? json_array() : json_null();
    if (blocks)
        weir_simulation_rank_blocks(simulation, blocks);
    for (int rank = 0; blocks && rank < weir_world_size(world); rank++)
        json_array_append_new(list, json_integer(blocks[rank]));
    free(blocks);
    return list;
}

/* What passed those whose links are counted, by name: in the last step, per time, and in all. */
static json_t *open_boundaries(const struct weir_case *c, const struct weir_run_result *r) {
    const double mass = weir_units_mass(&c->units);
    json_t *object = json_object();
    for (int wall = 1; wall < c->problem.wall_count; wall++) {
        const struct weir_wall *w = &c->problem.walls[wall];
        if (weir_wall_is_open(w) || w->links)
            json_object_set_new(object, w->name,
                                json_pack("{s:s, s:o, s:o}", "type", weir_rules[w->rule].name, "mass_flow",
                                          number(r->mass_flow[wall] * mass / c->units.time), "mass_passed",
                                          number(r->mass_passed[wall] * mass)));
    }
    return object;
}

/* Kernels of the run's own blocks, in this rank; null where there was nothing to gain. */
static json_t *specialised(const struct weir_run_result *r) {
    const struct weir_specialised *s = &r->specialised;
    if (s->wanted == 0)
        return json_null();
    return json_pack("{s:s, s:i, s:i, s:o, s:o}", "blocks", s->blocks, "wanted", s->wanted, "used", s->used,
                     "from_step", r->specialised_from >= 0 ? json_integer(r->specialised_from) : json_null(),
                     "compile_seconds", number(s->seconds));
}

int weir_summary_create(const struct weir_case *c, const struct weir_runtime *runtime,
                        const struct weir_simulation *simulation, const struct weir_run_result *r,
                        json_t **summary) {
    json_t *workers;
    WEIR_TRY(list_workers(runtime, simulation, r, &workers));
    const struct weir_world *world = weir_runtime_world(runtime);
    const struct weir_problem *p = &c->problem;
    const struct weir_block_grid *grid = weir_simulation_grid(simulation);
    const int64_t fluid = weir_simulation_fluid_cells(simulation), bytes = weir_simulation_bytes(simulation);
    const double cells = (double)p->cells[0] * p->cells[1] * p->cells[2];
    const double updates_per_second = (double)(r->steps - r->first) * (double)fluid / r->wall_seconds;
    const double bytes_per_update = weir_bytes_per_update(p);
    json_t *json = json_object();
    json_object_set_new(json, "name", weir_json_text(c->name));
    json_object_set_new(json, "version", weir_json_text(weir_version));
    json_object_set_new(json, "lattice", weir_json_text(weir_lattice_names[p->lattice]));
    json_object_set_new(json, "collision", weir_json_text(weir_collision_names[p->collision]));
    json_object_set_new(json, "equilibrium", weir_json_text(weir_equilibrium_names[p->equilibrium]));
    json_object_set_new(json, "precision", weir_json_text(weir_precision_row(p->precision)->arithmetic));
    json_object_set_new(json, "storage", weir_json_text(weir_precision_row(p->precision)->storage));
    json_object_set_new(json, "instruction_set", weir_json_text(weir_simulation_instruction_set(simulation)));
    json_object_set_new(json, "kernel_constants", specialised(r));
    json_object_set_new(json, "relaxation_time", number(p->relaxation_time));
    json_object_set_new(json, "cells", triple(p->cells));
    json_object_set_new(json, "fluid_cells", json_integer(fluid));
    json_object_set_new(json, "steps", json_integer(r->steps));
    json_object_set_new(json, "resumed_at", r->first > 0 ? json_integer(r->first) : json_null());
    json_object_set_new(json, "wall_seconds", number(r->wall_seconds));
    json_object_set_new(json, "mlups", number(1e-6 * updates_per_second));
    const struct weir_prediction *prediction = weir_simulation_prediction(simulation);
    json_object_set_new(json, "predicted_mlups",
                        prediction ? number(1e-6 * prediction->updates_per_second) : json_null());
    json_object_set_new(json, "bytes_per_update", number(bytes_per_update));
    json_object_set_new(json, "bandwidth_gbs", number(1e-9 * updates_per_second * bytes_per_update));
    json_object_set_new(json, "limit_gbs", number(r->limit_gbs));
    json_object_set_new(json, "policy", weir_json_text(weir_runtime_policy_name(runtime)));
    json_object_set_new(json, "block_cells", triple(grid->block_cells));
    const struct weir_slab_plan *slabs = weir_simulation_slabs(simulation);
    if (slabs)
        json_object_set_new(json, "slabs",
                            json_pack("{s:i, s:i, s:i}", "count", slabs->count, "at_a_time", slabs->places,
                                      "steps", slabs->steps));
    json_object_set_new(json, "blocks", json_integer(grid->total));
    json_object_set_new(json, "solid_blocks", json_integer(grid->total - weir_block_grid_fluid_blocks(grid)));
    json_object_set_new(json, "memory_bytes", json_integer(bytes));
    json_object_set_new(json, "bytes_per_cell", number((double)bytes / cells));
    json_object_set_new(json, "ranks", json_integer(weir_world_size(world)));
    json_object_set_new(json, "hosts", hosts(world));
    json_object_set_new(json, "exchange", exchange(world, &r->costs));
    json_object_set_new(json, "waiting",
                        json_pack("{s:o, s:o}", "mean", number(r->costs.waiting), "longest",
                                  number(r->costs.longest_waiting)));
    json_object_set_new(json, "rank_blocks", rank_blocks(world, simulation));
    json_object_set_new(json, "moved_between_ranks",
                        json_integer(weir_simulation_rank_moves(simulation)->blocks));
    json_object_set_new(json, "workers", workers);
    json_object_set_new(json, "moved_blocks", json_integer(weir_simulation_moves(simulation)));
    json_object_set_new(json, "balance", number(r->costs.balance));
    json_object_set_new(json, "digest", weir_json_text(r->digest));
    json_object_set_new(json, "mass_drift", number(r->mass_drift));
    json_object_set_new(json, "boundaries", open_boundaries(c, r));
    json_object_set_new(json, "max_velocity", number(r->max_velocity * weir_units_velocity(&c->units)));
    json_object_set_new(json, "flow_rate", flow_rate(c, r));
    json_object_set_new(json, "stopped_by", weir_json_text(r->stopped_by));
    json_object_set_new(json, "warnings", r->warnings.list ? json_deep_copy(r->warnings.list) : json_array());
    if (r->failure)
        json_object_set_new(json, "failure", weir_json_text(r->failure));

    *summary = json;
    return 0;
}

int weir_summary_write(const json_t *summary, const char *path) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create_anywhere(path, &file));
    json_dumpf(summary, weir_output_file_stream(file), JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    fputc('\n', weir_output_file_stream(file));
    return weir_output_file_finish(file);
}
