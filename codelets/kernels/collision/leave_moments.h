/* What leaves a cell that keeps moments: the collision's populations, without those that have arrived. */
#ifndef WEIR_KERNELS_LEAVE_MOMENTS_H
#define WEIR_KERNELS_LEAVE_MOMENTS_H

#include "codelets/kernels/cells/kept_moments.h"
#include "codelets/kernels/collision/collision.h"

#if WITH_MOMENTS

FUNCTION void leaving_of_kept(const struct kept_moments *kept, bool forced, const struct relaxation *r,
                              real f[POPULATIONS]) {
    const struct moments m = moments_of_kept(kept, forced, r->force);
    const struct tensor stress = viscous_stress_of_kept(kept, &m, forced, r->force);
#if WITH_TURBULENCE
    const struct eddies e = eddies_of_stress(&stress, &m, r->tau, r->eddies);
    const real omega = (real)2 / e.twice_tau;
    const struct relaxation local = with_rates(r, omega, odd_rate(omega, r));
    r = &local;
#endif
    leave_with_stress(&m, &stress, forced, r, f);
}

#endif

#endif
