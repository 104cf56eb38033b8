#include "src/compare/comparison.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const weir_measure_names[] = {
    "mlups",
    "step_seconds",
    "wall_seconds",
    "busy_mean",
    "busy_least",
    "bytes_between_memories_per_step",
    "bytes_between_homes_per_step",
    "moves_per_100_steps",
    "ideal_mlups",
    "loss",
    NULL,
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the comparison; use fewer repeats or policies");
}

int weir_comparison_create(const struct weir_compare_options *options, const struct weir_case *c,
                           struct weir_comparison **result) {
    struct weir_comparison *comparison = calloc(1, sizeof *comparison);
    bool complete = comparison != NULL;
    if (complete)
        comparison->options = options;
    for (int w = 0; complete && w < WEIR_WORKLOAD_COUNT; w++) {
        struct weir_compared_workload *workload = &comparison->workloads[w];
        workload->wanted = options->workloads[w];
        workload->policies = calloc((size_t)options->policy_count + 1, sizeof *workload->policies);
        complete = workload->policies != NULL;
        for (int p = 0; complete && p < options->policy_count; p++) {
            workload->policies[p].runs = calloc((size_t)options->repeat, sizeof *workload->policies[p].runs);
            complete = workload->policies[p].runs != NULL;
        }
    }
    for (int w = WEIR_WORKLOAD_COUNT - 1; complete && w >= 0; w--)
        comparison->traced = options->workloads[w] ? (enum weir_workload)w : comparison->traced;
    if (complete && options->trace) {
        comparison->traces = calloc((size_t)options->policy_count + 1, sizeof *comparison->traces);
        complete = comparison->traces != NULL;
    }
    if (!complete) {
        weir_comparison_destroy(comparison);
        return fail_memory();
    }
    comparison->c = c;
    *result = comparison;
    return 0;
}

static void release_run(struct weir_compared_run *run) {
    free(run->home_busy);
    free(run->home_share);
    free(run->worker_busy);
    free(run->curve);
    free(run->map);
}

void weir_comparison_destroy(struct weir_comparison *comparison) {
    if (!comparison)
        return;
    for (int w = 0; w < WEIR_WORKLOAD_COUNT && comparison->workloads[w].policies; w++) {
        struct weir_compared_workload *workload = &comparison->workloads[w];
        for (int p = 0; workload->policies[p].runs; p++) { /* one more is there, which is empty */
            for (int k = 0; k < workload->policies[p].count; k++)
                release_run(&workload->policies[p].runs[k]);
            free(workload->policies[p].runs);
            free(workload->policies[p].workers);
            free(workload->policies[p].home_of);
            free(workload->policies[p].home_worker);
        }
        free(workload->policies);
    }
    for (int p = 0; comparison->traces && p < comparison->options->policy_count; p++) {
        free(comparison->traces[p].folder);
        free(comparison->traces[p].sentence);
        free(comparison->traces[p].failure);
    }
    free(comparison->traces);
    free(comparison);
}

int64_t weir_thinned(int64_t steps, int points, int point) {
    return points > 0 ? point * steps / points : 0;
}

/* ---- adding a run ------------------------------------------------------------------------------------- */

static int keep_workers(struct weir_compared *compared, const struct weir_run_record *record,
                        const struct weir_run_analysis *a) {
    const size_t workers = (size_t)record->worker_count;
    if (!compared->workers) {
        compared->workers = malloc(sizeof *compared->workers * workers);
        compared->home_of = malloc(sizeof *compared->home_of * workers);
        compared->home_worker = malloc(sizeof *compared->home_worker * workers);
        if (!compared->workers || !compared->home_of || !compared->home_worker)
            return fail_memory();
        memcpy(compared->workers, record->workers, sizeof *compared->workers * workers);
        memcpy(compared->home_of, a->home_of, sizeof *compared->home_of * workers);
        for (int home = 0; home < a->home_count; home++)
            compared->home_worker[home] = a->homes[home].worker;
        compared->worker_count = record->worker_count;
        compared->home_count = a->home_count;
    }
    bool same = compared->worker_count == record->worker_count && compared->home_count == a->home_count;
    for (int k = 0; same && k < record->worker_count; k++)
        same = strcmp(compared->workers[k].name, record->workers[k].name) == 0 &&
               compared->home_of[k] == a->home_of[k];
    return same ? 0
                : weir_fail(WEIR_FAILED, "runs of one policy had different workers; does something else take "
                                         "cores or GPUs?");
}

