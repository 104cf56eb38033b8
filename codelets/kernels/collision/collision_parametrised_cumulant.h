/* Cumulants on D3Q27 whose rates above the second order, and the equilibria of the fourth, follow from the
 * viscosity so that diffusion is accurate to the fourth order (Geier, Pasquali, Schoenherr, J. Comput. Phys.
 * 348 (2017) 862), the bulk rate being 1 as in the article's simulations; with the limiter of its second part
 * (the same, J. Comput. Phys. 348 (2017) 889), which leads the third cumulants back to the rate 1 where they
 * are large. numerics.md (N49). */
enum {
    PARAMETRISED_LIMITER,
    PARAMETRISED_THIRD_SUMS, /* from here on they follow */
    PARAMETRISED_THIRD_DIFFERENCES,
    PARAMETRISED_XYZ,
    PARAMETRISED_LINES, /* (1 / omega - 1/2) A */
    PARAMETRISED_PLANES /* (1 - omega / 2) B */
};

#ifdef WEIR_COLLISION_ROWS

/* omega_3 to omega_5, A and B of the first part, at omega_2 = 1. */
static void parametrised_cumulant_rates(double relaxation_time, const double *parameters,
                                        struct weir_fluid *fluid) {
    const double w = 1 / relaxation_time, common = 2 + w * (-7 + 5 * w);
    (void)parameters;
    fluid->omega_plus = w;
    fluid->omega_minus = 1;
    fluid->parameters[PARAMETRISED_THIRD_SUMS] = 8 * (w - 2) * (1 + 2 * w) / (-8 + w * (-14 + 7 * w));
    fluid->parameters[PARAMETRISED_THIRD_DIFFERENCES] = 8 * (w - 2) * (4 * w - 7) / (56 + w * (-50 + 9 * w));
    fluid->parameters[PARAMETRISED_XYZ] =
        24 * (w - 2) * (-2 + w * (-7 + 3 * w)) / (48 + w * (152 + w * (-130 + 29 * w)));
    fluid->parameters[PARAMETRISED_LINES] = (1 / w - 0.5) * (4 + w * (2 - 3 * w)) / common;
    fluid->parameters[PARAMETRISED_PLANES] = (1 - 0.5 * w) * (4 + w * (28 - 14 * w)) / (3 * common);
}

static const struct weir_collision_row parametrised_cumulant_row = {
    .name = "parametrised_cumulant",
    .about = "cumulants with rates that follow from the viscosity, so that diffusion is of the fourth order: "
             "for flows that are nearly resolved",
    .lattices = 1u << WEIR_D3Q27,
    .elsewhere = "cumulants need all moments of D3Q27; choose that, or the collision recursive",
    .parameters = {[PARAMETRISED_LIMITER] = {.key = "limiter",
                                             .about =
                                                 "Size of a third cumulant, per density, that brings its "
                                                 "rate half-way to 1: the smaller, the more stable.",
                                             .wanted = "a number greater than 0, such as 0.01",
                                             .fallback = 0.01,
                                             .example = "0.001"}},
    .single_cells = 1u << WEIR_D3Q27,
    .large_tau = "its rates go with small viscosities",
    .most_tau = 4.0 / 7, /* omega_4 is negative from there on */
    .without_eddies = "its rates follow from one viscosity in all cells; choose the collision cumulant, or "
                      "leave turbulence out, as cells of moderate width allow with it",
    .rates = parametrised_cumulant_rates,
};

#else

#define WITH_HIGHER_CUMULANTS 1
#include "codelets/kernels/collision/cumulants.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* What is left of a cumulant, (1 - rate) where its size limits that: rate + (1 - rate) |k| / (limit + |k|) is
 * 1 where k is large (second part). limit: times the density. */
FUNCTION real left_of(real k, real rate, real limit) {
    const real size = k < 0 ? -k : k;
    return ((real)1 - rate) * (limit / (limit + size)) * k;
}

FUNCTION void relax_limited(real *a, real *b, const real *rate, real limit) {
    const real sum = left_of(*a + *b, rate[PARAMETRISED_THIRD_SUMS], limit),
               difference = left_of(*a - *b, rate[PARAMETRISED_THIRD_DIFFERENCES], limit);
    *a = (real)0.5 * (sum + difference);
    *b = (real)0.5 * (sum - difference);
}

/* Those of the fourth order are what the stress makes them, those above are 0 (first part). stress:
 * before its relaxation. */
FUNCTION void relax_cumulants(struct cumulants *k, const struct tensor *stress, real density,
                              const struct relaxation *r) {
    const real *const rate = r->parameter;
    const real omega = r->omega_plus, limit = rate[PARAMETRISED_LIMITER] * density;
    relax_limited(&k->xyy, &k->xzz, rate, limit);
    relax_limited(&k->xxy, &k->yzz, rate, limit);
    relax_limited(&k->xxz, &k->yyz, rate, limit);
    k->xyz = left_of(k->xyz, rate[PARAMETRISED_XYZ], limit);
    /* - 2/3 rho (du_a/dx_a + du_b/dx_b), by all three and the other one */
    const real mean = (real)(1.0 / 3.0) * (stress->xx + stress->yy + stress->zz);
    const real twice = fma_real((real)2, mean, omega * mean), lines = rate[PARAMETRISED_LINES];
    k->xxyy = lines * fma_real(-omega, stress->zz, twice);
    k->xxzz = lines * fma_real(-omega, stress->yy, twice);
    k->yyzz = lines * fma_real(-omega, stress->xx, twice);
    const real planes = rate[PARAMETRISED_PLANES];
    k->xxyz = planes * stress->yz;
    k->xyyz = planes * stress->xz;
    k->xyzz = planes * stress->xy;
    k->xxyyz = k->xxyzz = k->xyyzz = k->xxyyzz = 0;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor stress = own_stress_of(f, &m, forced, r->force);
    const struct tensor left = relaxed_stress(&m, &stress, (real)1, r);
    struct hermite a;
    const struct closure c = close_normally(&m, &left, forced, r->force, &a);
    struct cumulants k = arriving_cumulants(f, &m, &stress, forced, r->force);
    relax_cumulants(&k, &stress, m.density, r);
    add_cumulants(&c, &k, &a);
    populations_of(&a, f);
}

#endif
