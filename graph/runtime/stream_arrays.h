/* One thread's memory for measuring bandwidth: 19 arrays, apart in the cache sets as the directions of a
 * block are, and what can be timed on them. The memory asks neither for huge pages nor against them, just as
 * that of blocks. */
#ifndef WEIR_GRAPH_RUNTIME_STREAM_ARRAYS_H
#define WEIR_GRAPH_RUNTIME_STREAM_ARRAYS_H

#include "codelets/kernels/streams.h"

struct weir_stream_arrays;

/* Allocates about `bytes` in all and touches it from the calling thread, which so gets it on its own NUMA
 * node. -WEIR_FAILED when memory is short. */
int weir_stream_arrays_create(size_t bytes, struct weir_stream_arrays **arrays);

/* NULL is allowed. */
void weir_stream_arrays_destroy(struct weir_stream_arrays *arrays);

/* What to do with the memory in one pass. */
enum weir_traffic {
    WEIR_TRAFFIC_UPDATE,     /* 19 streams in place */
    WEIR_TRAFFIC_UPDATE_ONE, /* all of the memory as one stream, in place */
    WEIR_TRAFFIC_COPY,       /* one half to the other */
    WEIR_TRAFFIC_COPY_NONTEMPORAL,
};

struct weir_traffic_kind {
    enum weir_traffic traffic;
    enum weir_precision precision; /* of updates */
    enum weir_stream_turn turn;    /* of updates of 19 streams */
};

/* Whether this machine can do it. */
int weir_traffic_exists(const struct weir_traffic_kind *kind);

/* Does it, passes times. */
void weir_stream_arrays_pass(struct weir_stream_arrays *arrays, const struct weir_traffic_kind *kind,
                             int passes);

/* Bytes that the program reads and writes in one pass. */
double weir_stream_arrays_bytes(const struct weir_stream_arrays *arrays,
                                const struct weir_traffic_kind *kind);

#endif
