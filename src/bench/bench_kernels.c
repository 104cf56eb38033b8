#include "src/bench/bench_kernels.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/collision/collisions.h"
#include "codelets/kernels/demand/launches.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/problem/model.h"
#include "graph/problem/problem_kernels.h"
#include "graph/runtime/runtime.h"
#include "src/bench/bench_block.h"
#include "src/bench/bench_limits_cpu.h"
#include "src/bench/bench_limits_cuda.h"
#include "src/bench/bench_peak_cpu.h"
#include "src/bench/bench_peak_cuda.h"
#include "src/bench/bench_rounds.h"
#include "src/bench/bench_solids.h"
#include "src/report/json_numbers.h"
#include "src/report/summary.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if WEIR_WITH_CUDA
#include <cuda_runtime.h>
#endif

/* A sample of a kernel lasts at least this long, in whole pairs of steps. */
static const double sample_seconds = 0.02;

/* Kinds of workers that the cores can be. */
enum crew {
    ONE_CORE,
    TEAM,         /* all cores, one block: its rows are divided among them, and they meet after every step */
    EACH_A_BLOCK, /* all cores, each a block of its own: as StarPU's CPU workers are */
    CREWS
};

/* Rows of one shape, force and walls: crews and GPUs, collisions, instruction sets. */
enum { ROWS_MAX = 64 };

/* Blocks of one shape whose digests are compared: one on a core, one on each GPU. */
enum { CHECKS_MAX = 16 };

struct bench {
    const struct weir_bench_options *options;
    const struct weir_cores *cores;
    struct weir_report *report;
    struct weir_bench_team *team; /* NULL where only GPUs are measured */
    struct weir_rounds rounds;
    int row;   /* number of the next among those; lists come behind bricks */
    int check; /* number of the next of those digests, of a kind of cells */
    struct {
        bool known;
        uint64_t value[2];
    } digest[CHECKS_MAX];
    double empty[ROWS_MAX]; /* MLUPS of these rows without solids */
};

/* What is measured in one row. */
struct subject {
    const struct weir_kernels *kernels;
    const struct weir_problem *problem;
    struct weir_fluid fluid;
    struct weir_bench_block **blocks; /* one, or one per thread */
    struct weir_bench_team *team;
    int threads;
    enum crew crew;
    int device;                        /* of a GPU, -1: the CPU */
    bool is_new;                       /* no steps have been done */
    int collision;                     /* or WEIR_BENCH_NO_COLLISION */
    int pairs;                         /* of steps per sample; 0: found by the first one */
    double fluid_cells;                /* of a block: those that are counted */
    struct weir_contestant contestant; /* values are MLUPS */
};

static double cells_of(const struct weir_problem *problem) {
    return (double)problem->cells[0] * problem->cells[1] * problem->cells[2];
}

/* Operations of an update, where they have been counted; else 0. */
static int operations_of(const struct subject *s) {
    const struct weir_problem *p = s->problem;
    const struct weir_precision_row *const row = weir_precision_row(p->precision);
    const bool plain = row->stored_bytes == row->real_bytes && !p->scalar.present && !p->turbulence.present;
    return s->collision == WEIR_BENCH_NO_COLLISION || !plain
               ? 0
               : weir_collision_row((enum weir_collision)s->collision)->operations[p->force[0] != 0];
}

static const char *collision_name(const struct subject *s) {
    return s->collision == WEIR_BENCH_NO_COLLISION ? "none" : weir_collision_names[s->collision];
}

/* Whether the next collision is wanted, which the problem and the subject then have. */
static bool take_collision(const struct weir_bench_options *options, int collision,
                           struct weir_problem *problem, struct subject *s) {
    s->collision = collision;
    if (!options->collisions[collision])
        return false;
    if (collision == WEIR_BENCH_NO_COLLISION)
        /* texts have the constants of some collision in any case */
        return weir_collision_keeps(WEIR_NONE, problem->precision);
    if (!weir_collision_on((enum weir_collision)collision, problem->lattice) ||
        !weir_collision_keeps((enum weir_collision)collision, problem->precision))
        return false;
    weir_problem_collide_by(problem, (enum weir_collision)collision);
    return true;
}

