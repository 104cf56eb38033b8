/* The relaxation of cells with two components: its time is that of each by the share that it has of the
 * density, where what either liquid has dissolved of the other does not count. Of no concern to collisions:
 * they relax with the rates of the cell. numerics.md (N96). */
#ifndef WEIR_KERNELS_MIXTURE_H
#define WEIR_KERNELS_MIXTURE_H

#include "codelets/kernels/collision/moments.h"

#if WITH_COMPONENTS

/* Of a cell with these populations. */
FUNCTION struct relaxation relaxation_of_mixture(const real f[POPULATIONS], const struct relaxation *r) {
    const real of_density = scalar_of(f) / ((real)1 + excess_of(f));
    const real share = fma_real(of_density, r->share_scale, r->share_offset);
    const real within = share < 0 ? (real)0 : share > 1 ? (real)1 : share; /* not a number stays that */
    const real omega = (real)1 / fma_real(within, r->tau_of_second, r->tau);
    return with_rates(r, omega, odd_rate(omega, r));
}

#endif

#endif
