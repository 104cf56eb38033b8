/* The watchman from inside: shared by his thread (watchman.c), by what he does about interrupts
 * (watchman_stop.c) and by how he ends all ranks (watchman_end.c). */
#ifndef WEIR_GRAPH_RANKS_WATCHMAN_STATE_H
#define WEIR_GRAPH_RANKS_WATCHMAN_STATE_H

#include "graph/ranks/letters.h"
#include "graph/ranks/rank_processes.h"
#include "graph/ranks/rank_signs.h"
#include "graph/ranks/watchman.h"

#include <pthread.h>

/* Seconds between two looks around. */
static const double WEIR_WATCHMAN_TICK = 0.02;

struct weir_watchman {
    struct weir_world *world;
    int rank, size;
    pthread_t thread;
    _Atomic double timeout;
    const volatile sig_atomic_t *_Atomic interrupted;

    /* Between the main thread and the watchman's. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct weir_watchman_guard guard;
    struct weir_supervised supervised; /* attended */
    bool attends;
    int64_t entered;            /* steps that are submitted, or about to be */
    bool asked;                 /* for a promise: no step may be entered before there is an answer */
    int64_t stop;               /* the answer, -1: none yet */
    bool failed;                /* main thread: with */
    struct weir_letter failure; /* this, */
    double patience_ends;       /* and from then on the watchman ends all */
    bool ending, leaving;
    bool told; /* the user knows why this program ends */

    /* The watchman's own. */
    struct weir_letters letters;
    struct weir_rank_processes processes;
    struct weir_rank_sign *signs; /* [size]; of rank 0 alone where this is another */
    bool *culprit;                /* [size] */
    bool *ready;                  /* [size] to go, or lost */
    bool lost;                    /* a rank that cannot be told to end */
    bool go;                      /* nobody waits for this rank any more */
    bool wished, reported, said;  /* WISH, FAILED, READY */
    double last_tick, last_sign;
    double last_busy;  /* when tasks ran or could run */
    int64_t last_done; /* steps then; -1: it has not come to that */
    int chief;         /* who said that all shall end, -1: nobody */
};

/* watchman.c: takes what has come from the others. */
void weir_watchman_receive(struct weir_watchman *w);
void weir_watchman_pause(void); /* for a tick */
bool weir_watchman_all_ready(const struct weir_watchman *w);

/* watchman_stop.c */
void weir_watchman_look_for_interrupt(struct weir_watchman *w);
void weir_watchman_take_stop(struct weir_watchman *w, int from, enum weir_letter_kind kind, int64_t step);

/* watchman_end.c. Once the end is decided (chief), `finish` is the last thing that this rank does. */
void weir_watchman_look_for_failure(struct weir_watchman *w);
void weir_watchman_take_failure(struct weir_watchman *w, int rank, const struct weir_letter *failure);
void weir_watchman_take_end(struct weir_watchman *w, int chief, const struct weir_letter *end);
void weir_watchman_judge(struct weir_watchman *w, double now);
void weir_watchman_finish(struct weir_watchman *w) __attribute__((noreturn));
void weir_watchman_set_alarm(const struct weir_watchman *w);

/* With the lock held, by the main thread: once the end is decided, it does nothing any more. */
void weir_watchman_rest_if_ending(struct weir_watchman *w);

#endif
