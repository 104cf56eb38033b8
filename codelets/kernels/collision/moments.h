/* Density, velocity and scalar of a cell from its populations, and the equilibrium that belongs to them, in
 * deviations from the weights. */
#ifndef WEIR_KERNELS_MOMENTS_H
#define WEIR_KERNELS_MOMENTS_H

#include "codelets/kernels/variant.h"

/* The incompressible equilibrium (He, Luo, J. Stat. Phys. 88 (1997) 927): what carries momentum is the
 * density of rest, 1, in every cell, and what the density is above that is pressure alone. numerics.md (N33).
 */
#ifdef WEIR_EQUILIBRIUM
#define INCOMPRESSIBLE 1
#else
#define INCOMPRESSIBLE 0
#endif

FUNCTION real inertia_of(real density) {
    return INCOMPRESSIBLE ? (real)1 : density;
}

struct moments {
    real excess; /* density - 1 */
    real density;
    real momentum[3], velocity[3]; /* with half the body force where there is one (Guo, Zheng, Shi, Phys. Rev.
                                      E 65 (2002) 046308, eq. 15b) */
#if WITH_SCALAR
    real scalar;
#endif
};

/* f[q]: populations as deviations. force: per volume, read only when forced. */
FUNCTION struct moments moments_of(const real f[POPULATIONS], bool forced, const real force[3]) {
    struct moments m;
    real excess = f[0];
    real momentum[3] = {0, 0, 0};
#define PAIR(i, o, cx, cy, cz, w)                              \
    {                                                          \
        excess += f[i] + f[o];                                 \
        const real difference = f[i] - f[o];                   \
        momentum[0] = add_signed(momentum[0], cx, difference); \
        momentum[1] = add_signed(momentum[1], cy, difference); \
        momentum[2] = add_signed(momentum[2], cz, difference); \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    if (forced) {
        momentum[0] = fma_real((real)0.5, force[0], momentum[0]);
        momentum[1] = fma_real((real)0.5, force[1], momentum[1]);
        if (DIMENSIONS == 3)
            momentum[2] = fma_real((real)0.5, force[2], momentum[2]);
    }
    m.excess = excess;
    m.density = (real)1 + excess;
    const real inverse = (real)1 / inertia_of(m.density);
    for (int axis = 0; axis < 3; axis++) {
        m.momentum[axis] = momentum[axis];
        m.velocity[axis] = momentum[axis] * inverse;
    }
#if WITH_SCALAR
    m.scalar = f[SCALAR_0];
#define PAIR(i, o, ...) m.scalar += f[i] + f[o];
    FOR_SCALAR_PAIRS(PAIR)
#undef PAIR
#endif
    return m;
}

/* The equilibrium of a cell, but for the weights:
 *     f_eq(c) = w [ excess + density (a^2/2 (c.u)^2 - a/2 u^2) + a density c.u ]
 *             = w [ base + (c.p)(c.u) + 2/a c.p ],     p = a^2/2 density u,     a = 1 / c_s^2, 3 as a rule,
 * as it takes the fewest operations. */
struct equilibrium {
    real base;
    real p[3], velocity[3];
};

#define ODD_SHARE (2.0 / INVERSE_CS2)

/* Its even part at c and -c, and c.p, of which 2/a (ODD_SHARE) is the odd part. */
struct pair_equilibrium {
    real even, along;
};

FUNCTION real dot(const real a[3], const real b[3]) {
    real sum = fma_real(a[1], b[1], a[0] * b[0]);
    if (DIMENSIONS == 3)
        sum = fma_real(a[2], b[2], sum);
    return sum;
}

FUNCTION struct equilibrium equilibrium_of(const struct moments *m) {
    struct equilibrium e;
    e.base = fma_real((real)(-0.5 * INVERSE_CS2), dot(m->momentum, m->velocity), m->excess);
    for (int axis = 0; axis < 3; axis++) {
        e.p[axis] = (real)(0.5 * INVERSE_CS2 * INVERSE_CS2) * m->momentum[axis];
        e.velocity[axis] = m->velocity[axis];
    }
    return e;
}

FUNCTION struct pair_equilibrium equilibrium_along(const struct equilibrium *e, int cx, int cy, int cz) {
    const real along = dot_lattice(cx, cy, cz, e->p);
    struct pair_equilibrium equilibrium;
    equilibrium.along = along;
    equilibrium.even = fma_real(along, dot_lattice(cx, cy, cz, e->velocity), e->base);
    return equilibrium;
}

/* Body force of a pair of directions, in two halves (Guo et al., eq. 20, without the factor of the
 * relaxation): even +- odd. */
struct pair_forcing {
    real even, odd;
};

FUNCTION struct pair_forcing forcing_of(const struct moments *m, real weight, int cx, int cy, int cz,
                                        const real force[3], real force_along_velocity) {
    const real along = dot_lattice(cx, cy, cz, m->velocity);
    const real force_along = dot_lattice(cx, cy, cz, force);
    struct pair_forcing s;
    const real a = (real)INVERSE_CS2;
    s.even = (a * weight) * fma_real(a * along, force_along, -force_along_velocity);
    s.odd = (a * weight) * force_along;
    return s;
}

#endif
