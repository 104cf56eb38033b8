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

#ifdef __CUDACC__
#include <cuda_fp16.h>
#elif defined __F16C__
#include <immintrin.h>
#endif

typedef uint16_t stored;

#define STORED_SCALE 32768.0f

#ifdef __CUDACC__

FUNCTION real real_of(stored s) {
    return __half2float(__ushort_as_half(s)) * (1 / STORED_SCALE);
}

FUNCTION stored stored_of(real value) {
    return __half_as_ushort(__float2half_rn(value * STORED_SCALE));
}

#else

/* In plain C, for processors without instructions for it, and so that compilers may take many at once. */
FUNCTION float float_of_half(uint16_t half) {
    const uint32_t magnitude = half & 0x7fffu, sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t bits = magnitude << 13; /* exponent too small by 112; exact, also below the normal range */
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112f;
    memcpy(&bits, &value, sizeof bits);
    bits = (magnitude >= 0x7c00u ? (magnitude << 13) + 0x70000000u : bits) | sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

FUNCTION uint16_t half_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    /* Adding 0.5 leaves of a small value what a half has of it, rounded, in the lowest bits. */
    float small;
    memcpy(&small, &bits, sizeof small);
    small += 0.5f;
    uint32_t subnormal;
    memcpy(&subnormal, &small, sizeof subnormal);
    subnormal -= 0x3f000000u;
    const uint32_t normal = (bits - 0x38000000u + 0xfffu + (bits >> 13 & 1u)) >> 13;
    const uint32_t special = bits > 0x7f800000u ? 0x7e00u : 0x7c00u; /* NaN, infinity */
    return (uint16_t)(sign | (bits >= 0x47800000u ? special : bits < 0x38800000u ? subnormal : normal));
}

FUNCTION real real_of(stored s) {
#ifdef __F16C__
    return _cvtsh_ss(s) * (1 / STORED_SCALE);
#else
    return float_of_half(s) * (1 / STORED_SCALE);
#endif
}

FUNCTION stored stored_of(real value) {
#ifdef __F16C__
    return _cvtss_sh(value * STORED_SCALE, 0);
#else
    return half_of_float(value * STORED_SCALE);
#endif
}

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
