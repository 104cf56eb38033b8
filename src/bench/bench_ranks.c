/* One process plays a rank in the middle of many, with as many blocks whatever their number. Kernels are off
 * (tasks end when they are ready, without a worker), and nothing is sent: what is left is what StarPU and
 * this program do to submit a step, and to follow from it what depends on what. */
#include "src/bench/bench_ranks.h"
#include "src/common/compact_copies.h"
#include "src/report/json_numbers.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/ranks/world.h"
#include "graph/simulation.h"
#include "src/bench/bench_block.h"
#include "src/bench/bench_rounds.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A sample lasts about this long, in whole steps. */
static const double sample_seconds = 0.1;

/* A rank among `ranks`. */
struct player {
    int ranks, steps;
    double tasks_per_step;
    struct weir_exchange_volume volume;
    struct weir_world *world;
    struct weir_problem problem;
    struct weir_simulation *simulation;
    double set_up_seconds;
    double memory_bytes;               /* that stays */
    struct weir_contestant contestant; /* values are microseconds per task */
    double step_values[WEIR_ROUNDS_MAX];
};

/* Of the calling thread: others that run on its core meanwhile do not count. */
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int sample(void *context, double *microseconds) {
    struct player *player = context;
    const bool first = player->steps == 0;
    if (first)
        player->steps = 2;
    const double start = processor_seconds();
    for (int step = 0; step < player->steps; step++)
        WEIR_TRY(weir_simulation_step(player->simulation));
    WEIR_TRY(weir_simulation_wait(player->simulation));
    const double seconds = processor_seconds() - start;
    *microseconds = 1e6 * seconds / (player->steps * player->tasks_per_step);
    if (first)
        player->steps = 2 * (int)fmin(fmax(1, ceil(sample_seconds / seconds)), 5000);
    return 0;
}

static double memory_now(void) {
    const struct mallinfo2 memory = mallinfo2();
    return (double)memory.uordblks + (double)memory.hblkhd;
}

/* The domain of one rank: a box of blocks; of all: such boxes side by side. */
static int set_up(struct player *player, const struct weir_bench_options *options,
                  struct weir_runtime *runtime, int ranks) {
    int block[3], times[3];
    enum weir_lattice lattice = 0;
    while (!options->lattices[lattice])
        lattice++;
    enum weir_precision precision = 0;
    while (!options->precisions[precision])
        precision++;
    player->ranks = ranks;
    WEIR_TRY(weir_bench_shape_extent(&options->shapes[0], lattice, block));
    const int axes = weir_lattice_dimensions(lattice);
    weir_bench_problem(lattice, precision, block, options->force[1], options->walls[1], &player->problem);
    int *cells = player->problem.cells;
    for (int turn = 0; turn < 2; turn++) {
        weir_compact_copies(cells, axes, turn == 0 ? options->blocks : ranks, times);
        for (int axis = 0; axis < 3; axis++)
            cells[axis] *= times[axis];
    }
    WEIR_TRY(weir_world_pretend(ranks / 2, ranks, &player->world));
    struct weir_simulation_options simulation_options = {.pretended = player->world};
    memcpy(simulation_options.block_cells, block, sizeof block);
    memcpy(simulation_options.ranks_along, times, sizeof times);
    const double start = weir_seconds(), memory = memory_now();
    WEIR_TRY(weir_simulation_create(runtime, &player->problem, &simulation_options, &player->simulation));
    player->set_up_seconds = weir_seconds() - start;
    player->memory_bytes = memory_now() - memory;
    player->volume = weir_simulation_volume(player->simulation);
    player->tasks_per_step = options->blocks + 4 * player->volume.halos; /* as many received as sent */
    player->contestant = (struct weir_contestant){.sample = sample, .context = player};
    return 0;
}

