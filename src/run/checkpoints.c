#include "src/run/checkpoints.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/future.h"
#include "graph/problem/model.h"
#include "graph/ranks/wish.h"
#include "graph/ranks/world.h"
#include "src/case/outputs/output_names.h"
#include "src/common/hdf5_access.h"
#include "src/common/json_text.h"
#include "src/common/output_files.h"
#include "src/common/version.h"
#include "src/output/formats/checkpoint_format.h"
#include "src/output/formats/earlier_files.h"
#include "src/output/formats/packed_chunk.h"
#include "src/output/output_checkpoint.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct weir_checkpoints {
    const struct weir_case *c;
    struct weir_simulation *simulation;
    struct weir_results_folder *folder;
    bool writes; /* this rank puts files on the folder's list */
    bool takes;  /* this rank's sink is called */
    struct weir_outputs *outputs;
    struct weir_output_checkpoint *output;
    struct weir_watch *watch;
    struct weir_wish *wish;
    int64_t first;  /* step of the run */
    bool pending;   /* one is due, and waits for a test for a steady flow */
    double last;    /* when the last one was taken, or the run began */
    bool under_way; /* one has been taken, and may not be written yet */
    struct weir_future written;

    pthread_mutex_t lock; /* of what follows */
    int64_t step;         /* that is taken, or was the last time */
    struct weir_run_sums sums;
};

static volatile sig_atomic_t asked;

static void on_ask(int signal_number) {
    (void)signal_number;
    asked = 1;
}

void weir_checkpoints_heed(const struct weir_case *c) {
    if (c->checkpoint.wanted)
        signal(SIGUSR1, on_ask);
}

/* ---- what a run has added up ------------------------------------------------------------------------- */

static json_t *sums_text(const struct weir_case *c, const struct weir_run_sums *sums) {
    json_t *flows = json_object(),
           *object = json_pack("{s:f, s:f, s:f, s:I, s:b}", "first_mass", sums->first_mass, "greatest_speed",
                               sums->greatest_speed, "mass_passed", sums->all_mass_passed, "tested_step",
                               (json_int_t)sums->tested_step, "steady", (int)sums->steady);
    for (int wall = 1; wall < c->problem.wall_count; wall++)
        if (weir_wall_is_open(&c->problem.walls[wall]) || c->problem.walls[wall].links)
            json_object_set_new(flows, c->problem.walls[wall].name,
                                json_pack("{s:f, s:f}", "mass_flow", sums->mass_flow[wall], "mass_passed",
                                          sums->mass_passed[wall]));
    json_object_set_new(object, "boundaries", flows);
    if (isfinite(sums->flow.velocity))
        json_object_set_new(
            object, "flow_rate",
            json_pack("{s:f, s:f}", "velocity", sums->flow.velocity, "force", sums->flow.force));
    return object;
}

int weir_run_sums_read(const struct weir_case *c, const json_t *about, struct weir_run_sums *sums) {
    const json_t *object = json_object_get(about, "run");
    json_int_t tested_step;
    int steady;
    memset(sums, 0, sizeof *sums);
    if (json_unpack((json_t *)object, "{s:F, s:F, s:F, s:I, s:b}", "first_mass", &sums->first_mass,
                    "greatest_speed", &sums->greatest_speed, "mass_passed", &sums->all_mass_passed,
                    "tested_step", &tested_step, "steady", &steady) < 0)
        return -1;
    sums->tested_step = tested_step;
    sums->steady = steady;
    sums->flow = (struct weir_flow_control){NAN, 0};
    (void)json_unpack(json_object_get(object, "flow_rate"), "{s:F, s:F}", "velocity", &sums->flow.velocity,
                      "force", &sums->flow.force);
    for (int wall = 1; wall < c->problem.wall_count; wall++) /* boundaries may be others now */
        (void)json_unpack(json_object_get(json_object_get(object, "boundaries"), c->problem.walls[wall].name),
                          "{s:F, s:F}", "mass_flow", &sums->mass_flow[wall], "mass_passed",
                          &sums->mass_passed[wall]);
    return 0;
}

static json_t *sets_text(const struct weir_problem *p) {
    struct weir_checkpoint_set sets[WEIR_CHECKPOINT_SETS];
    const int count = weir_checkpoint_sets(p, sets);
    json_t *list = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "name", sets[k].name, "populations",
                                              sets[k].populations, "bytes", (int)sets[k].value_size));
    return list;
}

