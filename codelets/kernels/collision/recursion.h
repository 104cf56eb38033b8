/* What leaves a cell by the recursive regularised collisions: populations whose Hermite coefficients beyond
 * equilibrium all follow from the stress by recursion, as far as the lattice has them. numerics.md (N29). */
#ifndef WEIR_KERNELS_RECURSION_H
#define WEIR_KERNELS_RECURSION_H

#include "codelets/kernels/collision/hermite_closure.h"

/* The coefficients of equilibrium, which those of the stress are recursions of. */
FUNCTION struct hermite equilibrium_coefficients(const struct closure *c, const struct hermite *a) {
    struct hermite e = *a;
    const real *const u = c->velocity, *const j = a->momentum;
    const struct tensor flux = product_of(j, u);
    e.flux = flux;
    e.xxy = flux.xx * u[1];
    e.xyy = flux.yy * u[0];
    e.xxz = flux.xx * u[2];
    e.xzz = flux.zz * u[0];
    e.yyz = flux.yy * u[2];
    e.yzz = flux.zz * u[1];
    e.xxyy = e.xxy * u[1];
    e.xxyz = e.xxy * u[2];
    e.xyyz = e.xyy * u[2];
    return e;
}

/* stress: that arrives (own_stress_of), which relaxes here. f (out): what leaves. */
FUNCTION void leave_by_recursion(const struct moments *m, const struct tensor *stress, bool forced,
                                 const struct relaxation *r, real f[POPULATIONS]) {
    const struct tensor none = {0, 0, 0, 0, 0, 0};
    const struct tensor left = tensor_sum((real)1 - r->omega_plus, stress, &none);
    struct hermite a;
    /* Not set on all lattices, and copied where they are not read. */
    a.xxyz = a.xyyz = a.xyzz = a.xxyyz = a.xxyzz = a.xyyzz = a.xxyyzz = 0;
    const struct closure c = close_second_order(m, &left, forced, r->force, &a);
    close_third_order(&c, &a);
    if (FLOW_POPULATIONS != 19) {
        const struct hermite equilibrium = equilibrium_coefficients(&c, &a);
        close_higher_orders(&c, &equilibrium, &a);
        if (WITH_CORNERS)
            close_highest_orders(&c, &equilibrium, &a);
    }
    populations_of(&a, f);
}

#endif