/* Kernels of a subject; choice: of instruction sets of this processor. */
static int find_kernels(struct subject *s, int choice) {
    struct weir_kernel_specification specification =
        weir_problem_specification(s->problem, weir_bench_kept(s->problem));
    struct weir_kernel_news news;
    if (s->collision == WEIR_BENCH_NO_COLLISION)
        weir_define(&specification.more, "WEIR_PROPAGATION", "1");
    s->kernels = s->device >= 0 ? weir_kernels_find(&specification, WEIR_KERNELS_CUDA, &news)
                                : weir_kernels_choice(&specification, choice, &news);
    return s->kernels ? 0 : weir_fail_for_kernels(&news);
}

/* ---- on cores ---------------------------------------------------------------------------------------- */

static void advance(void *context, int thread, int threads) {
    const struct subject *s = context;
    const bool shared = s->crew == TEAM;
    struct weir_bench_block *block = s->blocks[shared ? 0 : thread];
    for (int step = 0; step < 2 * s->pairs; step++) {
        const struct weir_block_view *view = weir_bench_block_view(block, step % 2);
        for (int number = 0; number < weir_turns(view); number++) {
            const struct weir_planes turn = weir_turn(view, step % 2, number);
            const int first = turn.begin * s->problem->cells[1],
                      rows = (turn.end - turn.begin) * s->problem->cells[1];
            const int begin = shared ? (int)((int64_t)rows * thread / threads) : 0;
            const int end = shared ? (int)((int64_t)rows * (thread + 1) / threads) : rows;
            s->kernels->cpu.collide_stream(view, &s->fluid, step % 2, first + begin, first + end);
            if (shared)
                weir_bench_team_meet(s->team);
        }
    }
}

static double blocks_at_work(const struct subject *s) {
    return s->crew == EACH_A_BLOCK ? s->threads : 1;
}

static int sample_cpu(void *context, double *mlups) {
    struct subject *s = context;
    const bool first = s->pairs == 0;
    if (first)
        s->pairs = 1;
    double seconds = weir_bench_team_run(s->team, s->threads, advance, s);
    *mlups = 1e-6 * 2 * s->pairs * blocks_at_work(s) * s->fluid_cells / seconds;
    if (first)
        s->pairs = (int)ceil(fmax(1, sample_seconds / seconds));
    return 0;
}

struct creation {
    const struct weir_problem *problem;
    struct weir_bench_block **blocks;
    atomic_int error;
};

static void create_own(void *context, int thread, int threads) {
    struct creation *creation = context;
    (void)threads;
    if (weir_bench_block_create_here(creation->problem, &creation->blocks[thread]) < 0)
        atomic_store(&creation->error, 1);
}

static int create_blocks(struct weir_bench_team *team, enum crew crew, int threads,
                         const struct weir_problem *problem, struct weir_bench_block **blocks) {
    if (crew != EACH_A_BLOCK)
        return weir_bench_block_create(problem, team, threads, &blocks[0]);
    struct creation creation = {.problem = problem, .blocks = blocks};
    weir_bench_team_run(team, threads, create_own, &creation);
    return creation.error ? weir_fail(WEIR_FAILED, "out of memory for %d blocks", threads) : 0;
}

/* ---- on a GPU ---------------------------------------------------------------------------------------- */

#if WEIR_WITH_CUDA
static int sample_cuda(void *context, double *mlups) {
    struct subject *s = context;
    const bool first = s->pairs == 0;
    if (first)
        s->pairs = 1;
    int error = (int)cudaDeviceSynchronize();
    const double start = weir_seconds();
    for (int step = 0; step < 2 * s->pairs && error == cudaSuccess; step++)
        error = weir_launch_collide_stream(s->kernels, weir_bench_block_view(s->blocks[0], step % 2),
                                           &s->fluid, step % 2, NULL);
    if (error == cudaSuccess)
        error = (int)cudaDeviceSynchronize();
    const double seconds = weir_seconds() - start;
    if (error != cudaSuccess)
        return weir_fail(WEIR_FAILED, "kernel collide_stream failed on the GPU: %s; see nvidia-smi",
                         cudaGetErrorString((cudaError_t)error));
    *mlups = 1e-6 * 2 * s->pairs * s->fluid_cells / seconds;
    if (first)
        s->pairs = (int)ceil(fmax(1, sample_seconds / seconds));
    return 0;
}
#endif

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Spreads of a row: speed, its limit, and both together. */
struct row {
    struct weir_spread mlups, limit, fraction, cache; /* cache: fraction of what the cache can do */
    struct weir_spread peak, of_peak;                 /* of the arithmetic */
};

