#include "src/bench/bench_layouts.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/demand/launches.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/problem/model.h"
#include "graph/problem/problem_kernels.h"
#include "graph/runtime/runtime.h"
#include "src/bench/bench_block.h"
#include "src/bench/bench_copies.h"
#include "src/bench/bench_limits_cpu.h"
#include "src/bench/bench_limits_cuda.h"
#include "src/bench/bench_rounds.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if WEIR_WITH_CUDA
#include <cuda_runtime.h>
#endif

/* A sample of a kernel lasts at least this long, in whole pairs of steps. */
static const double sample_seconds = 0.02;

/* Of the memory that is free all layouts together take no more than this. */
static const double memory_share = 0.8;

/* Steps after which populations are compared; an even number, so that blocks go on with an even step. */
enum { CHECK_STEPS = 4 };

/* Clusters on GPUs: a warp's. */
enum { GPU_CLUSTER = 32 };

enum {
    LAYOUTS_MAX = 2 * (1 + WEIR_BENCH_CLUSTERS_MAX),
    SUBJECTS_MAX = WEIR_LAYOUT_OPERATIONS * (1 + 2 * LAYOUTS_MAX)
};

static const char *const operation_names[WEIR_LAYOUT_OPERATIONS] = {
    [WEIR_LAYOUT_PROPAGATE] = "propagate", [WEIR_LAYOUT_COLLIDE] = "collide", [WEIR_LAYOUT_FUSED] = "fused"};

struct bench {
    const struct weir_bench_options *options;
    const struct weir_cores *cores;
    struct weir_report *report;
    struct weir_bench_team *team; /* NULL where only GPUs are measured */
    struct weir_limit_turns turns;
};

/* What is measured in one row: a kernel, in a layout or on the block of a run. */
struct subject {
    const struct domain *domain;
    const struct weir_kernels *kernels;
    enum weir_layout_operation operation;
    struct weir_bench_copies *copies; /* NULL: the block, in place */
    bool past_caches;
    int pairs;                         /* of steps per sample; 0: found by the first one */
    struct weir_contestant contestant; /* values are MLUPS */
};

/* A periodic domain on all cores or a GPU, in all layouts. */
struct domain {
    struct bench *bench;
    struct weir_problem problem;
    struct weir_fluid fluid;
    size_t number_bytes, natural_bytes; /* of a population, of all */
    int device;                         /* of a GPU, -1: the CPU */
    struct weir_bench_block *block;
    void *start, *end,
        *found; /* natural arrangement: before the first step, after CHECK_STEPS, of a layout */
    int layout_count, subject_count;
    struct weir_bench_copies layouts[LAYOUTS_MAX];
    struct subject subjects[SUBJECTS_MAX]; /* the block's first, in the order of operations */
};

static double cells_of(const struct weir_problem *problem) {
    return (double)problem->cells[0] * problem->cells[1] * problem->cells[2];
}

/* ---- what there is to compute ------------------------------------------------------------------------ */

/* A weir_initial_function: waves, so that no two neighbours are alike. context: struct weir_problem. */
static int waves(void *context, const int origin[3], const int extent[3], double *const values[]) {
    const struct weir_problem *problem = context;
    const int axes = weir_lattice_dimensions(problem->lattice);
    size_t at = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++, at++) {
                const int place[3] = {x, y, z};
                double phase[3];
                for (int axis = 0; axis < 3; axis++) {
                    const int n = problem->cells[axis];
                    phase[axis] = 2 * M_PI * (((origin[axis] + place[axis]) % n + n) % n) / n;
                }
                values[0][at] = 1 + 0.01 * sin(phase[0] + 2 * phase[1] + phase[2]);
                for (int axis = 0; axis < 3; axis++)
                    values[1 + axis][at] = axis < axes ? 0.03 * cos(phase[(axis + 1) % 3] + axis) : 0;
                if (weir_problem_initial_values(problem) > WEIR_MACROSCOPIC_MAX - 1)
                    values[WEIR_MACROSCOPIC_MAX - 1][at] = 1 + 0.01 * cos(phase[0] - phase[1]);
            }
    return 0;
}

