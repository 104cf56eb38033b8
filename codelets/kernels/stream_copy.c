/* Copies for one instruction set: with ordinary stores, which on most processors read the line that they
 * replace, and with stores past the caches, which do not. */
#include "codelets/kernels/streams.h"
#include "codelets/kernels/variant.h"

#if WEIR_COPIES_NONTEMPORAL
#include <immintrin.h>
#endif

/* Compiled so that no call of memcpy takes its place, which may choose other stores. */
weir_copy_stream WEIR_NAME(copy_plain);
void WEIR_NAME(copy_plain)(void *to, const void *from, size_t bytes) {
    double *restrict t = to;
    const double *restrict f = from;
    for (size_t k = 0; k < bytes / sizeof *t; k++)
        t[k] = f[k];
}

#if WEIR_COPIES_NONTEMPORAL
weir_copy_stream WEIR_NAME(copy_nontemporal);
void WEIR_NAME(copy_nontemporal)(void *to, const void *from, size_t bytes) {
#if defined __AVX512F__
    for (size_t k = 0; k < bytes; k += 64)
        _mm512_stream_si512((void *)((char *)to + k), _mm512_load_si512((const char *)from + k));
#elif defined __AVX__
    for (size_t k = 0; k < bytes; k += 32)
        _mm256_stream_si256((void *)((char *)to + k),
                            _mm256_load_si256((const void *)((const char *)from + k)));
#else
    for (size_t k = 0; k < bytes; k += 16)
        _mm_stream_si128((void *)((char *)to + k), _mm_load_si128((const void *)((const char *)from + k)));
#endif
    _mm_sfence();
}
#endif
