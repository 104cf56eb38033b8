/* Cells that lie on a face of the domain (wet nodes): what arrives there from beyond the face is unknown, and
 * is made up before collision, so that the cell has the density or the velocity that the boundary gives.
 *
 * With n the normal into the domain, known are the populations along the face and towards it, and with them
 *     rho - rho u_n = sum_{c.n=0} f + 2 sum_{c.n<0} f - F_n / 2,
 * from which rho follows, or u_n (Zou, He, Phys. Fluids 9 (1997) 1591). What is not in equilibrium comes back
 * along the other ones, f_i = f_o + (f_eq_i - f_eq_o); then either these take on, in proportion to their
 * weights, what is missing of the momentum along the face (in space as Hecht, Harting, J. Stat. Mech. (2010)
 * P01018), or all populations of the cell are set to their density, momentum and stress (Latt et al., Phys.
 * Rev. E 77 (2008) 056703). numerics.md (N45).
 *
 * All that has a component off the face counts as unknown, also where a wall meets the face: so edges with
 * walls need nothing of their own. Where two such faces meet the first one completes the cell, and the links
 * to the other are bounce-back or anti-bounce-back with its values (boundary.h).
 *
 * Of flows with a temperature the cells before walls are completed by these (thermal_wall.h). */
#ifndef WEIR_KERNELS_WET_CELLS_H
#define WEIR_KERNELS_WET_CELLS_H

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/boundary/thermal_wall.h"
#include "codelets/kernels/collision/stress.h"

#if WITH_WET

struct wet_face {
    int boundary; /* 0: the cell lies on none */
    int axis, inwards;
};

#if WITH_TEMPERATURE

/* Completes what has arrived at a cell near a wall, if it is one of the wall's, which is returned. */
WEIR_CALLED struct wet_face complete_cell(const struct weir_block_view *b, int x, int y, int z, bool forced,
                                          const struct body_force *body, real f[POPULATIONS]) {
    const struct wet_face face = {thermal_wall_near(b, x, y, z), 0, 0};
    if (face.boundary != 0)
        set_to_wall(b, face.boundary, forced, body, f);
    return face;
}

#else

/* The first wet face on which a cell lies, whose flag is WEIR_NEAR_OPEN. */
FUNCTION struct wet_face wet_face_of(const struct weir_block_view *b, int x, int y, int z) {
    struct wet_face found = {0, 0, 0};
    for (int axis = DIMENSIONS - 1; axis >= 0; axis--)
        for (int inwards = -1; inwards <= 1; inwards += 2) {
            const uint8_t flag = *flag_of(b, x - (axis == 0 ? inwards : 0), y - (axis == 1 ? inwards : 0),
                                          z - (axis == 2 ? inwards : 0));
            if (is_wall(flag) && b->boundary_rows[flag].wet) {
                found.boundary = flag;
                found.axis = axis;
                found.inwards = inwards;
            }
        }
    return found;
}

/* c . n */
FUNCTION int component_inwards(const struct wet_face *face, int cx, int cy, int cz) {
    return face->inwards * (face->axis == 0 ? cx : face->axis == 1 ? cy : cz);
}

/* Value k of its boundary at a cell. */
FUNCTION real value_at_cell(const struct weir_block_view *b, int boundary, int x, int y, int z, int k) {
    const real *const profile = profile_of(b, boundary);
    return profile ? profile[place_on_face(b, boundary, x, y, z, k)] : constant_value(b, boundary, k);
}