static const char *crew_name(const struct subject *s, char name[48]) {
    if (s->device >= 0)
        snprintf(name, 48, "GPU %d", s->device);
    else if (s->crew == ONE_CORE)
        snprintf(name, 48, "1 core");
    else
        snprintf(name, 48, "%d cores, %d block%s", s->threads, s->crew == TEAM ? 1 : s->threads,
                 s->crew == TEAM ? "" : "s");
    return name;
}

/* Speed of a row per fluid cell, as a fraction of the same row's without solids; NaN where there are none. */
static double fraction_of_empty(struct bench *bench, const struct subject *s, double mlups) {
    const int row = bench->row++;
    if (row >= ROWS_MAX)
        return NAN;
    if (s->problem->shape_count > 0)
        return mlups / bench->empty[row];
    bench->empty[row] = mlups;
    return NAN;
}

/* Whether a new block comes to the same populations as that of another kind did. */
static int check_digest(struct bench *bench, const struct subject *s) {
    const int number = bench->check++;
    uint64_t digest[2];
    if (number >= CHECKS_MAX)
        return 0;
    WEIR_TRY(weir_bench_block_digest(s->blocks[0], s->kernels, digest));
    if (bench->digest[number].known && memcmp(digest, bench->digest[number].value, sizeof digest) != 0)
        return weir_fail(WEIR_FAILED, "blocks of another kind came to other populations; they must be equal");
    bench->digest[number].known = true;
    memcpy(bench->digest[number].value, digest, sizeof digest);
    return 0;
}

/* What a row is measured with, in turns; the cache and the peak may be NULL. */
struct rivals {
    struct weir_contestant *limit, *cache, *peak;
};

/* Returns the number of rounds. */
static int run_with_rivals(const struct bench *bench, struct subject *s, const struct rivals *rivals) {
    struct weir_contestant *contestants[4];
    int count = 0;
    if (rivals->peak)
        contestants[count++] = rivals->peak;
    contestants[count++] = rivals->limit;
    contestants[count++] = &s->contestant;
    if (rivals->cache)
        contestants[count++] = rivals->cache;
    return weir_rounds_run(&bench->rounds, contestants, count);
}

