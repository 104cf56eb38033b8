/* The relaxation of cells with an eddy viscosity (eddies.h). Of no concern to collisions: they relax with the
 * rates of the cell. */
#ifndef WEIR_KERNELS_TURBULENCE_H
#define WEIR_KERNELS_TURBULENCE_H

#include "codelets/kernels/collision/eddies.h"

#if WITH_TURBULENCE

/* The relaxation of a cell with these populations. */
FUNCTION struct relaxation relaxation_among_eddies(const real f[POPULATIONS], bool forced,
                                                   const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const real omega = (real)2 / twice_tau_of(f, &m, forced, r->force, r->tau, r->eddies);
    return with_rates(r, omega, odd_rate(omega, r));
}

#endif

#endif
