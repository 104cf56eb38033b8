/* The supervisor from inside: shared by its thread (supervisor.c), by what it does about interrupts
 * (supervisor_stop.c) and by how it ends all ranks (supervisor_end.c). */
#ifndef WEIR_GRAPH_RANKS_SUPERVISOR_STATE_H
#define WEIR_GRAPH_RANKS_SUPERVISOR_STATE_H

#include "graph/ranks/control_messages.h"
#include "graph/ranks/heartbeats.h"
#include "graph/ranks/rank_processes.h"
#include "graph/ranks/supervisor.h"

#include <pthread.h>

/* Seconds between two looks around. */
static const double WEIR_SUPERVISOR_TICK = 0.02;

struct weir_supervisor {
    struct weir_world *world;
    int rank, size;
    pthread_t thread;
    _Atomic double timeout;
    const volatile sig_atomic_t *_Atomic interrupted;

    /* Between the main thread and the supervisor's. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct weir_supervisor_guard guard;
    struct weir_supervised supervised; /* attended */
    bool attends;
    int64_t entered;                     /* steps that are submitted, or about to be */
    bool asked;                          /* for a promise: no step may be entered before there is an answer */
    int64_t stop;                        /* the answer, -1: none yet */
    bool failed;                         /* main thread: with */
    struct weir_control_message failure; /* this, */
    double patience_ends;                /* and from then on the supervisor ends all */
    bool ending, leaving;
    bool told; /* the user knows why this program ends */

    /* The supervisor's own. */
    struct weir_control_messages messages;
    struct weir_rank_processes processes;
    struct weir_heartbeat *heartbeats; /* [size]; of rank 0 alone where this is another */
    bool *culprit;                     /* [size] */
    bool *ready;                       /* [size] to go, or lost */
    bool lost;                         /* a rank that cannot be told to end */
    bool go;                           /* nobody waits for this rank any more */
    bool wished, reported, said;       /* WISH, FAILED, READY */
    double last_tick, last_heartbeat;
    double last_busy;  /* when tasks ran or could run */
    int64_t last_done; /* steps then; -1: it has not come to that */
    int chief;         /* who said that all shall end, -1: nobody */
};

/* supervisor.c: takes what has come from the others. */
void weir_supervisor_receive(struct weir_supervisor *w);
void weir_supervisor_pause(void); /* for a tick */
bool weir_supervisor_all_ready(const struct weir_supervisor *w);

/* supervisor_stop.c */
void weir_supervisor_check_interrupt(struct weir_supervisor *w);
void weir_supervisor_take_stop(struct weir_supervisor *w, int from, enum weir_control_message_kind kind,
                               int64_t step);

/* supervisor_end.c. Once the end is decided (chief), `finish` is the last thing that this rank does. */
void weir_supervisor_check_failure(struct weir_supervisor *w);
void weir_supervisor_take_failure(struct weir_supervisor *w, int rank,
                                  const struct weir_control_message *failure);
void weir_supervisor_take_end(struct weir_supervisor *w, int chief, const struct weir_control_message *end);
void weir_supervisor_judge(struct weir_supervisor *w, double now);
void weir_supervisor_finish(struct weir_supervisor *w) __attribute__((noreturn));
void weir_supervisor_set_alarm(struct weir_supervisor *w);

/* With the lock held, by the main thread: once the end is decided, it does nothing any more. */
void weir_supervisor_rest_if_ending(struct weir_supervisor *w);

#endif
