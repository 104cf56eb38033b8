/* A relaxation time for each Hermite order of a flow with a temperature, beside its velocity, so that heat
 * need not diffuse as fast as momentum: populations are set to their coefficients up to the fourth order, and
 * what these have beyond equilibrium relaxes (Shan, Chen, Int. J. Mod. Phys. C 18 (2007) 635; the third order
 * as central moments: Shan, Phys. Rev. E 100 (2019) 043308). Gravity moves equilibrium by its velocity, which
 * is the shift of thermal_bgk with tau = 1, and what is beyond equilibrium does not feel it. numerics.md
 * (N73). */
#ifdef WEIR_COLLISION_ROWS

static void thermal_hermite_rates(double relaxation_time, const double *parameters,
                                  struct weir_fluid *fluid) {
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = 1 / (0.5 + (relaxation_time - 0.5) / parameters[0]);
}

static const struct weir_collision_row thermal_hermite_row = {
    .name = "thermal_hermite",
    .about = "a relaxation time for each Hermite order, for flows with a temperature on D2Q37: any Prandtl "
             "number",
    .lattices = 1u << WEIR_D2Q37,
    .elsewhere = "it conserves energy, which needs lattice D2Q37; choose that, or the collision regularised",
    .parameters = {{.key = "prandtl",
                    .about = "Prandtl number: viscosity over thermal diffusivity.",
                    .fallback = 1,
                    .most = 1000,
                    .wanted = "a number greater than 0 and at most 1000, such as 0.71",
                    .example = "0.71"},
                   {.key = "fourth_order_rate",
                    .about =
                        "Rate at which the moments of the fourth order relax, which no equation of fluids "
                        "has.",
                    .fallback = 1,
                    .most = WEIR_RATE_MOST,
                    .wanted = "a rate greater than 0 and at most 1.999, such as 1",
                    .example = "1.2"}},
    .operations = {657, 687},
    .large_tau = "walls lose accuracy; a lower one takes more steps",
    .without_eddies = "no model of turbulence is known for its heat flux; remove \"turbulence\"",
    .rates = thermal_hermite_rates,
};

#else

#include "codelets/kernels/collision/thermal.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* What is kept of what coefficients have beyond equilibrium. Stress; heat flux beside what the stress carries
 * along with the velocity, so that it relaxes alike in all frames; the fourth order as it is. */
FUNCTION struct fourth_order kept_beyond(const struct fourth_order *h, const struct fourth_order *e,
                                         const real velocity[2], const struct relaxation *r) {
    const real second = (real)1 - r->omega_plus, third = (real)1 - r->omega_minus,
               fourth = (real)1 - r->parameter[1], more = second - third;
    const real x = velocity[0], y = velocity[1];
    const real xx = h->c20 - e->c20, xy = h->c11 - e->c11, yy = h->c02 - e->c02;
    struct fourth_order kept;
    kept.c00 = kept.c10 = kept.c01 = 0;
    kept.c20 = second * xx;
    kept.c11 = second * xy;
    kept.c02 = second * yy;
    kept.c30 = fma_real(third, h->c30 - e->c30, more * ((real)3 * x * xx));
    kept.c21 = fma_real(third, h->c21 - e->c21, more * fma_real((real)2 * x, xy, y * xx));
    kept.c12 = fma_real(third, h->c12 - e->c12, more * fma_real((real)2 * y, xy, x * yy));
    kept.c03 = fma_real(third, h->c03 - e->c03, more * ((real)3 * y * yy));
    kept.c40 = fourth * (h->c40 - e->c40);
    kept.c31 = fourth * (h->c31 - e->c31);
    kept.c22 = fourth * (h->c22 - e->c22);
    kept.c13 = fourth * (h->c13 - e->c13);
    kept.c04 = fourth * (h->c04 - e->c04);
    return kept;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct fourth_order h = hermite_of(f);
    struct thermal_state s = thermal_state_of(&h);
    struct fourth_order e = thermal_equilibrium(&s);
    struct fourth_order kept = kept_beyond(&h, &e, s.velocity, r);
    if (forced) {
        s.velocity[0] = fma_real((real)WEIR_D2Q37_R, r->force[0], s.velocity[0]);
        s.velocity[1] = fma_real((real)WEIR_D2Q37_R, r->force[1], s.velocity[1]);
        e = thermal_equilibrium(&s);
    }
#define SUM(c) e.c += kept.c;
    FOR_FOURTH_ORDER(SUM)
#undef SUM
    set_populations(&e, false, 0, h.c00, f);
}

#endif
