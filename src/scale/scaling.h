/* What the runs of one case on different numbers of ranks show: numbers only. */
#ifndef WEIR_SRC_SCALE_SCALING_H
#define WEIR_SRC_SCALE_SCALING_H

#include "src/common/statistics.h"

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_SCALING_POINTS_MAX = 32 };

/* What a run tells of itself (summary.h). */
struct weir_scaling_run {
    double mlups, step_seconds;
    double waiting, longest_waiting, balance;
    int64_t bytes, messages; /* per step, of all ranks */
    int neighbours;          /* at most */
    int64_t fluid_cells;
    int workers; /* that take steps, of all ranks */
    int hosts;
    char digest[33];
};

/* Runs on one number of ranks. */
struct weir_scaling_point {
    int ranks;
    int cells[3];
    int blocks;
    struct weir_scaling_run *runs; /* [repeat] */
    int count;                     /* runs so far */
    /* Over the runs; speed-up and efficiency against the first point, measured in the same round. */
    struct weir_spread mlups, step_seconds, waiting, longest_waiting, balance, speedup, efficiency;
};

struct weir_scaling {
    bool weak;
    bool shared; /* all numbers of ranks had the same cores between them: efficiency is the speed-up */
    int repeat;
    int64_t steps;
    int block_cells[3];
    struct weir_scaling_point points[WEIR_SCALING_POINTS_MAX]; /* by rising numbers of ranks */
    int count;
};

/* Adds a point without runs; `ranks` larger than those before. -WEIR_FAILED when memory is short. */
int weir_scaling_add_point(struct weir_scaling *scaling, int ranks, const int cells[3], int blocks);

/* Adds a run of a point; the runs of a round follow each other in the order of points. -WEIR_FAILED when the
 * digests of runs differ that computed the same. */
int weir_scaling_add_run(struct weir_scaling *scaling, int point, const struct weir_scaling_run *run);

/* Computes the spreads, when all points have all runs. -WEIR_FAILED when memory is short. */
int weir_scaling_finish(struct weir_scaling *scaling);

void weir_scaling_release(struct weir_scaling *scaling);

#endif
