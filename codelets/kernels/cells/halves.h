/* Numbers in 16 bits: floats (IEEE 754 binary16) of 2^15 times the number, so that their range, up to 2, is
 * that of deviations from weights, and of stresses, in flows (Lehmann et al., Phys. Rev. E 106 (2022) 015308,
 * section III.B). All processors round to nearest, ties to even, and give the same bits. */
#ifndef WEIR_KERNELS_HALVES_H
#define WEIR_KERNELS_HALVES_H

#if !defined __CUDACC__ && defined __F16C__
#include "codelets/kernels/cells/intrinsics.h"
#endif

#define HALF_SCALE 32768.0f

#ifdef __CUDACC__

FUNCTION real real_of_half(uint16_t half) {
    real value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value * (1 / HALF_SCALE);
}

FUNCTION uint16_t half_of_real(real value) {
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value * HALF_SCALE));
    return half;
}

#else

#ifdef __F16C__

FUNCTION real real_of_half(uint16_t half) {
    return _cvtsh_ss(half) * (1 / HALF_SCALE);
}

FUNCTION uint16_t half_of_real(real value) {
    return _cvtss_sh(value * HALF_SCALE, _MM_FROUND_TO_NEAREST_INT);
}

#else

/* For processors without instructions for it. Not expanded in place: there are hundreds of places. */
static __attribute__((noinline, unused)) real real_of_half(uint16_t half) {
    const uint32_t magnitude = half & 0x7fffu, sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t bits = magnitude << 13; /* exponent too small by 112; exact, also below the normal range */
    real value;
    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112f;
    memcpy(&bits, &value, sizeof bits);
    bits = (magnitude >= 0x7c00u ? (magnitude << 13) + 0x70000000u : bits) | sign;
    memcpy(&value, &bits, sizeof value);
    return value * (1 / HALF_SCALE);
}

static __attribute__((noinline, unused)) uint16_t half_of_real(real value) {
    uint32_t bits;
    value *= HALF_SCALE;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits >= 0x47800000u) /* too large, infinite, not a number */
        return (uint16_t)(sign | (bits > 0x7f800000u ? 0x7e00u : 0x7c00u));
    if (bits >= 0x38800000u) /* normal: round what falls off to nearest, ties to even */
        return (uint16_t)(sign | (bits - 0x38000000u + 0xfffu + (bits >> 13 & 1u)) >> 13);
    /* Adding 0.5 leaves of a small value what a half has of it, rounded, in the lowest bits. */
    memcpy(&value, &bits, sizeof value);
    value += 0.5f;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(sign | (bits - 0x3f000000u));
}

#endif

#endif

#endif
