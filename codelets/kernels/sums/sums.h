/* The arithmetic of totals.h for one cell, the same on CPU and GPU. */
#ifndef WEIR_KERNELS_SUMS_H
#define WEIR_KERNELS_SUMS_H

#include "codelets/kernels/collision/moments.h"
#include "codelets/kernels/totals.h"

/* A value as a multiple of 2^-56; exact steps only, but for the last rounding. |value| < 2^31. */
FUNCTION struct weir_exact_sum exact_of(double value) {
    const double scaled = value * 16777216.0; /* 2^24 */
    const double high = floor(scaled);
    struct weir_exact_sum sum;
    sum.high = (int64_t)high;
    sum.low = (uint64_t)rint((scaled - high) * 4294967296.0);
    return sum;
}

FUNCTION uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The larger of such bits and those of |value|. NaN exceeds every number, so that it is never lost. */
FUNCTION uint64_t larger_magnitude(uint64_t bits, double value) {
    const uint64_t other = bits_of_double(fabs(value));
    return other > bits ? other : bits;
}

FUNCTION uint64_t packed_place(double square, uint32_t cell) {
    const float rounded = (float)square;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return (uint64_t)bits << 32 | (uint32_t)~cell;
}

/* What one cell adds; fifth: its scalar (of a conductor the content), or internal energy (in two dimensions
 * density c_s^2 T). */
struct cell_totals {
    double mass_excess, momentum[3], kinetic_energy, square, fifth;
    bool sound;
};

/* excess: density - 1 of what has arrived, which on wet faces is not that of the completed cell: what
 * completes it passes the boundary in the next step. With a free surface: all mass of the cell, of which its
 * momentum and energy are, too. */
FUNCTION struct cell_totals cell_totals_of(const struct moments *m, real excess, double limit_square) {
    struct cell_totals c;
    const double density = (double)m->density,
                 inertia = WITH_SURFACE ? (double)excess : (double)inertia_of(m->density);
    c.mass_excess = (double)excess;
    c.square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double u = (double)m->velocity[axis];
        c.momentum[axis] = inertia * u;
        c.square = fma(u, u, c.square);
    }
#if CONDUCTOR_VALUES
    c.fifth = (double)m->content;
#elif WITH_SCALAR
    c.fifth = (double)m->scalar;
#elif WITH_TEMPERATURE
    c.fifth = density / INVERSE_CS2 * (double)m->temperature;
#else
    c.fifth = 0;
#endif
    c.kinetic_energy = 0.5 * inertia * c.square;
    /* Written so that NaN fails; a density outside (0, 100) is no flow of this method's. */
    c.sound = c.square <= limit_square && density > 0 && density < 100;
    if (WITH_FIFTH) /* what the sums have room for, and no NaN */
        c.sound = c.sound && fabs(c.fifth) < 1e6;
    if (WITH_TEMPERATURE)
        c.sound = c.sound && c.fifth > 0;
    if (WITH_WET)
        c.sound = c.sound && fabs(c.mass_excess) < 100;
    return c;
}

#endif
