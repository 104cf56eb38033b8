/* What a rank sends to other ranks in one step and gets from them: which populations of which messages lie
 * where in which halo message. Sender and receiver compute the same lists, each from its own blocks. Geometry
 * only: no StarPU, no MPI. */
#ifndef WEIR_GRAPH_PLAN_HALO_MESSAGES_H
#define WEIR_GRAPH_PLAN_HALO_MESSAGES_H

#include "codelets/kernels/halo.h"
#include "codelets/kernels/halo/message.h"
#include "graph/problem/blocks.h"

/* The message that a block, by its number in the grid, writes through one of its faces. */
struct weir_face_message {
    int block, face;
};

/* One halo message. Its populations are those that go from blocks of the sending rank to blocks of the
 * receiving one, counted by weir_ranks_count: what a message holds for other ranks is not among them. */
struct weir_halo_message {
    int rank;   /* the other one: to which this goes, or from which it comes */
    int number; /* from 0, among those of this pair of ranks in this direction: for tags of messages */
    struct weir_face_message *messages; /* blocks of the sending rank; by block, then face */
    int message_count;                  /* 1 to WEIR_HALO_FACE_MESSAGES_MAX */
    struct weir_halo_segment *segments; /* in the order of the halo message, which they fill */
    int segment_count;
    int64_t populations; /* > 0 */
};

/* All halo messages of a rank, by the other rank, then by number. A message of a block is in one halo message
 * to each rank that needs it, and so in at most one received halo message. Messages of which no population is
 * needed are in none (weir_message_crossing tells). */
struct weir_halo_messages {
    struct weir_halo_message *sent, *received;
    int sent_count, received_count;
};

/* For rank `rank` whose blocks are own[own_count], in any order; rank_of[grid->total]. The work is that of
 * the own blocks, however many others there are. -WEIR_FAILED when memory is short. */
int weir_halo_messages_create(const struct weir_message_layout *layout, const struct weir_block_grid *grid,
                              const int *rank_of, int rank, const int *own, int own_count,
                              struct weir_halo_messages **halos);

/* NULL is allowed. */
void weir_halo_messages_destroy(struct weir_halo_messages *halos);

#endif
