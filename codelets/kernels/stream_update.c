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
#define FOR_STREAMS(apply)                                                                              \
    apply(0) apply(1) apply(2) apply(3) apply(4) apply(5) apply(6) apply(7) apply(8) apply(9) apply(10) \
        apply(11) apply(12) apply(13) apply(14) apply(15) apply(16) apply(17) apply(18)
#define POINTER(s) real *const stream_##s = first + (s)*stride;
#define UPDATE(s) stream_##s[k] = updated(stream_##s[k]);
    FOR_STREAMS(POINTER)
    IVDEP
    for (size_t k = 0; k < count; k++) {
        FOR_STREAMS(UPDATE)
    }
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
