/* Rows of a block as a CPU observes them between two steps: the populations arriving at each vector of cells,
 * in natural arrangement, and their moments. Nothing is changed. */
#ifndef WEIR_KERNELS_OBSERVED_ROWS_H
#define WEIR_KERNELS_OBSERVED_ROWS_H

#include "codelets/kernels/boundary/wet_cells.h"
#include "codelets/kernels/cells/filling.h"
#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/collision/eddies.h"
#include "codelets/kernels/collision/moments.h"

struct observer {
    const struct weir_block_view *block;
    int parity;
    bool forced;
    struct body_force force;
};

struct observed_cells {
    struct row row;
    struct cells cells;                   /* of cells.fluid: */
    struct vector arriving;               /* rows[i][k]: f_i arriving at cell cells.x + k */
    struct moments moments[VECTOR_CELLS]; /* of cells on wet faces after they have been completed */
    real excess[VECTOR_CELLS];            /* density - 1 of what arrives; all mass beside a free surface */
};

static inline struct observer observer_of(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                          int parity) {
    return (struct observer){
        .block = b, .parity = parity, .forced = fluid->forced, .force = body_force_of_fluid(fluid)};
}

/* Turns to a row. */
static inline void observe_row(const struct observer *observer, int y, int z, struct observed_cells *o) {
    o->row = row_of(observer->block, observer->parity, y, z);
}

/* Cell number k of the vector, from what arrives there to what is going to collide; whether that is something
 * else: on wet faces. */
static inline bool complete_observed(const struct observer *observer, const struct observed_cells *o, int k,
                                     real f[POPULATIONS]) {
#if WITH_WET && !WITH_MOMENTS /* whose cells are completed by the step that fills them */
    return o->row.flags[o->cells.x + k] == WEIR_NEAR_OPEN &&
           complete_cell(observer->block, o->cells.x + k, o->row.y, o->row.z, observer->forced,
                         &observer->force, f)
                   .boundary != 0;
#else
    (void)observer, (void)o, (void)k, (void)f;
    return false;
#endif
}

/* Finds the next vector of the row in which a cell is fluid, from cell *x on and before x_end, and what has
 * arrived there; false when there is none. */
static inline bool observe_arriving(const struct observer *observer, int *x, int x_end,
                                    struct observed_cells *o) {
    bool found = false;
    for (; *x < x_end && !found; *x += VECTOR_CELLS)
        found = find_cells(observer->block, &o->row, *x, x_end, &o->cells);
    if (!found)
        return false;
    look_at_cells(observer->block, observer->parity, &o->row, &o->cells, &o->arriving);
    add_cohesion_to_cells(observer->block, &observer->force, &o->row, &o->cells, &o->arriving);
    return true;
}

/* The same with what follows from it. */
static inline bool observe_next(const struct observer *observer, int *x, int x_end,
                                struct observed_cells *o) {
    if (!observe_arriving(observer, x, x_end, o))
        return false;
    const int left = x_end - o->cells.x, count = left < VECTOR_CELLS ? left : VECTOR_CELLS;
    for (int k = 0; k < count; k++) {
        real f[POPULATIONS];
        /* Unrolled, all of f stays in registers. */
        UNROLL(27)
        for (int i = 0; i < POPULATIONS; i++)
            f[i] = o->arriving.rows[i][k];
        real force[3];
        force_on_cell(&observer->force, f, force);
        o->moments[k] = moments_of(f, observer->forced, force);
#if WITH_SURFACE
        o->excess[k] = mass_of_cell(f, o->moments[k].excess);
#else
        o->excess[k] = o->moments[k].excess;
#endif
        if (complete_observed(observer, o, k, f))
            o->moments[k] = moments_of(f, observer->forced, force);
    }
    return true;
}

#if WITH_TURBULENCE
/* Of cell number k of the vector. */
static inline real eddy_viscosity_at(const struct observer *observer, const struct observed_cells *observed,
                                     int k, const struct weir_fluid *fluid) {
    real f[POPULATIONS];
    for (int i = 0; i < POPULATIONS; i++)
        f[i] = observed->arriving.rows[i][k];
    complete_observed(observer, observed, k, f);
    return eddy_viscosity_of(f, &observed->moments[k], fluid);
}
#endif

#endif
