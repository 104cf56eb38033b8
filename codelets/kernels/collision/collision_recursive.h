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
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .rates = recursive_rates,
};

#else

#include "codelets/kernels/collision/hermite_closure.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* The coefficients of equilibrium, which those of the stress are recursions of. */
FUNCTION struct hermite equilibrium_coefficients(const struct closure *c, const struct hermite *a) {
    struct hermite e = *a;
    const real *const u = c->velocity, *const j = a->momentum;
    const struct tensor flux = product_of(j, u);
    e.flux = flux;
    e.xxy = flux.xx * u[1];
    e.xyy = flux.yy * u[0];
    e.xxz = flux.xx * u[2];
    e.xzz = flux.zz * u[0];
    e.yyz = flux.yy * u[2];
    e.yzz = flux.zz * u[1];
    e.xxyy = e.xxy * u[1];
    e.xxyz = e.xxy * u[2];
    e.xyyz = e.xyy * u[2];
    return e;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor stress = own_stress_of(f, &m, forced, r->force), none = {0, 0, 0, 0, 0, 0};
    const struct tensor left = tensor_sum((real)1 - r->omega_plus, &stress, &none);
    struct hermite a;
    const struct closure c = close_second_order(&m, &left, forced, r->force, &a);
    close_third_order(&c, &a);
    if (FLOW_POPULATIONS != 19) {
        const struct hermite equilibrium = equilibrium_coefficients(&c, &a);
        close_higher_orders(&c, &equilibrium, &a);
        if (WITH_CORNERS)
            close_highest_orders(&c, &equilibrium, &a);
    }
    populations_of(&a, f);
}

#endif
