#include "src/bench/bench_graph.h"

#include "graph/bare_loop.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/simulation.h"
#include "src/bench/bench_block.h"
#include "src/bench/bench_domain.h"
#include "src/bench/bench_limits_cuda.h"
#include "src/bench/bench_rounds.h"
#include "src/machine/bus_calibration.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sample lasts about this long, in whole pairs of steps. */
static const double sample_seconds = 0.25;

struct bench {
    const struct weir_bench_options *options;
    const struct weir_cores *cores;
    struct weir_report *report;
    struct weir_runtime *runtime;
    bool cuda;
    int workers; /* that take steps; of one GPU, its streams */
};

/* One simulation, advanced in both ways. */
struct race {
    struct bench *bench;
    struct weir_simulation *simulation;
    double cells;
    int blocks, steps;                  /* per sample */
    struct weir_contestant bare, graph; /* values are MLUPS */
    int graph_samples;                  /* so far, the one that does not count included */
    double submission[WEIR_ROUNDS_MAX]; /* microseconds per task */
    int64_t allocations_at_start;       /* before the simulation was set up: shows that there is a count */
    struct weir_allocations allocations_before, allocations_after;
    struct weir_node_memory before[WEIR_NODES_MAX], after[WEIR_NODES_MAX];
    int nodes;
};

/* ---- the two ways ------------------------------------------------------------------------------------ */

static int run_bare(struct weir_runtime *runtime, struct weir_simulation *simulation, int steps,
                    double *seconds) {
    struct weir_bare_loop *loop = NULL;
    WEIR_TRY(weir_bare_loop_create(runtime, weir_simulation_domain(simulation), &loop));
    const int error = weir_bare_loop_run(loop, steps, seconds);
    weir_bare_loop_destroy(loop);
    return error;
}

/* Of the calling thread: others that run on its core meanwhile do not count, nor does waiting. */
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* submission: processor seconds of the thread that submits. */
static int run_graph(struct weir_simulation *simulation, int steps, double *seconds, double *submission) {
    const double start = weir_seconds(), start_of_work = processor_seconds();
    for (int step = 0; step < steps; step++)
        WEIR_TRY(weir_simulation_step(simulation));
    *submission = processor_seconds() - start_of_work;
    WEIR_TRY(weir_simulation_wait(simulation));
    *seconds = weir_seconds() - start;
    return 0;
}

static int sample_bare(void *context, double *mlups) {
    struct race *race = context;
    double seconds;
    const bool first = race->steps == 0;
    if (first)
        race->steps = 2;
    WEIR_TRY(run_bare(race->bench->runtime, race->simulation, race->steps, &seconds));
    *mlups = 1e-6 * race->cells * race->steps / seconds;
    if (first)
        race->steps = 2 * (int)fmin(fmax(1, ceil(sample_seconds / seconds)), 5000);
    return 0;
}

static int sample_graph(void *context, double *mlups) {
    struct race *race = context;
    double seconds, submission;
    if (race->graph_samples == 1) { /* the steady state begins */
        race->allocations_before = weir_allocations_so_far();
        race->nodes = weir_node_memories(race->before);
    }
    WEIR_TRY(run_graph(race->simulation, race->steps, &seconds, &submission));
    if (race->graph_samples > 0)
        race->submission[race->graph_samples - 1] = 1e6 * submission / ((double)race->blocks * race->steps);
    race->graph_samples++;
    *mlups = 1e-6 * race->cells * race->steps / seconds;
    return 0;
}

/* ---- that both compute the same ---------------------------------------------------------------------- */

