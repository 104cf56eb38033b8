/* What leaves vectors of cells that keep moments, on a CPU. */
#ifndef WEIR_KERNELS_LEAVE_ROWS_H
#define WEIR_KERNELS_LEAVE_ROWS_H

#include "codelets/kernels/cells/moment_rows.h"
#include "codelets/kernels/collision/leave_moments.h"

/* f*_i of cell x + k goes to to[i][x + k]. */
FUNCTION void leave_into(const struct vector_of_moments *m, bool forced, const struct relaxation *relaxation,
                         real *const to[POPULATIONS], int x) {
    const struct relaxation r = *relaxation;
#define WEIR_DIRECTION(i, ...) real *const to_##i = to[i] + x;
    WEIR_DIRECTION(0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        const struct kept_moments kept = kept_of_lane(m, k);
        real f[POPULATIONS];
        leaving_of_kept(&kept, forced, &r, f);
#define WEIR_DIRECTION(i, ...) to_##i[k] = f[i];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* With and without force, each compiled on its own. */
static void leave_to(const struct vector_of_moments *m, bool forced, const struct relaxation *r,
                     real *const to[POPULATIONS], int x) {
    if (forced)
        leave_into(m, true, r, to, x);
    else
        leave_into(m, false, r, to, x);
}

static inline void leave_one(const struct vector_of_moments *m, bool forced, const struct relaxation *r,
                             struct vector *v) {
    real *to[POPULATIONS];
    for (int i = 0; i < POPULATIONS; i++)
        to[i] = v->rows[i];
    leave_to(m, forced, r, to, 0);
}

#endif