/* rho - 1 - rho u_n (with rho_0 u_n in the incompressible equilibrium), from what is known. */
FUNCTION real known_excess(const struct wet_face *face, bool forced, const real force[3],
                           const real f[POPULATIONS]) {
    real along = f[0], outwards = 0;
#define PAIR(i, o, cx, cy, cz, w)                                    \
    {                                                                \
        const int inwards = component_inwards(face, cx, cy, cz);     \
        along += inwards == 0 ? f[i] + f[o] : (real)0;               \
        outwards += inwards == 0 ? (real)0 : f[inwards > 0 ? o : i]; \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    const real known = fma_real((real)2, outwards, along);
    return forced ? fma_real((real)-0.5 * (real)face->inwards, force[face->axis], known) : known;
}

/* Density and velocity of a cell on the face. */
FUNCTION struct moments moments_on_face(const struct weir_block_view *b, const struct wet_face *face, int x,
                                        int y, int z, real known) {
    const struct moments unset = {0};
    const int rule = b->boundary_rows[face->boundary].rule;
    real velocity[3] = {0, 0, 0};
    if (rule == WEIR_RULE_ZOU_HE_PRESSURE || rule == WEIR_RULE_REGULARISED_PRESSURE) {
        const real excess = value_at_cell(b, face->boundary, x, y, z, 0);
        velocity[face->axis] = (real)face->inwards * ((excess - known) / inertia_of((real)1 + excess));
        return moments_at(&unset, excess, velocity);
    }
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = value_at_cell(b, face->boundary, x, y, z, axis);
    const real inwards = (real)face->inwards * velocity[face->axis];
    const real excess = INCOMPRESSIBLE ? known + inwards : (known + inwards) / ((real)1 - inwards);
    return moments_at(&unset, excess, velocity);
}

/* Sum of w c_t^2 over the directions off the face, t along it: the same for all faces. */
FUNCTION double weight_off_face(void) {
    double sum = 0;
#define PAIR(i, o, cx, cy, cz, w) sum += (cx) != 0 && (cy) != 0 ? (w) : 0;
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    return sum;
}

/* Gives the unknown populations what is missing of the momentum along the face. momentum: that the
 * populations are to have. */
FUNCTION void correct_along_face(const struct wet_face *face, const real momentum[3], real f[POPULATIONS]) {
    real excess[3] = {0, 0, 0};
#define PAIR(i, o, cx, cy, cz, w)                          \
    {                                                      \
        const real difference = f[i] - f[o];               \
        excess[0] = add_signed(excess[0], cx, difference); \
        excess[1] = add_signed(excess[1], cy, difference); \
        excess[2] = add_signed(excess[2], cz, difference); \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    for (int axis = 0; axis < 3; axis++)
        excess[axis] = axis == face->axis ? (real)0 : excess[axis] - momentum[axis];
#define PAIR(i, o, cx, cy, cz, w)                                                             \
    {                                                                                         \
        const int inwards = component_inwards(face, cx, cy, cz);                              \
        const real share = (real)((w) / weight_off_face()) * dot_lattice(cx, cy, cz, excess); \
        if (inwards > 0)                                                                      \
            f[i] -= share;                                                                    \
        else if (inwards < 0)                                                                 \
            f[o] += share;                                                                    \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

/* Sets all populations of the cell to their density, momentum and stress. */
FUNCTION void regularise(const struct moments *m, const real bare_momentum[3], bool forced,
                         const real force[3], real f[POPULATIONS]) {
    struct tensor flux = viscous_stress_of(f, m, forced, force);
    const struct tensor of_momentum = momentum_flux(m);
    flux = tensor_sum((real)1, &of_momentum, &flux);
    if (forced) {
        const struct tensor work = symmetric_product(m->velocity, force);
        flux = tensor_sum((real)-1, &work, &flux);
    }
    const real momentum[3] = {(real)INVERSE_CS2 * bare_momentum[0], (real)INVERSE_CS2 * bare_momentum[1],
                              (real)INVERSE_CS2 * bare_momentum[2]};
    set_to_second_order(m->excess, momentum, &flux, f);
}

/* Completes what has arrived at a cell near an open boundary, if it lies on a wet face, which is returned. */
WEIR_CALLED struct wet_face complete_cell(const struct weir_block_view *b, int x, int y, int z, bool forced,
                                          const struct body_force *body, real f[POPULATIONS]) {
    const struct wet_face face = wet_face_of(b, x, y, z);
    real force[3];
    if (face.boundary == 0)
        return face;
    force_on_cell(body, f, force);
    const int rule = b->boundary_rows[face.boundary].rule;
    const struct moments m = moments_on_face(b, &face, x, y, z, known_excess(&face, forced, force, f));
    real momentum[3]; /* of the populations alone */
    for (int axis = 0; axis < 3; axis++)
        momentum[axis] = forced ? fma_real((real)-0.5, force[axis], m.momentum[axis]) : m.momentum[axis];
#define PAIR(i, o, cx, cy, cz, w)                                                           \
    {                                                                                       \
        const int inwards = component_inwards(&face, cx, cy, cz);                           \
        const real odd = (real)(2 * INVERSE_CS2 * (w)) * dot_lattice(cx, cy, cz, momentum); \
        if (inwards > 0)                                                                    \
            f[i] = f[o] + odd;                                                              \
        else if (inwards < 0)                                                               \
            f[o] = f[i] - odd;                                                              \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    if (rule == WEIR_RULE_REGULARISED_VELOCITY || rule == WEIR_RULE_REGULARISED_PRESSURE)
        regularise(&m, momentum, forced, force, f);
    else
        correct_along_face(&face, momentum, f);
    return face;
}

#endif

/* The same in a step: counts what is added. */
FUNCTION void complete_and_count(const struct weir_block_view *b, int parity, int share, int x, int y, int z,
                                 bool forced, const struct body_force *body, real f[POPULATIONS],
                                 struct boundary_sums *sums) {
    real arrived[FLOW_POPULATIONS];
    for (int i = 0; i < FLOW_POPULATIONS; i++)
        arrived[i] = f[i];
    const struct wet_face face = complete_cell(b, x, y, z, forced, body, f);
    if (face.boundary == 0)
        return;
    struct boundary_sum *const s = sum_for(b, parity, share, face.boundary, sums);
    accumulate_exactly(&s->sum[WEIR_FLOW_MASS], (double)f[0] - (double)arrived[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                            \
    {                                                                                     \
        const double more = (double)f[i] - (double)arrived[i];                            \
        accumulate_exactly(&s->sum[WEIR_FLOW_MASS], more);                                \
        for (int axis = 0; axis < 3; axis++)                                              \
            if ((d).c[axis] != 0)                                                         \
                accumulate_exactly(&s->sum[WEIR_FLOW_FORCE + axis], -(d).c[axis] * more); \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif

#endif