/* A flow in which every cell differs from its neighbours, so that a wrong exchange shows. */
static int uneven_state(void *context, const int origin[3], const int extent[3], double *const values[4]) {
    const int *cells = context;
    size_t k = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++, k++) {
                const int place[3] = {(origin[0] + x + cells[0]) % cells[0],
                                      (origin[1] + y + cells[1]) % cells[1],
                                      (origin[2] + z + cells[2]) % cells[2]};
                values[0][k] = 1 + 0.001 * ((place[0] + 3 * place[1] + 7 * place[2]) % 16);
                values[1][k] = 0.002 * ((5 * place[0] + place[1] + 3 * place[2]) % 16);
                values[2][k] = 0.002 * ((3 * place[0] + 7 * place[1] + place[2]) % 16);
                values[3][k] = 0;
            }
    return 0;
}

/* Digest after some steps, every second pair of them by the bare loop or all by the graph. */
static int digest_of(struct bench *bench, const struct weir_problem *problem, const int block_cells[3],
                     bool bare, char digest[33]) {
    enum { PAIRS = 4 };
    struct weir_simulation_options options = {.poison = true};
    struct weir_simulation *simulation = NULL;
    double seconds, submission;
    memcpy(options.block_cells, block_cells, sizeof options.block_cells);
    WEIR_TRY(weir_simulation_create(bench->runtime, problem, &options, &simulation));
    int error = 0;
    for (int pair = 0; pair < PAIRS && error == 0; pair++)
        error = bare && pair
    % 2 ? run_bare(bench->runtime, simulation, 2, &seconds) : run_graph(simulation, 2, &seconds, &submission);
    if (error == 0)
        error = weir_simulation_digest(simulation, digest);
    weir_simulation_destroy(simulation);
    return error;
}

/* On two blocks: whether steps of the bare loop between those of the graph lead where the graph alone does.
 */
static int compare_digests(struct bench *bench, const struct weir_problem *problem, const int block_cells[3],
                           char digest[33]) {
    char mixed[33];
    struct weir_problem *two = malloc(sizeof *two);
    if (!two)
        return weir_fail(WEIR_FAILED, "out of memory for a problem");
    *two = *problem;
    memcpy(two->cells, block_cells, sizeof two->cells);
    two->cells[0] *= 2;
    two->initial = uneven_state;
    two->initial_context = two->cells;
    int error = digest_of(bench, two, block_cells, false, digest);
    if (error == 0)
        error = digest_of(bench, two, block_cells, true, mixed);
    free(two);
    if (error == 0 && strcmp(digest, mixed) != 0)
        error =
            weir_fail(WEIR_FAILED,
                      "the task graph and the bare loop do not compute the same (digest %s and %s, blocks of "
                      "%d x %d x %d): this is an error in Weir",
                      digest, mixed, block_cells[0], block_cells[1], block_cells[2]);
    return error;
}

/* ---- domains ----------------------------------------------------------------------------------------- */

static struct weir_bench_room room_of(const struct bench *bench) {
    struct weir_bench_room room = {.cache_bytes =
                                       (double)weir_cores_cache_bytes(bench->cores, bench->workers),
                                   .data_bytes = weir_memory_room(1).bytes,
                                   .workers = bench->workers,
                                   .quick = bench->options->quick};
    room.main_bytes = room.data_bytes;
#if WEIR_WITH_CUDA
    if (bench->cuda) {
        size_t free_bytes = 0, total_bytes = 0;
        cudaSetDevice(0);
        cudaMemGetInfo(&free_bytes, &total_bytes);
        room.on_gpu = true;
        room.cache_bytes = 0;
        /* StarPU keeps what earlier simulations had, and gives it to the next. */
        room.data_bytes = (double)total_bytes;
    }
#endif
    return room;
}

