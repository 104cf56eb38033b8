/* Turbulence below the width of a cell, as an eddy viscosity that follows from the rate of strain, which the
 * populations carry, so from the cell itself (Hou, Sterling, Chen, Doolen, Fields Inst. Commun. 6 (1996)
 * 151). In all models here it is a constant times a norm M of the strain, or of the stress Pi that the strain
 * follows from by the relaxation time; the quadratic equation of both has the solution
 *     tau = [ tau_0 + sqrt(tau_0^2 + 4 a M(Pi) / rho) ] / 2,     a of the model (weir_turbulence_models).
 * A model that wants all of the velocity's gradient (wale.h) finds its eddy viscosity kept beside the
 * populations, by the stages of gradients.c.
 * For collisions (turbulence.h) and for who looks at cells between steps. numerics.md, Turbulence. */
#ifndef WEIR_KERNELS_EDDIES_H
#define WEIR_KERNELS_EDDIES_H

#ifdef WEIR_TURBULENCE
#define WITH_TURBULENCE 1
#else
#define WITH_TURBULENCE 0
#endif

#if WITH_TURBULENCE

#include "codelets/kernels/collision/stress.h"

struct eddies {
    real viscosity; /* of them alone */
    real twice_tau; /* twice the relaxation time of the cell */
};

#if WITH_KEPT_EDDIES

FUNCTION struct eddies eddies_of(const real f[POPULATIONS], const struct moments *m, bool forced,
                                 const real force[3], real tau, real factor) {
    (void)m, (void)forced, (void)force, (void)factor;
    struct eddies e;
    e.viscosity = f[EDDIES_0];
    e.twice_tau = (real)2 * fma_real((real)INVERSE_CS2, f[EDDIES_0], tau);
    return e;
}

#else

FUNCTION real square_of(const struct tensor *t) {
    real sides = t->xy * t->xy;
    real square = fma_real(t->yy, t->yy, t->xx * t->xx);
    if (DIMENSIONS == 3) {
        square = fma_real(t->zz, t->zz, square);
        sides = fma_real(t->yz, t->yz, fma_real(t->xz, t->xz, sides));
    }
    return fma_real((real)2, sides, square);
}

/* Smagorinsky: |Pi|. */
FUNCTION real strength_smagorinsky(const struct tensor *stress) {
    return root_real(square_of(stress));
}

/* QR: what Pi has without its trace, invariant R over invariant Q (Verstappen, J. Sci. Comput. 49 (2011) 94):
 * r = - det S, where the strain is - Pi but for a factor, and q = S:S / 2. 0 where r is negative, or nothing
 * is strained. */
FUNCTION real strength_qr(const struct tensor *stress) {
    const real mean = (real)(1.0 / 3.0) * (stress->xx + stress->yy + stress->zz);
    const struct tensor t = {stress->xx - mean, stress->yy - mean, stress->zz - mean,
                             stress->xy,        stress->xz,        stress->yz};
    const real minor_xx = fma_real(t.yy, t.zz, -(t.yz * t.yz)),
               minor_xy = fma_real(t.xy, t.zz, -(t.yz * t.xz)),
               minor_xz = fma_real(t.xy, t.yz, -(t.yy * t.xz));
    const real determinant = fma_real(t.xz, minor_xz, fma_real(-t.xy, minor_xy, t.xx * minor_xx));
    const real half_square = (real)0.5 * square_of(&t);
    return determinant > 0 && half_square > 0 ? determinant / half_square : (real)0;
}

/* tau, factor: of the fluid without eddies, and 4 a. The viscosity is (tau - tau_0) / 3, had without the
 * difference, whose digits are few where eddies are weak. */
FUNCTION struct eddies eddies_of_stress(const struct tensor *stress, const struct moments *m, real tau,
                                        real factor) {
    const real strength = factor * WEIR_JOIN(strength_, WEIR_TURBULENCE)(stress);
    const real growth = strength / inertia_of(m->density); /* 4 a M(Pi) / rho */
    struct eddies e;
    e.twice_tau = tau + root_real(fma_real(tau, tau, growth));
    e.viscosity = growth / ((real)6 * e.twice_tau);
    return e;
}

FUNCTION struct eddies eddies_of(const real f[POPULATIONS], const struct moments *m, bool forced,
                                 const real force[3], real tau, real factor) {
    const struct tensor stress = viscous_stress_of(f, m, forced, force);
    return eddies_of_stress(&stress, m, tau, factor);
}

#endif

FUNCTION real eddy_viscosity_of(const real f[POPULATIONS], const struct moments *m,
                                const struct weir_fluid *fluid) {
    const struct body_force body = body_force_of_fluid(fluid);
    real force[3];
    force_on_cell(&body, f, force);
    return eddies_of(f, m, fluid->forced, force, (real)(1 / fluid->omega_plus), (real)fluid->eddies)
        .viscosity;
}

#endif

#endif