/* Extent of a domain of this shape. A square of as many cells as a cube has is made to fit. */
static int extent_of(const struct weir_bench_options *options, const struct weir_bench_shape *shape,
                     enum weir_lattice lattice, int extent[3]) {
    const int largest = options->cluster_count > 0 ? options->clusters[options->cluster_count - 1]
                        : options->cuda            ? GPU_CLUSTER
                                                   : 1;
    const int grain = largest > WEIR_LAYOUT_GRAIN ? largest : WEIR_LAYOUT_GRAIN;
    WEIR_TRY(weir_bench_shape_extent(shape, lattice, extent));
    if (shape->cells[1] == 0 && weir_lattice_dimensions(lattice) == 2)
        extent[0] = extent[1] = grain * (int)fmax(1, round((double)extent[0] / grain));
    return extent[0] % grain == 0
               ? 0
               : weir_fail(WEIR_USAGE,
                           "--cells: rows of %d cells cannot be divided into clusters and vectors; give a "
                           "multiple of %d along x",
                           extent[0], grain);
}

/* ---- operations -------------------------------------------------------------------------------------- */

/* One operation on the rows of a thread: number `step`, of which each second one goes back. */
static void operate_on_rows(const struct subject *s, int step, int begin, int end) {
    const struct domain *d = s->domain;
    if (s->copies)
        s->kernels->cpu.layout[s->operation](&s->copies->layout, &d->fluid, s->copies->copy[step % 2],
                                             s->copies->copy[1 - step % 2], begin, end);
    else {
        /* Even steps collide in place, and move nothing. */
        const int parity = s->operation == WEIR_LAYOUT_COLLIDE ? 0 : step % 2;
        s->kernels->cpu.collide_stream(weir_bench_block_view(d->block, parity), &d->fluid, parity, begin,
                                       end);
    }
}

struct turn {
    const struct subject *subject;
    int steps;
};

static void operate_in_team(void *context, int thread, int threads) {
    const struct turn *turn = context;
    const struct domain *d = turn->subject->domain;
    const int rows = d->problem.cells[1] * d->problem.cells[2];
    for (int step = 0; step < turn->steps; step++) {
        operate_on_rows(turn->subject, step, (int)((int64_t)rows * thread / threads),
                        (int)((int64_t)rows * (thread + 1) / threads));
        weir_bench_team_meet(d->bench->team);
    }
}

#if WEIR_WITH_CUDA
static int launch(const struct subject *s, int step) {
    const struct domain *d = s->domain;
    if (s->copies)
        return weir_launch_layout_step(s->kernels, &s->copies->layout, &d->fluid, s->operation,
                                       s->copies->copy[step % 2], s->copies->copy[1 - step % 2], NULL);
    const int parity = s->operation == WEIR_LAYOUT_COLLIDE ? 0 : step % 2;
    return weir_launch_collide_stream(s->kernels, weir_bench_block_view(d->block, parity), &d->fluid, parity,
                                      NULL);
}

static int operate_on_gpu(const struct subject *s, int steps, double *seconds) {
    int error = (int)cudaDeviceSynchronize();
    const double start = weir_seconds();
    for (int step = 0; step < steps && error == cudaSuccess; step++)
        error = launch(s, step);
    if (error == cudaSuccess)
        error = (int)cudaDeviceSynchronize();
    *seconds = weir_seconds() - start;
    return error == cudaSuccess
               ? 0
               : weir_fail(WEIR_FAILED, "kernel %s failed on the GPU: %s; see nvidia-smi",
                           operation_names[s->operation], cudaGetErrorString((cudaError_t)error));
}
#endif

/* So many operations one after the other, to and fro between the copies. */
static int operate(const struct subject *s, int steps, double *seconds) {
#if WEIR_WITH_CUDA
    if (s->domain->device >= 0)
        return operate_on_gpu(s, steps, seconds);
#endif
    struct weir_bench_team *const team = s->domain->bench->team;
    struct turn turn = {.subject = s, .steps = steps};
    *seconds = weir_bench_team_run(team, weir_bench_team_threads(team), operate_in_team, &turn);
    return 0;
}