static int record(struct bench *bench, const struct subject *s, int rounds, const struct rivals *rivals) {
    const struct weir_contestant *limit = rivals->limit, *cache = rivals->cache, *peak = rivals->peak;
    const struct weir_problem *p = s->problem;
    const double bytes = weir_bytes_per_update(p);
    struct row row;
    double gigabytes[WEIR_ROUNDS_MAX], gigaflops[WEIR_ROUNDS_MAX];
    const int operations = operations_of(s);
    char name[48], gpu[64] = "";
    for (int k = 0; k < rounds; k++) {
        gigabytes[k] = 1e-3 * bytes * s->contestant.values[k];
        gigaflops[k] = 1e-3 * operations * s->contestant.values[k];
    }
    WEIR_TRY(weir_spread_of(s->contestant.values, rounds, &row.mlups));
    WEIR_TRY(weir_spread_of(limit->values, rounds, &row.limit));
    WEIR_TRY(weir_spread_of_ratios(gigabytes, limit->values, rounds, &row.fraction));
    WEIR_TRY(
        weir_spread_of_ratios(gigabytes, cache ? cache->values : gigabytes, cache ? rounds : 0, &row.cache));
    if (peak) {
        WEIR_TRY(weir_spread_of(peak->values, rounds, &row.peak));
        WEIR_TRY(weir_spread_of_ratios(gigaflops, peak->values, rounds, &row.of_peak));
    }
    if (s->device >= 0)
        weir_gpu_name(s->device, gpu);
    crew_name(s, name);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:s, s:s, s:i, s:i, s:[i,i,i], s:f, s:f}", "lattice",
                  weir_lattice_names[p->lattice], "collision", collision_name(s), "precision",
                  weir_precision_names[p->precision], "instruction_set",
                  s->device >= 0 ? "cuda" : s->kernels->instruction_set, "force", p->force[0] != 0, "walls",
                  !p->periodic[0], "scalar", p->scalar.present, "device", s->device >= 0 ? "cuda" : "cpu",
                  "workers", s->device >= 0 ? gpu : name, "threads", s->threads, "blocks",
                  (int)blocks_at_work(s), "cells", p->cells[0], p->cells[1], p->cells[2], "block_bytes",
                  weir_bench_block_bytes(p), "bytes_per_update", bytes);
    json_object_set_new(object, "mlups", weir_json_of_values(&row.mlups, s->contestant.values));
    json_object_set_new(object, "bandwidth_gbs", weir_json_of_number(1e-3 * bytes * row.mlups.median));
    json_object_set_new(object, "limit",
                        json_string(s->device >= 0 ? "device copy" : "update of 19 streams"));
    json_object_set_new(object, "limit_gbs", weir_json_of_values(&row.limit, limit->values));
    json_object_set_new(object, "fraction", weir_json_of_spread(&row.fraction));
    if (cache)
        json_object_set_new(object, "cache_fraction", weir_json_of_spread(&row.cache));
    if (peak) {
        json_object_set_new(object, "operations_per_update", json_integer(operations));
        json_object_set_new(object, "gflops", weir_json_of_number(1e-3 * operations * row.mlups.median));
        json_object_set_new(object, "peak_gflops", weir_json_of_values(&row.peak, peak->values));
        json_object_set_new(object, "peak_fraction", weir_json_of_spread(&row.of_peak));
    }
    json_object_set_new(object, "turbulence", json_boolean(p->turbulence.present));
    json_array_append_new(json_object_get(weir_report_document(bench->report), "kernels"), object);

    const double solid = 1 - s->fluid_cells / cells_of(p);
    const double of_empty = fraction_of_empty(bench, s, row.mlups.median);
    const double bytes_per_cell = weir_bench_block_bytes(p) / s->fluid_cells;
    const char *const kind_name = weir_cell_kinds[weir_bench_kept(p)].name;
    json_object_set_new(object, "solids", weir_json_of_number(solid));
    json_object_set_new(object, "kind", json_string(kind_name));
    json_object_set_new(object, "bytes_per_fluid_cell", weir_json_of_number(bytes_per_cell));
    json_object_set_new(object, "of_empty", weir_json_of_number(of_empty));

    char cells[40], with[WEIR_BENCH_WITH], of_cache[16] = "", of_peak[16] = "", solids[16] = "",
                                           empty[16] = "";
    snprintf(cells, sizeof cells, "%dx%dx%d", p->cells[0], p->cells[1], p->cells[2]);
    weir_bench_with(p, with);
    if (cache)
        snprintf(of_cache, sizeof of_cache, "%5.0f %%", 100 * row.cache.median);
    if (peak)
        snprintf(of_peak, sizeof of_peak, "%5.0f %%", 100 * row.of_peak.median);
    if (p->shape_count > 0) {
        snprintf(solids, sizeof solids, "%.0f %%", 100 * solid);
        snprintf(empty, sizeof empty, "%.2f", of_empty);
    }
    weir_report_row(bench->report);
    printf("%-6s %-11s %-7s %-9s %-12s %-20s %-5s %-12s %5s %9.1f %3.0f %% %8.1f %8.1f %6.0f %% %3.0f %% %8s "
           "%8s "
           "%8.1f "
           "%8s\n",
           weir_lattice_names[p->lattice], collision_name(s), weir_precision_names[p->precision],
           s->device >= 0 ? "cuda" : s->kernels->instruction_set, with, name, kind_name, cells, solids,
           row.mlups.median, weir_spread_percent(&row.mlups), 1e-3 * bytes * row.mlups.median,
           row.limit.median, 100 * row.fraction.median, weir_spread_percent(&row.fraction), of_cache, of_peak,
           bytes_per_cell, empty);
    fflush(stdout);
    return 0;
}

static void announce(const struct bench *bench, const struct subject *s) {
    const struct weir_problem *p = s->problem;
    char name[48];
    weir_report_progress(bench->report, "measuring %s %s %s, %s, block of %d x %d x %d",
                         weir_lattice_names[p->lattice], collision_name(s),
                         weir_precision_names[p->precision], crew_name(s, name), p->cells[0], p->cells[1],
                         p->cells[2]);
}

/* ---- which variants on which workers ----------------------------------------------------------------- */

