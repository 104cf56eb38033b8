/* A scalar that the flow carries along and that diffuses in it: temperature, dye, salt. Its populations, one
 * more set of a cell, relax with two rates towards
 *     g_eq = w phi (1 + a c.u) + phi (c.u)^2 / 2,    a = 1 / c_s^2,     c != 0,
 * phi being their sum and u the flow's velocity; what is left of phi rests. (Ginzburg, Adv. Water Resour. 28
 * (2005) 1171: the term with u^2 takes away the diffusion that the method has of its own along the
 * axes.) For lattices of axes only, D2Q5 and D3Q7. A source of q per step enters as a force does the flow
 * (Guo, Zheng, Shi 2002): half of it is in phi, and the populations get (1 - omega / 2) g_eq(q), which is of
 * second order in time. In solids that conduct (conductors.h) the sum is a content, phi times the heat
 * capacity, and what of it does not move by phi rests. Where the scalar is the density of a second component,
 * the force F that the other has on it alone adds (1 - omega / 2) w 3 c.F as a source does. docs/numerics.md,
 * A scalar. */
#ifndef WEIR_KERNELS_SCALAR_H
#define WEIR_KERNELS_SCALAR_H

#include "codelets/kernels/collision/moments.h"

#if WITH_SCALAR

/* Its even and odd half at c and -c; phi and u as above. */
struct scalar_pair {
    real even, odd;
};

FUNCTION struct scalar_pair scalar_equilibrium(real phi, const real u[3], real weight, int cx, int cy,
                                               int cz) {
    const real along = dot_lattice(cx, cy, cz, u);
    struct scalar_pair equilibrium;
    equilibrium.even = phi * fma_real((real)0.5 * along, along, weight); /* phi [w + (c.u)^2 / 2] */
    equilibrium.odd = phi * ((real)SCALAR_INVERSE_CS2 * weight * along); /* phi w a c.u */
    return equilibrium;
}

FUNCTION real scalar_at_rest(real phi, const real u[3]) {
    return phi * (SCALAR_REST_WEIGHT - dot(u, u));
}

#if CONDUCTOR_VALUES

/* The same where the content is not phi. */
FUNCTION real content_at_rest(real content, real phi, const real u[3]) {
    return fma_real(-phi, ((real)1 - SCALAR_REST_WEIGHT) + dot(u, u), content);
}

#endif

/* What leaves a cell: collide_scalar. m: of what arrives there. */

#if SOURCE_VALUES || CONDUCTOR_VALUES

/* omega times the scalar, or a conductor's content, and what a source adds. */
FUNCTION real relaxed_scalar(const struct moments *m, real omega) {
#if CONDUCTOR_VALUES
    const real amount = m->content;
#else
    const real amount = m->scalar;
#endif
#if SOURCE_VALUES
    return fma_real(omega, amount, ((real)2 - omega) * m->half_source);
#else
    return omega * amount;
#endif
}

/* As g_eq is in proportion to phi, relaxation and source together are
 *     g* = (1 - omega) g + g_eq(omega phi + (1 - omega / 2) q),     of either half. */
FUNCTION void collide_scalar(real g[POPULATIONS], const struct moments m, real omega_plus, real omega_minus) {
#if CONDUCTOR_VALUES
    omega_plus = conducts(&m) ? g[CONDUCTOR_PLUS] : omega_plus;
    omega_minus = conducts(&m) ? g[CONDUCTOR_MINUS] : omega_minus;
#endif
    const real half_plus = (real)-0.5 * omega_plus, half_minus = (real)-0.5 * omega_minus;
    real even_phi = relaxed_scalar(&m, omega_plus), odd_phi = relaxed_scalar(&m, omega_minus);
#if CONDUCTOR_VALUES
    const real even_content = even_phi, inverse = conducts(&m) ? g[CONDUCTOR_INVERSE] : (real)1;
    even_phi *= inverse;
    odd_phi *= inverse;
    g[SCALAR_0] += fma_real(-omega_plus, g[SCALAR_0], content_at_rest(even_content, even_phi, m.velocity));
#else
    g[SCALAR_0] += fma_real(-omega_plus, g[SCALAR_0], scalar_at_rest(even_phi, m.velocity));
#endif
#define PAIR(i, o, cx, cy, cz, w)                                                                    \
    {                                                                                                \
        const real from_even = scalar_equilibrium(even_phi, m.velocity, (real)(w), cx, cy, cz).even; \
        const real even = fma_real(half_plus, g[i] + g[o], from_even);                               \
        const real from_odd = scalar_equilibrium(odd_phi, m.velocity, (real)(w), cx, cy, cz).odd;    \
        const real odd = fma_real(half_minus, g[i] - g[o], from_odd);                                \
        g[i] = g[i] + (even + odd);                                                                  \
        g[o] = g[o] + (even - odd);                                                                  \
    }
    FOR_SCALAR_PAIRS(PAIR)
#undef PAIR
}

#else

/* The force on the second component alone, as it is to a pressure of c_s^2 of the flow's lattice, of which
 * each component has its part; nothing where there is one component. */
FUNCTION void add_force_on_second(real g[POPULATIONS], real omega_minus) {
#if WITH_COMPONENTS
    const real factor = fma_real((real)-0.5, omega_minus, (real)1) * (real)INVERSE_CS2;
    real force[3] = {0, 0, 0};
    for (int axis = 0; axis < DIMENSIONS; axis++)
        force[axis] = factor * g[COHESION_0 + DIMENSIONS + axis];
#define PAIR(i, o, cx, cy, cz, w)                                  \
    {                                                              \
        const real odd = (real)(w)*dot_lattice(cx, cy, cz, force); \
        g[i] = g[i] + odd;                                         \
        g[o] = g[o] - odd;                                         \
    }
    FOR_SCALAR_PAIRS(PAIR)
#undef PAIR
#else
    (void)g, (void)omega_minus;
#endif
}

FUNCTION void collide_scalar(real g[POPULATIONS], const struct moments m, real omega_plus, real omega_minus) {
    const real half_plus = (real)-0.5 * omega_plus, half_minus = (real)-0.5 * omega_minus;
    g[SCALAR_0] = fma_real(omega_plus, scalar_at_rest(m.scalar, m.velocity) - g[SCALAR_0], g[SCALAR_0]);
#define PAIR(i, o, cx, cy, cz, w)                                                                     \
    {                                                                                                 \
        const struct scalar_pair e = scalar_equilibrium(m.scalar, m.velocity, (real)(w), cx, cy, cz); \
        const real even = fma_real(omega_plus, e.even, half_plus * (g[i] + g[o]));                    \
        const real odd = fma_real(omega_minus, e.odd, half_minus * (g[i] - g[o]));                    \
        g[i] = g[i] + (even + odd);                                                                   \
        g[o] = g[o] + (even - odd);                                                                   \
    }
    FOR_SCALAR_PAIRS(PAIR)
#undef PAIR
    add_force_on_second(g, omega_minus);
}

#endif

#endif

#endif