static int choose_domain(const struct bench *bench, const int block_cells[3], struct weir_problem *problem,
                         struct weir_block_grid *grid, bool *fits) {
    const struct weir_bench_room room = room_of(bench);
    WEIR_TRY(weir_bench_domain_choose(&room, block_cells, problem, grid, fits));
    if (*fits)
        return 0;
    if (bench->options->shapes_named)
        return weir_fail(WEIR_FAILED,
                         "--cells: blocks of %d x %d x %d do not fit into memory; choose smaller ones",
                         block_cells[0], block_cells[1], block_cells[2]);
    weir_report_progress(bench->report, "left out: blocks of %d x %d x %d do not fit into memory",
                         block_cells[0], block_cells[1], block_cells[2]);
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static json_t *memories(const struct race *race) {
    json_t *list = json_array();
    for (int k = 0; k < race->nodes; k++) {
        json_t *node = json_pack("{s:s, s:I, s:I}", "node", race->before[k].name, "used_bytes_before",
                                 (json_int_t)race->before[k].used_bytes, "used_bytes_after",
                                 (json_int_t)race->after[k].used_bytes);
        if (race->before[k].gpu_free_bytes >= 0) {
            json_object_set_new(node, "gpu_free_bytes_before",
                                json_integer((json_int_t)race->before[k].gpu_free_bytes));
            json_object_set_new(node, "gpu_free_bytes_after",
                                json_integer((json_int_t)race->after[k].gpu_free_bytes));
        }
        json_array_append_new(list, node);
    }
    return list;
}

static int record(struct race *race, const struct weir_problem *p, const struct weir_block_grid *grid,
                  int rounds, const char *digest) {
    struct bench *bench = race->bench;
    struct weir_spread bare, graph, ratio, submission, overhead;
    double microseconds[WEIR_ROUNDS_MAX];
    for (int k = 0; k < rounds; k++) {
        const double between =
            k + 1 < rounds ? 0.5 * (race->bare.values[k] + race->bare.values[k + 1]) : race->bare.values[k];
        /* Seconds per step of all blocks are cells / MLUPS / 10^6. */
        microseconds[k] =
            race->cells * (1 / race->graph.values[k] - 1 / between) * bench->workers / race->blocks;
    }
    WEIR_TRY(weir_spread_of(race->bare.values, rounds, &bare));
    WEIR_TRY(weir_spread_of(race->graph.values, rounds, &graph));
    WEIR_TRY(weir_spread_of_ratios(race->graph.values, race->bare.values, rounds, &ratio));
    WEIR_TRY(weir_spread_of(race->submission, rounds, &submission));
    WEIR_TRY(weir_spread_of(microseconds, rounds, &overhead));
    const int64_t host = race->allocations_after.host - race->allocations_before.host;
    const int64_t device = race->allocations_after.device - race->allocations_before.device;
    const int64_t freed = race->allocations_after.freed - race->allocations_before.freed;
    char gpu[64] = "";
    if (bench->cuda)
        weir_gpu_name(0, gpu);
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:s, s:s, s:i, s:[i,i,i], s:[i,i,i], s:i, s:I, s:i, s:s}",
                  "lattice", weir_lattice_names[p->lattice], "collision", weir_collision_names[p->collision],
                  "precision", weir_precision_names[p->precision], "instruction_set",
                  bench->cuda ? "cuda" : weir_simulation_instruction_set(race->simulation), "force",
                  p->force[0] != 0, "walls", !p->periodic[0], "device", bench->cuda ? "cuda" : "cpu", "gpu",
                  gpu, "workers", bench->workers, "block_cells", grid->block_cells[0], grid->block_cells[1],
                  grid->block_cells[2], "cells", p->cells[0], p->cells[1], p->cells[2], "blocks",
                  race->blocks, "memory_bytes", (json_int_t)weir_simulation_bytes(race->simulation),
                  "steps_per_sample", race->steps, "digest", digest);
    json_object_set_new(row, "scalar", json_boolean(p->scalar.present));
    json_object_set_new(row, "turbulence", json_boolean(p->turbulence.present));
    json_object_set_new(row, "bare_mlups", weir_json_of_values(&bare, race->bare.values));
    json_object_set_new(row, "graph_mlups", weir_json_of_values(&graph, race->graph.values));
    json_object_set_new(row, "graph_over_bare", weir_json_of_spread(&ratio));
    json_object_set_new(row, "submission_microseconds_per_task",
                        weir_json_of_values(&submission, race->submission));
    json_object_set_new(row, "overhead_microseconds_per_task", weir_json_of_values(&overhead, microseconds));
    json_object_set_new(row, "steady_state",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:o}", "allocations_to_set_up",
                                  (json_int_t)(race->allocations_before.host +
                                               race->allocations_before.device - race->allocations_at_start),
                                  "tasks", (json_int_t)rounds * race->blocks * race->steps,
                                  "host_allocations", (json_int_t)host, "device_allocations",
                                  (json_int_t)device, "freed", (json_int_t)freed, "memory", memories(race)));
    json_array_append_new(json_object_get(weir_report_document(bench->report), "graph"), row);

    char block[40], with[WEIR_BENCH_WITH], workers[24];
    snprintf(block, sizeof block, "%dx%dx%d", grid->block_cells[0], grid->block_cells[1],
             grid->block_cells[2]);
    weir_bench_with(p, with);
    snprintf(workers, sizeof workers, bench->cuda ? "GPU, %d streams" : "%d cores", bench->workers);
    weir_report_row(bench->report);
    printf("%-6s %-11s %-7s %-12s %-15s %-12s %6d %9.1f %9.1f %9.3f %6.3f %8.2f %9.2f %6lld\n",
           weir_lattice_names[p->lattice], weir_collision_names[p->collision],
           weir_precision_names[p->precision], with, workers, block, race->blocks, bare.median, graph.median,
           ratio.median, ratio.high - ratio.low, submission.median, overhead.median,
           (long long)(host + device + freed));
    fflush(stdout);
    return 0;
}

