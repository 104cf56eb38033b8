/* Cumulants of a cell on D3Q27 above the second order, and its Hermite coefficients from them (Geier,
 * Schoenherr, Pasquali, Krafczyk, Comput. Math. Appl. 70 (2015) 507). The Hermite coefficients are the plain
 * moments of something whose cumulants are those of the velocities but for the variance 1/3, which it has
 * not: so moments and cumulants follow from each other without large terms that cancel. A moment is a sum
 * over all ways to part its indices into blocks, of the products of their cumulants; what has no block of
 * more than two indices is the normal part (hermite_closure.h). numerics.md (N30), (N48). */
#ifndef WEIR_KERNELS_CUMULANTS_H
#define WEIR_KERNELS_CUMULANTS_H

#include "codelets/kernels/collision/hermite_closure.h"

/* 9/2 u^2 (omega deviator + bulk mean): - 3 rho u_a^2 du_a/dx_a, where the derivative is that of the stress
 * itself (Geier et al., eqs. 55-63). */
FUNCTION real lost_of(real velocity, real omega, real deviator, real bulk_mean) {
    return (real)4.5 * (velocity * velocity) * fma_real(omega, deviator, bulk_mean);
}

/* The stress after its relaxation: its trace at a rate of its own, and both with what makes up for the
 * third moments that no velocity carries, E[x^3]. */
FUNCTION struct tensor relaxed_stress(const struct moments *m, const struct tensor *stress, real bulk,
                                      const struct relaxation *r) {
    const real omega = r->omega_plus;
    const real third = (real)(1.0 / 3.0), left = (real)1 - omega;
    const real mean = third * (stress->xx + stress->yy + stress->zz);
    const real deviator[3] = {stress->xx - mean, stress->yy - mean, stress->zz - mean};
    real lost[3], relaxed[3];
    for (int axis = 0; axis < 3; axis++)
        lost[axis] = lost_of(m->velocity[axis], omega, deviator[axis], bulk * mean);
    const real mean_lost = third * (lost[0] + lost[1] + lost[2]);
    const real all = fma_real(fma_real((real)-0.5, bulk, (real)1), mean_lost, ((real)1 - bulk) * mean);
    for (int axis = 0; axis < 3; axis++)
        relaxed[axis] =
            fma_real(left, deviator[axis], fma_real(r->forcing_plus, lost[axis] - mean_lost, all));
    const struct tensor after = {relaxed[0],        relaxed[1],        relaxed[2],
                                 left * stress->xy, left * stress->xz, left * stress->yz};
    return after;
}

/* Coefficients of a normal distribution. */
FUNCTION struct closure close_normally(const struct moments *m, const struct tensor *stress, bool forced,
                                       const real force[3], struct hermite *a) {
    const struct closure c = close_second_order(m, stress, forced, force, a);
    close_third_order(&c, a);
    close_higher_orders(&c, a, a);
    close_highest_orders(&c, a, a);
    return c;
}

#if WITH_HIGHER_CUMULANTS

/* Of the third order and above, times the density. */
struct cumulants {
    real xxy, xyy, xxz, xzz, yyz, yzz, xyz;
    real xxyy, xxzz, yyzz, xxyz, xyyz, xyzz;
    real xxyyz, xxyzz, xyyzz, xxyyzz;
};

