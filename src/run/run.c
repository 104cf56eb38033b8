#include "src/run/run.h"

#include "graph/base/clock.h"
#include "graph/base/core_use.h"
#include "graph/base/error.h"
#include "graph/plan/rank_map.h"
#include "graph/problem/model.h"
#include "graph/rank_decomposition.h"
#include "graph/rank_pieces.h"
#include "graph/ranks/supervisor.h"
#include "graph/ranks/world.h"
#include "graph/record.h"
#include "graph/runtime/bandwidth.h"
#include "graph/runtime/dead_end.h"
#include "graph/simulation.h"
#include "graph/specialisation.h"
#include "graph/supervision.h"
#include "src/case/case_options.h"
#include "src/case/case_pockets.h"
#include "src/case/preflight.h"
#include "src/common/results_folder.h"
#include "src/common/set_up_notice.h"
#include "src/common/warnings.h"
#include "src/machine/bus_calibration.h"
#include "src/machine/machine_store.h"
#include "src/output/formats/record_file.h"
#include "src/output/outputs.h"
#include "src/report/idle_ranks.h"
#include "src/report/run_permeability.h"
#include "src/report/run_statistics.h"
#include "src/report/summary.h"
#include "src/run/checkpoints.h"
#include "src/run/flow_controller.h"
#include "src/run/instability.h"
#include "src/run/mass_drift.h"
#include "src/run/progress.h"
#include "src/run/resume.h"
#include "src/run/run_announcement.h"
#include "src/run/run_folder.h"
#include "src/run/steady_test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run of fewer cell updates than this is over before its bandwidth limit is measured. */
static const double updates_worth_a_measurement = 5e8;

/* Cells, for each rank, of the largest domain in which a run looks for pockets only to warn of them: a minute
 * of a core. */
static const double cells_looked_at = 1e8;

struct run {
    const struct weir_case *c;
    const struct weir_options *options;
    struct weir_runtime *runtime;
    struct weir_rank_seat *seats; /* of all ranks, where the case maps regions to them */
    struct weir_simulation *simulation;
    struct weir_outputs *outputs;
    struct weir_record *record;           /* NULL: not asked for */
    struct weir_disturbance *disturbance; /* NULL: not asked for */
    struct weir_supervisor *supervisor;   /* NULL: one rank */
    struct weir_specialisation *special;
    struct weir_progress progress;
    bool totals_between; /* what is looked at regularly comes while many steps are under way */
    bool interrupted;    /* the time loop ended because of that */
    struct weir_core_use loop_begin;
    double cores_lost; /* part of the cores' time that others took from the time loop; NaN: not known */
    char *directory;   /* of the results */
    struct weir_results_folder *folder; /* the same, open */
    struct weir_run_result result;
    json_t *permeability; /* of rank 0; NULL: not known, or none is wanted */
    char digest[33];
    struct weir_checkpoint_file *origin;  /* where it goes on from; NULL: it begins with step 0 */
    struct weir_restart restart;          /* the same, for the simulation */
    struct weir_run_sums before;          /* what had been added up there */
    struct weir_checkpoints *checkpoints; /* NULL: none are wanted */

    /* Written by tasks, read when they have ended. */
    double first_mass, last_mass, mass_passed, max_speed;
    double greatest_speed; /* at any step that was looked at */
    struct weir_instability instability;
    _Atomic int64_t last_step; /* of the run: totals of this step end the series; -1 while unknown */

    struct weir_steady_test steady_test;
    struct weir_flow_controller flow_controller;
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    interrupted = 1;
    signal(signal_number, SIG_DFL); /* the second time ends the program at once */
}

/* What the whole run has of a step, with what passed boundaries before the checkpoint that it goes on from.
 */
static struct weir_totals with_earlier(const struct run *run, const struct weir_totals *totals) {
    struct weir_totals all = *totals;
    all.all_mass_passed += run->before.all_mass_passed;
    for (int wall = 0; wall < WEIR_WALLS_MAX; wall++) {
        all.mass_passed[wall] += run->before.mass_passed[wall];
        if (run->origin && totals->step == run->restart.step)
            all.mass_flow[wall] = run->before.mass_flow[wall];
    }
    return all;
}

static void note_sums(struct run *run, const struct weir_totals *totals) {
    struct weir_run_sums sums = {.first_mass = run->first_mass,
                                 .greatest_speed = run->greatest_speed,
                                 .all_mass_passed = totals->all_mass_passed};
    memcpy(sums.mass_flow, totals->mass_flow, sizeof sums.mass_flow);
    memcpy(sums.mass_passed, totals->mass_passed, sizeof sums.mass_passed);
    weir_checkpoints_sums(run->checkpoints, totals->step, &sums);
}

