/* Conducts a scaling measurement: which runs there are, in which order. Each is started by an MPI launcher,
 * also where it has one rank. */
#include "src/scale/scale.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/problem/blocks.h"
#include "graph/runtime/cores.h"
#include "graph/specialisation.h"
#include "src/case/bare_case.h"
#include "src/common/child.h"
#include "src/common/launcher.h"
#include "src/common/output_files.h"
#include "src/machine/bus_calibration.h"
#include "src/report/described.h"
#include "src/report/page.h"
#include "src/report/report_folder.h"
#include "src/scale/scale_json.h"
#include "src/scale/scale_plan.h"
#include "src/scale/scale_table.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that is slow the first time. */
enum { WARM_UP_STEPS = 10 };

/* A run lasts about this long where --steps is not given. */
static const double run_seconds = 4;
enum { STEPS_LEAST = 20, STEPS_MOST = 200000 };

struct conductor {
    const struct weir_scale_options *options;
    struct weir_case *c;
    struct weir_cores *cores;
    struct weir_scale_plan plan;
    struct weir_scaling scaling;
    struct weir_launcher launchers[WEIR_SCALING_POINTS_MAX];
    struct weir_report_use report;
    struct weir_report_folder folder;
    char *cases[WEIR_SCALING_POINTS_MAX]; /* files */
    char *program, *summary, *out, *said; /* files */
    bool terminal;
    double start, timed_start;
    int runs_done; /* timed */
};

/* ---- one run ------------------------------------------------------------------------------------------ */

static void show(const struct conductor *conductor, int point, int repeat) {
    const int all = conductor->scaling.count * conductor->options->repeat;
    char what[64] = "warm-up", left[64] = "";
    if (conductor->options->quiet)
        return;
    if (repeat >= 0)
        snprintf(what, sizeof what, "repeat %d/%d", repeat + 1, conductor->options->repeat);
    if (conductor->runs_done > 0) {
        const double each = (weir_seconds() - conductor->timed_start) / conductor->runs_done;
        const long seconds = lround(each * (all - conductor->runs_done));
        snprintf(left, sizeof left, "  %ld:%02ld left", seconds / 60, seconds % 60);
    }
    const int ranks = conductor->scaling.points[point].ranks;
    fprintf(stderr, "%s%d rank%s  %s  run %d/%d%s%s", conductor->terminal ? "\r\033[K" : "", ranks,
            ranks == 1 ? "" : "s", what, conductor->runs_done, all, left, conductor->terminal ? "" : "\n");
    fflush(stderr);
}