static int sample(void *context, double *mlups) {
    struct subject *s = context;
    const bool first = s->pairs == 0;
    double seconds;
    if (first)
        s->pairs = 1;
    WEIR_TRY(operate(s, 2 * s->pairs, &seconds));
    *mlups = 1e-6 * 2 * s->pairs * cells_of(&s->domain->problem) / seconds;
    if (first)
        s->pairs = (int)ceil(fmax(1, sample_seconds / seconds));
    return 0;
}

/* ---- the same populations ---------------------------------------------------------------------------- */

/* One operation that counts, from copy[0]; then copy[0] has what came of it. */
static int advance(const struct subject *s) {
    double seconds;
    WEIR_TRY(operate(s, 1, &seconds));
    void *const written = s->copies->copy[1];
    s->copies->copy[1] = s->copies->copy[0];
    s->copies->copy[0] = written;
    return 0;
}

/* The operations of a layout, of which `of` begins with the first: whether they come to the block's
 * populations, in one pass or in two. Margins are filled before populations move, apart from all operations:
 * the measured ones leave them as they are. */
static int check_layout(const struct domain *d, const struct subject *of, bool fused) {
    struct weir_bench_copies *copies = of->copies;
    WEIR_TRY(weir_bench_copies_put(copies, d->start));
    WEIR_TRY(advance(&of[WEIR_LAYOUT_COLLIDE]));
    for (int step = 1; step < CHECK_STEPS; step++) {
        WEIR_TRY(weir_bench_copies_fill_margin(copies));
        WEIR_TRY(advance(&of[fused ? WEIR_LAYOUT_FUSED : WEIR_LAYOUT_PROPAGATE]));
        if (!fused)
            WEIR_TRY(advance(&of[WEIR_LAYOUT_COLLIDE]));
    }
    WEIR_TRY(weir_bench_copies_fill_margin(copies));
    WEIR_TRY(advance(&of[WEIR_LAYOUT_PROPAGATE]));
    WEIR_TRY(weir_bench_copies_get(copies, d->found));
    if (memcmp(d->found, d->end, d->natural_bytes) != 0)
        return weir_fail(
            WEIR_FAILED,
            "layout %s with clusters of %d came to other populations than blocks of runs do; they "
            "must be equal",
            weir_site_layout_name(copies->layout.together, copies->layout.cluster), copies->layout.cluster);
    WEIR_TRY(weir_bench_copies_fill_margin(copies));
    memset(d->found, 0, d->natural_bytes);
    return 0;
}

static int check_layouts(struct domain *d) {
    double seconds;
    const struct subject *const own = &d->subjects[WEIR_LAYOUT_FUSED];
    weir_report_progress(d->bench->report, "comparing populations after %d steps", CHECK_STEPS);
    WEIR_TRY(weir_bench_block_snapshot(d->block, own->kernels, d->natural_bytes, d->start));
    WEIR_TRY(operate(own, CHECK_STEPS, &seconds));
    WEIR_TRY(weir_bench_block_snapshot(d->block, own->kernels, d->natural_bytes, d->end));
    for (int k = WEIR_LAYOUT_OPERATIONS; k < d->subject_count; k += WEIR_LAYOUT_OPERATIONS)
        for (int fused = 0; fused < 2; fused++)
            WEIR_TRY(check_layout(d, &d->subjects[k], fused != 0));
    return 0;
}

/* ---- set-up ------------------------------------------------------------------------------------------ */

static int find_kernels(const struct domain *d, const struct weir_kernel_specification *specification,
                        const struct weir_kernels **kernels) {
    struct weir_kernel_news news;
    *kernels = weir_kernels_find(specification, d->device >= 0 ? WEIR_KERNELS_CUDA : WEIR_KERNELS_CPU, &news);
    return *kernels ? 0 : weir_fail_for_kernels(&news);
}

static void add_subject(struct domain *d, const struct weir_kernels *kernels, int operation,
                        struct weir_bench_copies *copies, bool past_caches) {
    struct subject *s = &d->subjects[d->subject_count++];
    *s = (struct subject){.domain = d,
                          .kernels = kernels,
                          .operation = (enum weir_layout_operation)operation,
                          .copies = copies,
                          .past_caches = past_caches,
                          .contestant = {.sample = sample, .context = s}};
}

