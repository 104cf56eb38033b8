/* The vector instructions that kernels take, by the names that <immintrin.h> gives them. That header declares
 * thousands: a compiler reads it longer than all of a kernel's own text. So these few are made here as GCC's
 * header makes them, where a compiler has what that takes; elsewhere the header is included. */
#ifndef WEIR_KERNELS_INTRINSICS_H
#define WEIR_KERNELS_INTRINSICS_H

/* Whether they can be made here, for each of the sets of instructions that kernels tell apart (vectors.h). */
#if !defined __GNUC__ || defined __clang__ || defined __INTEL_COMPILER || !defined __has_builtin
#define WEIR_OWN_INTRINSICS 0
#elif !__has_builtin(__builtin_ia32_pmovmskb128)
#define WEIR_OWN_INTRINSICS 0
#elif !defined __AVX__
#define WEIR_OWN_INTRINSICS 1
#elif !defined __AVX2__ || !defined __F16C__ || !__has_builtin(__builtin_ia32_pmovmskb256) ||         \
    !__has_builtin(__builtin_ia32_maskloadps256) || !__has_builtin(__builtin_ia32_maskloadpd256) ||   \
    !__has_builtin(__builtin_ia32_maskstoreps256) || !__has_builtin(__builtin_ia32_maskstorepd256) || \
    !__has_builtin(__builtin_ia32_blendvps256) || !__has_builtin(__builtin_ia32_blendvpd256) ||       \
    !__has_builtin(__builtin_ia32_vcvtph2ps) || !__has_builtin(__builtin_ia32_vcvtps2ph) ||           \
    !__has_builtin(__builtin_ia32_vcvtph2ps256) || !__has_builtin(__builtin_ia32_vcvtps2ph256)
#define WEIR_OWN_INTRINSICS 0
#elif !defined __AVX512F__
#define WEIR_OWN_INTRINSICS 1
#elif !defined __AVX512BW__ || !defined __AVX512VL__ || !__has_builtin(__builtin_ia32_loadups512_mask) ||   \
    !__has_builtin(__builtin_ia32_loadupd512_mask) || !__has_builtin(__builtin_ia32_storeups512_mask) ||    \
    !__has_builtin(__builtin_ia32_storeupd512_mask) || !__has_builtin(__builtin_ia32_movaps512_mask) ||     \
    !__has_builtin(__builtin_ia32_movapd512_mask) || !__has_builtin(__builtin_ia32_vcvtph2ps512_mask) ||    \
    !__has_builtin(__builtin_ia32_vcvtps2ph512_mask) || !__has_builtin(__builtin_ia32_loaddquhi256_mask) || \
    !__has_builtin(__builtin_ia32_storedquhi256_mask) ||                                                    \
    !__has_builtin(__builtin_ia32_pbroadcastw256_gpr_mask)
#define WEIR_OWN_INTRINSICS 0
#else
#define WEIR_OWN_INTRINSICS 1
#endif

#if !WEIR_OWN_INTRINSICS
#include <immintrin.h>
#else

#define INTRINSIC static inline __attribute__((always_inline, unused))
/* Vectors of so many bytes, and the same where memory has no such alignment. */
#define VECTOR_TYPE(type, name, bytes)                                \
    typedef type name __attribute__((vector_size(bytes), may_alias)); \
    typedef type name##_u __attribute__((vector_size(bytes), may_alias, aligned(1)));

VECTOR_TYPE(long long, __m128i, 16)
typedef char weir_16_bytes __attribute__((vector_size(16)));
typedef signed char weir_16_signed_bytes __attribute__((vector_size(16)));

INTRINSIC __m128i _mm_loadu_si128(const void *from) {
    return *(const __m128i_u *)from;
}

INTRINSIC void _mm_storeu_si128(void *to, __m128i a) {
    *(__m128i_u *)to = a;
}

INTRINSIC __m128i _mm_setzero_si128(void) {
    return (__m128i){0, 0};
}

INTRINSIC __m128i _mm_set1_epi8(char value) {
    return (__m128i)(weir_16_bytes){value, value, value, value, value, value, value, value,
                                    value, value, value, value, value, value, value, value};
}

INTRINSIC __m128i _mm_cmpeq_epi8(__m128i a, __m128i b) {
    return (__m128i)((weir_16_bytes)a == (weir_16_bytes)b);
}

INTRINSIC __m128i _mm_cmpgt_epi8(__m128i a, __m128i b) {
    return (__m128i)((weir_16_signed_bytes)a > (weir_16_signed_bytes)b);
}

INTRINSIC int _mm_movemask_epi8(__m128i a) {
    return __builtin_ia32_pmovmskb128((weir_16_bytes)a);
}

#ifdef __AVX2__

VECTOR_TYPE(long long, __m256i, 32)
VECTOR_TYPE(float, __m256, 32)
VECTOR_TYPE(double, __m256d, 32)
typedef char weir_32_bytes __attribute__((vector_size(32)));
typedef signed char weir_32_signed_bytes __attribute__((vector_size(32)));
typedef int weir_8_ints __attribute__((vector_size(32)));
typedef float weir_4_floats __attribute__((vector_size(16)));
typedef float weir_8_floats __attribute__((vector_size(32)));
typedef double weir_4_doubles __attribute__((vector_size(32)));
typedef short weir_8_shorts __attribute__((vector_size(16)));
typedef short weir_16_shorts __attribute__((vector_size(32)));

