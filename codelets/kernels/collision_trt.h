/* Two relaxation times, one for the even and one for the odd half of each pair of opposite directions:
 * Ginzburg, Verhaeghe, d'Humieres, Commun. Comput. Phys. 3 (2008) 427. The force is split in the same way. */
FUNCTION void collide(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct equilibrium e = equilibrium_of(&m);
    const real half_plus = (real)-0.5 * r->omega_plus, half_minus = (real)-0.5 * r->omega_minus;
    const real force_along_velocity = forced ? dot(m.velocity, r->force) : (real)0;
    f[0] = fma_real(r->omega_plus, fma_real(REST_WEIGHT, e.base, -f[0]), f[0]);
    if (forced)
        f[0] = fma_real(r->forcing_plus, (real)-3 * REST_WEIGHT * force_along_velocity, f[0]);
#define PAIR(i, o, cx, cy, cz, w)                                                                         \
    {                                                                                                     \
        const struct pair_equilibrium pair = equilibrium_along(&e, cx, cy, cz);                           \
        const real rate = r->omega_plus * (real)(w), odd_rate = r->omega_minus * (real)(2.0 / 3.0 * (w)); \
        real even = fma_real(rate, pair.even, half_plus * (f[i] + f[o]));                                 \
        real odd = fma_real(odd_rate, pair.along, half_minus * (f[i] - f[o]));                            \
        if (forced) {                                                                                     \
            const struct pair_forcing s =                                                                 \
                forcing_of(&m, (real)(w), cx, cy, cz, r->force, force_along_velocity);                    \
            even = fma_real(r->forcing_plus, s.even, even);                                               \
            odd = fma_real(r->forcing_minus, s.odd, odd);                                                 \
        }                                                                                                 \
        f[i] = f[i] + (even + odd);                                                                       \
        f[o] = f[o] + (even - odd);                                                                       \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
}
