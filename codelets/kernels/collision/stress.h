/* The viscous stress of a cell as its populations carry it: the second moments of what is beyond equilibrium,
 *     Pi_ab = sum_i c_a c_b (f_i - f_eq_i) + (u_a F_b + F_a u_b) / 2 = - 2 tau c_s^2 rho S_ab,
 * S the rate of strain. The second term makes up for half of the body force that is in u (Guo, Zheng, Shi,
 * Phys. Rev. E 65 (2002) 046308). numerics.md (N26). */
#ifndef WEIR_KERNELS_STRESS_H
#define WEIR_KERNELS_STRESS_H

#include "codelets/kernels/collision/moments.h"

/* A symmetric tensor. In two dimensions zz, xz and yz are not read. */
struct tensor {
    real xx, yy, zz, xy, xz, yz;
};

/* factor a + b */
FUNCTION struct tensor tensor_sum(real factor, const struct tensor *a, const struct tensor *b) {
    const struct tensor sum = {fma_real(factor, a->xx, b->xx), fma_real(factor, a->yy, b->yy),
                               fma_real(factor, a->zz, b->zz), fma_real(factor, a->xy, b->xy),
                               fma_real(factor, a->xz, b->xz), fma_real(factor, a->yz, b->yz)};
    return sum;
}

/* Half of a b + b a. */
FUNCTION struct tensor symmetric_product(const real a[3], const real b[3]) {
    struct tensor t;
    t.xx = a[0] * b[0];
    t.yy = a[1] * b[1];
    t.zz = a[2] * b[2];
    t.xy = (real)0.5 * fma_real(a[0], b[1], a[1] * b[0]);
    t.xz = (real)0.5 * fma_real(a[0], b[2], a[2] * b[0]);
    t.yz = (real)0.5 * fma_real(a[1], b[2], a[2] * b[1]);
    return t;
}

/* a b, of vectors along the same line. */
FUNCTION struct tensor product_of(const real a[3], const real b[3]) {
    const struct tensor t = {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[0] * b[1], a[0] * b[2], a[1] * b[2]};
    return t;
}

/* rho u u */
FUNCTION struct tensor momentum_flux(const struct moments *m) {
    return product_of(m->momentum, m->velocity);
}

/* Adds c_a c_b f to t_ab. */
FUNCTION void add_flux(struct tensor *t, int cx, int cy, int cz, real f) {
    t->xx = add_signed(t->xx, cx * cx, f);
    t->yy = add_signed(t->yy, cy * cy, f);
    t->zz = add_signed(t->zz, cz * cz, f);
    t->xy = add_signed(t->xy, cx * cy, f);
    t->xz = add_signed(t->xz, cx * cz, f);
    t->yz = add_signed(t->yz, cy * cz, f);
}

FUNCTION struct tensor viscous_stress_of(const real f[POPULATIONS], const struct moments *m, bool forced,
                                         const real force[3]) {
    const real pressure = (real)(1 / INVERSE_CS2) * m->excess;
    const struct tensor flux = momentum_flux(m);
    struct tensor t = {
        -(pressure + flux.xx), -(pressure + flux.yy), -(pressure + flux.zz), -flux.xy, -flux.xz, -flux.yz};
#define PAIR(i, o, cx, cy, cz, w)      \
    {                                  \
        const real sum = f[i] + f[o];  \
        add_flux(&t, cx, cy, cz, sum); \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    if (forced) {
        const struct tensor work = symmetric_product(m->velocity, force);
        t = tensor_sum((real)1, &work, &t);
    }
    return t;
}

/* a^2 c_a c_b A_ab / 2 */
FUNCTION real stress_along(int cx, int cy, int cz, const struct tensor *half, const struct tensor *whole) {
    real along = times_component(cx * cx, half->xx);
    along = add_signed(along, cy * cy, half->yy);
    along = add_signed(along, cz * cz, half->zz);
    along = add_signed(along, cx * cy, whole->xy);
    along = add_signed(along, cx * cz, whole->xz);
    return add_signed(along, cy * cz, whole->yz);
}

/* Populations that have a density, a momentum and a flux, and no higher Hermite coefficients:
 *     f_i = w_i [ excess + a c_i.j + a^2 / 2 sum_ab (c_a c_b - delta_ab / a) A_ab ],     a = 1 / c_s^2.
 * momentum: a j. */
FUNCTION void set_to_second_order(real excess, const real momentum[3], const struct tensor *flux,
                                  real f[POPULATIONS]) {
    const real a = (real)INVERSE_CS2;
    const struct tensor none = {0, 0, 0, 0, 0, 0};
    const struct tensor half = tensor_sum((real)0.5 * a * a, flux, &none),
                        whole = tensor_sum(a * a, flux, &none);
    const real trace = DIMENSIONS == 3 ? half.xx + half.yy + half.zz : half.xx + half.yy;
    const real base = fma_real((real)(-1 / INVERSE_CS2), trace, excess);
    f[0] = REST_WEIGHT * base;
#define PAIR(i, o, cx, cy, cz, w)                                         \
    {                                                                     \
        const real even = base + stress_along(cx, cy, cz, &half, &whole); \
        const real odd = dot_lattice(cx, cy, cz, momentum);               \
        f[i] = (real)(w) * (even + odd);                                  \
        f[o] = (real)(w) * (even - odd);                                  \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

#endif