/* The block, as runs have it: by itself propagation is the step of cells that pass on what arrives. */
static int add_block(struct domain *d) {
    struct weir_kernel_specification moving = weir_problem_specification(&d->problem, WEIR_BRICK);
    const struct weir_kernels *own, *propagation;
    WEIR_TRY(find_kernels(d, &moving, &own));
    weir_define(&moving.more, "WEIR_PROPAGATION", "1");
    WEIR_TRY(find_kernels(d, &moving, &propagation));
    for (int k = 0; k < WEIR_LAYOUT_OPERATIONS; k++)
        add_subject(d, k == WEIR_LAYOUT_PROPAGATE ? propagation : own, k, NULL, false);
#if WEIR_WITH_CUDA
    if (d->device >= 0) {
        WEIR_TRY(weir_bench_specialise(&d->problem, own));
        WEIR_TRY(weir_bench_specialise(&d->problem, propagation));
        return weir_bench_block_create_on_gpu(&d->problem, &d->block);
    }
#endif
    return weir_bench_block_create(&d->problem, d->bench->team, weir_bench_team_threads(d->bench->team),
                                   &d->block);
}

/* A layout, with ordinary stores and, where its kernels have them, with stores past the caches. */
static int add_layout(struct domain *d, const struct weir_site_layout *layout) {
    struct weir_bench_copies *const copies = &d->layouts[d->layout_count++];
    WEIR_TRY(
        weir_bench_copies_create(layout, d->number_bytes, d->device >= 0 ? NULL : d->bench->team, copies));
    const bool both = d->device < 0 && WEIR_COPIES_NONTEMPORAL &&
                      weir_site_layout_in_lines(layout->together, layout->cluster, d->number_bytes);
    for (int past_caches = 0; past_caches <= both; past_caches++) {
        struct weir_kernel_specification s = weir_problem_specification(&d->problem, WEIR_BRICK);
        const struct weir_kernels *kernels;
        weir_specify_layout(&s, layout->together, layout->cluster, past_caches != 0);
        WEIR_TRY(find_kernels(d, &s, &kernels));
        for (int k = 0; k < WEIR_LAYOUT_OPERATIONS; k++)
            add_subject(d, kernels, k, copies, past_caches != 0);
    }
    return 0;
}

/* The layouts of a domain: of single cells, then of each kind of cluster. Returns how many. */
static int list_layouts(const struct domain *d, struct weir_site_layout layouts[LAYOUTS_MAX]) {
    const struct weir_bench_options *o = d->bench->options;
    const int usual = d->device >= 0 ? GPU_CLUSTER : 64 / (int)d->number_bytes;
    int count = 0;
    for (int k = 0; k <= (o->cluster_count > 0 ? o->cluster_count : 1); k++)
        for (int together = 1; together >= 0; together--)
            weir_site_layout_make(weir_lattice_table((int)d->problem.lattice), d->problem.cells,
                                  together != 0,
                                  k == 0                 ? 1
                                  : o->cluster_count > 0 ? o->clusters[k - 1]
                                                         : usual,
                                  d->number_bytes, &layouts[count++]);
    return count;
}

static int check_room(const struct domain *d, const struct weir_site_layout *layouts, int count,
                      double room) {
    double bytes = weir_bench_block_bytes(&d->problem) + 3 * (double)d->natural_bytes;
    for (int k = 0; k < count; k++)
        bytes += weir_bench_copies_bytes(&layouts[k], d->number_bytes);
    const int *cells = d->problem.cells;
    return bytes <= memory_share * room
               ? 0
               : weir_fail(
                     WEIR_FAILED,
                     "--cells: %d x %d x %d cells (%s, %s) in %d layouts take %.1f GiB, and %s has %.1f "
                     "GiB to give; choose fewer",
                     cells[0], cells[1], cells[2], weir_lattice_names[d->problem.lattice],
                     weir_precision_names[d->problem.precision], count, bytes / (1 << 30),
                     d->device >= 0 ? "the GPU" : "main memory", room / (1 << 30));
}

