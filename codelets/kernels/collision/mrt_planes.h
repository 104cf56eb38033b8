/* Multiple relaxation times on D3Q13 (d'Humieres, Bouzidi, Lallemand, Phys. Rev. E 63 (2001) 066702), whose
 * velocities lie in the planes of two axes. The sums of the populations in the three planes carry the
 * diagonal of the stress, their differences within a plane its sides: no even moment is left, and none that
 * are odd but the momentum and m. As the lattice is not isotropic, diagonal and sides have rates of their
 * own, with which the viscosity is: nu = (1 / s_diagonal - 1/2) / 4 = (1 / s_side - 1/2) / 2. So this is a
 * collision of two rates, those of the sides and of m, with a correction for each plane. numerics.md (N44).
 */
#ifndef WEIR_KERNELS_MRT_PLANES_H
#define WEIR_KERNELS_MRT_PLANES_H

#include "codelets/kernels/collision/two_rates.h"

/* With 1 / omega - 1/2 = 3 nu, as in all collisions. */
FUNCTION real side_rate(real omega) {
    return (real)6 * omega / ((real)4 + omega);
}
FUNCTION real diagonal_rate(real omega) {
    return (real)6 * omega / ((real)8 - omega);
}

/* What each population across an axis gets beyond the relaxation of its halves. */
FUNCTION void extra_of_planes(const real f[POPULATIONS], const struct moments *m, bool forced,
                              const struct relaxation *r, real side, real extra[3]) {
    const real diagonal = diagonal_rate(r->omega_plus);
    real flux[3], sum[3] = {NOTHING, NOTHING, NOTHING}, lack[3];
    diagonal_flux(m, forced, r, flux);
#define PAIR(i, o, cx, cy, cz, w) sum[axis_across(cx, cy)] += f[i] + f[o];
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    const real all =
        fma_real((real)(0.5 / INVERSE_CS2), m->excess, (real)0.5 * (flux[0] + flux[1] + flux[2]));
    for (int axis = 0; axis < 3; axis++)
        lack[axis] = (all - flux[axis]) - sum[axis];
    const real mean = (real)(1.0 / 3.0) * (lack[0] + lack[1] + lack[2]);
    for (int axis = 0; axis < 3; axis++)
        extra[axis] =
            (real)0.25 * fma_real(diagonal - side, lack[axis], (r->parameter[MRT_E] - diagonal) * mean);
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct relaxation halves = with_rates(r, side_rate(r->omega_plus), r->parameter[MRT_M]);
    const struct two_rates t = two_rates_of(&m, forced, &halves);
    real extra[3];
    extra_of_planes(f, &m, forced, r, halves.omega_plus, extra);
    f[0] = fma_real((real)-4, extra[0] + extra[1] + extra[2], relaxed_at_rest(&t, f[0], forced, &halves));
#define PAIR(i, o, cx, cy, cz, w)                                                       \
    {                                                                                   \
        struct pair_change change =                                                     \
            change_of_pair(&t, f[i], f[o], cx, cy, cz, (real)(w), &m, forced, &halves); \
        change.even += extra[axis_across(cx, cy)];                                      \
        f[i] = f[i] + (change.even + change.odd);                                       \
        f[o] = f[o] + (change.even - change.odd);                                       \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

#endif
