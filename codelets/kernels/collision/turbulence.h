/* The relaxation of cells with an eddy viscosity (eddies.h). Of no concern to collisions: they relax with the
 * rates of the cell. A scalar diffuses by what the same eddies mix, too, nu_t over the turbulent Prandtl
 * number, at the magic parameter that it has everywhere. numerics.md (N98). */
#ifndef WEIR_KERNELS_TURBULENCE_H
#define WEIR_KERNELS_TURBULENCE_H

#include "codelets/kernels/collision/eddies.h"

#if WITH_TURBULENCE

/* The relaxation of a cell with these populations. */
FUNCTION struct relaxation relaxation_among_eddies(const real f[POPULATIONS], bool forced,
                                                   const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct eddies e = eddies_of(f, &m, forced, r->force, r->tau, r->eddies);
    const real omega = (real)2 / e.twice_tau;
    struct relaxation local = with_rates(r, omega, odd_rate(omega, r));
#if WITH_SCALAR
    const real excess = fma_real(r->scalar_mixing, e.viscosity, r->scalar_excess);
    local.scalar_plus = excess / fma_real((real)0.5, excess, r->scalar_magic);
    local.scalar_minus = (real)1 / ((real)0.5 + excess);
#endif
    return local;
}

#endif

#endif