static int set_up(struct domain *d) {
    struct weir_site_layout layouts[LAYOUTS_MAX];
    const int count = list_layouts(d, layouts);
    double room = weir_memory_room(1).bytes;
#if WEIR_WITH_CUDA
    size_t free_bytes = 0, total_bytes = 0;
    if (d->device >= 0) {
        cudaSetDevice(d->device);
        cudaMemGetInfo(&free_bytes, &total_bytes);
        room = (double)free_bytes;
    }
#endif
    WEIR_TRY(check_room(d, layouts, count, room));
    WEIR_TRY(add_block(d));
    for (int k = 0; k < count; k++)
        WEIR_TRY(add_layout(d, &layouts[k]));
    d->start = malloc(d->natural_bytes);
    d->end = malloc(d->natural_bytes);
    d->found = malloc(d->natural_bytes);
    return d->start && d->end && d->found ? 0
                                          : weir_fail(WEIR_FAILED, "out of memory to compare populations");
}

static void tear_down(struct domain *d) {
    for (int k = 0; k < d->layout_count; k++)
        weir_bench_copies_destroy(&d->layouts[k]);
    weir_bench_block_destroy(d->block);
    free(d->start);
    free(d->end);
    free(d->found);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static int record(const struct domain *d, const struct subject *s, int rounds,
                  const struct weir_contestant *limit) {
    const struct weir_problem *p = &d->problem;
    const double bytes =
        s->copies ? 2.0 * s->copies->layout.populations * (double)d->number_bytes : weir_bytes_per_update(p);
    const struct weir_contestant *own = &d->subjects[s->operation].contestant;
    const int cluster = s->copies ? s->copies->layout.cluster : 1;
    const char *const layout = s->copies ? weir_site_layout_name(s->copies->layout.together, cluster) : "AA",
                      *const stores = !s->copies       ? "in place"
                                      : s->past_caches ? "past caches"
                                                       : "plain",
                      *const set = d->device >= 0 ? "cuda" : s->kernels->instruction_set;
    struct weir_spread mlups, limits, fraction, ratio;
    double gigabytes[WEIR_ROUNDS_MAX];
    char workers[64];
    if (d->device >= 0)
        weir_gpu_name(d->device, workers);
    else
        snprintf(workers, sizeof workers, "%d cores", weir_bench_team_threads(d->bench->team));
    for (int k = 0; k < rounds; k++)
        gigabytes[k] = 1e-3 * bytes * s->contestant.values[k];
    WEIR_TRY(weir_spread_of(s->contestant.values, rounds, &mlups));
    WEIR_TRY(weir_spread_of(limit->values, rounds, &limits));
    WEIR_TRY(weir_spread_of_ratios(gigabytes, limit->values, rounds, &fraction));
    WEIR_TRY(weir_spread_of_ratios(s->contestant.values, own->values, rounds, &ratio));
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:[i,i,i], s:s, s:i, s:s, s:s, s:f}", "lattice",
                            weir_lattice_names[p->lattice], "collision", weir_collision_names[p->collision],
                            "precision", weir_precision_names[p->precision], "instruction_set", set, "device",
                            d->device >= 0 ? "cuda" : "cpu", "workers", workers, "cells", p->cells[0],
                            p->cells[1], p->cells[2], "layout", layout, "cluster", cluster, "stores", stores,
                            "operation", operation_names[s->operation], "bytes_per_update", bytes);
    json_object_set_new(row, "mlups", weir_json_of_values(&mlups, s->contestant.values));
    json_object_set_new(row, "bandwidth_gbs", weir_json_of_number(1e-3 * bytes * mlups.median));
    json_object_set_new(row, "limit", json_string(d->device >= 0 ? "device copy" : "update of 19 streams"));
    json_object_set_new(row, "limit_gbs", weir_json_of_values(&limits, limit->values));
    json_object_set_new(row, "fraction", weir_json_of_spread(&fraction));
    json_object_set_new(row, "of_own", weir_json_of_spread(&ratio));
    json_array_append_new(json_object_get(weir_report_document(d->bench->report), "layouts"), row);

    char cells[40], clusters[16] = "";
    snprintf(cells, sizeof cells, "%dx%dx%d", p->cells[0], p->cells[1], p->cells[2]);
    if (cluster > 1)
        snprintf(clusters, sizeof clusters, "%d", cluster);
    printf("%-6s %-11s %-6s %-8s %-9s %-12s %-9s %-6s %4s %-11s %8.1f %3.0f %% %8.1f %8.1f %6.0f %% %3.0f %% "
           "%6.2f\n",
           weir_lattice_names[p->lattice], weir_collision_names[p->collision],
           weir_precision_names[p->precision], set, workers, cells, operation_names[s->operation], layout,
           clusters, stores, mlups.median, weir_spread_percent(&mlups), 1e-3 * bytes * mlups.median,
           limits.median, 100 * fraction.median, weir_spread_percent(&fraction), ratio.median);
    return 0;
}

