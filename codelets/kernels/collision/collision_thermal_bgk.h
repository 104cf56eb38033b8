/* One relaxation time for a flow with a temperature: to Maxwell's distribution up to the fourth order,
 * gravity by what velocity and temperature are shifted by in it (Sbragaglia et al., J. Fluid Mech. 628 (2009)
 * 299; Scagliarini et al., Phys. Fluids 22 (2010) 055101). numerics.md (N72). */
#ifdef WEIR_COLLISION_ROWS

static void thermal_bgk_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    (void)parameters;
    fluid->omega_plus = fluid->omega_minus = 1 / relaxation_time;
}

static const struct weir_collision_row thermal_bgk_row = {
    .name = "thermal_bgk",
    .about = "one relaxation time, for flows with a temperature on D2Q37: the Prandtl number is 1",
    .lattices = 1u << WEIR_D2Q37,
    .elsewhere = "it conserves energy, which needs lattice D2Q37; choose that, or the collision bgk",
    .operations = {565, 571},
    .large_tau = "walls lose accuracy; a lower one takes more steps",
    .without_eddies = "no model of turbulence is known for its heat flux; remove \"turbulence\"",
    .rates = thermal_bgk_rates,
};

#else

#include "codelets/kernels/collision/thermal.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)r;
    return omega;
}

/* Velocity and temperature to which populations relax so that a collision changes the velocity by g and
 * leaves the temperature: u + tau g and T + tau (1 - tau) g^2 / 2. */
FUNCTION void shift_by_gravity(real tau, const real gravity[3], struct thermal_state *s) {
    const real x = (real)WEIR_D2Q37_R * gravity[0], y = (real)WEIR_D2Q37_R * gravity[1];
    s->velocity[0] = fma_real(tau, x, s->velocity[0]);
    s->velocity[1] = fma_real(tau, y, s->velocity[1]);
    s->heat = fma_real(((real)0.5 * tau) * ((real)1 - tau), fma_real(x, x, y * y), s->heat);
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct fourth_order h = hermite_of(f);
    struct thermal_state s = thermal_state_of(&h);
    if (forced)
        shift_by_gravity(r->tau, r->force, &s);
    struct fourth_order e = thermal_equilibrium(&s);
    const real omega = r->omega_plus;
#define RATE(c) e.c *= omega;
    FOR_FOURTH_ORDER(RATE)
#undef RATE
    set_populations(&e, true, (real)1 - omega, h.c00, f);
}

#endif