static void receive_totals(void *context, const struct weir_totals *of_now) {
    struct run *run = context;
    const struct weir_totals all = with_earlier(run, of_now), *const totals = &all;
    if (totals->step == 0)
        run->first_mass = totals->mass;
    run->last_mass = totals->mass;
    run->mass_passed = totals->all_mass_passed;
    memcpy(run->result.mass_flow, totals->mass_flow, sizeof totals->mass_flow);
    memcpy(run->result.mass_passed, totals->mass_passed, sizeof totals->mass_passed);
    run->max_speed = totals->max_speed;
    run->greatest_speed = fmax(run->greatest_speed, totals->max_speed);
    weir_instability_note(&run->instability, totals);
    note_sums(run, totals);
    if (run->outputs && weir_outputs_totals(run->outputs, totals, totals->step == run->last_step) < 0)
        weir_simulation_fail(run->simulation, weir_error_text());
}

/* The checkpoint has the answer of a test that is not used yet. */
static int prepare_checkpoint(struct run *run) {
    const bool steady = weir_steady_test_answer(&run->steady_test);
    return weir_checkpoints_prepare(run->checkpoints, run->steady_test.tested_step, steady,
                                    &run->flow_controller.state);
}

/* Submits what is to be seen of the state now. saved: a checkpoint is taken of it. */
static int observe(struct run *run, bool last, bool saved) {
    const int64_t step = weir_simulation_submitted(run->simulation);
    if (last)
        run->last_step = step;
    if (saved)
        WEIR_TRY(prepare_checkpoint(run));
    if (last || saved || step == run->restart.step || step % run->c->check_every == 0 ||
        weir_outputs_want_totals(run->outputs, step, last))
        WEIR_TRY(weir_simulation_totals(run->simulation, receive_totals, run));
    WEIR_TRY(weir_outputs_observe(run->outputs, last));
    return saved ? weir_checkpoints_take(run->checkpoints) : 0;
}

/* Whether an interrupt ends the time loop before this step: on all ranks at the same. */
static bool stops(const struct run *run, int64_t step) {
    return run->supervisor ? step < run->c->steps && weir_supervisor_stops(run->supervisor, step)
                           : interrupted;
}

