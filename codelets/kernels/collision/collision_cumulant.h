/* Cumulants on D3Q27 (Geier, Schoenherr, Pasquali, Krafczyk, Comput. Math. Appl. 70 (2015) 507), all those
 * above the second order relaxing at the rate 1, as the article's simulations do: they are then those of
 * equilibrium, 0, so that what leaves a cell is a Gaussian of its density, momentum and stress. Its Hermite
 * coefficients are the moments of a Gaussian whose covariance is the stress alone, which is small: nothing
 * cancels, and single precision keeps its digits. numerics.md (N30). */
enum { CUMULANT_BULK };

#ifdef WEIR_COLLISION_ROWS

static void cumulant_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    (void)parameters;
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = 1;
}

static const struct weir_collision_row cumulant_row = {
    .name = "cumulant",
    .about = "cumulants, all above the second order in equilibrium: for turbulent flows, the most Galilean "
             "invariant",
    .lattices = 1u << WEIR_D3Q27,
    .elsewhere = "cumulants need all moments of D3Q27; choose that, or the collision recursive",
    .parameters =
        {[CUMULANT_BULK] = {.key = "rate_bulk",
                            .about = "Rate at which the trace of the stress relaxes: 1 damps sound most.",
                            .wanted = "a rate greater than 0 and below 2, such as 1",
                            .most = WEIR_RATE_MOST,
                            .fallback = 1,
                            .example = "1.2"}},
    .single_cells = 1u << WEIR_D3Q27,
    .single_cells_with_eddies = 1u << WEIR_D3Q27,
    .steady = true,
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .rates = cumulant_rates,
};

#else

#include "codelets/kernels/collision/hermite_closure.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* The stress after its relaxation: its trace at a rate of its own, and both with what makes up for the
 * third moments that no velocity carries, E[x^3] (Geier et al., eqs. 55-63): - 3 rho u_a^2 du_a/dx_a, where
 * the derivative is that of the stress itself. */
FUNCTION struct tensor relaxed_stress(const struct moments *m, const struct tensor *stress,
                                      const struct relaxation *r) {
    const real omega = r->omega_plus, bulk = r->parameter[CUMULANT_BULK];
    const real third = (real)(1.0 / 3.0), left = (real)1 - omega;
    const real *const u = m->velocity;
    const real mean = third * (stress->xx + stress->yy + stress->zz);
    const real deviator[3] = {stress->xx - mean, stress->yy - mean, stress->zz - mean};
    real lost[3], relaxed[3];
    for (int axis = 0; axis < 3; axis++) /* 9/2 u^2 (omega deviator + bulk mean) */
        lost[axis] = (real)4.5 * (u[axis] * u[axis]) * fma_real(omega, deviator[axis], bulk * mean);
    const real mean_lost = third * (lost[0] + lost[1] + lost[2]);
    const real all = fma_real(fma_real((real)-0.5, bulk, (real)1), mean_lost, ((real)1 - bulk) * mean);
    for (int axis = 0; axis < 3; axis++)
        relaxed[axis] =
            fma_real(left, deviator[axis], fma_real(r->forcing_plus, lost[axis] - mean_lost, all));
    const struct tensor after = {relaxed[0],        relaxed[1],        relaxed[2],
                                 left * stress->xy, left * stress->xz, left * stress->yz};
    return after;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct tensor stress = own_stress_of(f, &m, forced, r->force);
    const struct tensor left = relaxed_stress(&m, &stress, r);
    struct hermite a;
    const struct closure c = close_second_order(&m, &left, forced, r->force, &a);
    close_third_order(&c, &a);
    close_higher_orders(&c, &a, &a);
    close_highest_orders(&c, &a, &a);
    populations_of(&a, f);
}

#endif
