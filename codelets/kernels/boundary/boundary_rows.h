/* What boundaries do to cells of a row on a CPU, between collision and writing: boundary.h for vectors of
 * cells. Most meet walls that are simple: at rest they do nothing, and what a moving one takes is the same
 * for many cells. */
#ifndef WEIR_KERNELS_BOUNDARY_ROWS_H
#define WEIR_KERNELS_BOUNDARY_ROWS_H

#include "codelets/kernels/boundary/wet_cells.h"
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

#if WITH_MIRRORS && BY_ROWS && !WITH_SCALAR

/* Counts the links of some cells along d to one boundary that mirrors, as count_link does, of which nothing
 * passes: the momentum along these axes. */
CALLED void count_lanes(const struct weir_block_view *b, int parity, int share, int boundary, lanes some,
                        struct direction d, unsigned axes, const real leaving[VECTOR_CELLS],
                        struct boundary_sums *sums) {
    if (!is_counted(b, boundary))
        return;
    struct boundary_sum *const sum = sum_for(b, parity, share, boundary, sums);
    for (int axis = 0; axis < 3; axis++) {
        if (d.c[axis] == 0 || !(axes >> axis & 1))
            continue;
        int64_t high = 0;
        uint64_t low = 0;
        if (some == (some & -some)) {
            const double back = (double)as_stored(leaving[first_lane(some)]);
            accumulate_exactly(&sum->sum[WEIR_FLOW_FORCE + axis], d.c[axis] * (back + back));
            continue;
        }
        for (int k = 0; k < VECTOR_CELLS; k++) {
            const double back = some >> k & 1 ? (double)as_stored(leaving[k]) : 0;
            const struct weir_exact_sum part = exact_of(d.c[axis] * (back + back));
            high += part.high;
            low += part.low;
        }
        sum->sum[WEIR_FLOW_FORCE + axis].high += high;
        sum->sum[WEIR_FLOW_FORCE + axis].low += low;
    }
}

/* The same, whatever mirrors they meet: the cells at c say which. */
CALLED void count_mirrors(const struct weir_block_view *b, int parity, const struct row *row, int x,
                          const int c[3], lanes some, struct direction d, unsigned axes,
                          const real leaving[VECTOR_CELLS], struct boundary_sums *sums) {
    const uint8_t *const flags = flag_of(b, x + c[0], row->y + c[1], row->z + c[2]);
    while (some != 0) {
        const uint8_t boundary = flags[first_lane(some)];
        const lanes alike = some & flag_bits(flags, boundary);
        count_lanes(b, parity, share_of(0, row->y, row->z), boundary, alike, d, axes, leaving, sums);
        some &= ~alike;
    }
}

/* What quiet walls do to cells, which is nothing; counts their links to mirrors (count_if_wanted). */
CALLED void count_quiet(const struct weir_block_view *b, int parity, const struct row *row,
                        const struct cells *cells, const struct vector *v, struct boundary_sums *sums) {
    const lanes all = cells->quiet;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                              \
    if ((all & cells->walls[i] & ~cells->past[i]) != 0)                     \
        count_mirrors(b, parity, row, cells->x, (const int[3]){cx, cy, cz}, \
                      all & cells->walls[i] & ~cells->past[i], d, ALL_AXES, v->rows[i], sums);
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    for (int turn = 0; turn < cells->turns; turn++) {
        const struct turned_cells *const turned = &cells->turned[turn];
        const struct direction d = numbered[turned->direction];
        const int axis = turned->axes & 1 ? 0 : turned->axes & 2 ? 1 : 2;
        int c[3] = {0, 0, 0};
        c[axis] = d.c[axis];
        count_mirrors(b, parity, row, cells->x, c, all & turned->some, d, turned->axes, v->rows[d.i], sums);
    }
}

#endif

#if WITH_WET

/* Between reading and collision: completes, of the cells near open boundaries, those that lie on wet faces.
 */
CALLED void complete_wet_cells(const struct weir_block_view *b, int parity, const struct row *row,
                               const struct cells *cells, bool forced, const struct body_force *body,
                               struct vector *v, struct boundary_sums *sums) {
    for (lanes left = near_open(row, cells); left != 0; left &= left - 1) {
        const int k = first_lane(left);
        real f[POPULATIONS];
        for (int i = 0; i < POPULATIONS; i++)
            f[i] = v->rows[i][k];
        complete_and_count(b, parity, share_of(0, row->y, row->z), cells->x + k, row->y, row->z, forced, body,
                           f, sums);
        for (int i = 0; i < POPULATIONS; i++)
            v->rows[i][k] = f[i];
    }
}

#endif

/* Where some boundaries of the run let fluid pass: cells near these are taken one by one, but for those
 * whose walls are quiet. */
CALLED void reflect_from_boundaries(const struct weir_block_view *b, int parity, const struct row *row,
                                    const struct cells *cells, const struct weir_fluid *fluid,
                                    const struct body_force *body, struct vector *v,
                                    struct boundary_sums *sums) {
    lanes open = near_open(row, cells);
    if (fluid->walls_move) {
        struct cells others = *cells;
        for (int i = 1; i < POPULATIONS; i++)
            others.walls[i] &= ~open;
        reflect_from_moving_walls(b, row, &others, v);
    }
#if WITH_MIRRORS && BY_ROWS && !WITH_SCALAR
    if (cells->quiet != 0)
        count_quiet(b, parity, row, cells, v, sums);
    open &= ~cells->quiet;
#endif
    for (lanes left = open; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        direction_set walls = 0;
        real f[POPULATIONS];
        f[0] = v->rows[0][k];
        for (int i = 1; i < POPULATIONS; i++) {
            f[i] = v->rows[i][k];
            walls |= (direction_set)(cells->walls[i] >> k & 1) << i;
        }
        const struct surroundings around = surroundings_of(b, cells->x + k, row->y, row->z);
        reflect_in_cell(b, parity, share_of(0, row->y, row->z), walls, &around, cells->x + k, row->y, row->z,
                        fluid->forced, body, f, sums);
        for (int i = 1; i < POPULATIONS; i++)
            v->rows[i][k] = f[i];
    }
}

#endif
