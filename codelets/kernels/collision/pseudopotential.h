/* What cells of a fluid with phases attract each other by: the pseudopotential psi of the density, by the
 * equation of state. With  psi^2 = 2 (p - rho c_s^2) / (G c_s^2)  the pressure of a uniform fluid is p (Yuan,
 * Schaefer, Phys. Fluids 18 (2006) 042101); numerics.md (N53). */
#ifndef WEIR_KERNELS_PSEUDOPOTENTIAL_H
#define WEIR_KERNELS_PSEUDOPOTENTIAL_H

#include "codelets/kernels/collision/equations.h"
#include "codelets/kernels/variant.h"

/* e^x, the same bits on every processor, to a unit or two of the last place: 2^n times a polynomial of what
 * is left of x. Beyond +-80 as there. */
#if REAL_BYTES == 4
typedef uint32_t real_bits;
#define EXPONENT_SHIFT 23
#define ROUNDING ((real)12582912) /* 1.5 * 2^23: adding it leaves an integer in the low bits */
#define LN2_HIGH ((real)0.693145751953125)
#define LN2_LOW ((real)1.42860682030941723212e-6)
enum { EXPONENTIAL_DEGREE = 7, EXPONENT_BIAS = 127 };
#else
typedef uint64_t real_bits;
#define EXPONENT_SHIFT 52
#define ROUNDING ((real)6755399441055744) /* 1.5 * 2^52 */
#define LN2_HIGH ((real)6.93147180369123816490e-01)
#define LN2_LOW ((real)1.90821492927058770002e-10)
enum { EXPONENTIAL_DEGREE = 13, EXPONENT_BIAS = 1023 };
#endif

FUNCTION real exponential_of(real x) {
    x = x < (real)-80 ? (real)-80 : x > (real)80 ? (real)80 : x; /* not a number stays that */
    const real shifted = fma_real(x, (real)1.44269504088896340736, ROUNDING), n = shifted - ROUNDING;
    const real left = fma_real(-n, LN2_LOW, fma_real(-n, LN2_HIGH, x));
    static const double inverse_factorials[] = {1,
                                                1,
                                                1.0 / 2,
                                                1.0 / 6,
                                                1.0 / 24,
                                                1.0 / 120,
                                                1.0 / 720,
                                                1.0 / 5040,
                                                1.0 / 40320,
                                                1.0 / 362880,
                                                1.0 / 3628800,
                                                1.0 / 39916800,
                                                1.0 / 479001600,
                                                1.0 / 6227020800};
    real sum = (real)inverse_factorials[EXPONENTIAL_DEGREE];
    UNROLL(13)
    for (int k = EXPONENTIAL_DEGREE - 1; k >= 0; k--)
        sum = fma_real(sum, left, (real)inverse_factorials[k]);
    real_bits bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + EXPONENT_BIAS) << EXPONENT_SHIFT;
    real power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

/* The constants of a run in the kernel's precision. */
struct interaction {
    real temperature, attraction, covolume;
};

FUNCTION struct interaction interaction_of(const struct weir_fluid *fluid) {
    const struct weir_interaction *given = &fluid->interaction;
    const struct interaction a = {(real)given->temperature, (real)given->attraction, (real)given->covolume};
    return a;
}

/* The pressure by Carnahan and Starling, J. Chem. Phys. 51 (1969) 635, with an attraction as van der Waals'.
 */
FUNCTION real carnahan_starling(const struct interaction *a, real density) {
    const real filled = (real)0.25 * a->covolume * density, empty = (real)1 - filled;
    const real above = fma_real(filled, fma_real(filled, (real)1 - filled, (real)1), (real)1);
    const real hard = (density * a->temperature) * above / (empty * (empty * empty));
    return fma_real(-(a->attraction * density), density, hard);
}

/* By Peng and Robinson, Ind. Eng. Chem. Fundam. 15 (1976) 59. */
FUNCTION real peng_robinson(const struct interaction *a, real density) {
    const real filled = a->covolume * density;
    const real attracted = (a->attraction * density) * density / fma_real(filled, (real)2 - filled, (real)1);
    return (density * a->temperature) / ((real)1 - filled) - attracted;
}

/* psi; the equation is a constant of the caller's. Where an equation of state asks for more pressure than an
 * ideal gas has at c_s, cells do not attract. */
FUNCTION real pseudopotential_by(int equation, const struct interaction *a, real density) {
    if (equation == WEIR_SHAN_CHEN)
        return (real)1 - exponential_of(-density);
    if (equation == WEIR_SHAN_CHEN_1994)
        return exponential_of((real)-1 / density);
    const real pressure =
        equation == WEIR_CARNAHAN_STARLING ? carnahan_starling(a, density) : peng_robinson(a, density);
    const real square = fma_real((real)(-2 * INVERSE_CS2), pressure, (real)2 * density);
    return root_real(square < 0 ? (real)0 : square);
}

/* The same by the equation of the run. */
FUNCTION real pseudopotential_of(int equation, const struct interaction *a, real density) {
    switch (equation) {
    case WEIR_SHAN_CHEN:
        return pseudopotential_by(WEIR_SHAN_CHEN, a, density);
    case WEIR_SHAN_CHEN_1994:
        return pseudopotential_by(WEIR_SHAN_CHEN_1994, a, density);
    case WEIR_CARNAHAN_STARLING:
        return pseudopotential_by(WEIR_CARNAHAN_STARLING, a, density);
    default:
        return pseudopotential_by(WEIR_PENG_ROBINSON, a, density);
    }
}

#endif
