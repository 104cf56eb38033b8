/* The force on a cell of a fluid with phases by the cells around it (Shan, Chen 1993), of which a share is
 * taken by squares (Kupershtokh, Medvedev, Karpov, Comput. Math. Appl. 58 (2009) 965; Gong, Cheng, Comput.
 * Fluids 53 (2012) 93): F = - G [ beta psi(x) sum w_i psi(x + c_i) c_i + (1 - beta) / 2 sum w_i psi(x +
 * c_i)^2 c_i ]. Sums are over the directions of the flow's lattice. numerics.md (N52).
 *
 * The pseudopotential is a field that one stage fills, below 0 in solid cells, and that a later one reads: no
 * cell's is written while others read it. */
#ifndef WEIR_KERNELS_COHESION_H
#define WEIR_KERNELS_COHESION_H

#include "codelets/kernels/boundary/wet_cells.h"
#include "codelets/kernels/cells/fields.h"
#include "codelets/kernels/collision/pseudopotential.h"

/* around[i]: psi at c_i, [0] of the cell itself. */
FUNCTION void cohesion_from(const real around[FLOW_POPULATIONS], const struct interaction *a, real force[3]) {
    real plain[3] = {0, 0, 0}, squared[3] = {0, 0, 0};
#define PAIR(i, o, cx, cy, cz, w)                                     \
    {                                                                 \
        const real difference = (real)(w) * (around[i] - around[o]);  \
        const real of_squares = difference * (around[i] + around[o]); \
        plain[0] = add_signed(plain[0], cx, difference);              \
        plain[1] = add_signed(plain[1], cy, difference);              \
        plain[2] = add_signed(plain[2], cz, difference);              \
        squared[0] = add_signed(squared[0], cx, of_squares);          \
        squared[1] = add_signed(squared[1], cy, of_squares);          \
        squared[2] = add_signed(squared[2], cz, of_squares);          \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    for (int axis = 0; axis < 3; axis++)
        force[axis] = fma_real(a->pairs * around[0], plain[axis], a->squares * squared[axis]);
}

/* What the field has of a wall: below 0, which tells it apart. */
#define ENTRY_OF_WALL ((real)-1)

/* By how much psi of the neighbour along an axis differs from the cell's; walls do not. */
FUNCTION real slope_to(const real around[FLOW_POPULATIONS], int axis, int side) {
    real slope = 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                         \
    if ((cx) * (cx) + (cy) * (cy) + (cz) * (cz) == 1 && (axis == 0   ? (cx)           \
                                                         : axis == 1 ? (cy)           \
                                                                     : (cz)) == side) \
        slope = around[i] < 0 ? (real)0 : around[i] - around[0];
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    return slope;
}

/* psi that goes on into a wall at c: the cell's, with its slopes along the wall. */
FUNCTION real continued(const real slopes[3][2], real here, int cx, int cy, int cz) {
    const int c[3] = {cx, cy, cz};
    real psi = here;
    for (int axis = 0; axis < 3; axis++)
        if (c[axis] != 0)
            psi += slopes[axis][c[axis] > 0];
    return psi < 0 ? (real)0 : psi;
}

/* The same beside walls. */
FUNCTION void cohesion_near_walls(const real around[FLOW_POPULATIONS], const struct interaction *a,
                                  real force[3]) {
    real whole[FLOW_POPULATIONS], slopes[3][2];
    for (int axis = 0; axis < 3; axis++) {
        slopes[axis][0] = slope_to(around, axis, -1);
        slopes[axis][1] = slope_to(around, axis, 1);
    }
    whole[0] = around[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    whole[i] = around[i] < 0 ? continued(slopes, around[0], cx, cy, cz) : around[i];
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    cohesion_from(whole, a, force);
}

/* The force by which walls around a cell attract it: 6 rho sum k w_i c_i, so that a flat wall gives any fluid
 * beside it the acceleration k. flag: the cell's, which is fluid. */
FUNCTION void adhesion_on_cell(const struct weir_block_view *b, uint8_t flag, real density, int x, int y,
                               int z, real force[3]) {
    real sum[3] = {0, 0, 0};
    if (flag != WEIR_FLUID) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                         \
    {                                                                                                  \
        const uint8_t wall = flag_beside(b, d, x, y, z);                                               \
        const real k = is_wall(wall) ? (real)(6 * (w)) * ((const real *)b->adhesions)[wall] : (real)0; \
        sum[0] = add_signed(sum[0], cx, k);                                                            \
        sum[1] = add_signed(sum[1], cy, k);                                                            \
        sum[2] = add_signed(sum[2], cz, k);                                                            \
    }
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    }
    for (int axis = 0; axis < 3; axis++)
        force[axis] = density * sum[axis];
}

/* What the field has of the cell at c from cell (x, y, z), in whatever block it is, or beyond the domain. */
FUNCTION real pseudopotential_beside(const struct weir_block_view *b, const real *psi,
                                     const void *const incoming[WEIR_NEIGHBOURS], int x, int y, int z, int cx,
                                     int cy, int cz) {
    const int ox = block_offset(b, 0, x, cx), oy = block_offset(b, 1, y, cy), oz = block_offset(b, 2, z, cz);
    const bool within = ox == 0 && oy == 0 && oz == 0;
    if (!within && !incoming[WEIR_OFFSET_NUMBER(ox, oy, oz)])
        return ENTRY_OF_WALL;
    return field_beside(b, psi, incoming, 0, x, y, z, cx, cy, cz);
}

/* The force on any cell. */
FUNCTION void cohesion_on_cell(const struct weir_block_view *b, const struct interaction *a, const real *psi,
                               const void *const incoming[WEIR_NEIGHBOURS], int x, int y, int z,
                               real force[3]) {
    real around[FLOW_POPULATIONS];
    around[0] = psi[cell_entry(b, x, y, z)];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    around[i] = pseudopotential_beside(b, psi, incoming, x, y, z, cx, cy, cz);
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    if (*flag_of(b, x, y, z) == WEIR_FLUID)
        cohesion_from(around, a, force);
    else
        cohesion_near_walls(around, a, force);
}

/* Keeps a force on a cell where its collision finds it. */
FUNCTION void keep_force(const struct weir_block_view *b, int entry, const real force[3]) {
    for (int axis = 0; axis < DIMENSIONS; axis++)
        *slot_of(b, COHESION_0 + axis, entry) = stored_of(force[axis]);
}

/* The same with what is kept there of a cell beside walls: the adhesion to these. */
FUNCTION void add_force(const struct weir_block_view *b, uint8_t flag, int entry, real force[3]) {
    if (flag >= WEIR_NEAR_WALL)
        for (int axis = 0; axis < DIMENSIONS; axis++)
            force[axis] += real_of(*slot_of(b, COHESION_0 + axis, entry));
    keep_force(b, entry, force);
}

#endif