static int keep_measures(const struct weir_run_analysis *a, struct weir_compared_run *run) {
    const double measures[WEIR_MEASURE_COUNT] = {
        [WEIR_MLUPS] = a->mlups,
        [WEIR_STEP_SECONDS] = a->step_seconds,
        [WEIR_WALL_SECONDS] = a->wall_seconds,
        [WEIR_BUSY_MEAN] = a->busy_mean,
        [WEIR_BUSY_LEAST] = a->busy_least,
        [WEIR_NODE_BYTES] = a->node_bytes_per_step,
        [WEIR_HOME_BYTES] = a->home_bytes_per_step,
        [WEIR_MOVES] = a->moves_per_100_steps,
        [WEIR_IDEAL_MLUPS] = a->ideal_mlups,
        [WEIR_LOSS] = a->loss,
    };
    memcpy(run->measure, measures, sizeof measures);
    run->home_busy = malloc(sizeof *run->home_busy * (size_t)(a->home_count + 1));
    run->home_share = malloc(sizeof *run->home_share * (size_t)(a->home_count + 1));
    run->worker_busy = malloc(sizeof *run->worker_busy * (size_t)(a->worker_count + 1));
    if (!run->home_busy || !run->home_share || !run->worker_busy)
        return fail_memory();
    memcpy(run->worker_busy, a->worker_busy, sizeof *run->worker_busy * (size_t)a->worker_count);
    for (int home = 0; home < a->home_count; home++) {
        run->home_busy[home] = a->homes[home].busy;
        run->home_share[home] =
            (double)a->homes[home].updates / ((double)a->updates_per_step * (double)a->steps);
    }
    return 0;
}

static int draw(const struct weir_compared_workload *workload, const struct weir_run_analysis *a,
                struct weir_compared_run *run) {
    run->curve = malloc(sizeof *run->curve * (size_t)workload->points);
    run->map = malloc(sizeof *run->map * (size_t)workload->map_steps * (size_t)workload->map_blocks);
    if (!run->curve || !run->map)
        return fail_memory();
    for (int point = 0; point < workload->points; point++) {
        const int64_t first = weir_thinned(a->steps, workload->points, point),
                      next = weir_thinned(a->steps, workload->points, point + 1);
        const double start = first > 0 ? a->step_end[first - 1] : 0;
        run->curve[point] = (a->step_end[next - 1] - start) / (double)(next - first);
    }
    for (int row = 0; row < workload->map_blocks; row++)
        for (int column = 0; column < workload->map_steps; column++)
            run->map[row * workload->map_steps + column] =
                a->worker_of[weir_thinned(a->steps, workload->map_steps, column) * a->block_count +
                             weir_thinned(a->block_count, workload->map_blocks, row)];
    return 0;
}

static int64_t steps_before(const struct weir_run_analysis *a, double seconds) {
    int64_t steps = 0;
    while (steps < a->steps && a->step_end[steps] <= seconds)
        steps++;
    return steps;
}

static int analyse_recovery(const struct weir_run_record *record, const struct weir_run_analysis *a,
                            struct weir_compared_run *run) {
    if (!isfinite(record->load_start) || !isfinite(record->load_end))
        return weir_fail(WEIR_FAILED, "the load in the background did not run; use more steps");
    run->load_start = record->load_start;
    run->load_end = record->load_end;
    run->load_first_step = steps_before(a, record->load_start);
    run->load_last_step = steps_before(a, record->load_end);
    run->load_threads = record->load_threads;
    WEIR_TRY(weir_run_recovery(record, a, record->load_start, record->load_end, &run->after_start));
    return weir_run_recovery(record, a, record->load_end, HUGE_VAL, &run->after_end);
}

static int check_digest(const struct weir_comparison *comparison, struct weir_compared_workload *workload,
                        int policy, const char *digest) {
    const int number = (int)(workload - comparison->workloads);
    if (workload->digest[0] == '\0')
        snprintf(workload->digest, sizeof workload->digest, "%s", digest);
    if (strcmp(workload->digest, digest) == 0)
        return 0;
    return weir_fail(WEIR_FAILED,
                     "the results differ: workload %s under policy %s (repeat %d) has the digest %s, and the "
                     "runs before it had %s; results must not depend on placement, so this is a bug: please "
                     "report it",
                     weir_workload_names[number], comparison->options->policies[policy],
                     workload->policies[policy].count + 1, digest, workload->digest);
}

static void count_blocks(const struct weir_run_record *record, struct weir_compared_workload *workload) {
    workload->blocks = record->block_count;
    for (int k = 0; k < record->block_count; k++) {
        const int64_t fluid = record->blocks[k].fluid_cells;
        workload->fluid_least = k == 0 || fluid < workload->fluid_least ? fluid : workload->fluid_least;
        workload->fluid_most = k == 0 || fluid > workload->fluid_most ? fluid : workload->fluid_most;
    }
}

