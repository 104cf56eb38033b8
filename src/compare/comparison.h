/* What a comparison found: for each workload and policy the numbers of every repeat. Filled by weir compare,
 * shown as a table, as JSON and as a page. */
#ifndef WEIR_SRC_COMPARE_COMPARISON_H
#define WEIR_SRC_COMPARE_COMPARISON_H

#include "src/case/case.h"
#include "src/common/statistics.h"
#include "src/compare/compare_options.h"
#include "src/report/run_analysis.h"
#include "src/trace/trace_data.h"

/* Sizes to which long runs are thinned out for pictures. */
enum { WEIR_CURVE_POINTS = 200, WEIR_MAP_STEPS = 200, WEIR_MAP_BLOCKS = 400 };

/* What is said of each run by one number. */
enum weir_measure {
    WEIR_MLUPS,
    WEIR_STEP_SECONDS,
    WEIR_WALL_SECONDS,
    WEIR_BUSY_MEAN,
    WEIR_BUSY_LEAST,
    WEIR_NODE_BYTES, /* per step */
    WEIR_HOME_BYTES, /* per step */
    WEIR_MOVES,      /* per 100 steps */
    WEIR_IDEAL_MLUPS,
    WEIR_LOSS,
    WEIR_MEASURE_COUNT
};
extern const char *const weir_measure_names[]; /* keys in JSON; closed by NULL */

struct weir_compared_run {
    int turn; /* place among all runs that are timed, from 0 */
    double measure[WEIR_MEASURE_COUNT];
    double *home_busy;   /* [homes] */
    double *home_share;  /* [homes]: part of all updates */
    double *worker_busy; /* [workers] */
    double *curve;       /* [points]: seconds per step */
    int32_t *map;        /* [map_blocks][map_steps]: worker */
    /* Disturbed runs: when the load began and ended, the steps done by then, and what followed. */
    double load_start, load_end;
    int64_t load_first_step, load_last_step;
    int load_threads;
    struct weir_recovery after_start, after_end;
};

/* A policy under a workload. */
struct weir_compared {
    struct weir_compared_run *runs; /* [count] */
    int count;
    struct weir_spread spread[WEIR_MEASURE_COUNT];
    int median_run; /* the run whose speed is the median, of an even number the slower of the two */
    /* Of every run, filled by the first. Policies may use different parts of a machine. */
    struct weir_recorded_worker *workers; /* [worker_count] */
    int worker_count;
    int *home_of;     /* [worker_count], -1: takes no steps */
    int *home_worker; /* [home_count]: the first of its workers */
    int home_count;
};

struct weir_compared_workload {
    bool wanted;
    int64_t steps, fluid_cells;
    int blocks;                      /* that have fluid: others are left out of runs */
    int64_t fluid_least, fluid_most; /* fluid cells of a block, among these */
    char digest[33];                 /* of all its runs; "" before the first */
    int points, map_steps, map_blocks;
    struct weir_compared *policies; /* [policy_count] */
};

/* What a traced run under a policy showed. */
struct weir_compared_trace {
    char *folder;   /* beside the page */
    char *sentence; /* the main loss */
    char *failure;  /* why there is no trace; NULL: there is, and only then the rest holds */
    double part[WEIR_ACTIVITY_COUNT]; /* of the workers' time */
    int64_t from, steps;              /* recorded */
    double step_seconds;
    double hidden; /* part of the time of transfers; NAN: there were none */
    double moved;  /* part of the blocks that change their worker from a step to the next */
};

struct weir_comparison {
    const struct weir_compare_options *options;
    const struct weir_case *c;
    int block_cells[3], blocks;
    int turns; /* runs so far */
    struct weir_compared_workload workloads[WEIR_WORKLOAD_COUNT];
    struct weir_compared_trace *traces; /* [policy_count]; NULL: not wanted */
    enum weir_workload traced;          /* the workload that was traced: the first that is wanted */
};

/* An empty comparison; `options` and `c` must outlive it. -WEIR_FAILED when memory is short. */
int weir_comparison_create(const struct weir_compare_options *options, const struct weir_case *c,
                           struct weir_comparison **comparison);
void weir_comparison_destroy(struct weir_comparison *comparison); /* NULL is allowed */

/* Adds the next repeat of a policy (by its place among the options') under a workload. digest is that of the
 * run's result: -WEIR_FAILED when another run of the workload had another, when the policy's workers changed,
 * when the record is impossible, or when memory is short. */
int weir_comparison_add(struct weir_comparison *comparison, enum weir_workload workload, int policy,
                        const struct weir_run_record *record, const char *digest);

/* Computes medians, once all runs are there. */
int weir_comparison_finish(struct weir_comparison *comparison);

/* The first step that point `point` of `points` stands for, of a run of so many steps: each stands for the
 * steps up to the next one's first. With blocks in place of steps the same goes for rows of the map. */
int64_t weir_thinned(int64_t steps, int points, int point);

/* In how many repeats, and after how many steps in their median (NaN: in none), a policy recovered after the
 * load's start, or after its end. */
int weir_comparison_recovered(const struct weir_compared *compared, bool after_end, double *steps);

/* Over all repeats, the median of what recovery says of the settled part: seconds per step, the ideal, and
 * blocks moved per 100 steps. */
struct weir_settled {
    double step_seconds, ideal_step_seconds, moves;
};
struct weir_settled weir_comparison_settled(const struct weir_compared *compared, bool after_end);

#endif
