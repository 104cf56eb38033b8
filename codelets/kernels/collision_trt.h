/* Two relaxation times, one for the even and one for the odd half of each pair of opposite directions:
 * Ginzburg, Verhaeghe, d'Humieres, Commun. Comput. Phys. 3 (2008) 427. The force is split in the same way. */
FUNCTION void collide(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const real force_along_velocity = forced ? dot(m.velocity, r->force) : (real)0;
    f[0] = fma_real(r->omega_plus, rest_equilibrium(&m) - f[0], f[0]);
    if (forced)
        f[0] = fma_real(r->forcing_plus, (real)-3 * REST_WEIGHT * force_along_velocity, f[0]);
#define PAIR(i, o, cx, cy, cz, w, mx, my, mz)                                          \
    {                                                                                  \
        const struct pair_equilibrium e = equilibrium_of(&m, (real)(w), cx, cy, cz);   \
        real even = r->omega_plus * fma_real((real)-0.5, f[i] + f[o], e.even);         \
        real odd = r->omega_minus * fma_real((real)-0.5, f[i] - f[o], e.odd);          \
        if (forced) {                                                                  \
            const struct pair_equilibrium s =                                          \
                forcing_of(&m, (real)(w), cx, cy, cz, r->force, force_along_velocity); \
            even = fma_real(r->forcing_plus, s.even, even);                            \
            odd = fma_real(r->forcing_minus, s.odd, odd);                              \
        }                                                                              \
        f[i] = f[i] + (even + odd);                                                    \
        f[o] = f[o] + (even - odd);                                                    \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
}
