/* What the supervisors of ranks (supervisor.h) send each other. Nothing here waits but where it says so. */
#ifndef WEIR_GRAPH_RANKS_CONTROL_MESSAGES_H
#define WEIR_GRAPH_RANKS_CONTROL_MESSAGES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The number is the message's tag. Rank 0 hears and answers all. */
enum weir_control_message_kind {
    WEIR_CONTROL_HEARTBEAT, /* sign of life, to rank 0, and from rank 0 to all */
    WEIR_CONTROL_DEATH,     /* to all: of rank `step`, whose process has gone */
    WEIR_CONTROL_WISH,      /* to stop, to rank 0 */
    WEIR_CONTROL_ASK,       /* for a promise, from rank 0 */
    WEIR_CONTROL_PROMISE,   /* to submit no more than these steps until told where to stop */
    WEIR_CONTROL_STOP,      /* before this step, from rank 0 */
    WEIR_CONTROL_FAILED,    /* to rank 0: this rank has */
    WEIR_CONTROL_END,       /* to all: because of this failure */
    WEIR_CONTROL_READY,     /* to go: to rank 0, or to who said END */
    WEIR_CONTROL_GO,        /* all are ready: nobody is looked after any more */
    WEIR_CONTROL_KINDS
};

enum { WEIR_CONTROL_TEXT = 2048 };

struct weir_control_message {
    double idle;
    int64_t done, step;
    int code, everywhere;
    char text[WEIR_CONTROL_TEXT]; /* of FAILED and END only */
};

struct weir_control_messages {
    MPI_Comm comm;
    int rank, size;
    struct weir_control_message out[WEIR_CONTROL_KINDS]; /* what was sent last, or will be next */
    MPI_Request *requests;                               /* [kinds * size] */
};

/* comm: for these alone. False when memory is short. */
bool weir_control_messages_create(MPI_Comm comm, struct weir_control_messages *messages);

/* What MPI may still read is left to it. */
void weir_control_messages_destroy(struct weir_control_messages *messages);

/* Sends what is in out[kind], unless the same kind is still on its way there. */
void weir_control_messages_post(struct weir_control_messages *messages, enum weir_control_message_kind kind,
                                int rank);
void weir_control_messages_post_to_others(struct weir_control_messages *messages,
                                          enum weir_control_message_kind kind);

/* The next message that has come; false: there is none. */
bool weir_control_messages_receive(struct weir_control_messages *messages, int *from,
                                   enum weir_control_message_kind *kind,
                                   struct weir_control_message *message);

/* Waits until all messages of this kind have been sent, or so many seconds. */
bool weir_control_messages_wait_sent(struct weir_control_messages *messages,
                                     enum weir_control_message_kind kind, double seconds);

#endif
