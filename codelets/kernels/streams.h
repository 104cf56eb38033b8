/* Plain memory traffic in the patterns that lattice Boltzmann kernels are compared with: in-place update of
 * 19 streams at once (the access of the AA step of D3Q19), of one stream, and copies. Compiled and found as
 * the kernels are (demand/find.h). They compute nothing of use: every real x becomes x / 2 + 1. */
#ifndef WEIR_KERNELS_STREAMS_H
#define WEIR_KERNELS_STREAMS_H

#include "codelets/kernels/variants.h"

#include <stddef.h>

enum { WEIR_STREAMS = 19 };

/* Ways through the 19 streams: how many bytes of one are updated before the next has its turn; all give the
 * same values. Which is fastest depends on the processor's prefetchers. */
enum weir_stream_turn {
    WEIR_TURN_VECTOR, /* one vector register, as in a kernel's loop over cells */
    WEIR_TURN_64,
    WEIR_TURN_256,
    WEIR_TURN_1024,
    WEIR_TURN_4096,
    WEIR_TURN_COUNT
};
extern const char *const weir_stream_turn_names[];

/* Streams are multiples of this many bytes long. */
enum { WEIR_STREAM_GRAIN = 4096 };

/* Updates `count` reals of each of the streams that begin at data, data + stride ... (stride in reals). */
typedef void weir_update_streams(void *data, size_t stride, size_t count);

/* Copies `bytes`, a multiple of the grain; both ends aligned to 64 bytes. */
typedef void weir_copy_stream(void *to, const void *from, size_t bytes);

/* Streams are of singles or doubles, the first precisions. */
enum { WEIR_STREAM_PRECISIONS = 2 };

/* Whether processors of this kind have stores past the caches. */
#if defined __x86_64__
#define WEIR_COPIES_NONTEMPORAL 1
#else
#define WEIR_COPIES_NONTEMPORAL 0
#endif

struct weir_stream_kernels {
    weir_update_streams *update[WEIR_STREAM_PRECISIONS][WEIR_TURN_COUNT];
    weir_update_streams *update_one[WEIR_STREAM_PRECISIONS]; /* the first stream only; stride is ignored */
    weir_copy_stream *copy;
    weir_copy_stream *copy_nontemporal; /* stores past the caches; NULL where there are no such stores */
};

#endif