/* Limits that rows of a crew share: of arithmetic, out of cache, and in the cache with as many bytes as the
 * crew's blocks have, where those fit there. */
struct crew_limits {
    struct weir_limit_memory *memory, *cached;
    struct weir_limit limit, cache;
    struct weir_peak peak;
};

static int create_limits(struct bench *bench, int threads, double blocks_bytes,
                         const struct weir_limit_turns *turns, enum weir_precision precision,
                         struct crew_limits *limits) {
    const struct weir_traffic_kind kind = {
        .traffic = WEIR_TRAFFIC_UPDATE, .precision = precision, .turn = turns->turn[precision]};
    *limits = (struct crew_limits){0};
    WEIR_TRY(weir_peak_init(&limits->peak, bench->team, threads, precision));
    WEIR_TRY(weir_limit_memory_create(
        bench->team, threads, weir_limit_bytes_out_of_cache(bench->cores, threads, bench->options->quick),
        &limits->memory));
    weir_limit_init(&limits->limit, limits->memory, &kind);
    if (blocks_bytes > (double)weir_cores_cache_bytes(bench->cores, threads))
        return 0;
    const int error = weir_limit_memory_create(bench->team, threads, blocks_bytes / threads, &limits->cached);
    if (error == 0)
        weir_limit_init(&limits->cache, limits->cached, &kind);
    return error;
}

static void destroy_limits(struct crew_limits *limits) {
    weir_limit_memory_destroy(limits->memory);
    weir_limit_memory_destroy(limits->cached);
}

/* All collisions and instruction sets on the blocks of a crew. */
static int measure_crew(struct bench *bench, struct weir_problem *problem, struct subject *s,
                        struct crew_limits *limits) {
    const struct weir_bench_options *o = bench->options;
    for (int collision = 0; collision <= WEIR_BENCH_NO_COLLISION; collision++) {
        const struct weir_instruction_set *set;
        if (!take_collision(o, collision, problem, s))
            continue;
        for (int choice = 0; (set = weir_instruction_set(choice)); choice++) {
            const bool wanted = !o->instruction_set ? choice == 0
                                                    : strcmp(o->instruction_set, "all") == 0 ||
                                                          strcmp(o->instruction_set, set->name) == 0;
            if (!wanted)
                continue;
            WEIR_TRY(find_kernels(s, choice));
            s->fluid = weir_problem_fluid(problem);
            if (s->crew == ONE_CORE && s->is_new)
                WEIR_TRY(check_digest(bench, s));
            s->is_new = false;
            s->pairs = 0;
            s->contestant = (struct weir_contestant){.sample = sample_cpu, .context = s};
            const struct rivals rivals = {.limit = &limits->limit.contestant,
                                          .cache = limits->cached ? &limits->cache.contestant : NULL,
                                          .peak = operations_of(s) > 0 ? &limits->peak.contestant : NULL};
            announce(bench, s);
            const int rounds = run_with_rivals(bench, s, &rivals);
            WEIR_TRY(rounds);
            WEIR_TRY(record(bench, s, rounds, &rivals));
        }
    }
    return 0;
}

/* Part of the memory that blocks may take; beside those that nobody named arrays are put, and all together
 * take no more than half. */
static const double NAMED_SHARE = 0.8, CHOSEN_SHARE = 0.35;

/* Whether blocks of this size fit; those that the user named must. */
static int check_room(const struct bench *bench, const struct weir_problem *problem, double bytes,
                      double room, const char *where, bool *fits) {
    *fits = bytes <= (bench->options->shapes_named ? NAMED_SHARE : CHOSEN_SHARE) * room;
    if (*fits)
        return 0;
    if (bench->options->shapes_named)
        return weir_fail(
            WEIR_FAILED,
            "--cells: blocks of %d x %d x %d cells (%s, %s) take %.1f GiB and %s has %.1f GiB to give; "
            "choose smaller ones",
            problem->cells[0], problem->cells[1], problem->cells[2], weir_lattice_names[problem->lattice],
            weir_precision_names[problem->precision], bytes / (1 << 30), where, room / (1 << 30));
    weir_report_progress(
        bench->report, "left out: blocks of %d x %d x %d take %.1f GiB and %s has %.1f GiB to give",
        problem->cells[0], problem->cells[1], problem->cells[2], bytes / (1 << 30), where, room / (1 << 30));
    return 0;
}

