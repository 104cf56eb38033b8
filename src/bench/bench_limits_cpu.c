#include "src/bench/bench_limits_cpu.h"

#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/problem/problem.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* A sample lasts at least this long: far more than the threads need to meet. */
static const double sample_seconds = 0.01;

/* Out of cache: times the last-level caches in all, and bytes per thread. Such a cache may have half a GiB.
 */
static const double beyond_cache = 4, beyond_cache_quick = 1.5, least_bytes = 64 << 20;

/* But no more than this part of the memory that is free. */
static const double memory_share = 0.125;

struct weir_limit_memory {
    struct weir_bench_team *team;
    int threads;
    double bytes_per_thread;
    struct weir_stream_arrays **arrays; /* [threads] */
    atomic_bool short_of_memory;
};

static void allocate(void *context, int thread, int threads) {
    struct weir_limit_memory *memory = context;
    (void)threads;
    if (weir_stream_arrays_create((size_t)memory->bytes_per_thread, &memory->arrays[thread]) < 0)
        atomic_store(&memory->short_of_memory, true);
}

int weir_limit_memory_create(struct weir_bench_team *team, int threads, double bytes_per_thread,
                             struct weir_limit_memory **result) {
    struct weir_limit_memory *memory = calloc(1, sizeof *memory);
    struct weir_stream_arrays **arrays = calloc((size_t)threads, sizeof(void *));
    if (!memory || !arrays) {
        free(memory);
        free(arrays);
        return weir_fail(WEIR_FAILED, "out of memory while measuring the memory bandwidth");
    }
    *memory = (struct weir_limit_memory){
        .team = team, .threads = threads, .bytes_per_thread = bytes_per_thread, .arrays = arrays};
    weir_bench_team_run(team, threads, allocate, memory);
    if (memory->short_of_memory) {
        weir_limit_memory_destroy(memory);
        return weir_fail(WEIR_FAILED,
                         "out of memory while measuring the memory bandwidth: %d threads of %.0f MiB",
                         threads, bytes_per_thread / (1 << 20));
    }
    *result = memory;
    return 0;
}

void weir_limit_memory_destroy(struct weir_limit_memory *memory) {
    if (!memory)
        return;
    for (int thread = 0; thread < memory->threads; thread++)
        weir_stream_arrays_destroy(memory->arrays[thread]);
    free(memory->arrays);
    free(memory);
}

static void pass(void *context, int thread, int threads) {
    const struct weir_limit *limit = context;
    (void)threads;
    weir_stream_arrays_pass(limit->memory->arrays[thread], &limit->kind, limit->passes);
}

static int sample(void *context, double *gigabytes_per_second) {
    struct weir_limit *limit = context;
    const struct weir_limit_memory *memory = limit->memory;
    const bool first = limit->passes == 0;
    double seconds;
    for (limit->passes = first ? 1 : limit->passes;;) {
        seconds = weir_bench_team_run(memory->team, memory->threads, pass, limit);
        if (!first || seconds >= sample_seconds || limit->passes > 1 << 20)
            break;
        limit->passes *= 1 + (int)fmin(sample_seconds / fmax(seconds, 1e-6), 1000);
    }
    double bytes = 0;
    for (int thread = 0; thread < memory->threads; thread++)
        bytes += weir_stream_arrays_bytes(memory->arrays[thread], &limit->kind);
    *gigabytes_per_second = 1e-9 * bytes * limit->passes / seconds;
    return 0;
}

void weir_limit_init(struct weir_limit *limit, struct weir_limit_memory *memory,
                     const struct weir_traffic_kind *kind) {
    limit->memory = memory;
    limit->kind = *kind;
    limit->passes = 0;
    limit->contestant = (struct weir_contestant){.sample = sample, .context = limit};
}

double weir_limit_bytes_out_of_cache(const struct weir_cores *cores, int threads, bool quick) {
    const double times = quick ? beyond_cache_quick : beyond_cache;
    const double wanted = fmax(times * (double)weir_cores_cache_bytes(cores, threads) / threads, least_bytes);
    return fmin(wanted, memory_share * weir_memory_room(1).bytes / threads);
}