/* Averages that have begun, whose sums the file has. */
static json_t *averages_text(const struct weir_case *c, int64_t step) {
    json_t *list = json_array();
    for (int k = 0; k < c->output_count; k++)
        if (c->outputs[k].type == WEIR_OUTPUT_AVERAGES && step >= c->outputs[k].start)
            json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "name", c->outputs[k].name, "start",
                                                  (json_int_t)c->outputs[k].start, "every",
                                                  (json_int_t)c->outputs[k].every));
    return list;
}

/* What weir_output_checkpoint writes as "about". */
static char *about(void *context, int64_t step, const char digest[33]) {
    struct weir_checkpoints *checkpoints = context;
    const struct weir_case *c = checkpoints->c;
    const struct weir_problem *p = &c->problem;
    pthread_mutex_lock(&checkpoints->lock);
    const struct weir_run_sums sums = checkpoints->sums;
    pthread_mutex_unlock(&checkpoints->lock);
    json_t *text =
        json_pack("{s:i, s:s, s:I, s:s, s:[iii], s:[bbb], s:I}", "format", WEIR_CHECKPOINT_VERSION, "version",
                  weir_version, "step", (json_int_t)step, "digest", digest, "cells", p->cells[0], p->cells[1],
                  p->cells[2], "periodic", (int)p->periodic[0], (int)p->periodic[1], (int)p->periodic[2],
                  "fluid_cells", (json_int_t)weir_simulation_fluid_cells(checkpoints->simulation));
    json_object_set_new(text, "name", weir_json_text(c->name));
    json_object_set_new(text, "time", json_real((double)step * c->units.time));
    json_object_set_new(text, "units", json_string(c->units.si ? "si" : "lattice"));
    json_object_set_new(text, "lattice", json_string(weir_lattice_names[p->lattice]));
    json_object_set_new(text, "collision", json_string(weir_collision_names[p->collision]));
    json_object_set_new(text, "precision", json_string(weir_precision_row(p->precision)->arithmetic));
    json_object_set_new(text, "storage", json_string(weir_precision_row(p->precision)->storage));
    json_object_set_new(text, "scalar", json_boolean(p->scalar.present));
    json_object_set_new(text, "phases", json_boolean(p->phases.present));
    json_object_set_new(text, "gradient_eddies", json_boolean(weir_problem_keeps_eddies(p)));
    json_object_set_new(text, "gradient_strain", json_boolean(weir_problem_keeps_strain(p)));
    json_object_set_new(text, "free_surface", json_boolean(p->surface.present));
    json_object_set_new(text, "bubbles", json_boolean(p->surface.bubbles));
    json_object_set_new(text, "relaxation_time", json_real(p->relaxation_time));
    json_object_set_new(text, "sets", sets_text(p));
    json_object_set_new(text, "run", sums_text(c, &sums));
    json_object_set_new(text, "averages", averages_text(c, step));
    json_object_set_new(text, "case", weir_json_text(c->text));
    char *result = json_dumps(text, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(text);
    return result;
}

/* ---- which stay -------------------------------------------------------------------------------------- */

/* Those later than the newest are of a run that got further before it was taken back; they go as well. */
static int remove_others(void *context, int64_t newest) {
    const struct weir_checkpoints *checkpoints = context;
    const char *directory = weir_results_folder_path(checkpoints->folder);
    int64_t *steps;
    int count, kept = 0;
    WEIR_TRY(weir_earlier_steps(directory, WEIR_CHECKPOINT_NAME, WEIR_CHECKPOINT_SUFFIX, &steps, &count));
    for (int k = 0; k < count; k++) {
        char *path = NULL;
        const bool stays = steps[k] <= newest && kept < checkpoints->c->checkpoint.keep;
        kept += stays;
        if (!stays &&
            weir_output_path(directory, WEIR_CHECKPOINT_NAME, steps[k], WEIR_CHECKPOINT_SUFFIX, &path) == 0)
            (void)unlink(path);
        free(path);
    }
    free(steps);
    return 0;
}

void weir_checkpoints_advise(const struct weir_checkpoints *checkpoints, char advice[WEIR_RESUME_ADVICE]) {
    int64_t *steps;
    int count;
    advice[0] = '\0';
    if (!checkpoints)
        return;
    const char *directory = weir_results_folder_path(checkpoints->folder);
    if (weir_earlier_steps(directory, WEIR_CHECKPOINT_NAME, WEIR_CHECKPOINT_SUFFIX, &steps, &count) < 0)
        return;
    if (count > 0)
        snprintf(advice, WEIR_RESUME_ADVICE, "; weir resume %s goes on from the newest checkpoint",
                 directory);
    free(steps);
}

/* ---- when -------------------------------------------------------------------------------------------- */

static void written(void *context) {
    struct weir_checkpoints *checkpoints = context;
    weir_future_set(&checkpoints->written);
}

double weir_checkpoints_buffer(const struct weir_case *c, const int block_cells[3], int *blocks) {
    struct weir_model model;
    weir_model_make(&c->problem, false, &model);
    const double bytes =
                     (double)weir_model_cell_bytes(&model) * block_cells[0] * block_cells[1] * block_cells[2],
                 most = c->checkpoint.buffer * (1 << 20) / bytes, all = 1 << 24;
    *blocks = most < 1 ? 1 : (int)(most < all ? most : all);
    return bytes * *blocks;
}

static int create_output(struct weir_checkpoints *checkpoints, struct weir_outputs *outputs) {
    const struct weir_case *c = checkpoints->c;
    struct weir_simulation *simulation = checkpoints->simulation;
    const struct weir_agreeing *who = weir_simulation_sink_ranks(simulation);
    const struct weir_block_grid *grid = weir_simulation_grid(simulation);
    const bool shared = weir_simulation_has_ranks(simulation) && weir_hdf5_is_parallel();
    if (shared && c->checkpoint.compressed)
        return weir_chunk_refuse_together(c, "checkpoint.compressed");
    const struct weir_checkpoint_keeper keeper = {about, remove_others, written, checkpoints};
    WEIR_TRY(weir_output_checkpoint_create(c, weir_results_folder_path(checkpoints->folder),
                                           grid->block_cells, weir_outputs_writer(outputs), &keeper,
                                           &checkpoints->output));
    if (shared)
        weir_output_checkpoint_share(checkpoints->output, who);
    checkpoints->takes = shared || checkpoints->writes;
    int blocks;
    (void)weir_checkpoints_buffer(c, grid->block_cells, &blocks);
    const struct weir_sink sink =
        weir_output_checkpoint_sink(checkpoints->output, blocks < grid->total ? blocks : grid->total);
    return weir_simulation_watch(simulation, &sink, &checkpoints->watch);
}

int weir_checkpoints_create(const struct weir_case *c, struct weir_simulation *simulation,
                            struct weir_world *world, struct weir_outputs *outputs,
                            struct weir_results_folder *folder, int64_t first,
                            struct weir_checkpoints **result) {
    *result = NULL;
    if (!c->checkpoint.wanted)
        return 0;
    struct weir_checkpoints *checkpoints = calloc(1, sizeof *checkpoints);
    if (!checkpoints)
        return weir_fail(WEIR_FAILED, "out of memory while preparing checkpoints");
    checkpoints->c = c;
    checkpoints->simulation = simulation;
    checkpoints->outputs = outputs;
    checkpoints->folder = folder;
    checkpoints->writes = weir_world_speaks(world);
    checkpoints->first = first;
    checkpoints->last = weir_seconds();
    checkpoints->step = -1;
    pthread_mutex_init(&checkpoints->lock, NULL);
    weir_future_init(&checkpoints->written);
    int error = create_output(checkpoints, outputs);
    if (error == 0)
        error = weir_wish_create(world, &checkpoints->wish);
    if (error != 0) {
        weir_checkpoints_destroy(checkpoints, false);
        return error;
    }
    *result = checkpoints;
    return 0;
}

void weir_checkpoints_destroy(struct weir_checkpoints *checkpoints, bool ended_well) {
    if (!checkpoints)
        return;
    weir_simulation_unwatch(checkpoints->watch);
    weir_output_checkpoint_destroy(checkpoints->output);
    weir_wish_destroy(checkpoints->wish, ended_well);
    weir_future_release(&checkpoints->written);
    pthread_mutex_destroy(&checkpoints->lock);
    free(checkpoints);
}

void weir_checkpoints_abandon(struct weir_checkpoints *checkpoints) {
    enum { PATIENCE = 3 }; /* seconds: a sink writes a block in much less */
    struct timespec until;
    if (!checkpoints)
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    weir_simulation_abandon(checkpoints->watch, &until);
}

static int64_t next_multiple(int64_t step, int64_t of) {
    return (step / of + 1) * of;
}

int64_t weir_checkpoints_next(const struct weir_checkpoints *checkpoints, int64_t step) {
    if (!checkpoints)
        return INT64_MAX;
    const struct weir_case *c = checkpoints->c;
    const int64_t ask = next_multiple(step, c->check_every);
    const int64_t due = c->checkpoint.every > 0 ? next_multiple(step, c->checkpoint.every) : INT64_MAX;
    return ask < due ? ask : due;
}

/* By the clock or by a signal, on any rank: they ask each other where they check the flow. */
static bool is_wished(struct weir_checkpoints *checkpoints, int64_t step) {
    if (step % checkpoints->c->check_every != 0)
        return false;
    const double minutes = checkpoints->c->checkpoint.minutes;
    const bool late = minutes > 0 && weir_seconds() - checkpoints->last >= 60 * minutes;
    return weir_wish_ask(checkpoints->wish, asked || late);
}

bool weir_checkpoints_due(struct weir_checkpoints *checkpoints, int64_t step, bool tests, bool interrupted) {
    if (!checkpoints)
        return false;
    const int64_t every = checkpoints->c->checkpoint.every;
    const bool wished = is_wished(checkpoints, step);
    if (step == checkpoints->first)
        return false; /* it is there, or nothing has been computed */
    checkpoints->pending = checkpoints->pending || wished || (every > 0 && step % every == 0);
    if (!interrupted && !(checkpoints->pending && tests))
        return false;
    checkpoints->pending = false;
    asked = 0;
    return true;
}

/* Puts the file on the folder's list before it is made. */
static int announce(const struct weir_checkpoints *checkpoints, int64_t step) {
    char *path;
    if (!checkpoints->writes)
        return 0;
    WEIR_TRY(weir_results_folder_file(checkpoints->folder, WEIR_CHECKPOINT_NAME, step, WEIR_CHECKPOINT_SUFFIX,
                                      &path));
    free(path);
    return 0;
}

static int add_averages(void *context, struct weir_averages_state *state) {
    const struct weir_checkpoints *checkpoints = context;
    return weir_output_checkpoint_add(checkpoints->output, state);
}

int weir_checkpoints_prepare(struct weir_checkpoints *checkpoints, int64_t tested_step, bool steady,
                             const struct weir_flow_control *flow) {
    if (checkpoints->under_way && !weir_simulation_await(checkpoints->simulation, &checkpoints->written))
        return 0; /* the run has failed, and whoever comes next tells how */
    weir_future_reset(&checkpoints->written);
    checkpoints->under_way = checkpoints->takes;
    checkpoints->last = weir_seconds();
    const int64_t step = weir_simulation_submitted(checkpoints->simulation);
    pthread_mutex_lock(&checkpoints->lock);
    checkpoints->step = step;
    checkpoints->sums = (struct weir_run_sums){.tested_step = tested_step, .steady = steady, .flow = *flow};
    pthread_mutex_unlock(&checkpoints->lock);
    WEIR_TRY(weir_output_checkpoint_expect(
        checkpoints->output,
        weir_outputs_keep_averages(checkpoints->outputs,
                                   &(struct weir_averages_taker){add_averages, checkpoints})));
    return announce(checkpoints, step);
}

int weir_checkpoints_take(struct weir_checkpoints *checkpoints) {
    return weir_simulation_observe(checkpoints->simulation, checkpoints->watch);
}

void weir_checkpoints_sums(struct weir_checkpoints *checkpoints, int64_t step,
                           const struct weir_run_sums *sums) {
    if (!checkpoints)
        return;
    pthread_mutex_lock(&checkpoints->lock);
    if (step == checkpoints->step) {
        const struct weir_run_sums before = checkpoints->sums;
        checkpoints->sums = *sums;
        checkpoints->sums.tested_step = before.tested_step;
        checkpoints->sums.steady = before.steady;
        checkpoints->sums.flow = before.flow;
    }
    pthread_mutex_unlock(&checkpoints->lock);
}
