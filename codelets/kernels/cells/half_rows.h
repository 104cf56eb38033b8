/* Vectors of numbers in 16 bits (halves.h), on a CPU: as many as the processor takes at once. */
#ifndef WEIR_KERNELS_HALF_ROWS_H
#define WEIR_KERNELS_HALF_ROWS_H

#include "codelets/kernels/cells/halves.h"
#include "codelets/kernels/cells/vector_cells.h"

FUNCTION void load_halves(real to[VECTOR_CELLS], const uint16_t *from) {
#if defined __AVX512F__
    const __m512 values = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
    _mm512_storeu_ps(to, _mm512_mul_ps(values, _mm512_set1_ps(1 / HALF_SCALE)));
#elif defined __F16C__
    for (int k = 0; k < VECTOR_CELLS; k += 8) {
        const __m256 values = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + k)));
        _mm256_storeu_ps(to + k, _mm256_mul_ps(values, _mm256_set1_ps(1 / HALF_SCALE)));
    }
#else
    for (int k = 0; k < VECTOR_CELLS; k++)
        to[k] = real_of_half(from[k]);
#endif
}

FUNCTION void store_halves(uint16_t *to, const real from[VECTOR_CELLS]) {
#if defined __AVX512F__
    const __m512 values = _mm512_mul_ps(_mm512_loadu_ps(from), _mm512_set1_ps(HALF_SCALE));
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
#elif defined __F16C__
    for (int k = 0; k < VECTOR_CELLS; k += 8) {
        const __m256 values = _mm256_mul_ps(_mm256_loadu_ps(from + k), _mm256_set1_ps(HALF_SCALE));
        _mm_storeu_si128((__m128i *)(to + k), _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
    }
#else
    for (int k = 0; k < VECTOR_CELLS; k++)
        to[k] = half_of_real(from[k]);
#endif
}

#endif
