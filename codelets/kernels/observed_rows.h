/* Rows of a block as a CPU looks at them between two steps: the populations arriving at each run of fluid
 * cells, in natural arrangement, and their moments. Nothing is changed. */
#ifndef WEIR_KERNELS_OBSERVED_ROWS_H
#define WEIR_KERNELS_OBSERVED_ROWS_H

#include "codelets/kernels/moments.h"
#include "codelets/kernels/rows.h"

struct observer {
    const struct weir_block_view *block;
    int parity;
    bool forced;
    real force[3];
};

struct observed_run {
    struct run run;
    const stored *rows[POPULATIONS]; /* rows[i][k]: f_i arriving at the run's k-th cell */
    struct moments moments[RUN_CELLS];
    struct staging staging;
};

static inline struct observer observer_of(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                          int parity) {
    return (struct observer){.block = b,
                             .parity = parity,
                             .forced = fluid->forced,
                             .force = {(real)fluid->force[0], (real)fluid->force[1], (real)fluid->force[2]}};
}

/* Looks at the next run of fluid cells of a row, from cell *x on and before x_end; false when there is none.
 */
static inline bool observe_next(const struct observer *observer, int *x, int x_end, int y, int z,
                                struct observed_run *o) {
    if (!next_run(observer->block, x, x_end, y, z, &o->run))
        return false;
    arriving_rows(observer->block, observer->parity, &o->run, &o->staging, o->rows);
    for (int k = 0; k < o->run.cells; k++) {
        real f[POPULATIONS];
        /* Unrolled, all of f stays in registers. */
#pragma GCC unroll 27
        for (int i = 0; i < POPULATIONS; i++)
            f[i] = real_of(o->rows[i][k]);
        o->moments[k] = moments_of(f, observer->forced, observer->force);
    }
    return true;
}

#endif