static void end_line(const struct conductor *conductor) {
    if (conductor->terminal && !conductor->options->quiet)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

static double number_of(const json_t *json, const char *key) {
    const json_t *value = json_object_get(json, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int64_t whole_of(const json_t *json, const char *key) {
    return json_integer_value(json_object_get(json, key));
}

static void read_run(const json_t *json, int64_t steps, struct weir_scaling_run *run) {
    const json_t *exchange = json_object_get(json, "exchange"), *waiting = json_object_get(json, "waiting"),
                 *workers = json_object_get(json, "workers");
    *run = (struct weir_scaling_run){
        .mlups = number_of(json, "mlups"),
        .step_seconds = number_of(json, "wall_seconds") / (double)steps,
        .waiting = number_of(waiting, "mean"),
        .longest_waiting = number_of(waiting, "longest"),
        .balance = number_of(json, "balance"),
        .bytes = whole_of(exchange, "bytes_per_step"),
        .messages = whole_of(exchange, "messages_per_step"),
        .neighbours = (int)whole_of(exchange, "largest_neighbours"),
        .fluid_cells = whole_of(json, "fluid_cells"),
        .hosts = (int)json_array_size(json_object_get(json, "hosts")),
    };
    for (size_t k = 0; k < json_array_size(workers); k++)
        run->workers += json_is_true(json_object_get(json_array_get(workers, k), "steps"));
    snprintf(run->digest, sizeof run->digest, "%s", json_string_value(json_object_get(json, "digest")));
}

static int read_summary(const struct conductor *conductor, int ranks, int64_t steps,
                        struct weir_scaling_run *run) {
    json_error_t where;
    json_t *json = json_load_file(conductor->summary, 0, &where);
    int error = 0;
    if (!json || !json_string_value(json_object_get(json, "digest")))
        error = weir_fail(
            WEIR_FAILED, "the run's summary '%s' cannot be read; --out must name a folder that all hosts see",
            conductor->summary);
    else if (whole_of(json, "ranks") != ranks)
        error =
            weir_fail(WEIR_FAILED,
                      "asked for %d ranks, the launcher made %lld of them (%s); is it that of the MPI that "
                      "weir was built with, and does it take {ranks} as their number?",
                      ranks, (long long)whole_of(json, "ranks"), conductor->plan.launcher);
    else
        read_run(json, steps, run);
    json_decref(json);
    return error;
}

/* Starts the run on its part of this host: children inherit what this thread is confined to. */
static int start_and_wait(const struct conductor *conductor, int ranks, const char *const *words,
                          const char *program) {
    const struct weir_scale_plan *plan = &conductor->plan;
    char gpus[1024] = "", list[1024];
    const char *environment[5] = {WEIR_SPECIALISE_NOTHING};
    int count = 1;
    weir_scale_plan_gpus(plan, ranks, list, sizeof list);
    if (list[0]) {
        snprintf(gpus, sizeof gpus, "CUDA_VISIBLE_DEVICES=%.1000s", list);
        environment[count++] = gpus;
    }
    if (conductor->options->oversubscribe) {
        environment[count++] = "STARPU_WORKERS_NOBIND=1";
        environment[count++] = "STARPU_NCPU=1";
    }
    if (plan->confined)
        weir_cores_confine(conductor->cores, ranks * plan->cores);
    const int error = weir_child_run_program(program, words, environment, conductor->said);
    if (plan->confined)
        weir_cores_unbind(conductor->cores);
    return error;
}

static int run_once(struct conductor *conductor, int point, int64_t steps, int repeat,
                    struct weir_scaling_run *run) {
    const int ranks = conductor->scaling.points[point].ranks;
    const struct weir_launcher *launcher = &conductor->launchers[point];
    char steps_text[32];
    snprintf(steps_text, sizeof steps_text, "%lld", (long long)steps);
    const char *const own[] = {
        conductor->program, "run",   conductor->cases[point], "--quiet",   "--force",          "--steps",
        steps_text,         "--out", conductor->out,          "--summary", conductor->summary, NULL};
    const char *words[WEIR_LAUNCHER_WORDS_MAX + sizeof own / sizeof *own];
    int count = 0;
    for (int k = 1; k < launcher->count; k++)
        words[count++] = launcher->words[k];
    for (int k = 0; own[k]; k++)
        words[count++] = own[k];
    words[count] = NULL;
    show(conductor, point, repeat);
    unlink(conductor->summary);
    const int error = start_and_wait(conductor, ranks, words, launcher->words[0]);
    if (error != 0 && !weir_child_interrupted()) {
        char text[1800];
        snprintf(text, sizeof text, "%s", weir_error_text());
        return weir_fail((enum weir_error_code) - error, "%d rank%s: %s", ranks, ranks == 1 ? "" : "s", text);
    }
    WEIR_TRY(error);
    return read_summary(conductor, ranks, steps, run);
}

/* ---- all runs ----------------------------------------------------------------------------------------- */

/* Every number of ranks once, and from the slowest the steps of all runs. */
static int warm_up(struct conductor *conductor) {
    struct weir_scaling_run run;
    double slowest = 0;
    for (int point = 0; point < conductor->scaling.count; point++) {
        WEIR_TRY(run_once(conductor, point, WARM_UP_STEPS, -1, &run));
        slowest = fmax(slowest, run.step_seconds);
    }
    const double steps = fmin(fmax(run_seconds / slowest, STEPS_LEAST), STEPS_MOST);
    conductor->scaling.steps = conductor->options->steps > 0 ? conductor->options->steps : (int64_t)steps;
    return 0;
}

/* Numbers of ranks take turns, so that a machine that slows down slows all of them. */
static int measure(struct conductor *conductor) {
    struct weir_scaling_run run;
    WEIR_TRY(warm_up(conductor));
    conductor->timed_start = weir_seconds();
    for (int repeat = 0; repeat < conductor->options->repeat; repeat++)
        for (int point = 0; point < conductor->scaling.count; point++) {
            WEIR_TRY(run_once(conductor, point, conductor->scaling.steps, repeat, &run));
            WEIR_TRY(weir_scaling_add_run(&conductor->scaling, point, &run));
            conductor->runs_done++;
        }
    return 0;
}

/* ---- files -------------------------------------------------------------------------------------------- */

static int write_case(const struct conductor *conductor, const int cells[3], const char *path) {
    json_t *root = weir_bare_case(conductor->c, conductor->plan.block_cells), *list = json_array();
    if (!root || !list)
        return weir_fail(WEIR_FAILED, "out of memory for the case");
    for (int axis = 0; axis < weir_lattice_dimensions(conductor->c->problem.lattice); axis++)
        json_array_append_new(list, json_integer(cells[axis]));
    json_object_set_new(json_object_get(root, "domain"), "cells", list);
    const int error = weir_bare_case_write(root, path);
    json_decref(root);
    return error;
}

/* The domain of a number of ranks: its blocks, its case, how it is started. */
static int add_point(struct conductor *conductor, int ranks) {
    const struct weir_scale_plan *plan = &conductor->plan;
    const int point = conductor->scaling.count;
    struct weir_problem problem = conductor->c->problem;
    struct weir_block_grid grid;
    char name[64];
    weir_scale_plan_cells(plan, ranks, problem.cells);
    WEIR_TRY(weir_block_grid_create(&problem, plan->block_cells, &grid));
    WEIR_TRY(weir_scaling_add_point(&conductor->scaling, ranks, problem.cells, grid.total));
    snprintf(name, sizeof name, "ranks_%d.json", ranks);
    WEIR_TRY(weir_path_join(conductor->folder.work, name, &conductor->cases[point]));
    WEIR_TRY(write_case(conductor, problem.cells, conductor->cases[point]));
    return weir_launcher_create(plan->launcher, ranks, &conductor->launchers[point]);
}

static int find_program(char **program) {
    *program = realpath("/proc/self/exe", NULL);
    return *program ? 0 : weir_fail(WEIR_FAILED, "this program's own file is not found (/proc/self/exe)");
}

static int create_files(struct conductor *conductor) {
    if (conductor->options->json)
        WEIR_TRY(weir_output_file_try_anywhere(conductor->options->json));
    WEIR_TRY(find_program(&conductor->program));
    WEIR_TRY(weir_report_folder_create(&conductor->folder));
    WEIR_TRY(weir_path_join(conductor->folder.work, "summary.json", &conductor->summary));
    WEIR_TRY(weir_path_join(conductor->folder.work, "out", &conductor->out));
    WEIR_TRY(weir_path_join(conductor->folder.work, "said.txt", &conductor->said));
    for (int k = 0; k < conductor->plan.rank_count; k++)
        WEIR_TRY(add_point(conductor, conductor->plan.ranks[k]));
    return 0;
}

static void clean_up(struct conductor *conductor) {
    for (int k = 0; k < WEIR_SCALING_POINTS_MAX; k++) {
        weir_launcher_release(&conductor->launchers[k]);
        free(conductor->cases[k]);
    }
    weir_report_folder_release(&conductor->folder);
    free(conductor->program);
    free(conductor->summary);
    free(conductor->out);
    free(conductor->said);
    weir_scaling_release(&conductor->scaling);
    weir_cores_destroy(conductor->cores);
    weir_case_destroy(conductor->c);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static int report(struct conductor *conductor) {
    json_t *document = NULL;
    if (weir_child_interrupted())
        return weir_fail(WEIR_FAILED, "interrupted; nothing was written");
    WEIR_TRY(weir_scaling_finish(&conductor->scaling));
    WEIR_TRY(weir_scale_document(&conductor->plan, &conductor->scaling, weir_seconds() - conductor->start,
                                 &document));
    int error = weir_report_folder_begin_page(&conductor->folder);
    if (error == 0)
        error = weir_page_write(conductor->folder.page, WEIR_SCALE_PAGE, document);
    if (error == 0 && conductor->options->json)
        error = weir_document_write(conductor->options->json, document);
    json_decref(document);
    WEIR_TRY(error);
    weir_scale_table(&conductor->plan, &conductor->scaling);
    printf("page in %s\n", conductor->folder.page);
    return 0;
}

static int conduct(struct conductor *conductor) {
    const struct weir_scale_options *options = conductor->options;
    conductor->start = weir_seconds();
    conductor->terminal = isatty(STDERR_FILENO);
    conductor->report = (struct weir_report_use){
        .command = "scale", .results = "the report of an earlier measurement", .force = options->force};
    WEIR_TRY(
        weir_report_folder_choose(options->out, conductor->c->name, &conductor->report, &conductor->folder));
    WEIR_TRY(weir_cores_create(&conductor->cores));
    WEIR_TRY(weir_scale_plan_make(options, conductor->c, conductor->cores, &conductor->plan));
    conductor->scaling.weak = options->weak;
    conductor->scaling.shared = conductor->plan.shared;
    conductor->scaling.repeat = options->repeat;
    memcpy(conductor->scaling.block_cells, conductor->plan.block_cells, sizeof conductor->plan.block_cells);
    WEIR_TRY(create_files(conductor));
    if (!options->quiet)
        weir_bus_calibration_announce();
    const int error = measure(conductor);
    end_line(conductor);
    return error == 0 ? report(conductor) : error;
}

int weir_scale(int argc, char **argv) {
    struct weir_scale_options options;
    struct conductor conductor = {.options = &options};
    weir_child_hold_signals();
    int error = weir_scale_options_read(argc, argv, &options);
    if (error == 0)
        error = weir_case_read(options.case_file, options.sets, options.set_count, &conductor.c);
    if (error == 0)
        error = conduct(&conductor);
    clean_up(&conductor);
    weir_scale_options_release(&options);
    return error;
}