/* All layouts in turns, with what their memory can do. */
static int measure(struct domain *d, struct weir_contestant *limit) {
    const bool quick = d->bench->options->quick;
    const struct weir_rounds rounds = {.seconds = quick ? 0.2 : 10, .least = quick ? 3 : 9};
    struct weir_contestant *contestants[1 + SUBJECTS_MAX];
    contestants[0] = limit;
    for (int k = 0; k < d->subject_count; k++)
        contestants[1 + k] = &d->subjects[k].contestant;
    weir_report_progress(d->bench->report, "measuring %s %s %s, %d x %d x %d",
                         weir_lattice_names[d->problem.lattice], weir_collision_names[d->problem.collision],
                         weir_precision_names[d->problem.precision], d->problem.cells[0], d->problem.cells[1],
                         d->problem.cells[2]);
    const int done = weir_rounds_run(&rounds, contestants, 1 + d->subject_count);
    WEIR_TRY(done);
    weir_report_row(d->bench->report);
    for (int operation = 0; operation < WEIR_LAYOUT_OPERATIONS; operation++)
        for (int k = operation; k < d->subject_count; k += WEIR_LAYOUT_OPERATIONS)
            WEIR_TRY(record(d, &d->subjects[k], done, limit));
    fflush(stdout);
    return 0;
}

/* A domain in the limits of all cores, or of a GPU. */
static int measure_in_limits(struct domain *d) {
    struct bench *const bench = d->bench;
#if WEIR_WITH_CUDA
    if (d->device >= 0) {
        struct weir_gpu_limit copy;
        int error = weir_gpu_limit_create(&copy);
        if (error == 0)
            error = measure(d, &copy.contestant);
        weir_gpu_limit_destroy(&copy);
        return error;
    }
#endif
    const int threads = weir_bench_team_threads(bench->team);
    const struct weir_traffic_kind kind = {.traffic = WEIR_TRAFFIC_UPDATE,
                                           .precision = d->problem.precision,
                                           .turn = bench->turns.turn[d->problem.precision]};
    struct weir_limit_memory *memory = NULL;
    struct weir_limit limit;
    WEIR_TRY(weir_limit_memory_create(
        bench->team, threads, weir_limit_bytes_out_of_cache(bench->cores, threads, bench->options->quick),
        &memory));
    weir_limit_init(&limit, memory, &kind);
    const int error = measure(d, &limit.contestant);
    weir_limit_memory_destroy(memory);
    return error;
}

static int measure_domain(struct bench *bench, const struct weir_problem *problem, int device) {
    struct domain *d = calloc(1, sizeof *d);
    if (!d)
        return weir_fail(WEIR_FAILED, "out of memory for a domain");
    d->bench = bench;
    d->device = device;
    d->problem = *problem;
    d->problem.initial = waves;
    d->problem.initial_context = &d->problem;
    d->fluid = weir_problem_fluid(&d->problem);
    d->number_bytes = weir_precision_row(problem->precision)->stored_bytes;
    d->natural_bytes = (size_t)cells_of(problem) *
                       (size_t)weir_lattice_table((int)problem->lattice)->populations * d->number_bytes;
    int error = set_up(d);
    if (error == 0)
        error = check_layouts(d);
    if (error == 0)
        error = measure_in_limits(d);
    tear_down(d);
    free(d);
    return error;
}

static int measure_problem(struct bench *bench, const struct weir_problem *problem) {
    if (bench->team)
        WEIR_TRY(measure_domain(bench, problem, -1));
#if WEIR_WITH_CUDA
    const int gpus = bench->options->cuda ? weir_runtime_gpus() : 0;
    for (int device = 0; device < gpus; device++)
        if (weir_gpu_is_new(device))
            WEIR_TRY(measure_domain(bench, problem, device));
#endif
    return 0;
}