/* The streams that kernels of a precision are compared with: of numbers as large as those of its arithmetic.
 */
static enum weir_precision stream_precision(enum weir_precision precision) {
    return weir_precision_row(precision)->real_bytes == sizeof(double) ? WEIR_DOUBLE : WEIR_SINGLE;
}

static int measure_on_cores(struct bench *bench, struct weir_problem *problem,
                            const struct weir_limit_turns turns[CREWS]) {
    const int all = weir_bench_team_threads(bench->team);
    for (int crew = 0; crew < CREWS; crew++) {
        const int threads = crew == ONE_CORE ? 1 : all;
        struct subject *s = calloc(1, sizeof *s);
        struct weir_bench_block **blocks = calloc((size_t)threads, sizeof(void *));
        struct crew_limits limits = {0};
        const double bytes = weir_bench_block_bytes(problem) * (crew == EACH_A_BLOCK ? threads : 1);
        bool fits = crew == ONE_CORE || all > 1; /* else there is no crew but one core */
        int error = s && blocks ? 0 : weir_fail(WEIR_FAILED, "out of memory for a block");
        if (error == 0 && fits)
            error = check_room(bench, problem, bytes, weir_memory_room(1).bytes, "main memory", &fits);
        if (error == 0 && fits) {
            *s = (struct subject){.problem = problem,
                                  .blocks = blocks,
                                  .team = bench->team,
                                  .threads = threads,
                                  .crew = (enum crew)crew,
                                  .device = -1,
                                  .is_new = true};
            error = create_blocks(bench->team, s->crew, threads, problem, blocks);
            if (error == 0)
                s->fluid_cells = weir_bench_block_fluid_cells(blocks[0]);
            if (error == 0)
                error = create_limits(bench, threads, bytes, &turns[crew],
                                      stream_precision(problem->precision), &limits);
            if (error == 0)
                error = measure_crew(bench, problem, s, &limits);
        }
        destroy_limits(&limits);
        for (int k = 0; k < threads && blocks; k++)
            weir_bench_block_destroy(blocks[k]);
        free(blocks);
        free(s);
        WEIR_TRY(error);
    }
    return 0;
}

#if WEIR_WITH_CUDA
static int measure_on_gpu(struct bench *bench, struct weir_problem *problem, int device) {
    size_t free_bytes = 0, total_bytes = 0;
    struct weir_bench_block *block = NULL;
    struct weir_gpu_limit copy = {0};
    struct weir_gpu_peak peak = {0};
    bool fits;
    cudaSetDevice(device);
    cudaMemGetInfo(&free_bytes, &total_bytes);
    WEIR_TRY(
        check_room(bench, problem, weir_bench_block_bytes(problem), (double)free_bytes, "the GPU", &fits));
    struct subject *s = fits ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return fits ? weir_fail(WEIR_FAILED, "out of memory for a block") : 0;
    int error = weir_bench_block_create_on_gpu(problem, &block);
    if (error == 0)
        error = weir_gpu_limit_create(&copy);
    if (error == 0)
        error = weir_gpu_peak_create(&peak, stream_precision(problem->precision));
    *s = (struct subject){
        .problem = problem, .blocks = &block, .device = device, .threads = 1, .is_new = true};
    s->fluid_cells = error == 0 ? weir_bench_block_fluid_cells(block) : 0;
    for (int collision = 0; collision <= WEIR_BENCH_NO_COLLISION && error == 0; collision++) {
        if (!take_collision(bench->options, collision, problem, s))
            continue;
        error = find_kernels(s, 0);
        if (error == 0)
            error = weir_bench_specialise(problem, s->kernels);
        if (error == 0 && s->is_new)
            error = check_digest(bench, s);
        s->is_new = false;
        if (error != 0)
            break;
        s->fluid = weir_problem_fluid(problem);
        s->pairs = 0;
        s->contestant = (struct weir_contestant){.sample = sample_cuda, .context = s};
        const struct rivals rivals = {.limit = &copy.contestant,
                                      .peak = operations_of(s) > 0 ? &peak.contestant : NULL};
        announce(bench, s);
        const int rounds = run_with_rivals(bench, s, &rivals);
        error = rounds < 0 ? rounds : record(bench, s, rounds, &rivals);
    }
    weir_gpu_peak_destroy(&peak);
    weir_gpu_limit_destroy(&copy);
    weir_bench_block_destroy(block);
    free(s);
    return error;
}
#endif

