/* Recursive regularised: as the regularised collision, but with the Hermite coefficients of all orders that
 * the lattice has, those of what is beyond equilibrium by recursion from the stress (Malaspinas,
 * arXiv:1505.06900 (2015); Coreixas et al., Phys. Rev. E 96 (2017) 033306; D3Q19 as Jacob, Malaspinas,
 * Sagaut, J. Turbul. 19 (2018) 1051). numerics.md (N29). */
#ifdef WEIR_COLLISION_ROWS

static void recursive_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    (void)parameters;
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = 1;
}

static const struct weir_collision_row recursive_row = {
    .name = "recursive",
    .about =
        "recursive regularised: one, what has been filtered out being made anew from velocity and stress, "
        "for turbulent flows",
    .lattices = 1u << WEIR_D2Q9 | 1u << WEIR_D3Q19 | 1u << WEIR_D3Q27,
    .elsewhere =
        "the lattice has too few moments of the third order; choose D3Q19, or the collision regularised",
    .single_cells = 1u << WEIR_D3Q27,
    .single_cells_with_eddies = 1u << WEIR_D3Q27,
    .steady = true,
    .by_moments = true,
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .rates = recursive_rates,
};

#else

#include "codelets/kernels/collision/recursion.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* What leaves a cell with this viscous stress. */
FUNCTION void leave_with_stress(const struct moments *m, const struct tensor *stress, bool forced,
                                const struct relaxation *r, real f[POPULATIONS]) {
    const struct tensor own = about_own_velocity(stress, m, forced, r->force);
    leave_by_recursion(m, &own, forced, r, f);
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor stress = viscous_stress_of(f, &m, forced, r->force);
    leave_with_stress(&m, &stress, forced, r, f);
}

#endif