/* Calls measure_problem for all that is wanted; only_check: looks at the shapes, and no more. */
static int for_problems(struct bench *bench, bool only_check) {
    const struct weir_bench_options *o = bench->options;
    struct weir_problem *problem = malloc(sizeof *problem);
    int error = problem ? 0 : weir_fail(WEIR_FAILED, "out of memory for a problem");
    const int variants = WEIR_LATTICE_COUNT * WEIR_PRECISION_COUNT * WEIR_COLLISION_COUNT;
    for (int k = 0; k < variants && error == 0; k++) {
        const enum weir_lattice lattice =
            (enum weir_lattice)(k / (WEIR_PRECISION_COUNT * WEIR_COLLISION_COUNT));
        const enum weir_precision precision =
            (enum weir_precision)(k / WEIR_COLLISION_COUNT % WEIR_PRECISION_COUNT);
        const enum weir_collision collision = (enum weir_collision)(k % WEIR_COLLISION_COUNT);
        if (!o->lattices[lattice] || !o->precisions[precision] || !o->collisions[collision] ||
            !weir_collision_on(collision, lattice))
            continue;
        for (int shape = 0; shape < o->shape_count && error == 0; shape++) {
            int cells[3];
            error = extent_of(o, &o->shapes[shape], lattice, cells);
            if (error != 0 || only_check)
                continue;
            weir_bench_problem(lattice, precision, cells, false, false, problem);
            weir_problem_collide_by(problem, collision);
            error = measure_problem(bench, problem);
        }
    }
    free(problem);
    return error;
}

static int find_turns(struct bench *bench) {
    const bool quick = bench->options->quick;
    const struct weir_rounds rounds = {.seconds = 0, .least = quick ? 3 : 5};
    const int threads = weir_bench_team_threads(bench->team);
    struct weir_limit_memory *memory = NULL;
    WEIR_TRY(weir_limit_memory_create(bench->team, threads,
                                      weir_limit_bytes_out_of_cache(bench->cores, threads, quick), &memory));
    const int error = weir_limit_find_turns(memory, &rounds, &bench->turns);
    weir_limit_memory_destroy(memory);
    return error;
}

static int measure_all(struct bench *bench) {
    if (bench->team)
        WEIR_TRY(find_turns(bench));
    json_object_set_new(weir_report_document(bench->report), "layouts", json_array());
    puts("Memory layouts. MLUPS: million updates of cells per second, by an operation alone; GB/s: 2 q "
         "numbers "
         "per update,\n"
         "  and of AA a flag byte; %: distance of the quartiles.\n"
         "  AA: blocks of runs, in place; its collide is an even step. Others: from one copy to another, "
         "whose "
         "margins\n"
         "  are filled outside of what is timed. stores: past the caches, or plain, which read what they "
         "replace (not counted).\n"
         "  limit: cores, in-place update of 19 streams out of cache; GPUs, copy within the device; of AA: "
         "ratio of speeds.\n"
         "  All came to the same populations, bit by bit, in 4 steps");
    printf("%-6s %-11s %-6s %-8s %-9s %-12s %-9s %-6s %4s %-11s %8s %5s %8s %8s %8s %5s %6s\n", "", "", "",
           "for", "workers", "cells", "operation", "layout", "V", "stores", "MLUPS", "", "GB/s", "limit",
           "of limit", "", "of AA");
    return for_problems(bench, false);
}

int weir_bench_layouts(const struct weir_bench_options *options, const struct weir_cores *cores,
                       struct weir_report *report) {
    struct bench bench = {.options = options, .cores = cores, .report = report};
    WEIR_TRY(for_problems(&bench, true));
    int error = 0;
    if (options->cpu)
        error =
            weir_bench_team_create(cores, options->threads > 0 ? options->threads : weir_cores_count(cores),
                                   getenv("STARPU_WORKERS_NOBIND") == NULL, &bench.team);
    if (error == 0)
        error = measure_all(&bench);
    weir_bench_team_destroy(bench.team);
    return error;
}
