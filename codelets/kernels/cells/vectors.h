/* Vectors of neighbouring cells on a CPU: their populations between memory and the arithmetic, of all cells
 * of a vector or of some. What is not named is neither read nor written: it may be another thread's, or lie
 * outside the array. */
#ifndef WEIR_KERNELS_VECTORS_H
#define WEIR_KERNELS_VECTORS_H

#include "codelets/kernels/cells/vector_cells.h"

#ifdef __SSE2__
#include "codelets/kernels/cells/intrinsics.h"
#endif
#if STORED_IN_HALF
#include "codelets/kernels/cells/half_rows.h"
#endif

/* The populations of a vector of cells on their way to the arithmetic and back. */
struct vector {
    real rows[POPULATIONS][VECTOR_CELLS];
};

/* Some cells of a vector: bit k is cell k. */
typedef uint32_t lanes;

FUNCTION lanes lanes_below(int count) {
    return count >= VECTOR_CELLS ? (1u << VECTOR_CELLS) - 1 : (1u << count) - 1;
}

FUNCTION int first_lane(lanes some) {
    return __builtin_ctz(some);
}

/* Bit k: flags[k] is that of a wall, k < 2 + VECTOR_CELLS. May read up to flags[31]. */
FUNCTION uint32_t wall_bits(const uint8_t *flags) {
    /* Numbers of walls are 1 to 127; as signed bytes, all other flags are 0 or less. */
#if defined __AVX2__
    const __m256i values = _mm256_loadu_si256((const __m256i *)flags);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(values, _mm256_setzero_si256()));
#elif defined __SSE2__
    const __m128i zero = _mm_setzero_si128();
    const __m128i low = _mm_loadu_si128((const __m128i *)flags);
    const __m128i high = _mm_loadu_si128((const __m128i *)(flags + 16));
    return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(low, zero)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(high, zero)) << 16;
#else
    uint32_t bits = 0;
    for (int k = 0; k < VECTOR_CELLS + 2; k++)
        bits |= (uint32_t)((int8_t)flags[k] > 0) << k;
    return bits;
#endif
}

/* The same for flags of this value. */
FUNCTION uint32_t flag_bits(const uint8_t *flags, uint8_t value) {
#if defined __AVX2__
    const __m256i values = _mm256_loadu_si256((const __m256i *)flags);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(values, _mm256_set1_epi8((char)value)));
#elif defined __SSE2__
    const __m128i low = _mm_loadu_si128((const __m128i *)flags),
                  high = _mm_loadu_si128((const __m128i *)(flags + 16)), all = _mm_set1_epi8((char)value);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, all)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, all)) << 16;
#else
    uint32_t bits = 0;
    for (int k = 0; k < VECTOR_CELLS + 2; k++)
        bits |= (uint32_t)(flags[k] == value) << k;
    return bits;
#endif
}

/* The same for flags of this value or a greater one; least: above 128, which are below zero where bytes have
 * signs. */
FUNCTION uint32_t flag_bits_from(const uint8_t *flags, uint8_t least) {
#if defined __AVX2__
    const __m256i values = _mm256_loadu_si256((const __m256i *)flags);
    const __m256i greater = _mm256_cmpgt_epi8(values, _mm256_set1_epi8((char)(least - 1)));
    return (uint32_t)_mm256_movemask_epi8(greater) & (uint32_t)_mm256_movemask_epi8(values);
#elif defined __SSE2__
    const __m128i low = _mm_loadu_si128((const __m128i *)flags),
                  high = _mm_loadu_si128((const __m128i *)(flags + 16)),
                  below = _mm_set1_epi8((char)(least - 1));
    return (uint32_t)(_mm_movemask_epi8(_mm_cmpgt_epi8(low, below)) & _mm_movemask_epi8(low)) |
           (uint32_t)(_mm_movemask_epi8(_mm_cmpgt_epi8(high, below)) & _mm_movemask_epi8(high)) << 16;
#else
    uint32_t bits = 0;
    for (int k = 0; k < VECTOR_CELLS + 2; k++)
        bits |= (uint32_t)(flags[k] >= least) << k;
    return bits;
#endif
}

#if STORED_IN_HALF

FUNCTION void load_vector(real to[VECTOR_CELLS], const stored *from) {
    load_halves(to, from);
}

FUNCTION void store_vector(stored *to, const real from[VECTOR_CELLS]) {
    store_halves(to, from);
}

#else

FUNCTION void load_vector(real to[VECTOR_CELLS], const stored *from) {
    memcpy(to, from, VECTOR_CELLS * sizeof *to);
}

