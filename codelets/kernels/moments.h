/* Density and velocity of a cell from its populations, and the equilibrium that belongs to them, in
 * deviations from the weights. */
#ifndef WEIR_KERNELS_MOMENTS_H
#define WEIR_KERNELS_MOMENTS_H

#include "codelets/kernels/variant.h"

struct moments {
    real excess; /* density - 1 */
    real density;
    real velocity[3]; /* with half the body force where there is one (Guo, Zheng, Shi, Phys. Rev. E 65 (2002)
                         046308, eq. 15b) */
    real square;      /* -1.5 |velocity|^2 */
};

/* f[q]: populations as deviations. force: per volume, read only when forced. */
FUNCTION struct moments moments_of(const real f[POPULATIONS], bool forced, const real force[3]) {
    struct moments m;
    real excess = f[0];
    real momentum[3] = {0, 0, 0};
#define PAIR(i, o, cx, cy, cz, w, mx, my, mz)                  \
    {                                                          \
        excess += f[i] + f[o];                                 \
        const real difference = f[i] - f[o];                   \
        momentum[0] = add_signed(momentum[0], cx, difference); \
        momentum[1] = add_signed(momentum[1], cy, difference); \
        momentum[2] = add_signed(momentum[2], cz, difference); \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
    if (forced) {
        momentum[0] = fma_real((real)0.5, force[0], momentum[0]);
        momentum[1] = fma_real((real)0.5, force[1], momentum[1]);
        if (DIMENSIONS == 3)
            momentum[2] = fma_real((real)0.5, force[2], momentum[2]);
    }
    m.excess = excess;
    m.density = (real)1 + excess;
    const real inverse = (real)1 / m.density;
    m.velocity[0] = momentum[0] * inverse;
    m.velocity[1] = momentum[1] * inverse;
    m.velocity[2] = momentum[2] * inverse;
    real square = fma_real(m.velocity[1], m.velocity[1], m.velocity[0] * m.velocity[0]);
    if (DIMENSIONS == 3)
        square = fma_real(m.velocity[2], m.velocity[2], square);
    m.square = (real)-1.5 * square;
    return m;
}

/* The two halves of the equilibrium of a pair of directions +c and -c: f_eq(+-c) = even +- odd. */
struct pair_equilibrium {
    real even, odd;
};

FUNCTION struct pair_equilibrium equilibrium_of(const struct moments *m, real weight, int cx, int cy,
                                                int cz) {
    const real along = dot_lattice(cx, cy, cz, m->velocity);
    struct pair_equilibrium e;
    e.even = weight * fma_real(m->density, fma_real((real)4.5 * along, along, m->square), m->excess);
    e.odd = ((real)3 * weight) * (m->density * along);
    return e;
}

FUNCTION real rest_equilibrium(const struct moments *m) {
    return REST_WEIGHT * fma_real(m->density, m->square, m->excess);
}

/* Body force of a pair of directions, in the same two halves (Guo et al., eq. 20, without the factor of the
 * relaxation). */
FUNCTION struct pair_equilibrium forcing_of(const struct moments *m, real weight, int cx, int cy, int cz,
                                            const real force[3], real force_along_velocity) {
    const real along = dot_lattice(cx, cy, cz, m->velocity);
    const real force_along = dot_lattice(cx, cy, cz, force);
    struct pair_equilibrium s;
    s.even = ((real)3 * weight) * fma_real((real)3 * along, force_along, -force_along_velocity);
    s.odd = ((real)3 * weight) * force_along;
    return s;
}

FUNCTION real dot(const real a[3], const real b[3]) {
    real sum = fma_real(a[1], b[1], a[0] * b[0]);
    if (DIMENSIONS == 3)
        sum = fma_real(a[2], b[2], sum);
    return sum;
}

#endif