INTRINSIC __m256i _mm256_loadu_si256(const void *from) {
    return *(const __m256i_u *)from;
}

INTRINSIC __m256 _mm256_loadu_ps(const float *from) {
    return *(const __m256_u *)from;
}

INTRINSIC __m256d _mm256_loadu_pd(const double *from) {
    return *(const __m256d_u *)from;
}

INTRINSIC void _mm256_storeu_si256(void *to, __m256i a) {
    *(__m256i_u *)to = a;
}

INTRINSIC void _mm256_storeu_ps(float *to, __m256 a) {
    *(__m256_u *)to = a;
}

INTRINSIC void _mm256_storeu_pd(double *to, __m256d a) {
    *(__m256d_u *)to = a;
}

INTRINSIC __m256i _mm256_setzero_si256(void) {
    return (__m256i){0, 0, 0, 0};
}

INTRINSIC __m256i _mm256_set1_epi8(char value) {
    const __m128i half = _mm_set1_epi8(value);
    return (__m256i){half[0], half[1], half[0], half[1]};
}

INTRINSIC __m256i _mm256_setr_epi32(int a, int b, int c, int d, int e, int f, int g, int h) {
    return (__m256i)(weir_8_ints){a, b, c, d, e, f, g, h};
}

INTRINSIC __m256i _mm256_set1_epi32(int value) {
    return _mm256_setr_epi32(value, value, value, value, value, value, value, value);
}

INTRINSIC __m256i _mm256_setr_epi64x(long long a, long long b, long long c, long long d) {
    return (__m256i){a, b, c, d};
}

INTRINSIC __m256i _mm256_set1_epi64x(long long value) {
    return (__m256i){value, value, value, value};
}

INTRINSIC __m256 _mm256_set1_ps(float value) {
    return (__m256){value, value, value, value, value, value, value, value};
}

INTRINSIC __m256d _mm256_set1_pd(double value) {
    return (__m256d){value, value, value, value};
}

INTRINSIC __m256i _mm256_and_si256(__m256i a, __m256i b) {
    return a & b;
}

INTRINSIC __m256 _mm256_mul_ps(__m256 a, __m256 b) {
    return a * b;
}

INTRINSIC __m256i _mm256_cmpeq_epi8(__m256i a, __m256i b) {
    return (__m256i)((weir_32_bytes)a == (weir_32_bytes)b);
}

INTRINSIC __m256i _mm256_cmpgt_epi8(__m256i a, __m256i b) {
    return (__m256i)((weir_32_signed_bytes)a > (weir_32_signed_bytes)b);
}

INTRINSIC __m256i _mm256_cmpeq_epi32(__m256i a, __m256i b) {
    return (__m256i)((weir_8_ints)a == (weir_8_ints)b);
}

INTRINSIC __m256i _mm256_cmpeq_epi64(__m256i a, __m256i b) {
    return a == b;
}

INTRINSIC int _mm256_movemask_epi8(__m256i a) {
    return __builtin_ia32_pmovmskb256((weir_32_bytes)a);
}

INTRINSIC __m256 _mm256_castsi256_ps(__m256i a) {
    return (__m256)a;
}

INTRINSIC __m256d _mm256_castsi256_pd(__m256i a) {
    return (__m256d)a;
}

INTRINSIC __m256 _mm256_blendv_ps(__m256 a, __m256 b, __m256 mask) {
    return __builtin_ia32_blendvps256((weir_8_floats)a, (weir_8_floats)b, (weir_8_floats)mask);
}

INTRINSIC __m256d _mm256_blendv_pd(__m256d a, __m256d b, __m256d mask) {
    return __builtin_ia32_blendvpd256((weir_4_doubles)a, (weir_4_doubles)b, (weir_4_doubles)mask);
}

INTRINSIC __m256 _mm256_maskload_ps(const float *from, __m256i mask) {
    return __builtin_ia32_maskloadps256((const weir_8_floats *)from, (weir_8_ints)mask);
}

INTRINSIC __m256d _mm256_maskload_pd(const double *from, __m256i mask) {
    return __builtin_ia32_maskloadpd256((const weir_4_doubles *)from, mask);
}

INTRINSIC void _mm256_maskstore_ps(float *to, __m256i mask, __m256 a) {
    __builtin_ia32_maskstoreps256((weir_8_floats *)to, (weir_8_ints)mask, (weir_8_floats)a);
}

INTRINSIC void _mm256_maskstore_pd(double *to, __m256i mask, __m256d a) {
    __builtin_ia32_maskstorepd256((weir_4_doubles *)to, mask, (weir_4_doubles)a);
}

/* Rounding has to be a constant where these are compiled without optimisation too. */
#define _MM_FROUND_TO_NEAREST_INT 0
enum { WEIR_ROUND_AS_SET = 4 };

