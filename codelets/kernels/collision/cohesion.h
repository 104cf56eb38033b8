/* The force on a cell of a fluid with phases by the cells around it (Shan, Chen 1993), of which a share is
 * taken by squares (Kupershtokh, Medvedev, Karpov, Comput. Math. Appl. 58 (2009) 965; Gong, Cheng, Comput.
 * Fluids 53 (2012) 93): F = - G [ beta psi(x) sum w_i psi(x + c_i) c_i + (1 - beta) / 2 sum w_i psi(x +
 * c_i)^2 c_i ]. Sums are over the directions of the flow's lattice. numerics.md (N52). Of two components each
 * is repelled by the other: F_1 = - G rho_1(x) sum w_i rho_2(x + c_i) c_i, and F_2 likewise (N95).
 *
 * The pseudopotential, of two components the density of each, is a field that one stage fills, below 0 in
 * solid cells. Who collides, or looks at the flow, before it is filled anew finds the force there, each time,
 * and puts it behind the populations of the cell: it would take more to write and read it than the potentials
 * around a cell, which neighbouring cells share. No cell's is written while others read it. */
#ifndef WEIR_KERNELS_COHESION_H
#define WEIR_KERNELS_COHESION_H

#include "codelets/kernels/boundary/wet_cells.h"
#include "codelets/kernels/cells/fields.h"
#include "codelets/kernels/collision/pseudopotential.h"

#if WITH_PHASES

/* What a cell attracts by, or how much of each component there is. */
enum { POTENTIALS = COHESION_FORCES };

/* Those of all cells of the block, number k of each. */
FUNCTION real *potentials_of(const struct weir_block_view *b, int k) {
    return (real *)b->potentials + (size_t)k * kept_cells(b);
}

#if WITH_COMPONENTS

