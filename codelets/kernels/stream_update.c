/* In-place update of 19 streams, and of one, for one precision and instruction set. */
#include "codelets/kernels/streams.h"
#include "codelets/kernels/variant.h"

FUNCTION real updated(real value) {
    return value * (real)0.5 + 1;
}

/* All streams in one loop body, which the compiler turns into vectors. */
weir_update_streams WEIR_NAME(update_streams_vector);
void WEIR_NAME(update_streams_vector)(void *data, size_t stride, size_t count) {
    real *first = data;
#define STREAM(s) real *const stream_##s = first + (s)*stride;
#define ALL_STREAMS                                                                                        \
    STREAM(0)                                                                                              \
    STREAM(1)                                                                                              \
    STREAM(2)                                                                                              \
    STREAM(3) STREAM(4) STREAM(5) STREAM(6) STREAM(7) STREAM(8) STREAM(9) STREAM(10) STREAM(11) STREAM(12) \
        STREAM(13) STREAM(14) STREAM(15) STREAM(16) STREAM(17) STREAM(18)
    ALL_STREAMS
#undef STREAM
#define STREAM(s) stream_##s[k] = updated(stream_##s[k]);
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        ALL_STREAMS
    }
#undef STREAM
}

/* Some bytes of each stream in turn. */
#define IN_TURNS(bytes)                                                                             \
    weir_update_streams WEIR_NAME(update_streams_##bytes);                                          \
    void WEIR_NAME(update_streams_##bytes)(void *data, size_t stride, size_t count) {               \
        enum { TURN = (bytes) / sizeof(real) };                                                     \
        for (size_t k = 0; k < count; k += TURN)                                                    \
            for (size_t s = 0; s < WEIR_STREAMS; s++) {                                             \
                real *stream = (real *)__builtin_assume_aligned((real *)data + s * stride + k, 64); \
                for (size_t j = 0; j < TURN; j++)                                                   \
                    stream[j] = updated(stream[j]);                                                 \
            }                                                                                       \
    }
IN_TURNS(64)
IN_TURNS(256)
IN_TURNS(1024)
IN_TURNS(4096)

weir_update_streams WEIR_NAME(update_stream);
void WEIR_NAME(update_stream)(void *data, size_t stride, size_t count) {
    real *stream = data;
    (void)stride;
    for (size_t k = 0; k < count; k++)
        stream[k] = updated(stream[k]);
}
