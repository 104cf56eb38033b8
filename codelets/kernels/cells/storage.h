/* Populations as they are kept in memory: `stored`, in blocks and messages alike. In variants of precision
 * half these are 16-bit floats (IEEE 754 binary16), 2^15 times the deviation from the weight, so that their
 * range, up to 2, is that of flows (Lehmann et al., Phys. Rev. E 106 (2022) 015308, section III.B); the
 * arithmetic is in single precision. All processors round to nearest, ties to even, and give the same bits.
 */
#ifndef WEIR_KERNELS_STORAGE_H
#define WEIR_KERNELS_STORAGE_H

#define WEIR_STORED_IN_HALF_single 0
#define WEIR_STORED_IN_HALF_double 0
#define WEIR_STORED_IN_HALF_half 1
#define STORED_IN_HALF WEIR_JOIN(WEIR_STORED_IN_HALF_, WEIR_PRECISION)

#if STORED_IN_HALF

#if !defined __CUDACC__ && defined __F16C__
#include "codelets/kernels/cells/intrinsics.h"
#endif

typedef uint16_t stored;

#define STORED_SCALE 32768.0f

#ifdef __CUDACC__

FUNCTION real real_of(stored s) {
    real value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(s));
    return value * (1 / STORED_SCALE);
}

FUNCTION stored stored_of(real value) {
    stored s;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(s) : "f"(value * STORED_SCALE));
    return s;
}

#else

#ifdef __F16C__

FUNCTION real real_of(stored s) {
    return _cvtsh_ss(s) * (1 / STORED_SCALE);
}

FUNCTION stored stored_of(real value) {
    return _cvtss_sh(value * STORED_SCALE, _MM_FROUND_TO_NEAREST_INT);
}

#else

/* For processors without instructions for it. Not expanded in place: there are hundreds of places. */
static __attribute__((noinline, unused)) real real_of(stored s) {
    const uint32_t magnitude = s & 0x7fffu, sign = (uint32_t)(s & 0x8000u) << 16;
    uint32_t bits = magnitude << 13; /* exponent too small by 112; exact, also below the normal range */
    real value;
    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112f;
    memcpy(&bits, &value, sizeof bits);
    bits = (magnitude >= 0x7c00u ? (magnitude << 13) + 0x70000000u : bits) | sign;
    memcpy(&value, &bits, sizeof value);
    return value * (1 / STORED_SCALE);
}

static __attribute__((noinline, unused)) stored stored_of(real value) {
    uint32_t bits;
    value *= STORED_SCALE;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits >= 0x47800000u) /* too large, infinite, not a number */
        return (stored)(sign | (bits > 0x7f800000u ? 0x7e00u : 0x7c00u));
    if (bits >= 0x38800000u) /* normal: round what falls off to nearest, ties to even */
        return (stored)(sign | (bits - 0x38000000u + 0xfffu + (bits >> 13 & 1u)) >> 13);
    /* Adding 0.5 leaves of a small value what a half has of it, rounded, in the lowest bits. */
    memcpy(&value, &bits, sizeof value);
    value += 0.5f;
    memcpy(&bits, &value, sizeof bits);
    return (stored)(sign | (bits - 0x3f000000u));
}

#endif

#endif

#else /* stored as they are */

typedef real stored;

FUNCTION real real_of(stored s) {
    return s;
}

FUNCTION stored stored_of(real value) {
    return value;
}

#endif

/* What a population is after it has been stored. */
FUNCTION real as_stored(real value) {
    return real_of(stored_of(value));
}

#endif
