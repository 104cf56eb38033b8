/* Multiply-adds as fast as a core can do them, for one precision and instruction set. Compilers make one
 * instruction of a product and a sum here, other than in kernels, whose text says where. */
#include "codelets/kernels/multiply_adds.h"
#include "codelets/kernels/variant.h"

/* Vectors, and chains of them: no more than there are registers beside the factor's, and as many as are under
 * way at a time, which is latency times instructions per cycle: 8 to 10 on x86, 16 on ARM. */
#if defined __AVX512F__
enum { VECTOR_BYTES = 64, CHAINS = 24 };
#elif defined __AVX__
enum { VECTOR_BYTES = 32, CHAINS = 12 };
#elif defined __x86_64__
enum { VECTOR_BYTES = 16, CHAINS = 12 };
#else
enum { VECTOR_BYTES = 16, CHAINS = 24 };
#endif
typedef real vector __attribute__((vector_size(VECTOR_BYTES)));

/* Or clang would make two of a vector where that is its choice for loops. */
#ifdef __clang__
#define WHOLE_VECTORS __attribute__((min_vector_width(8 * VECTOR_BYTES)))
#else
#define WHOLE_VECTORS
#endif

weir_multiply_adds_cpu WEIR_NAME(multiply_adds);
WHOLE_VECTORS double WEIR_NAME(multiply_adds)(void *values, long rounds) {
    vector *const kept = values;
    vector x[CHAINS];
    const vector factor = (vector){0} - (real)1e-7;
    UNROLL(CHAINS)
    for (int k = 0; k < CHAINS; k++)
        x[k] = kept[k];
    for (long round = 0; round < rounds; round++) {
        UNROLL(CHAINS)
        for (int k = 0; k < CHAINS; k++)
            x[k] = x[k] * factor + x[k]; /* in place, without a copy, on all processors */
    }
    UNROLL(CHAINS)
    for (int k = 0; k < CHAINS; k++)
        kept[k] = x[k];
    clear_upper_halves();
    return 2.0 * (double)rounds * (CHAINS * VECTOR_BYTES / sizeof(real));
}