int weir_comparison_add(struct weir_comparison *comparison, enum weir_workload number, int policy,
                        const struct weir_run_record *record, const char *digest) {
    struct weir_compared_workload *workload = &comparison->workloads[number];
    struct weir_compared *compared = &workload->policies[policy];
    struct weir_run_analysis a;
    WEIR_TRY(check_digest(comparison, workload, policy, digest));
    WEIR_TRY(weir_run_analyse(record, &a));
    workload->steps = a.steps;
    count_blocks(record, workload);
    workload->fluid_cells = a.updates_per_step;
    workload->points = a.steps < WEIR_CURVE_POINTS ? (int)a.steps : WEIR_CURVE_POINTS;
    workload->map_steps = a.steps < WEIR_MAP_STEPS ? (int)a.steps : WEIR_MAP_STEPS;
    workload->map_blocks = a.block_count < WEIR_MAP_BLOCKS ? a.block_count : WEIR_MAP_BLOCKS;
    struct weir_compared_run *run = &compared->runs[compared->count++];
    run->turn = comparison->turns++;
    int error = keep_workers(compared, record, &a);
    if (error == 0)
        error = keep_measures(&a, run);
    if (error == 0)
        error = draw(workload, &a, run);
    if (error == 0 && number == WEIR_DISTURBED)
        error = analyse_recovery(record, &a, run);
    weir_run_analysis_release(&a);
    return error;
}

/* ---- medians ------------------------------------------------------------------------------------------ */

static int finish(struct weir_compared *compared, double *values) {
    for (int measure = 0; measure < WEIR_MEASURE_COUNT; measure++) {
        for (int k = 0; k < compared->count; k++)
            values[k] = compared->runs[k].measure[measure];
        WEIR_TRY(weir_spread_of(values, compared->count, &compared->spread[measure]));
    }
    /* The run with as many slower ones as the median has. */
    for (int k = 0; k < compared->count; k++) {
        int slower = 0;
        for (int other = 0; other < compared->count; other++) {
            const double difference =
                compared->runs[other].measure[WEIR_MLUPS] - compared->runs[k].measure[WEIR_MLUPS];
            slower += difference < 0 || (difference == 0 && other < k);
        }
        if (slower == (compared->count - 1) / 2)
            compared->median_run = k;
    }
    return 0;
}

int weir_comparison_finish(struct weir_comparison *comparison) {
    double *values = malloc(sizeof *values * (size_t)comparison->options->repeat);
    int error = values ? 0 : fail_memory();
    for (int w = 0; w < WEIR_WORKLOAD_COUNT; w++)
        for (int p = 0; error == 0 && p < comparison->options->policy_count; p++)
            if (comparison->workloads[w].wanted)
                error = finish(&comparison->workloads[w].policies[p], values);
    free(values);
    return error;
}

static const struct weir_recovery *recovery_of(const struct weir_compared *compared, int run,
                                               bool after_end) {
    return after_end ? &compared->runs[run].after_end : &compared->runs[run].after_start;
}

/* Median of at most `count` finite values; NaN of none, and when memory is short. */
static double median(double *values, int count) {
    struct weir_spread spread;
    return weir_spread_of(values, count, &spread) == 0 ? spread.median : NAN;
}

int weir_comparison_recovered(const struct weir_compared *compared, bool after_end, double *steps) {
    double *values = malloc(sizeof *values * (size_t)(compared->count + 1));
    int count = 0;
    for (int k = 0; values && k < compared->count; k++)
        if (recovery_of(compared, k, after_end)->steps >= 0)
            values[count++] = (double)recovery_of(compared, k, after_end)->steps;
    *steps = values ? median(values, count) : NAN;
    free(values);
    return count;
}

struct weir_settled weir_comparison_settled(const struct weir_compared *compared, bool after_end) {
    struct weir_settled settled = {NAN, NAN, NAN};
    double *const results[3] = {&settled.step_seconds, &settled.ideal_step_seconds, &settled.moves};
    double *values = malloc(sizeof *values * (size_t)(compared->count + 1));
    for (int what = 0; values && what < 3; what++) {
        int count = 0;
        for (int k = 0; k < compared->count; k++) {
            const struct weir_recovery *r = recovery_of(compared, k, after_end);
            const double value = what == 0   ? r->settled_step_seconds
                                 : what == 1 ? r->ideal_step_seconds
                                             : r->settled_moves_per_100_steps;
            if (isfinite(value))
                values[count++] = value;
        }
        *results[what] = median(values, count);
    }
    free(values);
    return settled;
}
