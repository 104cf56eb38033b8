/* Single relaxation time: Bhatnagar, Gross, Krook, Phys. Rev. 94 (1954) 511; Qian et al. 1992. */
#ifdef WEIR_COLLISION_ROWS

static void bgk_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    (void)parameters;
    fluid->omega_plus = fluid->omega_minus = 1 / relaxation_time;
}

static const struct weir_collision_row bgk_row = {
    .name = "bgk",
    .about = "one relaxation time",
    .lattices = WEIR_FLOW_LATTICES,
    .elsewhere = WEIR_NOT_ON_D3Q13,
    .incompressible = true,
    .large_tau = "boundaries lose accuracy with bgk; use trt",
    .rates = bgk_rates,
};

#else

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)r;
    return omega;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct equilibrium e = equilibrium_of(&m);
    const real omega = r->omega_plus, kept = (real)1 - omega;
    const real force_along_velocity = forced ? dot(m.velocity, r->force) : (real)0;
    f[0] = fma_real(kept, f[0], (omega * REST_WEIGHT) * e.base);
    if (forced)
        f[0] = fma_real(r->forcing_plus, REST_FORCING * force_along_velocity, f[0]);
#define PAIR(i, o, cx, cy, cz, w)                                                        \
    {                                                                                    \
        const struct pair_equilibrium pair = equilibrium_along(&e, cx, cy, cz);          \
        const real rate = omega * (real)(w), odd_rate = omega * (real)(ODD_SHARE * (w)); \
        const real even = rate * pair                                                    \
        .even;                                                                           \
        f[i] = fma_real(kept, f[i], fma_real(odd_rate, pair.along, even));               \
        f[o] = fma_real(kept, f[o], fma_real(-odd_rate, pair.along, even));              \
        if (forced) {                                                                    \
            const struct pair_forcing s =                                                \
                forcing_of(&m, (real)(w), cx, cy, cz, r->force, force_along_velocity);   \
            f[i] = fma_real(r->forcing_plus, s.even + s.odd, f[i]);                      \
            f[o] = fma_real(r->forcing_plus, s.even - s.odd, f[o]);                      \
        }                                                                                \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

#endif
