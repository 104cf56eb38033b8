/* Cumulants on D3Q27 (Geier, Schoenherr, Pasquali, Krafczyk, Comput. Math. Appl. 70 (2015) 507). Where all
 * those above the second order relax at the rate 1, as in the article's simulations, they are then those of
 * equilibrium, 0, and what leaves a cell is a Gaussian of its density, momentum and stress: such runs have
 * texts without the others. numerics.md (N30), (N48). */
enum {
    CUMULANT_BULK,
    CUMULANT_THIRD_SUMS,
    CUMULANT_THIRD_DIFFERENCES,
    CUMULANT_XYZ,
    CUMULANT_FOURTH_DIFFERENCES,
    CUMULANT_FOURTH_SUM,
    CUMULANT_FOURTH_MIXED,
    CUMULANT_FIFTH,
    CUMULANT_SIXTH,
    CUMULANT_RATES
};

#ifdef WEIR_COLLISION_ROWS

static void cumulant_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    (void)parameters;
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = 1;
}

static bool cumulant_all_moments(const double *parameters) {
    for (int k = CUMULANT_THIRD_SUMS; k < CUMULANT_RATES; k++)
        if (parameters[k] != 1)
            return true;
    return false;
}

#define CUMULANT_RATE(name, meaning, sample)                                                             \
    {                                                                                                    \
        .key = name, .about = "Rate of " meaning ".",                                                    \
        .wanted = "a rate greater than 0 and below 2, such as 1", .most = WEIR_RATE_MOST, .fallback = 1, \
        .example = sample                                                                                \
    }

static const struct weir_collision_row cumulant_row = {
    .name = "cumulant",
    .about = "cumulants, all above the second order in equilibrium where nothing else is said: for turbulent "
             "flows, the most Galilean invariant",
    .lattices = 1u << WEIR_D3Q27,
    .elsewhere = "cumulants need all moments of D3Q27; choose that, or the collision recursive",
    .parameters =
        {[CUMULANT_BULK] = {.key = "rate_bulk",
                            .about = "Rate at which the trace of the stress relaxes: 1 damps sound most.",
                            .wanted = "a rate greater than 0 and below 2, such as 1",
                            .most = WEIR_RATE_MOST,
                            .fallback = 1,
                            .example = "1.2"},
         [CUMULANT_THIRD_SUMS] = CUMULANT_RATE("rate_third_sums", "C_xyy + C_xzz and so on (ω_3)", "1.2"),
         [CUMULANT_THIRD_DIFFERENCES] =
             CUMULANT_RATE("rate_third_differences", "C_xyy − C_xzz and so on (ω_4)", "1.2"),
         [CUMULANT_XYZ] = CUMULANT_RATE("rate_xyz", "C_xyz (ω_5)", "1.2"),
         [CUMULANT_FOURTH_DIFFERENCES] = CUMULANT_RATE(
             "rate_fourth_differences", "the differences of C_xxyy, C_xxzz and C_yyzz (ω_6)", "1.1"),
         [CUMULANT_FOURTH_SUM] = CUMULANT_RATE("rate_fourth_sum", "the sum of these three (ω_7)", "1.1"),
         [CUMULANT_FOURTH_MIXED] =
             CUMULANT_RATE("rate_fourth_mixed", "C_xxyz, C_xyyz and C_xyzz (ω_8)", "1.1"),
         [CUMULANT_FIFTH] = CUMULANT_RATE("rate_fifth", "C_xxyyz, C_xxyzz and C_xyyzz (ω_9)", "1.1"),
         [CUMULANT_SIXTH] = CUMULANT_RATE("rate_sixth", "C_xxyyzz (ω_10)", "1.1")},
    .single_cells = 1u << WEIR_D3Q27,
    .single_cells_with_eddies = 1u << WEIR_D3Q27,
    .steady = true,
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .rates = cumulant_rates,
    .all_moments = cumulant_all_moments,
};

#else

#ifdef WEIR_ALL_MOMENTS
#define WITH_HIGHER_CUMULANTS 1
#else
#define WITH_HIGHER_CUMULANTS 0
#endif

#include "codelets/kernels/collision/cumulants.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

#if WITH_HIGHER_CUMULANTS

FUNCTION void relax_cumulants(struct cumulants *k, const struct relaxation *r) {
    const real *const rate = r->parameter;
    const real sums = rate[CUMULANT_THIRD_SUMS], differences = rate[CUMULANT_THIRD_DIFFERENCES];
    relax_two(&k->xyy, &k->xzz, sums, differences);
    relax_two(&k->xxy, &k->yzz, sums, differences);
    relax_two(&k->xxz, &k->yyz, sums, differences);
    k->xyz *= (real)1 - rate[CUMULANT_XYZ];
    const real mean = (real)(1.0 / 3.0) * (k->xxyy + k->xxzz + k->yyzz);
    const real left = (real)1 - rate[CUMULANT_FOURTH_DIFFERENCES],
               mean_left = ((real)1 - rate[CUMULANT_FOURTH_SUM]) * mean;
    k->xxyy = fma_real(left, k->xxyy - mean, mean_left);
    k->xxzz = fma_real(left, k->xxzz - mean, mean_left);
    k->yyzz = fma_real(left, k->yyzz - mean, mean_left);
    const real mixed = (real)1 - rate[CUMULANT_FOURTH_MIXED], fifth = (real)1 - rate[CUMULANT_FIFTH];
    k->xxyz *= mixed;
    k->xyyz *= mixed;
    k->xyzz *= mixed;
    k->xxyyz *= fifth;
    k->xxyzz *= fifth;
    k->xyyzz *= fifth;
    k->xxyyzz *= (real)1 - rate[CUMULANT_SIXTH];
}

#endif

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor stress = own_stress_of(f, &m, forced, r->force);
    const struct tensor left = relaxed_stress(&m, &stress, r->parameter[CUMULANT_BULK], r);
    struct hermite a;
    const struct closure c = close_normally(&m, &left, forced, r->force, &a);
#if WITH_HIGHER_CUMULANTS
    struct cumulants k = arriving_cumulants(f, &m, &stress, forced, r->force);
    relax_cumulants(&k, r);
    add_cumulants(&c, &k, &a);
#else
    (void)c;
#endif
    populations_of(&a, f);
}

#endif