static void print_header(void) {
    puts("Task graph against a bare loop: the same kernels on the same blocks in the same memory, taken in "
         "turns.\n"
         "  bare, graph: MLUPS. ratio: graph / bare, median of neighbours in time, and distance of its "
         "quartiles\n"
         "  submit: microseconds of the submitting thread per task. overhead: microseconds per task beyond "
         "the bare\n"
         "  loop, times workers. alloc: allocations and releases of blocks and messages while steps were "
         "timed");
    printf("%-6s %-11s %-7s %-12s %-15s %-12s %6s %9s %9s %9s %6s %8s %9s %6s\n", "", "", "", "with",
           "workers", "block", "blocks", "bare", "graph", "ratio", "", "submit", "overhead", "alloc");
}

static int race_on(struct bench *bench, struct weir_problem *problem, const int block_cells[3]) {
    struct weir_block_grid grid;
    bool fits;
    char digest[33] = "";
    WEIR_TRY(choose_domain(bench, block_cells, problem, &grid, &fits));
    if (!fits)
        return 0;
    weir_report_progress(bench->report, "comparing graph and loop, %s, %d blocks of %d x %d x %d",
                         bench->cuda ? "GPU" : "cores", grid.total, block_cells[0], block_cells[1],
                         block_cells[2]);
    WEIR_TRY(compare_digests(bench, problem, block_cells, digest));
    struct race *race = calloc(1, sizeof *race);
    if (!race)
        return weir_fail(WEIR_FAILED, "out of memory for a simulation");
    struct weir_simulation_options options = {.poison = false};
    memcpy(options.block_cells, block_cells, sizeof options.block_cells);
    *race = (struct race){.bench = bench, .blocks = grid.total};
    race->bare = (struct weir_contestant){.sample = sample_bare, .context = race};
    race->graph = (struct weir_contestant){.sample = sample_graph, .context = race};
    race->allocations_at_start = weir_allocations_so_far().host + weir_allocations_so_far().device;
    int error = weir_simulation_create(bench->runtime, problem, &options, &race->simulation);
    if (error == 0) {
        struct weir_contestant *contestants[2] = {&race->bare, &race->graph};
        const struct weir_rounds rounds = {.seconds = bench->options->quick ? 1 : 5,
                                           .least = bench->options->quick ? 3 : 5};
        race->cells = (double)weir_simulation_fluid_cells(race->simulation);
        const int done = weir_rounds_run(&rounds, contestants, 2);
        race->allocations_after = weir_allocations_so_far();
        race->nodes = weir_node_memories(race->after);
        error = done < 0 ? done : record(race, problem, &grid, done, digest);
    }
    weir_simulation_destroy(race->simulation);
    free(race);
    return error;
}

