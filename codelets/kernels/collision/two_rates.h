/* The even and the odd half of each pair of opposite directions relax at a rate of their own towards
 * equilibrium, the body force being split in the same way. numerics.md (N6), (N9). */
#ifndef WEIR_KERNELS_TWO_RATES_H
#define WEIR_KERNELS_TWO_RATES_H

#include "codelets/kernels/collision/moments.h"

FUNCTION void relax_halves(real f[POPULATIONS], const struct moments *m, bool forced,
                           const struct relaxation *r) {
    const struct equilibrium e = equilibrium_of(m);
    const real half_plus = (real)-0.5 * r->omega_plus, half_minus = (real)-0.5 * r->omega_minus;
    const real force_along_velocity = forced ? dot(m->velocity, r->force) : (real)0;
    f[0] = fma_real(r->omega_plus, fma_real(REST_WEIGHT, e.base, -f[0]), f[0]);
    if (forced)
        f[0] = fma_real(r->forcing_plus, (real)-INVERSE_CS2 * REST_WEIGHT * force_along_velocity, f[0]);
#define PAIR(i, o, cx, cy, cz, w)                                                                         \
    {                                                                                                     \
        const struct pair_equilibrium pair = equilibrium_along(&e, cx, cy, cz);                           \
        const real rate = r->omega_plus * (real)(w), odd_rate = r->omega_minus * (real)(ODD_SHARE * (w)); \
        real even = fma_real(rate, pair.even, half_plus * (f[i] + f[o]));                                 \
        real odd = fma_real(odd_rate, pair.along, half_minus * (f[i] - f[o]));                            \
        if (forced) {                                                                                     \
            const struct pair_forcing s =                                                                 \
                forcing_of(m, (real)(w), cx, cy, cz, r->force, force_along_velocity);                     \
            even = fma_real(r->forcing_plus, s.even, even);                                               \
            odd = fma_real(r->forcing_minus, s.odd, odd);                                                 \
        }                                                                                                 \
        f[i] = f[i] + (even + odd);                                                                       \
        f[o] = f[o] + (even - odd);                                                                       \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

#endif
