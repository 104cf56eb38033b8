/* What boundaries do to cells of a row on a CPU, between collision and writing: boundary.h for vectors of
 * cells. Most meet walls that are simple: at rest they do nothing, and what a moving one takes is the same
 * for many cells. */
#ifndef WEIR_KERNELS_BOUNDARY_ROWS_H
#define WEIR_KERNELS_BOUNDARY_ROWS_H

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cells/rows.h"

/* Takes from what walls reflect at some cells the momentum that moving ones keep. flags: of the cells at c_i.
 * Numbers and no struct direction: that would be passed in memory, which is 4 % of the instructions of a
 * cavity's step. */
CALLED void keep_momentum(const struct weir_block_view *b, const uint8_t *flags, lanes walls, real weight,
                          int cx, int cy, int cz, real populations[VECTOR_CELLS]) {
    const struct direction d = {.c = {cx, cy, cz}};
    uint8_t wall = WEIR_FLUID;
    real momentum = 0;
    for (lanes left = walls; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        if (flags[k] != wall) {
            wall = flags[k];
            momentum = wall_momentum(b, wall, d, weight);
        }
        if (momentum != 0)
            populations[k] = as_stored(populations[k]) - momentum;
    }
}

#if WITH_SCALAR

/* What comes back of a scalar. flags: as above. */
CALLED void reflect_scalar(const struct weir_block_view *b, const uint8_t *flags, lanes walls,
                           real populations[VECTOR_CELLS]) {
    for (lanes left = walls; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        populations[k] = reflected_scalar(b, flags[k], as_stored(populations[k]));
    }
}

#endif

CALLED void reflect_from_moving_walls(const struct weir_block_view *b, const struct row *row,
                                      const struct cells *cells, struct vector *v) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, ...)                                                     \
    if (cells->walls[i] != 0)                                                                        \
        keep_momentum(b, flag_of(b, cells->x + (cx), row->y + (cy), row->z + (cz)), cells->walls[i], \
                      (real)(w), cx, cy, cz, v->rows[i]);
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_SCALAR
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                         \
    if (cells->walls[i] != 0)                                                                         \
        reflect_scalar(b, flag_of(b, cells->x + (cx), row->y + (cy), row->z + (cz)), cells->walls[i], \
                       v->rows[i]);
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
#endif
}

/* Where some boundaries of the run let fluid pass: cells near these are taken one by one. */
CALLED void reflect_from_boundaries(const struct weir_block_view *b, int parity, const struct row *row,
                                    const struct cells *cells, const struct weir_fluid *fluid,
                                    const real force[3], struct vector *v, struct boundary_sums *sums) {
    const lanes open = near_open(row, cells);
    struct cells others = *cells;
    for (int i = 1; i < POPULATIONS; i++)
        others.walls[i] &= ~open;
    if (fluid->walls_move)
        reflect_from_moving_walls(b, row, &others, v);
    for (lanes left = open; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        direction_set walls = 0;
        real f[POPULATIONS];
        f[0] = v->rows[0][k];
        for (int i = 1; i < POPULATIONS; i++) {
            f[i] = v->rows[i][k];
            walls |= (direction_set)(cells->walls[i] >> k & 1) << i;
        }
        reflect_in_cell(b, parity, share_of(0, row->y, row->z), walls, cells->x + k, row->y, row->z,
                        fluid->forced, force, f, sums);
        for (int i = 1; i < POPULATIONS; i++)
            v->rows[i][k] = f[i];
    }
}

#endif
