/* What the watchmen of ranks (watchman.h) send each other. Nothing here waits but where it says so. */
#ifndef WEIR_GRAPH_RANKS_LETTERS_H
#define WEIR_GRAPH_RANKS_LETTERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The number is the message's tag. Rank 0 hears and answers all. */
enum weir_letter_kind {
    WEIR_LETTER_SIGN,    /* of life, to rank 0, and from rank 0 to all */
    WEIR_LETTER_DEATH,   /* to all: of rank `step`, whose process has gone */
    WEIR_LETTER_WISH,    /* to stop, to rank 0 */
    WEIR_LETTER_ASK,     /* for a promise, from rank 0 */
    WEIR_LETTER_PROMISE, /* to submit no more than these steps until told where to stop */
    WEIR_LETTER_STOP,    /* before this step, from rank 0 */
    WEIR_LETTER_FAILED,  /* to rank 0: this rank has */
    WEIR_LETTER_END,     /* to all: because of this failure */
    WEIR_LETTER_READY,   /* to go: to rank 0, or to who said END */
    WEIR_LETTER_GO,      /* all are ready: nobody is looked after any more */
    WEIR_LETTER_KINDS
};

enum { WEIR_LETTER_TEXT = 2048 };

struct weir_letter {
    double idle;
    int64_t done, step;
    int code, everywhere;
    char text[WEIR_LETTER_TEXT]; /* of FAILED and END only */
};

struct weir_letters {
    MPI_Comm comm;
    int rank, size;
    struct weir_letter out[WEIR_LETTER_KINDS]; /* what was sent last, or will be next */
    MPI_Request *requests;                     /* [kinds * size] */
};

/* comm: for these alone. False when memory is short. */
bool weir_letters_create(MPI_Comm comm, struct weir_letters *letters);

/* What MPI may still read is left to it. */
void weir_letters_destroy(struct weir_letters *letters);

/* Sends what is in out[kind], unless the same kind is still on its way there. */
void weir_letters_post(struct weir_letters *letters, enum weir_letter_kind kind, int rank);
void weir_letters_post_to_others(struct weir_letters *letters, enum weir_letter_kind kind);

/* The next letter that has come; false: there is none. */
bool weir_letters_receive(struct weir_letters *letters, int *from, enum weir_letter_kind *kind,
                          struct weir_letter *letter);

/* Waits until all letters of this kind have been sent, or so many seconds. */
bool weir_letters_wait_sent(struct weir_letters *letters, enum weir_letter_kind kind, double seconds);

#endif
