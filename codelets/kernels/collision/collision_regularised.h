/* Regularised: of what is beyond equilibrium only the stress is kept, by projection on Hermite polynomials up
 * to the second order (Latt, Chopard, Math. Comput. Simul. 72 (2006) 165), and relaxes with one time.
 * numerics.md (N28). What leaves a cell is
 *     f*_i = w_i [ rho + a c_i.j + a^2 / 2 sum_ab (c_a c_b - delta_ab / a) A_ab ],     a = 1 / c_s^2,
 *     j = rho u + F / 2,   A = rho u u + (u F + F u) / 2 + (1 - 1 / tau) Pi. */
#ifdef WEIR_COLLISION_ROWS

static void regularised_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    (void)parameters;
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = 1;
}

static const struct weir_collision_row regularised_row = {
    .name = "regularised",
    .about = "one, after all but density, momentum and stress has been filtered out",
    .lattices = WEIR_FLOW_LATTICES,
    .elsewhere = WEIR_NOT_ON_D3Q13,
    .single_cells_with_eddies = 1u << WEIR_D3Q27,
    .by_moments = true,
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .rates = regularised_rates,
};

#else

#include "codelets/kernels/collision/stress.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* What leaves a cell with this viscous stress. */
FUNCTION void leave_with_stress(const struct moments *m, const struct tensor *stress, bool forced,
                                const struct relaxation *r, real f[POPULATIONS]) {
    const real a = (real)INVERSE_CS2;
    struct tensor flux = momentum_flux(m);
    real momentum[3] = {a * m->momentum[0], a * m->momentum[1], a * m->momentum[2]};
    if (forced) {
        const struct tensor work = symmetric_product(m->velocity, r->force);
        flux = tensor_sum((real)1, &work, &flux);
        for (int axis = 0; axis < DIMENSIONS; axis++)
            momentum[axis] = fma_real((real)0.5 * a, r->force[axis], momentum[axis]);
    }
    flux = tensor_sum((real)1 - r->omega_plus, stress, &flux);
    set_to_second_order(m->excess, momentum, &flux, f);
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor stress = viscous_stress_of(f, &m, forced, r->force);
    leave_with_stress(&m, &stress, forced, r, f);
}

#endif
