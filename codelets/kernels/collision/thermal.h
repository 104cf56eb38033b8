/* Flows with a temperature, on D2Q37: the Hermite coefficients of a cell up to the fourth order, from its
 * populations, of equilibrium, and populations from them. They are what such a flow is made of: density,
 * momentum and energy, stress, heat flux, and the flux of this (Shan, Yuan, Chen, J. Fluid Mech. 550 (2006)
 * 413; Philippi et al., Phys. Rev. E 73 (2006) 056702). numerics.md (N70) to (N74).
 *
 * With xi = r c, r^2 = 1 / c_s^2, coefficients are a_mn = sum_i H_m(xi_x) H_n(xi_y) f_i. Populations lie in
 * seven rows of equal c_y, so sums along rows come first and sums over rows follow, and back; of c and -c the
 * even and odd halves are shared. All velocities here are in units of 1 / r: xi, not c. */
#ifndef WEIR_KERNELS_THERMAL_H
#define WEIR_KERNELS_THERMAL_H

#include "codelets/kernels/variant.h"

#if WITH_TEMPERATURE

#define R WEIR_D2Q37_R

/* Numbers c_mn for m + n <= 4: coefficients, moments or factors of polynomials. */
struct fourth_order {
    real c00, c10, c01, c20, c11, c02, c30, c21, c12, c03, c40, c31, c22, c13, c04;
};

#define FOR_FOURTH_ORDER(one)                                                                          \
    one(c00) one(c10) one(c01) one(c20) one(c11) one(c02) one(c30) one(c21) one(c12) one(c03) one(c40) \
        one(c31) one(c22) one(c13) one(c04)

/* Sums of c_x^m f over a row: s_m. */
struct row_sums {
    real s0, s1, s2, s3, s4;
};

FUNCTION struct row_sums sums_of_row(int reach, real f0, real right1, real left1, real right2, real left2,
                                     real right3, real left3) {
    struct row_sums s;
    const real even1 = right1 + left1, odd1 = right1 - left1;
    s.s0 = f0 + even1;
    s.s1 = s.s3 = odd1;
    s.s2 = s.s4 = even1;
    if (reach > 1) {
        const real even2 = right2 + left2, odd2 = right2 - left2;
        s.s0 += even2;
        s.s1 = fma_real((real)2, odd2, s.s1);
        s.s2 = fma_real((real)4, even2, s.s2);
        s.s3 = fma_real((real)8, odd2, s.s3);
        s.s4 = fma_real((real)16, even2, s.s4);
    }
    if (reach > 2) {
        const real even3 = right3 + left3, odd3 = right3 - left3;
        s.s0 += even3;
        s.s1 = fma_real((real)3, odd3, s.s1);
        s.s2 = fma_real((real)9, even3, s.s2);
        s.s3 = fma_real((real)27, odd3, s.s3);
        s.s4 = fma_real((real)81, even3, s.s4);
    }
    return s;
}

/* Adds what the rows c_y = k and -k have of the sums of c_x^m c_y^n f. */
FUNCTION void add_rows(int k, const struct row_sums *above, const struct row_sums *below,
                       struct fourth_order *m) {
    const real one = (real)k, two = (real)(k * k), three = (real)(k * k * k), four = (real)(k * k * k * k);
    const real even0 = above->s0 + below->s0, odd0 = above->s0 - below->s0;
    const real even1 = above->s1 + below->s1, odd1 = above->s1 - below->s1;
    const real even2 = above->s2 + below->s2, odd2 = above->s2 - below->s2;
    const real even3 = above->s3 + below->s3, odd3 = above->s3 - below->s3;
    m->c00 += even0;
    m->c10 += even1;
    m->c20 += even2;
    m->c30 += even3;
    m->c40 += above->s4 + below->s4;
    m->c01 = fma_real(one, odd0, m->c01);
    m->c02 = fma_real(two, even0, m->c02);
    m->c03 = fma_real(three, odd0, m->c03);
    m->c04 = fma_real(four, even0, m->c04);
    m->c11 = fma_real(one, odd1, m->c11);
    m->c12 = fma_real(two, even1, m->c12);
    m->c13 = fma_real(three, odd1, m->c13);
    m->c21 = fma_real(one, odd2, m->c21);
    m->c22 = fma_real(two, even2, m->c22);
    m->c31 = fma_real(one, odd3, m->c31);
}

