/* Tags of the messages between ranks, in ranges by what they carry. Messages of one pair of ranks with the
 * same tag arrive in the order in which they were sent. */
#ifndef WEIR_GRAPH_RANK_TAGS_H
#define WEIR_GRAPH_RANK_TAGS_H

#include "graph/error.h"

#include <starpu_mpi.h>
#include <stdint.h>

/* Each followed by as many as there can be of its kind, counted by 32 bits. */
#define WEIR_TAG_PARCELS ((starpu_mpi_tag_t)1 << 32)
#define WEIR_TAG_REDUCTION ((starpu_mpi_tag_t)2 << 32)
#define WEIR_TAG_OBSERVATION ((starpu_mpi_tag_t)3 << 32)
#define WEIR_TAG_MIGRATION ((starpu_mpi_tag_t)4 << 32)

/* 0, or -WEIR_FAILED when starpu_mpi refused a message. */
static inline int weir_check_message(int result) {
    return result == 0 ? 0
                       : weir_fail(WEIR_FAILED, "starpu_mpi refused a message between ranks (%d)", result);
}

#endif
