/* The populations of a cell from its Hermite coefficients, a_xxy = sum_i H_xxy(c_i) f_i and so on: as many as
 * the lattice has moments. The polynomials are products of 1, c and c^2 - 1/3 of each axis; deviations from
 * the weights are what has all coefficients 0. (Grad, Commun. Pure Appl. Math. 2 (1949) 331; Shan, Yuan,
 * Chen, J. Fluid Mech. 550 (2006) 413.)
 *
 * D2Q9 and D3Q27 hold all products. D3Q19 has no velocity with three components, so of its coefficients those
 * of more than two axes are none, and those of the fourth order are what the weights make of the second. */
#ifndef WEIR_KERNELS_HERMITE_H
#define WEIR_KERNELS_HERMITE_H

#include "codelets/kernels/collision/stress.h"

#define WITH_CORNERS (FLOW_POPULATIONS == 27)

struct hermite {
    real density;     /* deviation: density - 1 */
    real momentum[3]; /* of what leaves the cell */
    struct tensor flux;
    real xxy, xyy, xxz, xzz, yyz, yzz; /* in two dimensions those with z are not read; nor below */
    real xxyy, xxzz, yyzz;             /* on D3Q19 these are not read, nor what follows */
    real xyz, xxyz, xyyz, xyzz, xxyyz, xxyzz, xyyzz, xxyyzz;
};

/* Moments with c^2 where Hermite polynomials have c^2 - 1/3, a third of what is of lower order added. */
FUNCTION struct hermite plain_moments_of(const struct hermite *a) {
    const real third = (real)(1.0 / 3.0), ninth = (real)(1.0 / 9.0);
    const real *const j = a->momentum;
    const struct tensor *const flux = &a->flux;
    struct hermite m = *a;
    m.xxy = fma_real(third, j[1], a->xxy);
    m.xyy = fma_real(third, j[0], a->xyy);
    m.xxz = fma_real(third, j[2], a->xxz);
    m.xzz = fma_real(third, j[0], a->xzz);
    m.yyz = fma_real(third, j[2], a->yyz);
    m.yzz = fma_real(third, j[1], a->yzz);
    const real pressure = third * a->density, common = ninth * a->density;
    m.flux.xx = pressure + flux->xx;
    m.flux.yy = pressure + flux->yy;
    m.flux.zz = pressure + flux->zz;
    m.xxyy = fma_real(third, flux->xx + flux->yy, common);
    m.xxzz = fma_real(third, flux->xx + flux->zz, common);
    m.yyzz = fma_real(third, flux->yy + flux->zz, common);
#if FLOW_POPULATIONS == 19
    const real sixth = (real)(1.0 / 6.0);
    m.xxyy = fma_real(-sixth, flux->zz, m.xxyy);
    m.xxzz = fma_real(-sixth, flux->yy, m.xxzz);
    m.yyzz = fma_real(-sixth, flux->xx, m.yyzz);
#else
    m.xxyy += a->xxyy;
    m.xxzz += a->xxzz;
    m.yyzz += a->yyzz;
#endif
#if WITH_CORNERS
    m.xxyz = fma_real(third, flux->yz, a->xxyz);
    m.xyyz = fma_real(third, flux->xz, a->xyyz);
    m.xyzz = fma_real(third, flux->xy, a->xyzz);
    m.xxyyz = fma_real(ninth, j[2], fma_real(third, a->xxz + a->yyz, a->xxyyz));
    m.xxyzz = fma_real(ninth, j[1], fma_real(third, a->xxy + a->yzz, a->xxyzz));
    m.xyyzz = fma_real(ninth, j[0], fma_real(third, a->xyy + a->xzz, a->xyyzz));
    m.xxyyzz = fma_real(third, a->xxyy + a->xxzz + a->yyzz, a->xxyyzz);
    m.xxyyzz = fma_real(ninth, flux->xx + flux->yy + flux->zz, m.xxyyzz);
    m.xxyyzz = fma_real((real)(1.0 / 27.0), a->density, m.xxyyzz);
#endif
    return m;
}

#if WITH_CORNERS
/* The reverse: m has plain moments above the second order, and coefficients up to that. */
FUNCTION struct hermite hermite_of_plain_moments(const struct hermite *m) {
    const real third = (real)(1.0 / 3.0), ninth = (real)(1.0 / 9.0);
    const real *const j = m->momentum;
    const struct tensor *const flux = &m->flux;
    const real common = ninth * m->density;
    struct hermite a = *m;
    a.xxy = fma_real(-third, j[1], m->xxy);
    a.xyy = fma_real(-third, j[0], m->xyy);
    a.xxz = fma_real(-third, j[2], m->xxz);
    a.xzz = fma_real(-third, j[0], m->xzz);
    a.yyz = fma_real(-third, j[2], m->yyz);
    a.yzz = fma_real(-third, j[1], m->yzz);
    a.xxyy = m->xxyy - fma_real(third, flux->xx + flux->yy, common);
    a.xxzz = m->xxzz - fma_real(third, flux->xx + flux->zz, common);
    a.yyzz = m->yyzz - fma_real(third, flux->yy + flux->zz, common);
    a.xxyz = fma_real(-third, flux->yz, m->xxyz);
    a.xyyz = fma_real(-third, flux->xz, m->xyyz);
    a.xyzz = fma_real(-third, flux->xy, m->xyzz);
    a.xxyyz = fma_real(-ninth, j[2], fma_real(-third, a.xxz + a.yyz, m->xxyyz));
    a.xxyzz = fma_real(-ninth, j[1], fma_real(-third, a.xxy + a.yzz, m->xxyzz));
    a.xyyzz = fma_real(-ninth, j[0], fma_real(-third, a.xyy + a.xzz, m->xyyzz));
    a.xxyyzz = fma_real(-third, a.xxyy + a.xxzz + a.yyzz, m->xxyyzz);
    a.xxyyzz = fma_real(-ninth, flux->xx + flux->yy + flux->zz, a.xxyyzz);
    a.xxyyzz = fma_real((real)(-1.0 / 27.0), m->density, a.xxyyzz);
    return a;
}