static int64_t earlier(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t next_multiple(int64_t step, int64_t of) {
    return (step / of + 1) * of;
}

/* Steps from this one on before anything is to be looked at again. A trace has every step, as a record has.
 */
static int64_t steps_ahead(const struct run *run, int64_t step) {
    if (run->options->traced)
        return 1;
    int64_t next = run->c->steps;
    if (!run->totals_between)
        next = earlier(next, next_multiple(step, run->c->check_every));
    next = earlier(next, weir_outputs_next(run->outputs, step));
    next = earlier(next, weir_checkpoints_next(run->checkpoints, step));
    next = earlier(next, weir_flow_controller_next(&run->flow_controller, step));
    return earlier(next, weir_steady_test_next(&run->steady_test, step)) - step;
}

/* Tells of kernels that have come, before step `step`. */
static void tell_special(struct run *run, int64_t step) {
    struct weir_specialised *const s = &run->result.specialised;
    *s = weir_specialisation_report(run->special);
    if (s->used > 0)
        run->result.specialised_from = step;
    weir_progress_end(&run->progress);
    if (s->failure[0])
        weir_warn(&run->result.warnings,
                  "GPU kernels of this run's own are missing, which costs speed only: %s", s->failure);
    else if (s->used > 0 && s->seconds > 0 && !run->options->quiet)
        fprintf(stderr, "step %lld: from here on with kernels for blocks of %s cells, compiled in %.1f s\n",
                (long long)step, s->blocks, s->seconds);
}

/* Kernels for the blocks of this run: compiled beside it where that pays. */
static void review_special(struct run *run, int64_t step) {
    const int64_t done = weir_simulation_done(run->simulation);
    if (done > run->restart.step &&
        weir_specialisation_review(run->special, weir_progress_left(&run->progress, done)))
        tell_special(run, step);
}

static void tell_instability(struct run *run) {
    if (weir_instability_tell(&run->instability, &run->result.warnings))
        weir_progress_end(&run->progress);
}

/* The force that holds a mean velocity, where the case wants that. */
static int control_flow(struct run *run) {
    WEIR_TRY(weir_flow_controller_step(&run->flow_controller));
    const struct weir_flow_control *const state = &run->flow_controller.state;
    run->result.mean_velocity = state->velocity;
    run->result.driving_force = state->force;
    run->result.reynolds = run->progress.reynolds = weir_flow_controller_reynolds(&run->flow_controller);
    run->progress.mean_velocity = state->velocity * weir_units_velocity(&run->c->units);
    return 0;
}

/* The time loop. */
static int advance(struct run *run) {
    run->result.stopped_by = "steps";
    for (;;) {
        const int64_t step = weir_simulation_submitted(run->simulation);
        bool steady;
        if (run->options->traced)
            WEIR_TRY(weir_traced_run_step(run->options->traced, run->runtime, run->simulation));
        WEIR_TRY(weir_steady_test_step(&run->steady_test, &steady));
        run->interrupted = !steady && stops(run, step);
        if (steady)
            run->result.stopped_by = "steady";
        else if (run->interrupted)
            run->result.stopped_by = "interrupt";
        const bool last = steady || run->interrupted || step == run->c->steps;
        WEIR_TRY(control_flow(run));
        const bool tests = weir_steady_test_is_due(&run->steady_test, step);
        WEIR_TRY(observe(run, last, weir_checkpoints_due(run->checkpoints, step, tests, run->interrupted)));
        if (last)
            break;
        WEIR_TRY(weir_simulation_advance(run->simulation, steps_ahead(run, step)));
        review_special(run, weir_simulation_submitted(run->simulation));
        weir_progress_moves(&run->progress, step, weir_simulation_rank_moves(run->simulation),
                            &run->result.warnings);
        tell_instability(run);
        weir_progress_show(&run->progress, weir_simulation_done(run->simulation),
                           weir_simulation_balance(run->simulation));
    }
    while (!run->interrupted &&
           weir_simulation_done(run->simulation) < weir_simulation_submitted(run->simulation)) {
        weir_simulation_wait_some(run->simulation);
        weir_progress_show(&run->progress, weir_simulation_done(run->simulation),
                           weir_simulation_balance(run->simulation));
    }
    WEIR_TRY(weir_simulation_wait(run->simulation));
    return weir_outputs_finish(run->outputs);
}

static int warn_of_pockets(struct run *run) {
    const struct weir_problem *p = &run->c->problem;
    struct weir_world *world = run->options->world;
    struct weir_fluid_pieces pieces;
    if (!weir_case_pockets_may_unsettle(run->c) ||
        (double)p->cells[0] * p->cells[1] * p->cells[2] > cells_looked_at * weir_world_size(world))
        return 0;
    WEIR_TRY(weir_rank_pieces_find(world, p, NULL, &pieces));
    if (pieces.pockets > 0)
        weir_warn(&run->result.warnings, WEIR_POCKETS_UNSETTLE, (long long)pieces.pockets);
    return 0;
}

static int warn_of_idle_ranks(struct run *run) {
    const int ranks = weir_world_size(run->options->world);
    int *blocks = malloc(sizeof *blocks * (size_t)ranks);
    char text[WEIR_IDLE_RANKS_TEXT];
    if (!blocks)
        return weir_fail(WEIR_FAILED, "out of memory for %d ranks", ranks);
    weir_simulation_rank_blocks(run->simulation, blocks);
    if (weir_idle_ranks(blocks, ranks, text) > 0)
        weir_warn(&run->result.warnings, "%s", text);
    free(blocks);
    return 0;
}

static void report(const struct run *run) {
    const struct weir_run_result *r = &run->result;
    const double rate = 1e-6 * (double)(r->steps - r->first) *
                        (double)weir_simulation_fluid_cells(run->simulation) / r->wall_seconds;
    printf("%lld steps in %.2f s, %.1f MLUPS", (long long)r->steps, r->wall_seconds, rate);
    if (isfinite(r->limit_gbs))
        printf(" (%.0f %% of %.0f GB/s)", 0.1 * rate * weir_bytes_per_update(&run->c->problem) / r->limit_gbs,
               r->limit_gbs);
    printf(", stopped by %s\n", r->stopped_by);
    const struct weir_prediction *prediction = weir_simulation_prediction(run->simulation);
    if (prediction) {
        const double predicted = 1e-6 * prediction->updates_per_second;
        printf("predicted %.1f MLUPS; measured %+.0f %%\n", predicted, 100 * (rate / predicted - 1));
    }
    const char *name;
    json_t *found;
    json_object_foreach(run->permeability, name, found)
        printf("%s %.6g%s along the force\n", name, json_number_value(json_object_get(found, "permeability")),
               run->c->units.si ? " m2" : "");
    if (r->digest)
        printf("digest %s\n", r->digest);
    printf("results in %s\n", run->directory);
}

/* What the files of series and probes say; a run that has failed says nothing of them. */
static int add_statistics(const struct run *run, json_t *summary) {
    json_t *statistics;
    if (run->result.failure || !weir_world_speaks(run->options->world))
        return 0;
    WEIR_TRY(weir_run_statistics(run->c, run->directory, &statistics));
    json_object_set_new(summary, "statistics", statistics);
    if (run->permeability)
        json_object_set(summary, "permeability", run->permeability);
    return 0;
}

/* By rank 0, of all; collective, but after a failure. With the summary of a run that has not failed, all its
 * files are there: what happens to ranks from then on does not touch them. */
static int write_summaries(const struct run *run) {
    json_t *summary = NULL;
    char *path = NULL;
    WEIR_TRY(weir_summary_create(run->c, run->runtime, run->simulation, &run->result, &summary));
    if (!run->result.failure)
        weir_supervisor_guard(run->supervisor, NULL);
    int error = add_statistics(run, summary);
    if (error == 0 && weir_world_speaks(run->options->world)) {
        error = weir_results_folder_file(run->folder, "summary", -1, ".json", &path);
        if (error == 0)
            error = weir_summary_write(summary, path);
        if (error == 0 && run->options->summary)
            error = weir_summary_write(summary, run->options->summary);
    }
    free(path);
    json_decref(summary);
    return run->result.failure ? error : weir_world_agree(run->options->world, error);
}

/* Who leaves the workers to the program does not wait seconds for a measurement before a run that is over as
 * soon. */
static bool is_worth_tuning(const struct run *run) {
    const double updates_that_take_seconds = 1e10;
    const int *cells = run->c->problem.cells;
    const double updates = (double)run->c->steps * cells[0] * cells[1] * cells[2];
    return run->c->share_count == 0 && (updates >= updates_that_take_seconds ||
                                        weir_runtime_policy(run->runtime) != WEIR_POLICY_BALANCED);
}

/* Adds what was measured of the machine's parts to the options, if anything. */
static int know_machine(const struct run *run, struct weir_machine *machine,
                        struct weir_simulation_options *options) {
    const struct weir_step_workers here = weir_runtime_step_workers(run->runtime),
                                   workers = weir_rank_decomposition_workers(run->options->world, &here);
    struct weir_block_grid grid;
    int block_cells[3];
    bool found = false;
    weir_simulation_block_cells(&run->c->problem, options, &workers, block_cells);
    WEIR_TRY(weir_block_grid_create(&run->c->problem, block_cells, &grid));
    /* One block has one place, and slabs are all the GPU's. */
    if (grid.total > 1 && workers.slab_memory <= 0 && weir_runtime_policy(run->runtime) != WEIR_POLICY_STARPU)
        WEIR_TRY(weir_machine_store_get(run->runtime, &run->c->problem, grid.block_cells,
                                        is_worth_tuning(run), run->options->quiet, machine, &found));
    options->machine = found ? machine : NULL;
    return 0;
}

static int check_ranks(const struct run *run) {
    const int *along = run->c->ranks_along;
    const int size = weir_world_size(run->options->world);
    if (along[0] > 0 && (int64_t)along[0] * along[1] * along[2] != size)
        return weir_fail(
            WEIR_USAGE,
            "%s: ranks.grid: %d x %d x %d ranks, and %d %s started; start as many with mpirun -np, "
            "or leave ranks out (weir check --ranks N shows the decomposition)",
            run->c->file, along[0], along[1], along[2], size, size == 1 ? "was" : "were");
    if (size > 1 && run->c->memory > 0)
        return weir_fail(
            WEIR_USAGE,
            "%s: placement.memory: ranks share the domain, and what one has is not computed slab "
            "by slab; leave it out, or start one rank",
            run->c->file);
    if (size > 1 && run->options->record)
        return weir_fail(WEIR_USAGE, "--record works in one process, and %d ranks were started", size);
    return 0;
}

/* Where the ranks are, and whether the case's map is for these. */
static int find_seats(struct run *run) {
    struct weir_world *world = run->options->world;
    const int ranks = weir_world_size(world);
    if (!run->c->map)
        return 0;
    run->seats = malloc(sizeof *run->seats * (size_t)ranks);
    WEIR_TRY(weir_world_agree(world,
                              run->seats ? 0 : weir_fail(WEIR_FAILED, "out of memory for %d ranks", ranks)));
    weir_rank_decomposition_seats(world, &run->options->share, run->seats);
    return weir_rank_map_check_seats(run->c->map, run->seats, ranks);
}

/* The files of a run, begun. */
static int open_files(struct run *run) {
    WEIR_TRY(weir_run_folder_open(run->c, run->options, run->directory, &run->folder));
    return weir_outputs_create(run->c, run->simulation, run->folder, weir_world_speaks(run->options->world),
                               run->origin, &run->outputs);
}

/* The bandwidth limit of all ranks together, measured at the same time. */
static int measure_limit(struct run *run) {
    struct weir_world *world = run->options->world;
    WEIR_TRY(weir_world_agree(world, weir_bandwidth_measure(run->runtime, &run->result.limit_gbs)));
    weir_world_sum(world, &run->result.limit_gbs, 1);
    return 0;
}

static int specialise(struct run *run, enum weir_specialise mode) {
    WEIR_TRY(weir_specialisation_create(weir_simulation_domain(run->simulation),
                                        weir_runtime_worker_groups(run->runtime), mode, &run->special));
    tell_special(run, 0);
    return 0;
}

/* Finds the checkpoint that the run goes on from, if any. */
static int find_origin(struct run *run) {
    if (!run->options->resume && !run->options->resumes)
        return 0;
    WEIR_TRY(weir_resume_open(run->directory, run->options->resume, run->options->world,
                              &run->result.warnings, &run->origin));
    WEIR_TRY(weir_resume_check(run->c, run->origin, &run->result.warnings));
    if (weir_run_sums_read(run->c, weir_checkpoint_file_about(run->origin), &run->before) < 0)
        return weir_fail(WEIR_USAGE,
                         "%s: the checkpoint does not say what the run had added up; give another",
                         weir_checkpoint_file_path(run->origin));
    run->restart = (struct weir_restart){.step = weir_checkpoint_file_step(run->origin),
                                         .read = weir_checkpoint_file_read,
                                         .context = run->origin};
    run->result.first = run->restart.step;
    run->first_mass = run->before.first_mass;
    run->greatest_speed = run->before.greatest_speed;
    return 0;
}

/* All cells must have come back as they were: else the fluid cells are others. */
static int check_origin(struct run *run) {
    if (!run->origin)
        return 0;
    const char *then = json_string_value(json_object_get(weir_checkpoint_file_about(run->origin), "digest"));
    WEIR_TRY(weir_simulation_digest(run->simulation, run->digest));
    if (then && strcmp(then, run->digest) == 0)
        return 0;
    return weir_fail(WEIR_USAGE,
                     "%s: the fluid cells are not those of the checkpoint %s (digest %s, and %s there): give "
                     "solids as they were, or run the case anew",
                     run->c->file, weir_checkpoint_file_path(run->origin), run->digest, then ? then : "none");
}

static int start(struct run *run) {
    const struct weir_problem *p = &run->c->problem;
    struct weir_runtime_options runtime_options;
    enum weir_specialise specialise_mode;
    WEIR_TRY(weir_case_runtime_options(run->c, &runtime_options));
    WEIR_TRY(weir_specialise_mode(&specialise_mode));
    struct weir_set_up_notice *notice = run->options->notice;
    weir_set_up_notice_stage(notice, "looking at which cells are fluid");
    WEIR_TRY(check_ranks(run));
    WEIR_TRY(weir_world_agree(run->options->world,
                              weir_preflight(run->c, weir_world_size(run->options->world) == 1)));
    WEIR_TRY(warn_of_pockets(run));
    WEIR_TRY(find_origin(run));
    WEIR_TRY(find_seats(run));
    runtime_options.world = run->options->world;
    weir_set_up_notice_stage(notice, "starting workers");
    if (!run->options->quiet)
        weir_bus_calibration_announce();
    WEIR_TRY(weir_runtime_create(&runtime_options, &run->runtime));
    struct weir_simulation_options simulation_options = weir_case_simulation_options(run->c);
    simulation_options.poison = run->options->poison;
    simulation_options.map = run->c->map;
    simulation_options.seats = run->seats;
    simulation_options.restart = run->origin ? &run->restart : NULL;
    struct weir_machine machine;
    WEIR_TRY(weir_world_agree(run->options->world, know_machine(run, &machine, &simulation_options)));
    weir_set_up_notice_stage(notice, "dividing the domain into blocks, and filling these");
    WEIR_TRY(weir_simulation_create(run->runtime, p, &simulation_options, &run->simulation));
    run->totals_between =
        weir_simulation_totals_between(run->simulation, run->c->check_every, receive_totals, run);
    weir_steady_test_begin(&run->steady_test, run->c, run->simulation, run->restart.step,
                           run->origin ? &run->before : NULL);
    WEIR_TRY(check_origin(run));
    WEIR_TRY(weir_flow_controller_begin(&run->flow_controller, run->c, run->simulation, run->restart.step,
                                        run->origin ? &run->before.flow : NULL));
    weir_set_up_notice_stage(notice, "preparing outputs");
    WEIR_TRY(weir_world_agree(run->options->world, open_files(run)));
    weir_set_up_notice_stage(notice, "preparing kernels");
    WEIR_TRY(weir_world_agree(run->options->world, specialise(run, specialise_mode)));
    WEIR_TRY(
        weir_world_agree(run->options->world,
                         weir_checkpoints_create(run->c, run->simulation, run->options->world, run->outputs,
                                                 run->folder, run->restart.step, &run->checkpoints)));
    const double updates = (double)run->c->steps * (double)weir_simulation_fluid_cells(run->simulation);
    if (updates >= updates_worth_a_measurement || run->options->traced)
        WEIR_TRY(measure_limit(run));
    weir_set_up_notice_end(notice);
    if (run->options->traced)
        run->options->traced->limit_gbs = run->result.limit_gbs;
    return 0;
}

static int64_t steps_done(void *context) {
    const struct run *run = context;
    return weir_simulation_done(run->simulation);
}

/* The recorder and the load in the background, where they are asked for: last before the time loop. */
static int start_observers(struct run *run) {
    if (run->options->disturbed)
        WEIR_TRY(weir_disturbance_create(&run->options->disturbance, run->runtime, steps_done, run,
                                         &run->disturbance));
    if (run->options->record) {
        WEIR_TRY(weir_record_create(run->runtime, weir_simulation_domain(run->simulation), &run->record));
        weir_simulation_record(run->simulation, run->record);
    }
    return 0;
}

static int write_record(const struct run *run) {
    const struct weir_record_labels labels = {run->c->name, weir_runtime_policy_name(run->runtime)};
    struct weir_run_record record;
    WEIR_TRY(weir_record_collect(run->record, &record));
    record.steps = run->result.steps;
    record.wall_seconds = run->result.wall_seconds;
    if (run->disturbance) {
        const struct weir_disturbance_report load = weir_disturbance_stop(run->disturbance);
        record.load_start = load.start - run->progress.start;
        record.load_end = load.end - run->progress.start;
        record.load_from = run->options->disturbance.from;
        record.load_to = run->options->disturbance.to;
        record.load_threads = load.threads;
    }
    const int error = weir_record_file_write(run->options->record, &record, &labels);
    weir_run_record_release(&record);
    return error;
}

/* Nothing in a case lets mass in or out on purpose but boundaries that count what passes. */
static void check_mass(struct run *run) {
    const struct weir_problem *p = &run->c->problem;
    struct weir_run_result *r = &run->result;
    r->mass_drift = (run->last_mass - run->first_mass - run->mass_passed) / run->first_mass;
    /* What comes in may change the density. */
    const double cells = (double)weir_simulation_fluid_cells(run->simulation),
                 first = run->first_mass / cells, last = run->last_mass / cells,
                 density = fabs(last - 1) > fabs(first - 1) ? last : first,
                 limit = weir_mass_drift_limit(p->precision, r->steps, density, run->greatest_speed);
    if (fabs(r->mass_drift) <= limit)
        return;
    bool pushes = false;
    for (int wall = WEIR_FIRST_BODY; wall < p->wall_count; wall++)
        pushes = pushes || weir_wall_moves(&p->walls[wall]);
    weir_warn(&r->warnings, "the mass changed by %.2g %%, and rounding explains %.1g %%: %s",
              100 * r->mass_drift, 100 * limit,
              pushes
                  ? "solids whose surface does not move along itself may add mass where they touch others; "
                    "see solids[].velocity"
                  : "nothing in this case does that; please report it with the case");
}

/* For a run that has failed: what there is, with the reason, in a summary. One that cannot be written as well
 * is told by nobody. */
static void write_failure(const struct run *run, const char *text) {
    struct run failed = *run;
    failed.result.failure = text;
    failed.result.stopped_by = "failure";
    (void)write_summaries(&failed);
}

/* How to go on after a failure; not after one to which the same steps would lead again. */
static void advise(void *context, char advice[WEIR_RESUME_ADVICE]) {
    const struct run *run = context;
    advice[0] = '\0';
    if (!weir_simulation_failed_everywhere(run->simulation))
        weir_checkpoints_advise(run->checkpoints, advice);
}

/* These the supervisor calls before he ends ranks: the main thread may wait for others, or for tasks, for
 * ever.
 */
static void hush(void *context) {
    struct run *run = context;
    flockfile(stderr); /* for good: after the last message the main thread shows no more progress */
    weir_progress_end(&run->progress);
}

static void abandon(void *context, const char *text) {
    struct run *run = context;
    weir_checkpoints_abandon(run->checkpoints);
    weir_outputs_abandon(run->outputs);
    if (weir_world_speaks(run->options->world))
        weir_results_folder_sweep(run->folder);
    run->result.wall_seconds = weir_seconds() - run->progress.start;
    run->result.steps = weir_simulation_done(run->simulation);
    write_failure(run, text);
}

/* No wait for tasks comes back, so the run ends here, from a thread of StarPU's. What had failed before is
 * the reason. */
static void end_here(void *context, const char *text) {
    struct run *run = context;
    const double time_to_clean_up = 10;
    char reason[1024], advice[WEIR_RESUME_ADVICE] = "";
    weir_end_within(time_to_clean_up);
    int error = run->simulation ? weir_simulation_status(run->simulation) : 0;
    if (error == 0)
        error = weir_fail(WEIR_FAILED, "%s", text);
    snprintf(reason, sizeof reason, "%s", weir_error_text());
    weir_supervisor_end(run->supervisor, error);
    hush(run);
    if (run->simulation)
        advise(run, advice);
    fprintf(stderr, "weir: %s%s\n", reason, advice);
    if (run->outputs)
        abandon(run, reason);
    _exit(-error);
}

/* The same where StarPU ends after a failure, which main() has not told yet. */
static void end_as_failed(void *context, const char *text) {
    (void)text;
    fprintf(stderr, "weir: %s\n", (const char *)context);
    _exit(WEIR_FAILED);
}

/* Leaves the supervisor nothing to do: no rank has failed. */
static int all_arrive(struct run *run, int error) {
    if (error != 0)
        weir_supervisor_end(run->supervisor, error);
    WEIR_TRY(weir_world_agree(run->options->world, error));
    weir_supervisor_dismiss(run->supervisor);
    return 0;
}

static double cores_lost_since(const struct weir_core_use *begin) {
    struct weir_core_use end;
    weir_core_use_read(&end);
    const struct weir_core_span span = weir_core_use_between(begin, &end);
    return weir_core_span_loss(&span, 0).lost;
}

/* Tells the measurement of this machine how far off its prediction was, and the user what follows. Not of
 * what was over before it had got going, of runs with a load of ours beside them, or of one rank of many. */
static void judge_prediction(struct run *run) {
    const double seconds_least = 0.5;
    const struct weir_prediction *prediction = weir_simulation_prediction(run->simulation);
    const struct weir_block_grid *grid = weir_simulation_grid(run->simulation);
    if (!prediction || run->options->disturbed || run->options->traced || run->interrupted ||
        run->result.wall_seconds < seconds_least || weir_world_size(run->options->world) > 1 ||
        run->result.specialised.used > 0) /* measurements are of the general kernels */
        return;
    const struct weir_machine_key key = {&run->c->problem, grid->block_cells,
                                         weir_runtime_step_workers(run->runtime)};
    const double speed = (double)(run->result.steps - run->result.first) *
                         (double)weir_simulation_fluid_cells(run->simulation) / run->result.wall_seconds;
    struct weir_machine_trust trust;
    char text[WEIR_TRUST_TEXT];
    bool found;
    if (weir_machine_store_judge(&key, speed / prediction->updates_per_second, run->cores_lost, &trust,
                                 &found) < 0) {
        weir_warn(&run->result.warnings, "%s", weir_error_text());
        return;
    }
    if (!found || !weir_machine_trust_is_lost(&trust))
        return;
    weir_machine_trust_text(&trust, text);
    weir_warn(&run->result.warnings, "of the measurement of this machine, %s, or weir calibrate %s now", text,
              run->c->file);
}

/* Looks at what was found of permeabilities. Rank 0 alone has the files. */
static void judge_permeability(struct run *run) {
    if (weir_world_speaks(run->options->world) &&
        weir_run_permeability(run->c, run->directory, weir_simulation_fluid_cells(run->simulation),
                              &run->result.warnings, &run->permeability) < 0)
        weir_warn(&run->result.warnings, "%s", weir_error_text());
}

static int compute(struct run *run) {
    if (!run->options->quiet)
        weir_run_announce(run->c, run->runtime, run->simulation, run->options->world);
    WEIR_TRY(weir_world_agree(run->options->world, warn_of_idle_ranks(run)));
    WEIR_TRY(weir_world_agree(run->options->world, start_observers(run)));
    weir_progress_start(&run->progress, run->options->quiet, run->restart.step, run->c->steps,
                        weir_simulation_fluid_cells(run->simulation), weir_bytes_per_update(&run->c->problem),
                        isfinite(run->result.limit_gbs) ? run->result.limit_gbs : 0);
    if (run->record)
        weir_record_count_from(run->record, run->progress.start);
    weir_supervisor_guard(run->supervisor, &(struct weir_supervisor_guard){hush, advise, abandon, run});
    weir_simulation_supervise(run->simulation, run->supervisor);
    struct weir_loop_start loop;
    weir_loop_start(run->runtime, &loop);
    weir_core_use_read(&run->loop_begin);
    int error = all_arrive(run, advance(run));
    tell_instability(run); /* before why the run has failed, if it has */
    run->result.wall_seconds = weir_seconds() - run->progress.start;
    run->cores_lost = cores_lost_since(&run->loop_begin);
    weir_rank_costs_here(run->runtime, run->simulation, &loop, &run->result.costs);
    weir_progress_end(&run->progress);
    run->result.steps = weir_simulation_done(run->simulation);
    if (run->disturbance)
        weir_disturbance_stop(run->disturbance);
    if (error == 0 && run->record)
        error = write_record(run);
    if (error == 0)
        error = weir_simulation_digest(run->simulation, run->digest);
    if (error == 0) {
        run->result.digest = run->digest;
        check_mass(run);
        judge_prediction(run);
        judge_permeability(run);
        run->result.max_velocity = run->max_speed;
        weir_rank_costs_add_up(run->runtime, run->simulation, &run->result.costs);
        error = write_summaries(run);
    } else {
        char *text = strdup(weir_error_text()), advice[WEIR_RESUME_ADVICE];
        write_failure(run, text ? text : "out of memory");
        advise(run, advice);
        error = weir_fail((enum weir_error_code) - error, "%s%s", text ? text : "out of memory", advice);
        free(text);
    }
    if (error == 0 && !run->options->quiet)
        report(run);
    if (error == 0 && run->interrupted)
        return weir_fail(WEIR_FAILED, "interrupted at step %lld; what was reached is in %s",
                         (long long)run->result.steps, run->directory);
    return error;
}

int weir_run(const struct weir_case *c, const struct weir_options *options) {
    struct run run = {
        .c = c, .options = options, .supervisor = weir_world_supervisor(options->world), .last_step = -1};
    run.result =
        (struct weir_run_result){.limit_gbs = NAN,
                                 .mass_drift = NAN,
                                 .specialised_from = -1,
                                 .max_velocity = NAN,
                                 .warnings.quiet = options->quiet || !weir_world_speaks(options->world)};
    weir_steady_test_init(&run.steady_test);
    weir_flow_controller_init(&run.flow_controller);
    weir_instability_init(&run.instability);
    int error = weir_world_agree(options->world, weir_run_folder_choose(c, options, &run.directory));
    if (error == 0) {
        signal(SIGINT, on_interrupt);
        signal(SIGTERM, on_interrupt);
        weir_checkpoints_heed(c);
        weir_dead_end_guard(end_here, &run);
        weir_supervisor_heed(run.supervisor, c->rank_timeout, &interrupted);
        error = weir_world_agree(options->world, start(&run));
    }
    if (error == 0)
        error = weir_world_agree(options->world, compute(&run));
    if (run.simulation)
        (void)weir_simulation_wait(run.simulation);
    weir_supervisor_guard(run.supervisor, NULL);
    weir_dead_end_guard(error != 0 ? end_as_failed : NULL, (void *)weir_error_text());
    weir_disturbance_destroy(run.disturbance);
    weir_specialisation_destroy(run.special);
    weir_checkpoints_destroy(run.checkpoints, error == 0 || run.interrupted);
    weir_outputs_destroy(run.outputs);
    weir_results_folder_close(run.folder);
    weir_record_destroy(run.record);
    weir_simulation_destroy(run.simulation);
    weir_runtime_destroy(run.runtime);
    weir_dead_end_guard(NULL, NULL);
    weir_checkpoint_file_close(run.origin);
    weir_steady_test_release(&run.steady_test);
    weir_flow_controller_release(&run.flow_controller);
    weir_instability_release(&run.instability);
    weir_warnings_release(&run.result.warnings);
    json_decref(run.permeability);
    free(run.seats);
    free(run.directory);
    return error;
}
