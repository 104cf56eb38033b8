/* Messages to rank 0, or from one rank to another, of what is seen of the flow, one observation after the
 * other.
 *
 * Messages with one tag must not pass one another, and StarPU posts a message when its data has come to main
 * memory: from a GPU those of a later step may come first. So tags name a lane besides the message, and an
 * observation has a lane for itself until all that it sends is sent. */
#ifndef WEIR_GRAPH_LANES_H
#define WEIR_GRAPH_LANES_H

#include "graph/ranks/world.h"

#include <pthread.h>
#include <starpu.h>

enum {
    WEIR_LANES = 4, /* observations of one watch whose messages may be on their way */
    WEIR_BLOCK_MESSAGES =
        7 /* of an observation about one block, at most: its cells, and those beside each face */
};

struct weir_lanes;

struct weir_lane {
    struct weir_lanes *lanes;
    int messages; /* not sent yet; guarded by sending */
};

struct weir_lanes {
    const struct weir_world *world;
    int number;           /* among all lanes of the simulation, the same on all ranks */
    int blocks;           /* of the domain */
    int64_t observations; /* submitted so far */
    struct weir_lane lane[WEIR_LANES];
    pthread_mutex_t sending;
    pthread_cond_t sent; /* all messages of a lane */
};

/* The struct must stay where it is. */
void weir_lanes_init(struct weir_lanes *lanes, const struct weir_world *world, int number, int blocks);

/* Waits until all is sent. */
void weir_lanes_drain(struct weir_lanes *lanes);

/* To be called by who sends, before the messages of an observation: waits until its lane is free. */
void weir_lanes_enter(struct weir_lanes *lanes);

/* Submit a message of this observation: number `piece`, from 0, of those about a block. -WEIR_FAILED when
 * starpu_mpi refuses. */
int weir_lanes_send(struct weir_lanes *lanes, starpu_data_handle_t values, int block, int piece, int to);
int weir_lanes_receive(struct weir_lanes *lanes, starpu_data_handle_t values, int block, int piece, int from);

/* To be called by all ranks when an observation is submitted. */
void weir_lanes_next(struct weir_lanes *lanes);

#endif
