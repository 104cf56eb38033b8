/* Single relaxation time: Bhatnagar, Gross, Krook, Phys. Rev. 94 (1954) 511; Qian et al. 1992. */
FUNCTION void collide(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const real force_along_velocity = forced ? dot(m.velocity, r->force) : (real)0;
    f[0] = fma_real(r->omega_plus, rest_equilibrium(&m) - f[0], f[0]);
    if (forced)
        f[0] = fma_real(r->forcing_plus, (real)-3 * REST_WEIGHT * force_along_velocity, f[0]);
#define PAIR(i, o, cx, cy, cz, w, mx, my, mz)                                          \
    {                                                                                  \
        const struct pair_equilibrium e = equilibrium_of(&m, (real)(w), cx, cy, cz);   \
        f[i] = fma_real(r->omega_plus, (e.even + e.odd) - f[i], f[i]);                 \
        f[o] = fma_real(r->omega_plus, (e.even - e.odd) - f[o], f[o]);                 \
        if (forced) {                                                                  \
            const struct pair_equilibrium s =                                          \
                forcing_of(&m, (real)(w), cx, cy, cz, r->force, force_along_velocity); \
            f[i] = fma_real(r->forcing_plus, s.even + s.odd, f[i]);                    \
            f[o] = fma_real(r->forcing_plus, s.even - s.odd, f[o]);                    \
        }                                                                              \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
}
