/* Turbulence below the width of a cell, as an eddy viscosity that follows from the cell itself: the model of
 * Smagorinsky with the rate of strain that the populations carry (Hou, Sterling, Chen, Doolen, Fields Inst.
 * Commun. 6 (1996) 151). Eddy viscosity (C_S)^2 |S| and the rate of strain depend on each other through the
 * relaxation time; the quadratic equation has the solution
 *     tau = [ tau_0 + sqrt(tau_0^2 + 18 sqrt(2) C_S^2 |Pi| / rho) ] / 2,     |Pi|^2 = sum_ab Pi_ab^2.
 * Of no concern to collisions: they relax with the rates of the cell. numerics.md, Turbulence. */
#ifndef WEIR_KERNELS_TURBULENCE_H
#define WEIR_KERNELS_TURBULENCE_H

#ifdef WEIR_TURBULENCE
#define WITH_TURBULENCE 1
#else
#define WITH_TURBULENCE 0
#endif

#if WITH_TURBULENCE

#include "codelets/kernels/collision/stress.h"

FUNCTION real square_of(const struct tensor *t) {
    real sides = t->xy * t->xy;
    real square = fma_real(t->yy, t->yy, t->xx * t->xx);
    if (DIMENSIONS == 3) {
        square = fma_real(t->zz, t->zz, square);
        sides = fma_real(t->yz, t->yz, fma_real(t->xz, t->xz, sides));
    }
    return fma_real((real)2, sides, square);
}

/* The relaxation of a cell with these populations. */
FUNCTION struct relaxation relaxation_among_eddies(const real f[POPULATIONS], bool forced,
                                                   const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor stress = viscous_stress_of(f, &m, forced, r->force);
    const real strength = r->eddies * root_real(square_of(&stress));
    const real twice_tau = r->tau + root_real(fma_real(r->tau, r->tau, strength / inertia_of(m.density)));
    struct relaxation local = *r;
    local.omega_plus = (real)2 / twice_tau;
    local.omega_minus = odd_rate(local.omega_plus, r);
    local.forcing_plus = fma_real((real)-0.5, local.omega_plus, (real)1);
    local.forcing_minus = fma_real((real)-0.5, local.omega_minus, (real)1);
    return local;
}

#endif

#endif
