/* Hybrid recursive regularised: as the recursive one, but the stress is in part that of the populations, in
 * part that of the rate of strain by differences of the velocity (Jacob, Malaspinas, Sagaut, J. Turbul. 19
 * (2018) 1051). The latter is kept beside the populations, by the stages of gradients.c. numerics.md (N58).
 */
#ifdef WEIR_COLLISION_ROWS

static void hybrid_recursive_rates(double relaxation_time, const double *parameters,
                                   struct weir_fluid *fluid) {
    (void)parameters;
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = 1;
}

static const struct weir_collision_row hybrid_recursive_row = {
    .name = "hybrid_recursive",
    .about =
        "recursive, of which the stress is in part made of differences of the velocity between cells, as "
        "`sigma` says: for turbulent flows with few cells, at some cost",
    .lattices = 1u << WEIR_D2Q9 | 1u << WEIR_D3Q19 | 1u << WEIR_D3Q27,
    .elsewhere =
        "the lattice has too few moments of the third order; choose D3Q19, or the collision regularised",
    .parameters = {{.key = "sigma",
                    .about = "The share of the stress that the populations carry; the rest is that of "
                             "differences of the velocity, which damp what cells cannot resolve.",
                    .more = "1 is the same as recursive.",
                    .wanted = "a number greater than 0 and at most 1, such as 0.98",
                    .fallback = 0.98,
                    .most = 1,
                    .example = "0.98"}},
    .single_cells = 1u << WEIR_D3Q27,
    .single_cells_with_eddies = 1u << WEIR_D3Q27,
    .strain = true,
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .rates = hybrid_recursive_rates,
};

#else

#include "codelets/kernels/collision/recursion.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* The rate of strain that is kept of the cell (gradients.h). */
FUNCTION struct tensor kept_strain_of(const real f[POPULATIONS]) {
    struct tensor s = {0, 0, 0, 0, 0, 0};
    s.xx = f[STRAIN_0];
    s.yy = f[STRAIN_1];
#if DIMENSIONS == 2
    s.xy = f[STRAIN_2];
#else
    s.zz = f[STRAIN_2];
    s.xy = f[STRAIN_3];
    s.xz = f[STRAIN_4];
    s.yz = f[STRAIN_5];
#endif
    return s;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const real sigma = r->parameter[0];
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor of_populations = viscous_stress_of(f, &m, forced, r->force),
                        strain = kept_strain_of(f), none = {0, 0, 0, 0, 0, 0};
    const real stress_of_strain = (real)(-2 / INVERSE_CS2) * m.density / r->omega_plus;
    const struct tensor of_differences = tensor_sum(((real)1 - sigma) * stress_of_strain, &strain, &none);
    const struct tensor of_both = tensor_sum(sigma, &of_populations, &of_differences);
    const struct tensor stress = about_own_velocity(&of_both, &m, forced, r->force);
    leave_by_recursion(&m, &stress, forced, r, f);
}

#endif