static int race_on_all(struct bench *bench) {
    const struct weir_bench_options *o = bench->options;
    struct weir_problem *problem = malloc(sizeof *problem);
    if (!problem)
        return weir_fail(WEIR_FAILED, "out of memory for a problem");
    int error = 0;
    enum { VARIANTS = WEIR_LATTICE_COUNT * WEIR_COLLISION_COUNT * WEIR_PRECISION_COUNT * 16 };
    for (int variant = 0; variant < VARIANTS && error == 0; variant++) {
        int rest = variant;
        const int force = rest % 2, walls = (rest /= 2) % 2, scalar = (rest /= 2) % 2,
                  turbulence = (rest /= 2) % 2, collision = (rest /= 2) % WEIR_COLLISION_COUNT;
        const int precision = (rest /= WEIR_COLLISION_COUNT) % WEIR_PRECISION_COUNT,
                  lattice = rest / WEIR_PRECISION_COUNT;
        if (!o->force[force] || !o->walls[walls] || !o->scalar[scalar] || !o->turbulence[turbulence] ||
            !o->collisions[collision] || !o->precisions[precision] || !o->lattices[lattice] ||
            !weir_collision_on((enum weir_collision)collision, (enum weir_lattice)lattice) ||
            !weir_collision_keeps((enum weir_collision)collision, (enum weir_precision)precision))
            continue;
        for (int k = 0; k < o->shape_count && error == 0; k++) {
            int block_cells[3];
            error = weir_bench_shape_extent(&o->shapes[k], (enum weir_lattice)lattice, block_cells);
            weir_bench_problem((enum weir_lattice)lattice, (enum weir_precision)precision, block_cells,
                               force != 0, walls != 0, problem);
            weir_problem_collide_by(problem, (enum weir_collision)collision);
            if (turbulence)
                weir_bench_add_turbulence(problem);
            if (scalar)
                weir_bench_add_scalar(problem);
            if (error == 0)
                error = race_on(bench, problem, block_cells);
        }
    }
    free(problem);
    return error;
}

static int bench_device(struct bench *bench, bool cuda) {
    const struct weir_runtime_options options = {.policy = "static",
                                                 .workers = cuda ? WEIR_WORKERS_CUDA : WEIR_WORKERS_CPU,
                                                 .has_cuda_kernels = cuda,
                                                 .cpus_max = bench->options->threads,
                                                 .gpus_max = 1};
    bench->cuda = cuda;
    bench->workers = 0;
    WEIR_TRY(weir_runtime_create(&options, &bench->runtime));
    for (int k = 0; k < weir_runtime_worker_count(bench->runtime); k++)
        bench->workers += weir_runtime_worker(bench->runtime, k)->steps;
    const int error = race_on_all(bench);
    weir_runtime_destroy(bench->runtime);
    return error;
}

int weir_bench_graph(const struct weir_bench_options *options, const struct weir_cores *cores,
                     struct weir_report *report) {
    struct bench bench = {.options = options, .cores = cores, .report = report};
    json_object_set_new(weir_report_document(report), "graph", json_array());
    if (!options->quiet)
        weir_bus_calibration_announce();
    print_header();
    if (options->cpu)
        WEIR_TRY(bench_device(&bench, false));
    if (options->cuda)
        WEIR_TRY(bench_device(&bench, true));
    return 0;
}