/* f[q], deviations from the weights: the coefficient of order 0 is density - 1, and all others are the
 * populations' own, because weights have none. */
FUNCTION struct fourth_order hermite_of(const real f[POPULATIONS]) {
    struct fourth_order m = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, h;
    const real no = 0;
    const struct row_sums middle = sums_of_row(3, f[0], f[1], f[2], f[9], f[10], f[25], f[26]);
    m.c00 = middle.s0;
    m.c10 = middle.s1;
    m.c20 = middle.s2;
    m.c30 = middle.s3;
    m.c40 = middle.s4;
    struct row_sums above = sums_of_row(3, f[3], f[5], f[8], f[13], f[16], f[29], f[32]);
    struct row_sums below = sums_of_row(3, f[4], f[7], f[6], f[15], f[14], f[31], f[30]);
    add_rows(1, &above, &below, &m);
    above = sums_of_row(2, f[11], f[17], f[20], f[21], f[24], no, no);
    below = sums_of_row(2, f[12], f[19], f[18], f[23], f[22], no, no);
    add_rows(2, &above, &below, &m);
    above = sums_of_row(1, f[27], f[33], f[36], no, no, no, no);
    below = sums_of_row(1, f[28], f[35], f[34], no, no, no, no);
    add_rows(3, &above, &below, &m);
    /* H_2 = xi^2 - 1, H_3 = xi^3 - 3 xi, H_4 = xi^4 - 6 xi^2 + 3. */
    const real one = (real)R, two = (real)(R * R), three = (real)(R * R * R), four = (real)(R * R * R * R);
    const real n = m.c00;
    h.c00 = n;
    h.c10 = one * m.c10;
    h.c01 = one * m.c01;
    h.c20 = fma_real(two, m.c20, -n);
    h.c11 = two * m.c11;
    h.c02 = fma_real(two, m.c02, -n);
    h.c30 = fma_real(three, m.c30, (real)-3 * h.c10);
    h.c21 = fma_real(three, m.c21, -h.c01);
    h.c12 = fma_real(three, m.c12, -h.c10);
    h.c03 = fma_real(three, m.c03, (real)-3 * h.c01);
    h.c40 = fma_real(four, m.c40, fma_real((real)-6, h.c20, (real)-3 * n));
    h.c31 = fma_real(four, m.c31, (real)-3 * h.c11);
    h.c22 = fma_real(four, m.c22, -(h.c20 + h.c02 + n));
    h.c13 = fma_real(four, m.c13, (real)-3 * h.c11);
    h.c04 = fma_real(four, m.c04, fma_real((real)-6, h.c02, (real)-3 * n));
    return h;
}

/* What is conserved in a collision: density - 1, velocity, temperature - 1. */
struct thermal_state {
    real excess, velocity[2], heat;
};

/* Of order 2, sum xi^2 f = a_20 + a_02 + 2 density = density (u^2 + 2 T). */
FUNCTION struct thermal_state thermal_state_of(const struct fourth_order *h) {
    struct thermal_state s;
    s.excess = h->c00;
    const real inverse = (real)1 / ((real)1 + s.excess);
    s.velocity[0] = h->c10 * inverse;
    s.velocity[1] = h->c01 * inverse;
    const real flux = fma_real(-h->c01, s.velocity[1], fma_real(-h->c10, s.velocity[0], h->c20 + h->c02));
    s.heat = ((real)0.5 * inverse) * flux;
    return s;
}

/* The coefficients of Maxwell's distribution: those of two axes are products, of each axis 1, u, u^2 + heat,
 * u^3 + 3 heat u and u^4 + 6 heat u^2 + 3 heat^2. */