/* ---- which way through the streams is fastest -------------------------------------------------------- */

enum { UPDATES = WEIR_STREAM_PRECISIONS * WEIR_TURN_COUNT };

static struct weir_traffic_kind update_kind(int k) {
    return (struct weir_traffic_kind){.traffic = WEIR_TRAFFIC_UPDATE,
                                      .precision = (enum weir_precision)(k / WEIR_TURN_COUNT),
                                      .turn = (enum weir_stream_turn)(k % WEIR_TURN_COUNT)};
}

int weir_limit_find_turns(struct weir_limit_memory *memory, const struct weir_rounds *rounds,
                          struct weir_limit_turns *turns) {
    struct weir_limit *limits = calloc(UPDATES, sizeof *limits);
    struct weir_contestant *contestants[UPDATES];
    double best[WEIR_STREAM_PRECISIONS] = {0};
    if (!limits)
        return weir_fail(WEIR_FAILED, "out of memory while measuring the memory bandwidth");
    for (int k = 0; k < UPDATES; k++) {
        const struct weir_traffic_kind kind = update_kind(k);
        weir_limit_init(&limits[k], memory, &kind);
        contestants[k] = &limits[k].contestant;
    }
    int count = weir_rounds_run(rounds, contestants, UPDATES);
    for (int k = 0; k < UPDATES && count >= 0; k++) {
        struct weir_spread spread;
        const int error = weir_spread_of(limits[k].contestant.values, count, &spread);
        if (error != 0)
            count = error;
        else if (spread.median > best[limits[k].kind.precision]) {
            best[limits[k].kind.precision] = spread.median;
            turns->turn[limits[k].kind.precision] = limits[k].kind.turn;
        }
    }
    free(limits);
    return count < 0 ? count : 0;
}

/* ---- the table of limits ----------------------------------------------------------------------------- */

/* All kinds of traffic: updates of 19 streams in every way and precision, then the others. */
enum { ONE = UPDATES, COPY, COPY_NONTEMPORAL, KINDS };
static const char *const other_names[] = {"update_1_stream", "copy", "copy_nontemporal"};

static struct weir_traffic_kind kind_number(int k) {
    if (k < UPDATES)
        return update_kind(k);
    return (struct weir_traffic_kind){.traffic = k == ONE    ? WEIR_TRAFFIC_UPDATE_ONE
                                                 : k == COPY ? WEIR_TRAFFIC_COPY
                                                             : WEIR_TRAFFIC_COPY_NONTEMPORAL};
}

struct place {
    const char *name; /* "memory", "cache" */
    double bytes_per_thread;
};

/* The best way through the streams for a precision, and its record with all ways beside it. */
static int best_update(const struct weir_spread *spreads, int precision, json_t *row, int *best) {
    json_t *ways = json_object();
    *best = precision * WEIR_TURN_COUNT;
    for (int turn = 0; turn < WEIR_TURN_COUNT; turn++) {
        const int k = precision * WEIR_TURN_COUNT + turn;
        if (spreads[k].median > spreads[*best].median)
            *best = k;
        json_object_set_new(ways, weir_stream_turn_names[turn], weir_json_of_spread(&spreads[k]));
    }
    json_t *update = weir_json_of_spread(&spreads[*best]);
    json_object_set_new(update, "turn", json_string(weir_stream_turn_names[*best % WEIR_TURN_COUNT]));
    json_object_set_new(update, "turns", ways);
    json_object_set_new(
        row, precision == WEIR_SINGLE ? "update_19_streams_single" : "update_19_streams_double", update);
    return 0;
}

