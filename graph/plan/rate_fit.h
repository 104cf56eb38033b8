/* From measured times to the constants of the time model. */
#ifndef WEIR_GRAPH_PLAN_RATE_FIT_H
#define WEIR_GRAPH_PLAN_RATE_FIT_H

#include "graph/plan/time_model.h"

/* One worker group, computing alone or among its like: what it did, and how long it took. */
struct weir_rate_sample {
    double fluid_cells, solid_cells; /* updates; solid cells that were skipped */
    double tasks;
    double seconds;    /* greater than 0 */
    double wall_cells; /* of the updates, those beside solids */
};

/* The rates that make (T3) come nearest to the samples: least squares of the relative errors, no rate below
 * 0. A rate that no sample tells of (no solid cells, say) becomes 0. error: root mean square of the relative
 * errors, may be NULL. -WEIR_FAILED without samples, or when none of them took time. */
int weir_rate_fit(const struct weir_rate_sample *samples, int count, int tasks_at_once,
                  struct weir_rates *rates, double *error);

/* The same, and what cells beside solids take more (wall_cell_seconds), which follows from `walled`, a sample
 * in which many are; the others have a few such cells, whose time is taken out of theirs. Nothing of it may
 * be below 0. */
int weir_rate_fit_with_walls(const struct weir_rate_sample *samples, int count,
                             const struct weir_rate_sample *walled, int tasks_at_once,
                             struct weir_rates *rates);

#endif
