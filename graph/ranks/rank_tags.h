/* Tags of the messages between ranks: what they carry, from whom, and a number. Messages of one pair of ranks
 * with the same tag arrive in the order in which they were sent.
 *
 * starpu_mpi would need less, since it looks at the sender too. StarPU's trace tool does not, and keeps only
 * the lower 32 bits of a tag: with these a trace finds for every message its two ends, of up to
 * WEIR_TAG_RANKS ranks. */
#ifndef WEIR_GRAPH_RANKS_RANK_TAGS_H
#define WEIR_GRAPH_RANKS_RANK_TAGS_H

#include "graph/base/error.h"

#include <stdint.h>

enum weir_message_kind {
    WEIR_MESSAGE_HALO,   /* populations that cross the border between two ranks in a step */
    WEIR_MESSAGE_SUM,    /* a part of a total, or the total */
    WEIR_MESSAGE_VALUES, /* what an output has to see of a block */
    WEIR_MESSAGE_BLOCK,  /* of a block that moves to another rank */
    WEIR_MESSAGE_KIND_COUNT
};

enum { WEIR_TAG_KIND_BITS = 3, WEIR_TAG_RANK_BITS = 6, WEIR_TAG_RANKS = 1 << WEIR_TAG_RANK_BITS };

/* For starpu_mpi; number: from 0, below 2^54, counted by both ends alike. */
static inline int64_t weir_tag(enum weir_message_kind kind, int sender, int64_t number) {
    return (number << WEIR_TAG_RANK_BITS | sender % WEIR_TAG_RANKS) << WEIR_TAG_KIND_BITS | (int64_t)kind;
}

/* Also of what is left of a tag in 32 bits. */
static inline int weir_tag_kind(int64_t tag) {
    return (int)(tag & ((1 << WEIR_TAG_KIND_BITS) - 1));
}

/* 0, or -WEIR_FAILED when starpu_mpi refused a message. */
static inline int weir_check_message(int result) {
    return result == 0 ? 0
                       : weir_fail(WEIR_FAILED, "starpu_mpi refused a message between ranks (%d)", result);
}

#endif
