/* What a sample adds to the sums over time of a cell, in the order of WEIR_TIME_SUMS_MAX (kernels.h): in
 * double precision whatever the run's. Products are rounded before they are added. */
#ifndef WEIR_KERNELS_SUMMANDS_H
#define WEIR_KERNELS_SUMMANDS_H

#include "codelets/kernels/collision/eddies.h"
#include "codelets/kernels/collision/moments.h"

enum { TIME_SUMS = 10 + WITH_FIFTH + WITH_TURBULENCE };

/* eddy_viscosity: taken where there are eddies. */
FUNCTION void summands_of(const struct moments *m, real eddy_viscosity, double summand[TIME_SUMS]) {
    const double x = (double)m->velocity[0], y = (double)m->velocity[1], z = (double)m->velocity[2];
    double *const product = summand + 4 + WITH_FIFTH;
    summand[0] = (double)m->density;
    summand[1] = x;
    summand[2] = y;
    summand[3] = z;
#if WITH_FIFTH
    summand[4] = (double)fifth_of(m);
#endif
    product[0] = x * x;
    product[1] = y * y;
    product[2] = z * z;
    product[3] = x * y;
    product[4] = y * z;
    product[5] = x * z;
#if WITH_TURBULENCE
    product[6] = (double)eddy_viscosity;
#else
    (void)eddy_viscosity;
#endif
#if CONDUCTOR_VALUES
    for (int k = 0; k < TIME_SUMS && conducts(m); k++) /* of the flow there is nothing, as in other solids */
        summand[k] = k == 4 ? summand[k] : (double)NAN;
#endif
}

#endif
