/* What leaves vectors of cells that keep moments, on a CPU. */
#ifndef WEIR_KERNELS_LEAVE_ROWS_H
#define WEIR_KERNELS_LEAVE_ROWS_H

#include "codelets/kernels/cells/moment_rows.h"
#include "codelets/kernels/collision/leave_moments.h"

FUNCTION void leave_vector(const struct vector_of_moments *m, bool forced, const struct relaxation *r,
                           struct vector *v) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        const struct kept_moments kept = kept_of_lane(m, k);
        real f[POPULATIONS];
        leaving_of_kept(&kept, forced, r, f);
        UNROLL(27)
        for (int i = 0; i < POPULATIONS; i++)
            v->rows[i][k] = f[i];
    }
}

/* With and without force, each compiled on its own. */
static void leave_one(const struct vector_of_moments *m, bool forced, const struct relaxation *r,
                      struct vector *v) {
    if (forced)
        leave_vector(m, true, r, v);
    else
        leave_vector(m, false, r, v);
}

#endif