FUNCTION struct fourth_order thermal_equilibrium(const struct thermal_state *s) {
    struct fourth_order h;
    const real x = s->velocity[0], y = s->velocity[1], density = (real)1 + s->excess;
    const real jx = density * x, jy = density * y;
    const real xx = fma_real(x, x, s->heat), yy = fma_real(y, y, s->heat);
    const real xxx = fma_real((real)2, s->heat, xx), yyy = fma_real((real)2, s->heat, yy); /* over u */
    const real six = ((real)-6 * s->heat) * s->heat;
    const real flux = density * xx;
    h.c00 = s->excess;
    h.c10 = jx;
    h.c01 = jy;
    h.c20 = flux;
    h.c11 = jx * y;
    h.c02 = density * yy;
    h.c30 = jx * xxx;
    h.c21 = jy * xx;
    h.c12 = jx * yy;
    h.c03 = jy * yyy;
    h.c40 = density * fma_real(xxx, xxx, six);
    h.c31 = h.c11 * xxx;
    h.c22 = flux * yy;
    h.c13 = h.c11 * yyy;
    h.c04 = density * fma_real(yyy, yyy, six);
    return h;
}

/* The factors p of the polynomial sum p_mn c_x^m c_y^n by which weights are multiplied: sum a_mn H_m H_n /
 * (m! n!). */
FUNCTION struct fourth_order polynomial_of(const struct fourth_order *h) {
    struct fourth_order p;
    const real half = (real)0.5, sixth = (real)(1.0 / 6), fourth = (real)0.25, last = (real)(1.0 / 24);
    const real one = (real)R, two = (real)(R * R), three = (real)(R * R * R), four = (real)(R * R * R * R);
    const real b22 = fourth * h->c22, b40 = last * h->c40, b04 = last * h->c04;
    const real b31 = sixth * h->c31, b13 = sixth * h->c13;
    const real b30 = sixth * h->c30, b03 = sixth * h->c03, b21 = half * h->c21, b12 = half * h->c12;
    p.c00 = fma_real((real)3, b40 + b04, fma_real(-half, h->c20 + h->c02, h->c00 + b22));
    p.c10 = one * fma_real((real)-3, b30, h->c10 - b12);
    p.c01 = one * fma_real((real)-3, b03, h->c01 - b21);
    p.c20 = two * fma_real((real)-6, b40, fma_real(half, h->c20, -b22));
    p.c02 = two * fma_real((real)-6, b04, fma_real(half, h->c02, -b22));
    p.c11 = two * fma_real((real)-3, b31 + b13, h->c11);
    p.c30 = three * b30;
    p.c21 = three * b21;
    p.c12 = three * b12;
    p.c03 = three * b03;
    p.c40 = four * b40;
    p.c31 = four * b31;
    p.c22 = four * b22;
    p.c13 = four * b13;
    p.c04 = four * b04;
    return p;
}

/* The polynomial at c, but for the weight. */
FUNCTION real polynomial_at(const struct fourth_order *p, int cx, int cy) {
    const real x = (real)cx, y = (real)cy;
    real sum = p->c40;
    sum = fma_real(sum, x, fma_real(p->c31, y, p->c30));
    sum = fma_real(sum, x, fma_real(fma_real(p->c22, y, p->c21), y, p->c20));
    sum = fma_real(sum, x, fma_real(fma_real(fma_real(p->c13, y, p->c12), y, p->c11), y, p->c10));
    return fma_real(
        sum, x, fma_real(fma_real(fma_real(fma_real(p->c04, y, p->c03), y, p->c02), y, p->c01), y, p->c00));
}

/* Population number i of these coefficients, for few. */
FUNCTION real population_of(const struct fourth_order *h, real weight, int cx, int cy) {
    const struct fourth_order p = polynomial_of(h);
    return weight * polynomial_at(&p, cx, cy);
}

/* The polynomial along the row c_y = k, sum q_m c_x^m, in two halves, even and odd in c_y. */
struct row_factors {
    real even0, odd0, even1, odd1, even2, odd2, even3, odd3; /* q_4 is p_40 in all rows */
};

