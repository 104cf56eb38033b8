/* What a run's record says: who was busy, what moved, how far from the ideal, how time per step went.
 * Arithmetic on arrays only. docs/compare.md has the formulas.
 *
 * A *home* is where blocks live: a CPU worker with its team if it leads one, or a GPU with all the workers
 * that feed it. (graph/plan/worker_groups.h calls it a worker group.) */
#ifndef WEIR_SRC_REPORT_RUN_ANALYSIS_H
#define WEIR_SRC_REPORT_RUN_ANALYSIS_H

#include "graph/plan/run_record.h"

struct weir_home_use {
    int worker; /* the first of its workers: index into the record's table */
    int64_t tasks, updates;
    double busy_seconds; /* length of the union of its tasks' spans */
    double busy;         /* of the run's seconds, as a fraction */
};

struct weir_run_analysis {
    int64_t steps, updates_per_step; /* updates: of fluid cells */
    double wall_seconds, step_seconds, mlups;

    struct weir_home_use *homes; /* [home_count], those that may take steps */
    int home_count;
    int *home_of;        /* [worker_count]: index into homes, -1: takes no steps */
    double *worker_busy; /* [worker_count]: busy fraction */
    int worker_count, block_count;
    int last_stage[2]; /* of the steps of the record with even and with odd numbers, which may have others */
    double busy_mean, busy_least; /* over homes */

    double ideal_mlups; /* sum over homes of updates / busy seconds */
    double loss;        /* 1 - mlups / ideal_mlups */

    /* In all, between consecutive steps: bytes between memory nodes; bytes between homes of one node; blocks
     * whose home changed. */
    int64_t node_bytes, home_bytes, moves;
    double node_bytes_per_step, home_bytes_per_step, moves_per_100_steps; /* over the steps - 1 transitions */

    double *step_end;   /* [steps]: seconds at which so many steps' worth of updates were done; never falls */
    int32_t *assigned;  /* [steps][block_count]: the worker group that was the block's home by the policy, -1:
                           none */
    int32_t *worker_of; /* [steps][block_count]: index into the record's workers */
    int32_t *moved_after; /* [steps]: blocks whose home in step s + 1 is another than in s; 0 for the last */
};

/* Analyses a record in which every block takes every step exactly once; else -WEIR_FAILED with what is wrong,
 * as also when memory is short. The caller releases the result. */
int weir_run_analyse(const struct weir_run_record *record, struct weir_run_analysis *analysis);

void weir_run_analysis_release(struct weir_run_analysis *analysis);

/* How a run got used to a machine that changed: its steps from one moment on until another. */
struct weir_recovery {
    int64_t phase_steps;       /* that ended in this phase */
    int64_t smoothing;         /* steps over which the time per step is averaged */
    double ideal_step_seconds; /* from the homes' rates in the settled part: the last third of the phase */
    double settled_step_seconds;
    double settled_moves_per_100_steps;
    int64_t steps;  /* from the beginning of the phase until the time per step stays within 1 / 0.9 of the
                     * ideal,  -1: it never does */
    double seconds; /* the same as time, NaN: never */
};

enum { WEIR_RECOVERY_SMOOTHING = 10, WEIR_RECOVERY_STEPS_LEAST = 12 };

/* The phase from `from` to `to` seconds. A phase of fewer than WEIR_RECOVERY_STEPS_LEAST steps says nothing:
 * its numbers are NaN and -1. -WEIR_FAILED when memory is short. */
int weir_run_recovery(const struct weir_run_record *record, const struct weir_run_analysis *analysis,
                      double from, double to, struct weir_recovery *recovery);

#endif