INTRINSIC float _cvtsh_ss(unsigned short half) {
    return __builtin_ia32_vcvtph2ps((weir_8_shorts){(short)half})[0];
}

#define _cvtss_sh(value, rounding) \
    ((unsigned short)__builtin_ia32_vcvtps2ph((weir_4_floats){value}, rounding)[0])

INTRINSIC __m256 _mm256_cvtph_ps(__m128i a) {
    return __builtin_ia32_vcvtph2ps256((weir_8_shorts)a);
}

#define _mm256_cvtps_ph(a, rounding) ((__m128i)__builtin_ia32_vcvtps2ph256((weir_8_floats)(a), rounding))

#endif

#ifdef __AVX512F__

VECTOR_TYPE(float, __m512, 64)
VECTOR_TYPE(double, __m512d, 64)
typedef float weir_16_floats __attribute__((vector_size(64)));
typedef double weir_8_doubles __attribute__((vector_size(64)));
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;

INTRINSIC __m512 _mm512_loadu_ps(const void *from) {
    return *(const __m512_u *)from;
}

INTRINSIC __m512d _mm512_loadu_pd(const void *from) {
    return *(const __m512d_u *)from;
}

INTRINSIC void _mm512_storeu_ps(void *to, __m512 a) {
    *(__m512_u *)to = a;
}

INTRINSIC void _mm512_storeu_pd(void *to, __m512d a) {
    *(__m512d_u *)to = a;
}

INTRINSIC __m512 _mm512_set1_ps(float value) {
    return (__m512){value, value, value, value, value, value, value, value,
                    value, value, value, value, value, value, value, value};
}

INTRINSIC __m512d _mm512_set1_pd(double value) {
    return (__m512d){value, value, value, value, value, value, value, value};
}

INTRINSIC __m512 _mm512_mul_ps(__m512 a, __m512 b) {
    return a * b;
}

INTRINSIC __m512 _mm512_mask_loadu_ps(__m512 a, __mmask16 some, const void *from) {
    return __builtin_ia32_loadups512_mask((const float *)from, (weir_16_floats)a, some);
}

INTRINSIC __m512 _mm512_maskz_loadu_ps(__mmask16 some, const void *from) {
    return _mm512_mask_loadu_ps((__m512){0}, some, from);
}

INTRINSIC __m512d _mm512_mask_loadu_pd(__m512d a, __mmask8 some, const void *from) {
    return __builtin_ia32_loadupd512_mask((const double *)from, (weir_8_doubles)a, some);
}

INTRINSIC __m512d _mm512_maskz_loadu_pd(__mmask8 some, const void *from) {
    return _mm512_mask_loadu_pd((__m512d){0}, some, from);
}

INTRINSIC void _mm512_mask_storeu_ps(void *to, __mmask16 some, __m512 a) {
    __builtin_ia32_storeups512_mask((float *)to, (weir_16_floats)a, some);
}

INTRINSIC void _mm512_mask_storeu_pd(void *to, __mmask8 some, __m512d a) {
    __builtin_ia32_storeupd512_mask((double *)to, (weir_8_doubles)a, some);
}

INTRINSIC __m512 _mm512_mask_mov_ps(__m512 a, __mmask16 some, __m512 b) {
    return __builtin_ia32_movaps512_mask((weir_16_floats)b, (weir_16_floats)a, some);
}

INTRINSIC __m512d _mm512_mask_mov_pd(__m512d a, __mmask8 some, __m512d b) {
    return __builtin_ia32_movapd512_mask((weir_8_doubles)b, (weir_8_doubles)a, some);
}

INTRINSIC __m256i _mm256_mask_loadu_epi16(__m256i a, __mmask16 some, const void *from) {
    return (__m256i)__builtin_ia32_loaddquhi256_mask((const short *)from, (weir_16_shorts)a, some);
}

INTRINSIC __m256i _mm256_maskz_loadu_epi16(__mmask16 some, const void *from) {
    return _mm256_mask_loadu_epi16(_mm256_setzero_si256(), some, from);
}

INTRINSIC void _mm256_mask_storeu_epi16(void *to, __mmask16 some, __m256i a) {
    __builtin_ia32_storedquhi256_mask((short *)to, (weir_16_shorts)a, some);
}

INTRINSIC __m256i _mm256_mask_set1_epi16(__m256i a, __mmask16 some, short value) {
    return (__m256i)__builtin_ia32_pbroadcastw256_gpr_mask(value, (weir_16_shorts)a, some);
}

INTRINSIC __m512 _mm512_cvtph_ps(__m256i a) {
    return __builtin_ia32_vcvtph2ps512_mask((weir_16_shorts)a, (weir_16_floats){0}, -1, WEIR_ROUND_AS_SET);
}

#define _mm512_cvtps_ph(a, rounding)                                                               \
    ((__m256i)__builtin_ia32_vcvtps2ph512_mask((weir_16_floats)(a), rounding, (weir_16_shorts){0}, \
                                               (__mmask16)-1))

#endif

#undef INTRINSIC
#undef VECTOR_TYPE

#endif

#endif
