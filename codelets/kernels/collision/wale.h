/* WALE, the wall-adapting local eddy viscosity (Nicoud, Ducros, Flow Turbul. Combust. 62 (1999) 183, eqs. 10
 * and 13): with g the gradient of the velocity, S its symmetric part, and S^d that of g^2 without its trace,
 *     nu_t = (C width)^2 (S^d:S^d)^(3/2) / [ (S:S)^(5/2) + (S^d:S^d)^(5/4) ].
 * It is nothing in pure shear, and vanishes as the distance to the third power at walls. numerics.md (N57).
 */
#ifndef WEIR_KERNELS_WALE_H
#define WEIR_KERNELS_WALE_H

#include "codelets/kernels/variant.h"

/* of[a][b] is du_a / dx_b; in two dimensions all with z are 0. */
struct gradient {
    real of[3][3];
};

/* S:S */
FUNCTION real square_of_strain(const struct gradient *g) {
    real diagonal = 0, sides = 0;
    UNROLL(3)
    for (int a = 0; a < DIMENSIONS; a++) {
        diagonal = fma_real(g->of[a][a], g->of[a][a], diagonal);
        UNROLL(3)
        for (int b = a + 1; b < DIMENSIONS; b++) {
            const real twice = g->of[a][b] + g->of[b][a];
            sides = fma_real(twice, twice, sides);
        }
    }
    return fma_real((real)0.5, sides, diagonal);
}

/* S^d:S^d, the trace being that in space. */
FUNCTION real square_of_square(const struct gradient *g) {
    real square[DIMENSIONS][DIMENSIONS], trace = 0, diagonal, sides = 0;
    UNROLL(3)
    for (int a = 0; a < DIMENSIONS; a++) {
        UNROLL(3)
        for (int b = 0; b < DIMENSIONS; b++) {
            square[a][b] = g->of[a][0] * g->of[0][b];
            UNROLL(3)
            for (int k = 1; k < DIMENSIONS; k++)
                square[a][b] = fma_real(g->of[a][k], g->of[k][b], square[a][b]);
        }
        trace += square[a][a];
    }
    const real mean = (real)(1.0 / 3.0) * trace;
    diagonal = DIMENSIONS == 2 ? mean * mean : (real)0;
    UNROLL(3)
    for (int a = 0; a < DIMENSIONS; a++) {
        const real own = square[a][a] - mean;
        diagonal = fma_real(own, own, diagonal);
        UNROLL(3)
        for (int b = a + 1; b < DIMENSIONS; b++) {
            const real twice = square[a][b] + square[b][a];
            sides = fma_real(twice, twice, sides);
        }
    }
    return fma_real((real)0.5, sides, diagonal);
}

/* a^(5/2) */
FUNCTION real to_five_halves(real a) {
    return a * a * root_real(a);
}

/* nu_t / (C width)^2. In units of the larger of S:S and (S^d:S^d)^(1/2), so that no power of them is too
 * small to be told from 0. */
FUNCTION real strength_wale(const struct gradient *g) {
    const real strain = square_of_strain(g), square = root_real(square_of_square(g));
    const real larger = strain > square ? strain : square;
    const real still =
        larger > 0 ? (real)0 : (real)1; /* added, and not chosen by: vectors take no branches */
    const real unit = larger + still;
    const real s = strain / unit, d = square / unit;
    return root_real(unit) * (d * d * d) / (to_five_halves(s) + to_five_halves(d) + still);
}

#endif