/* Takes from the moments over planes and lines what the corners have of them. */
FUNCTION void subtract_corners(struct hermite *m) {
    m->flux.xy -= m->xyzz;
    m->flux.xz -= m->xyyz;
    m->flux.yz -= m->xxyz;
    m->xxy -= m->xxyzz;
    m->yzz -= m->xxyzz;
    m->xyy -= m->xyyzz;
    m->xzz -= m->xyyzz;
    m->xxz -= m->xxyyz;
    m->yyz -= m->xxyyz;
    m->xxyy -= m->xxyyzz;
    m->xxzz -= m->xxyyzz;
    m->yyzz -= m->xxyyzz;
}
#endif

/* What a pair of populations has of the moments that are its own: even and odd half, times the number of
 * populations with such components. */
struct hermite_pair {
    real even, odd;
};

/* Along an axis: its flux and momentum, less what others have of them. */
FUNCTION struct hermite_pair axis_pair(real flux, real plane, real other_plane, real momentum, real third,
                                       real other_third) {
    struct hermite_pair pair;
    pair
    .even = flux - plane;
    pair
    .odd = momentum - third;
    if (DIMENSIONS == 3) {
        pair
        .even -= other_plane;
        pair
        .odd -= other_third;
    }
    return pair;
}

/* With two components a and b: aab is the moment odd in b. */
FUNCTION struct hermite_pair plane_pair(int a, int b, real aabb, real ab, real aab, real abb) {
    struct hermite_pair pair;
    pair
    .even = add_signed(aabb, a * b, ab);
    pair
    .odd = add_signed(times_component(a, abb), b, aab);
    return pair;
}

FUNCTION struct hermite_pair corner_pair(int x, int y, int z, const struct hermite *m) {
    struct hermite_pair pair;
    pair
    .even = add_signed(add_signed(add_signed(m->xxyyzz, x * y, m->xyzz), x * z, m->xyyz), y * z, m->xxyz);
    pair
    .odd = add_signed(add_signed(times_component(x, m->xyyzz), y, m->xxyzz), z, m->xxyyz);
    pair
    .odd = add_signed(pair.odd, x * y * z, m->xyz);
    return pair;
}

FUNCTION struct hermite_pair pair_along(int cx, int cy, int cz, const struct hermite *m) {
    const struct tensor *const flux = &m->flux;
    const real *const j = m->momentum;
    if (cx != 0 && cy != 0 && cz != 0)
        return corner_pair(cx, cy, cz, m);
    if (cx != 0 && cy != 0)
        return plane_pair(cx, cy, m->xxyy, flux->xy, m->xxy, m->xyy);
    if (cx != 0 && cz != 0)
        return plane_pair(cx, cz, m->xxzz, flux->xz, m->xxz, m->xzz);
    if (cy != 0 && cz != 0)
        return plane_pair(cy, cz, m->yyzz, flux->yz, m->yyz, m->yzz);
    if (cx != 0)
        return axis_pair(flux->xx, m->xxyy, m->xxzz, j[0], m->xyy, m->xzz);
    if (cy != 0)
        return axis_pair(flux->yy, m->xxyy, m->yyzz, j[1], m->xxy, m->yzz);
    return axis_pair(flux->zz, m->xxzz, m->yyzz, j[2], m->xxz, m->yyz);
}

FUNCTION void populations_of(const struct hermite *coefficients, real f[POPULATIONS]) {
    struct hermite m = plain_moments_of(coefficients);
#if WITH_CORNERS
    /* Each corner is in three planes and three lines, of which planes have two each. */
    const real corners = m.xxyyzz;
    const real lines[3] = {m.xyyzz, m.xxyzz, m.xxyyz};
    subtract_corners(&m);
    m.flux.xx -= corners;
    m.flux.yy -= corners;
    m.flux.zz -= corners;
    for (int axis = 0; axis < 3; axis++)
        m.momentum[axis] -= lines[axis];
#endif
    real moving = 0;
#define PAIR(i, o, cx, cy, cz, w)                                                          \
    {                                                                                      \
        const int components = ((cx) != 0) + ((cy) != 0) + ((cz) != 0);                    \
        const real share = (real)(components == 1 ? 0.5 : components == 2 ? 0.25 : 0.125); \
        const struct hermite_pair pair = pair_along(cx, cy, cz, &m);                       \
        f[i] = share * (pair.even + pair.odd);                                             \
        f[o] = share * (pair.even - pair.odd);                                             \
        moving += f[i] + f[o];                                                             \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    f[0] = coefficients->density - moving; /* so mass stays but for rounding of this */
}

#endif