FUNCTION void store_vector(stored *to, const real from[VECTOR_CELLS]) {
    memcpy(to, from, VECTOR_CELLS * sizeof *to);
}

#endif

/* Populations of some cells of a vector as they are stored, 0 elsewhere, on their way from rows:
 *   pack_lanes    from a row;  also_lanes  some from another row instead;  also_one  one more;
 *   unpack_lanes  turns them into reals;
 *   store_lanes   the way back: writes reals of some cells to a row. */

#define pack_lanes WEIR_JOIN(pack_lanes_, WEIR_PRECISION)
#define also_lanes WEIR_JOIN(also_lanes_, WEIR_PRECISION)
#define also_one WEIR_JOIN(also_one_, WEIR_PRECISION)
#define unpack_lanes WEIR_JOIN(unpack_lanes_, WEIR_PRECISION)
#define store_lanes WEIR_JOIN(store_lanes_, WEIR_PRECISION)
#define packed_populations WEIR_JOIN(packed_, WEIR_PRECISION)

#if defined __AVX512BW__ && defined __AVX512VL__

typedef __m512 packed_single;

FUNCTION packed_single pack_lanes_single(const float *row, lanes some) {
    return _mm512_maskz_loadu_ps((__mmask16)some, row);
}

FUNCTION packed_single also_lanes_single(packed_single p, const float *row, lanes some) {
    return _mm512_mask_loadu_ps(p, (__mmask16)some, row);
}

FUNCTION packed_single also_one_single(packed_single p, float value, lanes one) {
    return _mm512_mask_mov_ps(p, (__mmask16)one, _mm512_set1_ps(value));
}

FUNCTION void unpack_lanes_single(float *to, packed_single p) {
    _mm512_storeu_ps(to, p);
}

FUNCTION void store_lanes_single(float *to, const float *from, lanes some) {
    _mm512_mask_storeu_ps(to, (__mmask16)some, _mm512_loadu_ps(from));
}

typedef __m512d packed_double;

FUNCTION packed_double pack_lanes_double(const double *row, lanes some) {
    return _mm512_maskz_loadu_pd((__mmask8)some, row);
}

FUNCTION packed_double also_lanes_double(packed_double p, const double *row, lanes some) {
    return _mm512_mask_loadu_pd(p, (__mmask8)some, row);
}

FUNCTION packed_double also_one_double(packed_double p, double value, lanes one) {
    return _mm512_mask_mov_pd(p, (__mmask8)one, _mm512_set1_pd(value));
}

FUNCTION void unpack_lanes_double(double *to, packed_double p) {
    _mm512_storeu_pd(to, p);
}

FUNCTION void store_lanes_double(double *to, const double *from, lanes some) {
    _mm512_mask_storeu_pd(to, (__mmask8)some, _mm512_loadu_pd(from));
}

#if STORED_IN_HALF

typedef __m256i packed_half;

FUNCTION packed_half pack_lanes_half(const uint16_t *row, lanes some) {
    return _mm256_maskz_loadu_epi16((__mmask16)some, row);
}

FUNCTION packed_half also_lanes_half(packed_half p, const uint16_t *row, lanes some) {
    return _mm256_mask_loadu_epi16(p, (__mmask16)some, row);
}

FUNCTION packed_half also_one_half(packed_half p, uint16_t value, lanes one) {
    return _mm256_mask_set1_epi16(p, (__mmask16)one, (short)value);
}

FUNCTION void unpack_lanes_half(float *to, packed_half p) {
    _mm512_storeu_ps(to, _mm512_mul_ps(_mm512_cvtph_ps(p), _mm512_set1_ps(1 / HALF_SCALE)));
}

FUNCTION void store_lanes_half(uint16_t *to, const float *from, lanes some) {
    const __m512 values = _mm512_mul_ps(_mm512_loadu_ps(from), _mm512_set1_ps(HALF_SCALE));
    _mm256_mask_storeu_epi16(to, (__mmask16)some, _mm512_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
}

#endif

#elif defined __AVX2__ && !STORED_IN_HALF

/* Lanes `first` to `first` + 7, or + 3, as the processor names them. */
FUNCTION __m256i eight_lanes(lanes some, int first) {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(some >> first)), bits), bits);
}

FUNCTION __m256i four_lanes(lanes some, int first) {
    const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)(some >> first)), bits), bits);
}

typedef struct {
    __m256 low, high;
} packed_single;

FUNCTION packed_single pack_lanes_single(const float *row, lanes some) {
    return (packed_single){_mm256_maskload_ps(row, eight_lanes(some, 0)),
                           _mm256_maskload_ps(row + 8, eight_lanes(some, 8))};
}