/* The first GPU of each kind. */
static int measure_on_gpus(struct bench *bench, struct weir_problem *problem) {
#if WEIR_WITH_CUDA
    const int gpus = bench->options->cuda ? weir_runtime_gpus() : 0;
    for (int device = 0; device < gpus; device++)
        if (weir_gpu_is_new(device))
            WEIR_TRY(measure_on_gpu(bench, problem, device));
#else
    (void)bench, (void)problem;
#endif
    return 0;
}

/* A block that keeps its cells in one way and another. */
static int measure_kinds(struct bench *bench, struct weir_problem *problem,
                         const struct weir_limit_turns turns[CREWS]) {
    bench->row = 0;
    memset(bench->digest, 0, sizeof bench->digest);
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT; kind++) {
        if (!bench->options->kinds[kind])
            continue;
        bench->check = 0;
        weir_bench_keep((enum weir_cell_kind)kind, problem);
        if (bench->team)
            WEIR_TRY(measure_on_cores(bench, problem, turns));
        WEIR_TRY(measure_on_gpus(bench, problem));
    }
    return 0;
}

/* A block, empty and with each share of solids. */
static int measure_problem(struct bench *bench, struct weir_problem *problem,
                           const struct weir_limit_turns turns[CREWS]) {
    int error = 0;
    for (int k = -1; k < bench->options->solid_count && error == 0; k++) {
        error = weir_bench_solids_create(k < 0 ? 0 : bench->options->solids[k], problem);
        if (error == 0)
            error = measure_kinds(bench, problem, turns);
        weir_bench_solids_destroy(problem);
    }
    return error;
}

static int measure_shape(struct bench *bench, enum weir_lattice lattice, enum weir_precision precision,
                         const struct weir_bench_shape *shape, const struct weir_limit_turns turns[CREWS]) {
    const struct weir_bench_options *o = bench->options;
    int extent[3];
    WEIR_TRY(weir_bench_shape_extent(shape, lattice, extent));
    struct weir_problem *problem = malloc(sizeof *problem);
    if (!problem)
        return weir_fail(WEIR_FAILED, "out of memory for a problem");
    int error = 0;
    for (int variant = 0; variant < 16 && error == 0; variant++) {
        const int force = variant % 2, walls = variant / 2 % 2, scalar = variant / 4 % 2,
                  turbulence = variant / 8;
        if (!o->force[force] || !o->walls[walls] || !o->scalar[scalar] || !o->turbulence[turbulence])
            continue;
        weir_bench_problem(lattice, precision, extent, force != 0, walls != 0, problem);
        if (scalar)
            weir_bench_add_scalar(problem);
        if (turbulence)
            weir_bench_add_turbulence(problem);
        error = measure_problem(bench, problem, turns);
    }
    free(problem);
    return error;
}

static int find_turns(struct bench *bench, struct weir_limit_turns turns[CREWS]) {
    const int all = weir_bench_team_threads(bench->team);
    const bool quick = bench->options->quick;
    const struct weir_rounds rounds = {.seconds = 0, .least = quick ? 3 : 5};
    for (int crew = ONE_CORE; crew <= (all > 1 ? TEAM : ONE_CORE); crew++) {
        const int threads = crew == ONE_CORE ? 1 : all;
        struct weir_limit_memory *memory = NULL;
        WEIR_TRY(weir_limit_memory_create(
            bench->team, threads, weir_limit_bytes_out_of_cache(bench->cores, threads, quick), &memory));
        const int error = weir_limit_find_turns(memory, &rounds, &turns[crew]);
        weir_limit_memory_destroy(memory);
        WEIR_TRY(error);
    }
    if (all == 1)
        turns[TEAM] = turns[ONE_CORE];
    turns[EACH_A_BLOCK] = turns[TEAM];
    return 0;
}

