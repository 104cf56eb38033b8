/* The progress of a run on standard error: one line that is redrawn on a terminal, a line now and then
 * elsewhere. */
#ifndef WEIR_SRC_RUN_PROGRESS_H
#define WEIR_SRC_RUN_PROGRESS_H

#include "src/common/warnings.h"

#include <stdbool.h>
#include <stdint.h>

struct weir_rank_moves;

struct weir_progress {
    bool quiet, terminal, drawn;
    int64_t steps; /* in all */
    int64_t fluid_cells;
    double bytes_per_update;
    double limit_gbs;   /* 0: not known */
    double start, last; /* seconds of the monotonic clock */
    double interval;    /* seconds between lines */
    /* Speed and time left are of the steps since the older of two marks, which move on every so often: what
     * was slow at the beginning is forgotten. */
    struct weir_progress_mark {
        double seconds;
        int64_t done;
    } older, newer;
    double mean_velocity, reynolds; /* that a force holds, in the case's units; NaN: none, not known */
    int told_moves;                 /* times that blocks moved between ranks */
    bool told_refusal;
};

/* Starts the clock. first: steps that were done before. */
void weir_progress_start(struct weir_progress *progress, bool quiet, int64_t first, int64_t steps,
                         int64_t fluid_cells, double bytes_per_update, double limit_gbs);

/* Shows `done` steps, when it is time to. balance: 1 is perfect. */
void weir_progress_show(struct weir_progress *progress, int64_t done, double balance);

/* Seconds that the steps which are left will take, if they go on as those since the start. done: more than
 * before the start. */
double weir_progress_left(const struct weir_progress *progress, int64_t done);

/* Tells that blocks have moved between ranks before step `step`, where they have since the last call; and
 * once, as a warning, where they could not. */
void weir_progress_moves(struct weir_progress *progress, int64_t step, const struct weir_rank_moves *moves,
                         struct weir_warnings *warnings);

/* Ends the line, so that other text can follow. */
void weir_progress_end(struct weir_progress *progress);

#endif