/* The coefficients of populations, of which those up to the second order are known. */
FUNCTION struct hermite coefficients_of(const real f[POPULATIONS], const struct hermite *known) {
    struct hermite a = *known;
    a.xxy = a.xyy = a.xxz = a.xzz = a.yyz = a.yzz = a.xyz = 0;
    a.xxyy = a.xxzz = a.yyzz = a.xxyz = a.xyyz = a.xyzz = 0;
    a.xxyyz = a.xxyzz = a.xyyzz = a.xxyyzz = 0;
#define PAIR(i, o, x, y, z, w)                                                   \
    {                                                                            \
        const real sum = f[i] + f[o], difference = f[i] - f[o];                  \
        a.xxy = add_signed(a.xxy, (x) * (x) * (y), difference);                  \
        a.xyy = add_signed(a.xyy, (x) * (y) * (y), difference);                  \
        a.xxz = add_signed(a.xxz, (x) * (x) * (z), difference);                  \
        a.xzz = add_signed(a.xzz, (x) * (z) * (z), difference);                  \
        a.yyz = add_signed(a.yyz, (y) * (y) * (z), difference);                  \
        a.yzz = add_signed(a.yzz, (y) * (z) * (z), difference);                  \
        a.xyz = add_signed(a.xyz, (x) * (y) * (z), difference);                  \
        a.xxyy = add_signed(a.xxyy, (x) * (x) * (y) * (y), sum);                 \
        a.xxzz = add_signed(a.xxzz, (x) * (x) * (z) * (z), sum);                 \
        a.yyzz = add_signed(a.yyzz, (y) * (y) * (z) * (z), sum);                 \
        a.xxyz = add_signed(a.xxyz, (x) * (x) * (y) * (z), sum);                 \
        a.xyyz = add_signed(a.xyyz, (x) * (y) * (y) * (z), sum);                 \
        a.xyzz = add_signed(a.xyzz, (x) * (y) * (z) * (z), sum);                 \
        a.xxyyz = add_signed(a.xxyyz, (x) * (x) * (y) * (y) * (z), difference);  \
        a.xxyzz = add_signed(a.xxyzz, (x) * (x) * (y) * (z) * (z), difference);  \
        a.xyyzz = add_signed(a.xyyzz, (x) * (y) * (y) * (z) * (z), difference);  \
        a.xxyyzz = add_signed(a.xxyyzz, (x) * (x) * (y) * (y) * (z) * (z), sum); \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    return hermite_of_plain_moments(&a);
}

/* What lower cumulants above the second order make of the coefficients of the fourth order: one block of
 * three indices, and one by itself. */
FUNCTION void blocks_of_fourth_order(const real u[3], const struct cumulants *k, struct cumulants *sum) {
    const real two = 2;
    sum->xxyy = two * fma_real(u[0], k->xyy, u[1] * k->xxy);
    sum->xxzz = two * fma_real(u[0], k->xzz, u[2] * k->xxz);
    sum->yyzz = two * fma_real(u[1], k->yzz, u[2] * k->yyz);
    sum->xxyz = fma_real(two * u[0], k->xyz, fma_real(u[1], k->xxz, u[2] * k->xxy));
    sum->xyyz = fma_real(two * u[1], k->xyz, fma_real(u[0], k->yyz, u[2] * k->xyy));
    sum->xyzz = fma_real(two * u[2], k->xyz, fma_real(u[0], k->yzz, u[1] * k->xzz));
}

/* s_aa k_b + s_bb k_a + 4 s_ab k_ab + 2 (s_ac k_ac + s_bc k_bc), for five indices a, a, b, b, c: a block of
 * three, and two others, together or not. */
FUNCTION real three_of_five(real aa, real without_aa, real bb, real without_bb, real ab, real without_ab,
                            real ac, real without_ac, real bc, real without_bc) {
    const real once = fma_real(aa, without_aa, bb * without_bb);
    const real twice = fma_real(ac, without_ac, bc * without_bc);
    return fma_real((real)4 * ab, without_ab, fma_real((real)2, twice, once));
}

/* Of the fifth order. flux: the second moments about 0, per density. */
FUNCTION void blocks_of_fifth_order(const real u[3], const struct tensor *flux, const struct cumulants *k,
                                    struct cumulants *sum) {
    const real two = 2;
    sum->xxyyz = three_of_five(flux->xx, k->yyz, flux->yy, k->xxz, flux->xy, k->xyz, flux->xz, k->xyy,
                               flux->yz, k->xxy);
    sum->xxyzz = three_of_five(flux->xx, k->yzz, flux->zz, k->xxy, flux->xz, k->xyz, flux->xy, k->xzz,
                               flux->yz, k->xxz);
    sum->xyyzz = three_of_five(flux->yy, k->xzz, flux->zz, k->xyy, flux->yz, k->xyz, flux->xy, k->yzz,
                               flux->xz, k->yyz);
    sum->xxyyz += fma_real(two * u[0], k->xyyz, fma_real(two * u[1], k->xxyz, u[2] * k->xxyy));
    sum->xxyzz += fma_real(two * u[0], k->xyzz, fma_real(two * u[2], k->xxyz, u[1] * k->xxzz));
    sum->xyyzz += fma_real(two * u[1], k->xyzz, fma_real(two * u[2], k->xyyz, u[0] * k->yyzz));
}

/* Three of six indices, and the other three, which may be a block as well. */
FUNCTION real three_of_six(real k, real other, real normal, real other_normal) {
    return fma_real(k, other_normal + other, other * normal);
}

FUNCTION void blocks_of_sixth_order(const real u[3], const struct tensor *flux, real inverse_density,
                                    const struct hermite *normal, const struct cumulants *k,
                                    struct cumulants *sum) {
    const real two = 2, four = 4;
    const real thirds = three_of_six(k->xxy, k->yzz, normal->xxy, normal->yzz) +
                        three_of_six(k->xxz, k->yyz, normal->xxz, normal->yyz) +
                        three_of_six(k->xyy, k->xzz, normal->xyy, normal->xzz) +
                        two * k->xyz * fma_real(two, normal->xyz, k->xyz);
    const real lines = fma_real(flux->zz, k->xxyy, fma_real(flux->yy, k->xxzz, flux->xx * k->yyzz));
    const real planes = fma_real(flux->yz, k->xxyz, fma_real(flux->xz, k->xyyz, flux->xy * k->xyzz));
    const real fifths = fma_real(u[0], k->xyyzz, fma_real(u[1], k->xxyzz, u[2] * k->xxyyz));
    sum->xxyyzz = fma_real(two * inverse_density, thirds, fma_real(four, planes, lines));
    sum->xxyyzz = fma_real(two, fifths, sum->xxyyzz);
}

FUNCTION struct tensor per_density(const struct closure *c, const struct hermite *a, real *inverse_density) {
    const struct tensor none = {0, 0, 0, 0, 0, 0};
    *inverse_density = (real)1 / c->density;
    return tensor_sum(*inverse_density, &a->flux, &none);
}

#define FOR_THIRD_CUMULANTS(each) each(xxy) each(xyy) each(xxz) each(xzz) each(yyz) each(yzz) each(xyz)
#define FOR_FOURTH_CUMULANTS(each) each(xxyy) each(xxzz) each(yyzz) each(xxyz) each(xyyz) each(xyzz)
#define FOR_FIFTH_CUMULANTS(each) each(xxyyz) each(xxyzz) each(xyyzz)

/* The cumulants of what has coefficients a, where a normal distribution of the same density, mean and
 * covariance has `normal`. */
FUNCTION struct cumulants cumulants_of(const struct closure *c, const struct hermite *normal,
                                       const struct hermite *a) {
    struct cumulants k, sum;
    real inverse_density;
    const struct tensor flux = per_density(c, normal, &inverse_density);
#define THIRD(of) k.of = a->of - normal->of;
    FOR_THIRD_CUMULANTS(THIRD)
#undef THIRD
#define HIGHER(of) k.of = a->of - normal->of - sum.of;
    blocks_of_fourth_order(c->velocity, &k, &sum);
    FOR_FOURTH_CUMULANTS(HIGHER)
    blocks_of_fifth_order(c->velocity, &flux, &k, &sum);
    FOR_FIFTH_CUMULANTS(HIGHER)
    blocks_of_sixth_order(c->velocity, &flux, inverse_density, normal, &k, &sum);
    HIGHER(xxyyzz)
#undef HIGHER
    return k;
}

/* The reverse: a, those of a normal distribution, become those of one with cumulants. */
FUNCTION void add_cumulants(const struct closure *c, const struct cumulants *k, struct hermite *a) {
    struct cumulants sum;
    real inverse_density;
    const struct tensor flux = per_density(c, a, &inverse_density);
    blocks_of_fourth_order(c->velocity, k, &sum);
    blocks_of_fifth_order(c->velocity, &flux, k, &sum);
    blocks_of_sixth_order(c->velocity, &flux, inverse_density, a, k, &sum);
#define THIRD(of) a->of += k->of;
#define HIGHER(of) a->of += sum.of + k->of;
    FOR_THIRD_CUMULANTS(THIRD)
    FOR_FOURTH_CUMULANTS(HIGHER)
    FOR_FIFTH_CUMULANTS(HIGHER)
    HIGHER(xxyyzz)
#undef THIRD
#undef HIGHER
}

/* The cumulants of what arrives at a cell, whose mean velocity has none of the force yet. stress: its own
 * (hermite_closure.h). */
FUNCTION struct cumulants arriving_cumulants(const real f[POPULATIONS], const struct moments *m,
                                             const struct tensor *stress, bool forced, const real force[3]) {
    const real back[3] = {-force[0], -force[1], -force[2]};
    struct hermite normal;
    const struct closure c = close_normally(m, stress, forced, back, &normal);
    const struct hermite a = coefficients_of(f, &normal);
    return cumulants_of(&c, &normal, &a);
}

/* Two cumulants, sum and difference of which have rates of their own: what is left of them. */
FUNCTION void relax_two(real *a, real *b, real sum_rate, real difference_rate) {
    const real sum = ((real)1 - sum_rate) * (*a + *b), difference = ((real)1 - difference_rate) * (*a - *b);
    *a = (real)0.5 * (sum + difference);
    *b = (real)0.5 * (sum - difference);
}

#endif

#endif