static int measure_kernels(struct bench *bench) {
    const struct weir_bench_options *o = bench->options;
    struct weir_limit_turns turns[CREWS] = {0};
    if (bench->team)
        WEIR_TRY(find_turns(bench, turns));
    json_object_set_new(weir_report_document(bench->report), "kernels", json_array());
    puts("Kernels. MLUPS: million updates of fluid cells per second; GB/s: 2 q reals and a flag byte per "
         "update; %: "
         "distance\n"
         "of the quartiles.\n"
         "  limit: cores, in-place update of 19 streams out of cache by as many threads in the same "
         "precision;\n"
         "  GPUs, copy within the device. of limit: median of the ratios of neighbours in time.\n"
         "  of cache: where the blocks fit into the last-level cache, against the same update of as many "
         "bytes\n"
         "  of peak: operations of its updates against multiply-adds alone (above), where they have been "
         "counted\n"
         "  B/cell: all bytes of the block for each fluid cell. Of bricks and lists digests are compared");
    printf("%-6s %-11s %-7s %-9s %-12s %-20s %-5s %-12s %5s %9s %5s %8s %8s %8s %5s %8s %8s %8s %8s\n", "",
           "", "", "for", "with", "workers", "kind", "block", "solid", "MLUPS", "", "GB/s", "limit",
           "of limit", "", "of cache", "of peak", "B/cell", o->solid_count > 0 ? "of empty" : "");
    for (int lattice = 0; lattice < WEIR_LATTICE_COUNT; lattice++)
        for (int k = 0; k < o->shape_count && o->lattices[lattice]; k++)
            for (int precision = 0; precision < WEIR_PRECISION_COUNT; precision++)
                if (o->precisions[precision])
                    WEIR_TRY(measure_shape(bench, (enum weir_lattice)lattice, (enum weir_precision)precision,
                                           &o->shapes[k], turns));
    return 0;
}

/* Blocks that the user named and that do not fit are told now, not after a minute of measuring. */
static int check_named_shapes(const struct bench *bench) {
    const struct weir_bench_options *o = bench->options;
    struct weir_problem *problem = malloc(sizeof *problem);
    int error = problem ? 0 : weir_fail(WEIR_FAILED, "out of memory for a problem");
    for (int variant = 0; variant < WEIR_LATTICE_COUNT * WEIR_PRECISION_COUNT; variant++)
        for (int k = 0; k < o->shape_count && o->shapes_named && error == 0; k++) {
            const enum weir_lattice lattice = (enum weir_lattice)(variant / WEIR_PRECISION_COUNT);
            const enum weir_precision precision = (enum weir_precision)(variant % WEIR_PRECISION_COUNT);
            int extent[3];
            bool fits;
            if (!o->lattices[lattice] || !o->precisions[precision])
                continue;
            error = weir_bench_shape_extent(&o->shapes[k], lattice, extent);
            if (error != 0)
                break;
            weir_bench_problem(lattice, precision, extent, false, false, problem);
            error = check_room(bench, problem,
                               weir_bench_team_threads(bench->team) * weir_bench_block_bytes(problem),
                               weir_memory_room(1).bytes, "main memory", &fits);
        }
    free(problem);
    return error;
}

int weir_bench_kernels(const struct weir_bench_options *options, const struct weir_cores *cores,
                       struct weir_report *report) {
    struct bench bench = {.options = options, .cores = cores, .report = report};
    const struct weir_rounds limit_rounds = {.seconds = options->quick ? 0.1 : 0.5,
                                             .least = options->quick ? 3 : 5};
    bench.rounds =
        (struct weir_rounds){.seconds = options->quick ? 0.2 : 0.8, .least = options->quick ? 3 : 5};
    int error = 0;
    if (options->cpu) {
        const bool bound = getenv("STARPU_WORKERS_NOBIND") == NULL;
        const int threads = options->threads > 0 ? options->threads : weir_cores_count(cores);
        error = weir_bench_team_create(cores, threads, bound, &bench.team);
        if (error == 0)
            error = check_named_shapes(&bench);
        if (error == 0)
            error = weir_bench_limits_cpu(cores, bench.team, options->quick, &limit_rounds, report);
        if (error == 0)
            error = weir_bench_peaks_cpu(bench.team, &limit_rounds, report);
    }
    if (error == 0 && options->cuda)
        error = weir_bench_limits_cuda(&limit_rounds, report);
    if (error == 0 && options->cuda)
        error = weir_bench_peaks_cuda(&limit_rounds, report);
    if (error == 0)
        error = measure_kernels(&bench);
    weir_bench_team_destroy(bench.team);
    return error;
}