static int report_row(const struct weir_limit *limits, int rounds, int threads, const struct place *place,
                      struct weir_report *report) {
    struct weir_spread spreads[KINDS];
    int best[WEIR_STREAM_PRECISIONS];
    json_t *row = json_pack("{s:i, s:s, s:f}", "threads", threads, "place", place->name, "bytes_per_thread",
                            place->bytes_per_thread);
    for (int k = 0; k < KINDS; k++) {
        WEIR_TRY(weir_spread_of(limits[k].contestant.values, rounds, &spreads[k]));
        if (!weir_traffic_exists(&limits[k].kind))
            spreads[k].median = NAN;
    }
    for (int precision = 0; precision < WEIR_STREAM_PRECISIONS; precision++)
        best_update(spreads, precision, row, &best[precision]);
    for (int k = ONE; k < KINDS; k++)
        json_object_set_new(row, other_names[k - ONE], weir_json_of_spread(&spreads[k]));
    json_array_append_new(json_object_get(weir_report_document(report), "cpu_limits"), row);
    weir_report_row(report);
    printf("%7d  %-6s %10.1f", threads, place->name, place->bytes_per_thread / (1 << 20));
    for (int precision = 0; precision < WEIR_STREAM_PRECISIONS; precision++)
        printf(" %9.1f %3.0f %% %8s", spreads[best[precision]].median,
               weir_spread_percent(&spreads[best[precision]]),
               weir_stream_turn_names[best[precision] % WEIR_TURN_COUNT]);
    for (int k = ONE; k < KINDS; k++)
        printf(" %9.1f", spreads[k].median);
    putchar('\n');
    fflush(stdout);
    return 0;
}

static int measure_row(struct weir_bench_team *team, int threads, const struct place *place,
                       const struct weir_rounds *rounds, struct weir_report *report) {
    struct weir_limit_memory *memory = NULL;
    struct weir_contestant *contestants[KINDS];
    int count = 0;
    struct weir_limit *limits = calloc(KINDS, sizeof *limits);
    if (!limits)
        return weir_fail(WEIR_FAILED, "out of memory while measuring the memory bandwidth");
    weir_report_progress(report, "measuring %d thread%s in %s", threads, threads > 1 ? "s" : "", place->name);
    int error = weir_limit_memory_create(team, threads, place->bytes_per_thread, &memory);
    for (int k = 0; k < KINDS && error == 0; k++) {
        const struct weir_traffic_kind kind = kind_number(k);
        weir_limit_init(&limits[k], memory, &kind);
        if (weir_traffic_exists(&kind))
            contestants[count++] = &limits[k].contestant;
    }
    if (error == 0) {
        const int done = weir_rounds_run(rounds, contestants, count);
        error = done < 0 ? done : report_row(limits, done, threads, place, report);
    }
    weir_limit_memory_destroy(memory);
    free(limits);
    return error;
}

int weir_bench_limits_cpu(const struct weir_cores *cores, struct weir_bench_team *team, bool quick,
                          const struct weir_rounds *rounds, struct weir_report *report) {
    const int all = weir_bench_team_threads(team);
    json_object_set_new(weir_report_document(report), "cpu_limits", json_array());
    printf(
        "Limits of the CPU in GB/s, bytes read and written both counted (medians; %%: distance of the "
        "quartiles).\n"
        "  update 19: in place, 19 streams at once, as a step of D3Q19 does; the best of several ways, "
        "named\n"
        "  update 1: in place, one stream; copy: lines that are written are read first by most processors,\n"
        "  which is not counted; nt: copy with stores past the caches\n"
        "threads  in     MiB/thread  update 19 single         update 19 double          update 1      copy   "
        "copy nt\n");
    for (int threads = 1;; threads = threads * 2 < all ? threads * 2 : all) {
        const double cache = (double)weir_cores_cache_bytes(cores, threads) / threads;
        const struct place memory = {"memory", weir_limit_bytes_out_of_cache(cores, threads, quick)};
        const struct place inside = {"cache", 0.5 * cache};
        WEIR_TRY(measure_row(team, threads, &memory, rounds, report));
        if (cache > 0)
            WEIR_TRY(measure_row(team, threads, &inside, rounds, report));
        if (threads == all)
            break;
    }
    putchar('\n');
    return 0;
}
