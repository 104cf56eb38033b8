/* What recursive regularised and cumulant collisions have in common: all that leaves a cell follows from its
 * density, momentum and stress. numerics.md (N29). */
#ifndef WEIR_KERNELS_HERMITE_CLOSURE_H
#define WEIR_KERNELS_HERMITE_CLOSURE_H

#include "codelets/kernels/collision/hermite.h"

/* Velocity and stress of what leaves a cell. */
struct closure {
    real velocity[3];
    struct tensor stress; /* per density: covariance of the velocities less the equilibrium's */
    real density;
};

/* A viscous stress about the mean velocity of the populations that arrive: half of the body force is not in
 * it.
 */
FUNCTION struct tensor about_own_velocity(const struct tensor *stress, const struct moments *m, bool forced,
                                          const real force[3]) {
    if (!forced)
        return *stress;
    const struct tensor square = symmetric_product(force, force);
    return tensor_sum((real)-0.25 / m->density, &square, stress);
}

/* That of the populations. */
FUNCTION struct tensor own_stress_of(const real f[POPULATIONS], const struct moments *m, bool forced,
                                     const real force[3]) {
    const struct tensor stress = viscous_stress_of(f, m, forced, force);
    return about_own_velocity(&stress, m, forced, force);
}

/* Coefficients up to the second order of what leaves a cell, whose mean velocity has all of the body force:
 * `stress` has relaxed. */
FUNCTION struct closure close_second_order(const struct moments *m, const struct tensor *stress, bool forced,
                                           const real force[3], struct hermite *a) {
    struct closure c;
    const real inverse = (real)1 / m->density;
    a->density = m->excess;
    for (int axis = 0; axis < DIMENSIONS; axis++) {
        a->momentum[axis] = m->momentum[axis];
        c.velocity[axis] = m->velocity[axis];
        if (forced) {
            a->momentum[axis] = fma_real((real)0.5, force[axis], a->momentum[axis]);
            c.velocity[axis] = fma_real((real)0.5 * force[axis], inverse, c.velocity[axis]);
        }
    }
    for (int axis = DIMENSIONS; axis < 3; axis++)
        a->momentum[axis] = c.velocity[axis] = 0;
    const struct tensor flux = product_of(a->momentum, c.velocity);
    a->flux = tensor_sum((real)1, stress, &flux);
    const struct tensor none = {0, 0, 0, 0, 0, 0};
    c.stress = tensor_sum(inverse, stress, &none);
    c.density = m->density;
    return c;
}

/* E[x^2 y] = E[y] E[x^2] + 2 s_xy E[x], and so on: those of the third order. They are the same whether the
 * stress is small or not. */
FUNCTION void close_third_order(const struct closure *c, struct hermite *a) {
    const real *const u = c->velocity, *const j = a->momentum;
    const struct tensor *const s = &c->stress, *const flux = &a->flux;
    a->xxy = fma_real(u[1], flux->xx, (real)2 * s->xy * j[0]);
    a->xyy = fma_real(u[0], flux->yy, (real)2 * s->xy * j[1]);
    if (DIMENSIONS == 3) {
        a->xxz = fma_real(u[2], flux->xx, (real)2 * s->xz * j[0]);
        a->xzz = fma_real(u[0], flux->zz, (real)2 * s->xz * j[2]);
        a->yyz = fma_real(u[2], flux->yy, (real)2 * s->yz * j[1]);
        a->yzz = fma_real(u[1], flux->zz, (real)2 * s->yz * j[2]);
        a->xyz = fma_real(u[2], flux->xy, fma_real(s->xz, j[1], s->yz * j[0]));
    }
}

/* Those of higher orders, from `lower`, those that the stress is multiplied by: all of a, or equilibrium's.
 */
FUNCTION void close_higher_orders(const struct closure *c, const struct hermite *lower, struct hermite *a) {
    const real *const u = c->velocity;
    const struct tensor *const s = &c->stress, *const flux = &lower->flux;
    const real two = 2;
    a->xxyy = fma_real(u[1], a->xxy, fma_real(two * s->xy, flux->xy, s->yy * flux->xx));
    if (DIMENSIONS == 3) {
        a->xxzz = fma_real(u[2], a->xxz, fma_real(two * s->xz, flux->xz, s->zz * flux->xx));
        a->yyzz = fma_real(u[2], a->yyz, fma_real(two * s->yz, flux->yz, s->zz * flux->yy));
        a->xxyz = fma_real(u[2], a->xxy, fma_real(two * s->xz, flux->xy, s->yz * flux->xx));
        a->xyyz = fma_real(u[2], a->xyy, fma_real(two * s->yz, flux->xy, s->xz * flux->yy));
        a->xyzz = fma_real(u[1], a->xzz, fma_real(two * s->yz, flux->xz, s->xy * flux->zz));
    }
}

/* The fifth and sixth, in the same way. */
FUNCTION void close_highest_orders(const struct closure *c, const struct hermite *lower, struct hermite *a) {
    const real *const u = c->velocity;
    const struct tensor *const s = &c->stress;
    const real two = 2;
    a->xxyyz = fma_real(u[2], a->xxyy, two * fma_real(s->xz, lower->xyy, s->yz * lower->xxy));
    a->xxyzz = fma_real(u[1], a->xxzz, two * fma_real(s->xy, lower->xzz, s->yz * lower->xxz));
    a->xyyzz = fma_real(u[0], a->yyzz, two * fma_real(s->xy, lower->yzz, s->xz * lower->yyz));
    const real sides = two * fma_real(s->xz, lower->xyyz, s->yz * lower->xxyz);
    a->xxyyzz = fma_real(u[2], a->xxyyz, fma_real(s->zz, lower->xxyy, sides));
}

#endif
