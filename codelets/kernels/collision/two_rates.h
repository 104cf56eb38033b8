/* The even and the odd half of each pair of opposite directions relax at a rate of their own towards
 * equilibrium, the body force being split in the same way. numerics.md (N6), (N9). */
#ifndef WEIR_KERNELS_TWO_RATES_H
#define WEIR_KERNELS_TWO_RATES_H

#include "codelets/kernels/collision/moments.h"

/* What the relaxation of a cell's pairs has in common. */
struct two_rates {
    struct equilibrium equilibrium;
    real half_plus, half_minus; /* - omega / 2 */
    real force_along_velocity;
};

FUNCTION struct two_rates two_rates_of(const struct moments *m, bool forced, const struct relaxation *r) {
    struct two_rates t;
    t.equilibrium = equilibrium_of(m);
    t.half_plus = (real)-0.5 * r->omega_plus;
    t.half_minus = (real)-0.5 * r->omega_minus;
    t.force_along_velocity = forced ? dot(m->velocity, r->force) : (real)0;
    return t;
}

/* By how much the halves of a pair of opposite populations change. */
struct pair_change {
    real even, odd;
};

FUNCTION struct pair_change change_of_pair(const struct two_rates *t, real f_i, real f_o, int cx, int cy,
                                           int cz, real weight, const struct moments *m, bool forced,
                                           const struct relaxation *r) {
    const struct pair_equilibrium pair = equilibrium_along(&t->equilibrium, cx, cy, cz);
    struct pair_change change;
    change.even = fma_real(r->omega_plus * weight, pair.even, t->half_plus * (f_i + f_o));
    change.odd =
        fma_real(r->omega_minus * ((real)ODD_SHARE * weight), pair.along, t->half_minus * (f_i - f_o));
    if (forced) {
        const struct pair_forcing s = forcing_of(m, weight, cx, cy, cz, r->force, t->force_along_velocity);
        change.even = fma_real(r->forcing_plus, s.even, change.even);
        change.odd = fma_real(r->forcing_minus, s.odd, change.odd);
    }
    return change;
}

/* What a sum begins with so that the first addition is none. */
#define NOTHING ((real)-0.0)

/* The diagonal of the flux rho u u, for moments that relax at a rate of their own instead of their half's.
 * With the rate also changes what a force (N9) adds to them, by half of what its source has of them; as that
 * is the same with 2 u F in place of rho u u, it is done with where u F goes off here. */
FUNCTION void diagonal_flux(const struct moments *m, bool forced, const struct relaxation *r, real flux[3]) {
    for (int axis = 0; axis < 3; axis++) {
        flux[axis] = m->momentum[axis] * m->velocity[axis];
        if (forced)
            flux[axis] = fma_real(-m->velocity[axis], r->force[axis], flux[axis]);
    }
}

/* The population at rest, after its relaxation. */
FUNCTION real relaxed_at_rest(const struct two_rates *t, real f_0, bool forced, const struct relaxation *r) {
    const real relaxed = fma_real(r->omega_plus, fma_real(REST_WEIGHT, t->equilibrium.base, -f_0), f_0);
    return forced ? fma_real(r->forcing_plus, REST_FORCING * t->force_along_velocity, relaxed) : relaxed;
}

#endif