/* sum w_i psi(x + c_i) c_i. */
FUNCTION void sum_around(const real around[FLOW_POPULATIONS], real sum[3]) {
    sum[0] = sum[1] = sum[2] = 0;
#define PAIR(i, o, cx, cy, cz, w)                                    \
    {                                                                \
        const real difference = (real)(w) * (around[i] - around[o]); \
        sum[0] = add_signed(sum[0], cx, difference);                 \
        sum[1] = add_signed(sum[1], cy, difference);                 \
        sum[2] = add_signed(sum[2], cz, difference);                 \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

/* around[k][i]: density of component k at c_i, [0] of the cell itself. force: on both together, and on the
 * second. */
FUNCTION void cohesion_from(real around[POTENTIALS][FLOW_POPULATIONS], const struct body_force *body,
                            real force[COHESION_FORCES][3]) {
    real of_first[3], of_second[3];
    sum_around(around[0], of_first);
    sum_around(around[1], of_second);
    for (int axis = 0; axis < 3; axis++) {
        force[1][axis] = (body->pairs * around[1][0]) * of_first[axis];
        force[0][axis] = fma_real(body->pairs * around[0][0], of_second[axis], force[1][axis]);
    }
}

#else

/* around[0][i]: psi at c_i, [0] of the cell itself. */
FUNCTION void cohesion_from(real all[POTENTIALS][FLOW_POPULATIONS], const struct body_force *body,
                            real force[COHESION_FORCES][3]) {
    const real *const around = all[0];
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
        force[0][axis] = fma_real(body->pairs * around[0], plain[axis], body->squares * squared[axis]);
}

#endif

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

/* psi around a cell beside walls, with what goes on into these. */
FUNCTION void continue_into_walls(const real around[FLOW_POPULATIONS], real whole[FLOW_POPULATIONS]) {
    real slopes[3][2];
    for (int axis = 0; axis < 3; axis++) {
        slopes[axis][0] = slope_to(around, axis, -1);
        slopes[axis][1] = slope_to(around, axis, 1);
    }
    whole[0] = around[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    whole[i] = around[i] < 0 ? continued(slopes, around[0], cx, cy, cz) : around[i];
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

/* The force by which walls around a cell attract it: 6 rho sum k w_i c_i, so that a flat wall gives any fluid
 * beside it the acceleration k; the second of two components, and the first k away from it. psi: of the cell,
 * of a fluid of one component its density; flag: the cell's, which is fluid. */
FUNCTION void adhesion_on_cell(const struct weir_block_view *b, uint8_t flag, const real psi[POTENTIALS],
                               int x, int y, int z, real force[COHESION_FORCES][3]) {
    real sum[3] = {0, 0, 0};
    if (flag != WEIR_FLUID) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                       \
    {                                                                                                \
        const uint8_t wall = flag_beside(b, d, x, y, z);                                             \
        const real k = is_wall(wall) ? (real)(6 * (w)) * ((const real *)b->wetting)[wall] : (real)0; \
        sum[0] = add_signed(sum[0], cx, k);                                                          \
        sum[1] = add_signed(sum[1], cy, k);                                                          \
        sum[2] = add_signed(sum[2], cz, k);                                                          \
    }
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    }
    for (int axis = 0; axis < 3; axis++) {
#if WITH_COMPONENTS
        force[1][axis] = psi[1] * sum[axis];
        force[0][axis] = fma_real(-psi[0], sum[axis], force[1][axis]);
#else
        force[0][axis] = psi[0] * sum[axis];
#endif
    }
}

/* What the field has of the cell at c from cell (x, y, z), in whatever block it is, or beyond the domain; of
 * its values number k. */
FUNCTION real potential_beside(const struct weir_block_view *b, int k, int x, int y, int z, int cx, int cy,
                               int cz) {
    const int ox = block_offset(b, 0, x, cx), oy = block_offset(b, 1, y, cy), oz = block_offset(b, 2, z, cz);
    const bool within = ox == 0 && oy == 0 && oz == 0;
    if (!within && !b->potentials_beside[WEIR_OFFSET_NUMBER(ox, oy, oz)])
        return ENTRY_OF_WALL;
    return field_beside(b, potentials_of(b, k), b->potentials_beside, k, x, y, z, cx, cy, cz);
}

/* The force on any cell by those around it, without adhesion. */
FUNCTION void cohesion_on_cell(const struct weir_block_view *b, const struct body_force *body, uint8_t flag,
                               int x, int y, int z, real force[COHESION_FORCES][3]) {
    real whole[POTENTIALS][FLOW_POPULATIONS];
    UNROLL(2)
    for (int k = 0; k < POTENTIALS; k++) {
        real around[FLOW_POPULATIONS];
        around[0] = potentials_of(b, k)[cell_entry(b, x, y, z)];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) around[i] = potential_beside(b, k, x, y, z, cx, cy, cz);
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        if (flag != WEIR_FLUID)
            continue_into_walls(around, whole[k]);
        else
            memcpy(whole[k], around, sizeof around);
    }
    cohesion_from(whole, body, force);
}

/* The densities that a cell with these populations has: of all, or of both components. */
FUNCTION void densities_of(const real f[POPULATIONS], real densities[POTENTIALS]) {
    densities[0] = (real)1 + excess_of(f);
#if WITH_COMPONENTS
    densities[1] = scalar_of(f);
    densities[0] -= densities[1];
#endif
}

/* The whole force on any cell with these densities, called: few cells take this way. */
WEIR_CALLED void force_between_cells(const struct weir_block_view *b, const struct body_force *body,
                                     uint8_t flag, const real densities[POTENTIALS], int x, int y, int z,
                                     real force[COHESION_FORCES][3]) {
    cohesion_on_cell(b, body, flag, x, y, z, force);
    if (flag != WEIR_FLUID) {
        real of_walls[COHESION_FORCES][3];
        adhesion_on_cell(b, flag, densities, x, y, z, of_walls);
        for (int k = 0; k < COHESION_FORCES; k++)
            for (int axis = 0; axis < DIMENSIONS; axis++)
                force[k][axis] += of_walls[k][axis];
    }
}

#endif

/* Puts the force between cells behind the populations that have arrived at one of the block's. */
FUNCTION void add_cohesion(const struct weir_block_view *b, const struct body_force *body, uint8_t flag,
                           int x, int y, int z, real f[POPULATIONS]) {
#if WITH_PHASES
    real densities[POTENTIALS], force[COHESION_FORCES][3];
    densities_of(f, densities);
    force_between_cells(b, body, flag, densities, x, y, z, force);
    UNROLL(6)
    for (int k = 0; k < COHESION_VALUES; k++)
        f[COHESION_0 + k] = force[k / DIMENSIONS][k % DIMENSIONS];
#else
    (void)b, (void)body, (void)flag, (void)x, (void)y, (void)z, (void)f;
#endif
}

#if WITH_PHASES

/* What cells attract by, psi[0]: of a fluid of one component by its equation of state, a constant of the
 * caller's, from the density there; densities of two components do not count where they are below 0. */
FUNCTION void attract_by(int equation, const struct interaction *a, real psi[POTENTIALS]) {
#if WITH_COMPONENTS
    (void)equation, (void)a;
    for (int k = 0; k < POTENTIALS; k++)
        psi[k] = psi[k] < 0 ? (real)0 : psi[k];
#else
    psi[0] = pseudopotential_by(equation, a, psi[0]);
#endif
}

/* The same by the equation of the run. */
FUNCTION void attract(int equation, const struct interaction *a, real psi[POTENTIALS]) {
#if WITH_COMPONENTS
    attract_by(equation, a, psi);
#else
    psi[0] = pseudopotential_of(equation, a, psi[0]);
#endif
}

#endif

#endif
