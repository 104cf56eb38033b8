/* Single cells that keep moments: what leaves them for other blocks. */
#ifndef WEIR_KERNELS_MOMENT_CELLS_H
#define WEIR_KERNELS_MOMENT_CELLS_H

#include "codelets/kernels/cells/addressing.h"
#include "codelets/kernels/collision/leave_moments.h"

#if WITH_MOMENTS

/* Writes what leaves a cell with these moments for other blocks to the messages there. */
FUNCTION void send_kept(const struct weir_block_view *b, bool forced, const struct relaxation *r,
                        const struct kept_moments *kept, int x, int y, int z) {
    real f[POPULATIONS];
    leaving_of_kept(kept, forced, r, f);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                  \
    {                                                                                           \
        const bool leaves = block_offset(b, 0, x, cx) != 0 || block_offset(b, 1, y, cy) != 0 || \
                            block_offset(b, 2, z, cz) != 0;                                     \
        if (leaves && !is_wall(*flag_of(b, x + (cx), y + (cy), z + (cz))))                      \
            *plain_target(b, 0, false, d, x, y, z) = stored_of(f[i]);                           \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_MIRRORS
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                          \
    {                                                                   \
        const struct direction way = way_into_block(b, d, x, y, z);     \
        if (is_other_way(way, i))                                       \
            *plain_target(b, 0, false, way, x, y, z) = stored_of(f[i]); \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
#endif
}

#endif

#endif