FUNCTION packed_single also_lanes_single(packed_single p, const float *row, lanes some) {
    const __m256i low = eight_lanes(some, 0), high = eight_lanes(some, 8);
    p.low = _mm256_blendv_ps(p.low, _mm256_maskload_ps(row, low), _mm256_castsi256_ps(low));
    p.high = _mm256_blendv_ps(p.high, _mm256_maskload_ps(row + 8, high), _mm256_castsi256_ps(high));
    return p;
}

FUNCTION packed_single also_one_single(packed_single p, float value, lanes one) {
    const __m256 values = _mm256_set1_ps(value);
    p.low = _mm256_blendv_ps(p.low, values, _mm256_castsi256_ps(eight_lanes(one, 0)));
    p.high = _mm256_blendv_ps(p.high, values, _mm256_castsi256_ps(eight_lanes(one, 8)));
    return p;
}

FUNCTION void unpack_lanes_single(float *to, packed_single p) {
    _mm256_storeu_ps(to, p.low);
    _mm256_storeu_ps(to + 8, p.high);
}

FUNCTION void store_lanes_single(float *to, const float *from, lanes some) {
    _mm256_maskstore_ps(to, eight_lanes(some, 0), _mm256_loadu_ps(from));
    _mm256_maskstore_ps(to + 8, eight_lanes(some, 8), _mm256_loadu_ps(from + 8));
}

typedef struct {
    __m256d low, high;
} packed_double;

FUNCTION packed_double pack_lanes_double(const double *row, lanes some) {
    return (packed_double){_mm256_maskload_pd(row, four_lanes(some, 0)),
                           _mm256_maskload_pd(row + 4, four_lanes(some, 4))};
}

FUNCTION packed_double also_lanes_double(packed_double p, const double *row, lanes some) {
    const __m256i low = four_lanes(some, 0), high = four_lanes(some, 4);
    p.low = _mm256_blendv_pd(p.low, _mm256_maskload_pd(row, low), _mm256_castsi256_pd(low));
    p.high = _mm256_blendv_pd(p.high, _mm256_maskload_pd(row + 4, high), _mm256_castsi256_pd(high));
    return p;
}

FUNCTION packed_double also_one_double(packed_double p, double value, lanes one) {
    const __m256d values = _mm256_set1_pd(value);
    p.low = _mm256_blendv_pd(p.low, values, _mm256_castsi256_pd(four_lanes(one, 0)));
    p.high = _mm256_blendv_pd(p.high, values, _mm256_castsi256_pd(four_lanes(one, 4)));
    return p;
}

FUNCTION void unpack_lanes_double(double *to, packed_double p) {
    _mm256_storeu_pd(to, p.low);
    _mm256_storeu_pd(to + 4, p.high);
}

FUNCTION void store_lanes_double(double *to, const double *from, lanes some) {
    _mm256_maskstore_pd(to, four_lanes(some, 0), _mm256_loadu_pd(from));
    _mm256_maskstore_pd(to + 4, four_lanes(some, 4), _mm256_loadu_pd(from + 4));
}

#else

#undef pack_lanes
#undef also_lanes
#undef also_one
#undef unpack_lanes
#undef store_lanes
#undef packed_populations

typedef struct {
    stored cells[VECTOR_CELLS];
} packed_populations;

FUNCTION packed_populations pack_lanes(const stored *row, lanes some) {
    packed_populations p;
    if (some == lanes_below(VECTOR_CELLS))
        memcpy(p.cells, row, sizeof p.cells);
    else
        for (int k = 0; k < VECTOR_CELLS; k++)
            p.cells[k] = some >> k & 1 ? row[k] : 0;
    return p;
}

FUNCTION packed_populations also_lanes(packed_populations p, const stored *row, lanes some) {
    for (; some != 0; some &= some - 1)
        p.cells[first_lane(some)] = row[first_lane(some)];
    return p;
}

FUNCTION packed_populations also_one(packed_populations p, stored value, lanes one) {
    p.cells[first_lane(one)] = value;
    return p;
}

FUNCTION void unpack_lanes(real to[VECTOR_CELLS], packed_populations p) {
    load_vector(to, p.cells);
}

FUNCTION void store_lanes(stored *to, const real from[VECTOR_CELLS], lanes some) {
    stored cells[VECTOR_CELLS];
    if (some == lanes_below(VECTOR_CELLS)) {
        store_vector(to, from);
        return;
    }
    store_vector(cells, from);
    for (int k = 0; k < VECTOR_CELLS; k++)
        if (some >> k & 1)
            to[k] = cells[k];
}

#endif

#endif