FUNCTION struct row_factors factors_of_rows(int k, const struct fourth_order *p) {
    const real one = (real)k, two = (real)(k * k);
    struct row_factors q;
    q.even0 = fma_real(fma_real(p->c04, two, p->c02), two, p->c00);
    q.odd0 = one * fma_real(p->c03, two, p->c01);
    q.even1 = fma_real(p->c12, two, p->c10);
    q.odd1 = one * fma_real(p->c13, two, p->c11);
    q.even2 = fma_real(p->c22, two, p->c20);
    q.odd2 = one * p->c21;
    q.even3 = p->c30;
    q.odd3 = one * p->c31;
    return q;
}

/* Sets the populations to these coefficients; or, keep, adds what these give to `kept` times what is there.
 * mass: density - 1 that the cell has afterwards, but for the rounding of this. */
FUNCTION void set_populations(const struct fourth_order *h, bool keep, real kept, real mass,
                              real f[POPULATIONS]) {
    const struct fourth_order p = polynomial_of(h);
    struct row_factors q = {p.c00, 0, p.c10, 0, p.c20, 0, p.c30, 0};
    real moving = 0, moving1 = 0, moving2 = 0, moving3 = 0; /* by rows */
#define ONE(sum, i, value, w)                                      \
    {                                                              \
        const real of_weight = (real)(w) * (value);                \
        f[i] = keep ? fma_real(kept, f[i], of_weight) : of_weight; \
        sum += f[i];                                               \
    }
/* The two of c_x = k and -k, in the row above, sign = +, or below. */
#define TWO(sum, sign, k, right, left, w)                                                        \
    {                                                                                            \
        const real square = (real)((k) * (k));                                                   \
        const real even =                                                                        \
            fma_real(fma_real(p.c40, square, q.even2 sign q.odd2), square, q.even0 sign q.odd0); \
        const real odd = (real)(k)*fma_real(q.even3 sign q.odd3, square, q.even1 sign q.odd1);   \
        ONE(sum, right, even + odd, w)                                                           \
        ONE(sum, left, even - odd, w)                                                            \
    }
    TWO(moving, +, 1, 1, 2, WEIR_D2Q37_W10)
    TWO(moving, +, 2, 9, 10, WEIR_D2Q37_W20)
    TWO(moving, +, 3, 25, 26, WEIR_D2Q37_W30)
    q = factors_of_rows(1, &p);
    ONE(moving1, 3, q.even0 + q.odd0, WEIR_D2Q37_W10)
    TWO(moving1, +, 1, 5, 8, WEIR_D2Q37_W11)
    TWO(moving1, +, 2, 13, 16, WEIR_D2Q37_W21)
    TWO(moving1, +, 3, 29, 32, WEIR_D2Q37_W31)
    ONE(moving1, 4, q.even0 - q.odd0, WEIR_D2Q37_W10)
    TWO(moving1, -, 1, 7, 6, WEIR_D2Q37_W11)
    TWO(moving1, -, 2, 15, 14, WEIR_D2Q37_W21)
    TWO(moving1, -, 3, 31, 30, WEIR_D2Q37_W31)
    q = factors_of_rows(2, &p);
    ONE(moving2, 11, q.even0 + q.odd0, WEIR_D2Q37_W20)
    TWO(moving2, +, 1, 17, 20, WEIR_D2Q37_W21)
    TWO(moving2, +, 2, 21, 24, WEIR_D2Q37_W22)
    ONE(moving2, 12, q.even0 - q.odd0, WEIR_D2Q37_W20)
    TWO(moving2, -, 1, 19, 18, WEIR_D2Q37_W21)
    TWO(moving2, -, 2, 23, 22, WEIR_D2Q37_W22)
    q = factors_of_rows(3, &p);
    ONE(moving3, 27, q.even0 + q.odd0, WEIR_D2Q37_W30)
    TWO(moving3, +, 1, 33, 36, WEIR_D2Q37_W31)
    ONE(moving3, 28, q.even0 - q.odd0, WEIR_D2Q37_W30)
    TWO(moving3, -, 1, 35, 34, WEIR_D2Q37_W31)
    f[0] = mass - ((moving + moving1) + (moving2 + moving3));
#undef TWO
#undef ONE
}

#undef R

#endif

#endif