static int record(struct player *player, const struct player *first, int rounds, struct weir_report *report) {
    struct weir_spread task, step, task_ratio, step_ratio;
    double first_steps[WEIR_ROUNDS_MAX];
    for (int k = 0; k < rounds; k++) {
        player->step_values[k] = player->tasks_per_step * player->contestant.values[k];
        first_steps[k] = first->tasks_per_step * first->contestant.values[k];
    }
    WEIR_TRY(weir_spread_of(player->contestant.values, rounds, &task));
    WEIR_TRY(weir_spread_of(player->step_values, rounds, &step));
    WEIR_TRY(weir_spread_of_ratios(player->contestant.values, first->contestant.values, rounds, &task_ratio));
    WEIR_TRY(weir_spread_of_ratios(player->step_values, first_steps, rounds, &step_ratio));
    json_t *row =
        json_pack("{s:i, s:i, s:i, s:f, s:I, s:o, s:o}", "ranks", player->ranks, "neighbours",
                  player->volume.neighbours, "messages_per_step", player->volume.halos, "tasks_per_step",
                  player->tasks_per_step, "bytes_per_step", (json_int_t)player->volume.bytes,
                  "set_up_seconds", weir_json_of_number(player->set_up_seconds), "memory_bytes",
                  weir_json_of_number(player->memory_bytes));
    json_object_set_new(row, "microseconds_per_task", weir_json_of_values(&task, player->contestant.values));
    json_object_set_new(row, "microseconds_per_step", weir_json_of_values(&step, player->step_values));
    json_object_set_new(row, "task_over_first", weir_json_of_spread(&task_ratio));
    json_object_set_new(row, "step_over_first", weir_json_of_spread(&step_ratio));
    json_array_append_new(json_object_get(weir_report_document(report), "ranks"), row);
    printf("%6d %11d %9d %6.0f %9.3f %5.1f %% %7.3f %10.1f %7.3f %9.3f %10.2f\n", player->ranks,
           player->volume.neighbours, player->volume.halos, player->tasks_per_step, task.median,
           weir_spread_percent(&task), task_ratio.median, step.median, step_ratio.median,
           player->set_up_seconds, player->memory_bytes / (1 << 20));
    return 0;
}

static int play(const struct weir_bench_options *options, struct weir_runtime *runtime,
                struct player *players, struct weir_report *report) {
    struct weir_contestant *contestants[WEIR_BENCH_RANKS_MAX];
    const struct weir_rounds rounds = {.seconds = options->quick ? 0.5 : 20,
                                       .least = options->quick ? 3 : 15};
    for (int k = 0; k < options->rank_count; k++) {
        weir_report_progress(report, "setting up one of %d ranks", options->ranks[k]);
        WEIR_TRY(set_up(&players[k], options, runtime, options->ranks[k]));
        contestants[k] = &players[k].contestant;
    }
    weir_report_progress(report, "measuring");
    const int done = weir_rounds_run(&rounds, contestants, options->rank_count);
    WEIR_TRY(done);
    weir_report_row(report);
    const int *block = weir_simulation_grid(players[0].simulation)->block_cells;
    printf("One rank of many that are not there: %d blocks of %d x %d x %d, kernels off, nothing sent; %d "
           "rounds, "
           "in turns.\n"
           "  microseconds of the submitting thread per task and per step, medians; ratio: to the first row\n"
           "%6s %11s %9s %6s %9s %7s %7s %10s %7s %9s %10s\n",
           options->blocks, block[0], block[1], block[2], done, "ranks", "neighbours", "messages", "tasks",
           "us/task", "spread", "ratio", "us/step", "ratio", "set-up s", "MiB");
    for (int k = 0; k < options->rank_count; k++)
        WEIR_TRY(record(&players[k], &players[0], done, report));
    return 0;
}

int weir_bench_ranks(const struct weir_bench_options *options, struct weir_report *report) {
    const struct weir_runtime_options runtime_options = {
        .policy = "static", .workers = WEIR_WORKERS_CPU, .cpus_max = 1};
    struct weir_runtime *runtime = NULL;
    struct player *players = calloc((size_t)options->rank_count, sizeof *players);
    if (!players)
        return weir_fail(WEIR_FAILED, "out of memory");
    json_object_set_new(weir_report_document(report), "ranks", json_array());
    int error = weir_runtime_create(&runtime_options, &runtime);
    if (error == 0)
        error = play(options, runtime, players, report);
    for (int k = 0; k < options->rank_count; k++) {
        weir_simulation_destroy(players[k].simulation);
        weir_world_leave(players[k].world);
    }
    weir_runtime_destroy(runtime);
    free(players);
    return error;
}
