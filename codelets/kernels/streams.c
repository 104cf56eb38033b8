/* The table of stream kernels; its rows come from meson.build. */
#include "codelets/kernels/streams.h"

#include "codelets/kernels/kernel_table.h"

const char *const weir_stream_turn_names[] = {"a vector", "64 B", "256 B", "1 KiB", "4 KiB", NULL};

#define DECLARE_UPDATE(precision, set)                                  \
    weir_update_streams weir_update_streams_vector_##precision##_##set; \
    weir_update_streams weir_update_streams_64_##precision##_##set;     \
    weir_update_streams weir_update_streams_256_##precision##_##set;    \
    weir_update_streams weir_update_streams_1024_##precision##_##set;   \
    weir_update_streams weir_update_streams_4096_##precision##_##set;   \
    weir_update_streams weir_update_stream_##precision##_##set;
#define DECLARE(set, supported)              \
    DECLARE_UPDATE(single, set)              \
    DECLARE_UPDATE(double, set)              \
    weir_copy_stream weir_copy_stream_##set; \
    weir_copy_stream weir_copy_stream_nontemporal_##set;
WEIR_INSTRUCTION_SETS(DECLARE)

#define UPDATES(precision, set)                                              \
    {                                                                        \
        [WEIR_TURN_VECTOR] = weir_update_streams_vector_##precision##_##set, \
        [WEIR_TURN_64] = weir_update_streams_64_##precision##_##set,         \
        [WEIR_TURN_256] = weir_update_streams_256_##precision##_##set,       \
        [WEIR_TURN_1024] = weir_update_streams_1024_##precision##_##set,     \
        [WEIR_TURN_4096] = weir_update_streams_4096_##precision##_##set,     \
    }

#if defined __x86_64__
#define NONTEMPORAL(set) weir_copy_stream_nontemporal_##set
#else
#define NONTEMPORAL(set) NULL
#endif

const struct weir_stream_kernels *weir_stream_kernels(void) {
#define CHOOSE(set, supported)                                                                      \
    if (supported) {                                                                                \
        static const struct weir_stream_kernels kernels = {                                         \
            .instruction_set = #set,                                                                \
            .update = {[WEIR_SINGLE] = UPDATES(single, set), [WEIR_DOUBLE] = UPDATES(double, set)}, \
            .update_one = {[WEIR_SINGLE] = weir_update_stream_single_##set,                         \
                           [WEIR_DOUBLE] = weir_update_stream_double_##set},                        \
            .copy = weir_copy_stream_##set,                                                         \
            .copy_nontemporal = NONTEMPORAL(set)};                                                  \
        return &kernels;                                                                            \
    }
    WEIR_INSTRUCTION_SETS(CHOOSE)
    return NULL; /* not reached: the last set runs everywhere */
}

#if WEIR_WITH_CUDA
weir_update_streams_cuda weir_update_streams_cuda_single, weir_update_streams_cuda_double,
    weir_update_streams_cuda_wide_single, weir_update_streams_cuda_wide_double;
#endif

weir_update_streams_cuda *weir_update_streams_on_cuda(enum weir_precision precision, int wide) {
#if WEIR_WITH_CUDA
    if (precision != WEIR_DOUBLE)
        return wide ? weir_update_streams_cuda_wide_single : weir_update_streams_cuda_single;
    return wide ? weir_update_streams_cuda_wide_double : weir_update_streams_cuda_double;
#else
    (void)precision, (void)wide;
    return NULL;
#endif
}
