/* Looks after the ranks of a run while they compute: a thread of each rank, mostly asleep, that talks with
 * the threads of the others whatever the main thread waits for. It
 *
 *   - ends all ranks when one fails: tasks of the others then wait for messages that will never come, so
 *     nothing is drained; every rank throws away what is half-written and ends, with one message from rank 0;
 *   - agrees on the step to stop at when a rank is interrupted;
 *   - notices a rank that gives no sign of life, and ranks that all wait for each other.
 *
 * Only of use among several ranks: in a world of one there is none, and all functions take NULL and do
 * nothing. Called from the thread that joined the world. */
#ifndef WEIR_GRAPH_WATCHMAN_H
#define WEIR_GRAPH_WATCHMAN_H

#include "graph/simulation.h"
#include "graph/world.h"

#include <signal.h>

struct weir_watchman;

struct weir_watchman_options {
    double timeout; /* seconds without a sign of life after which a rank counts as lost; 0: never */
    const volatile sig_atomic_t *interrupted; /* set by a signal: the run shall stop in good order */
    /* Called before a failed run ends, if that is between attend and dismiss, in the watchman's thread while
     * tasks and the main thread may still run: the first before the user is told, so that nothing else is
     * shown from then on; the second after it, to throw away what is half-written, which a busy disk may
     * prevent. */
    void (*hush)(void *context);
    void (*abandon)(void *context, const char *text);
    void *context;
};

/* Starts the thread; on all ranks, or none. *watchman: NULL in a world of one. -WEIR_FAILED when there is no
 * memory or thread for it. */
int weir_watchman_create(struct weir_world *world, const struct weir_watchman_options *options,
                         struct weir_watchman **watchman);

/* Collective: from here on failures, also those that tasks meet, are the watchman's, and ranks shall advance.
 */
void weir_watchman_attend(struct weir_watchman *watchman, struct weir_simulation *simulation);

/* Whether the time loop stops before this step, because of an interrupt on any rank; the same step on all.
 * Asked before each step that would be submitted; may wait for the others' answers. */
bool weir_watchman_stops(struct weir_watchman *watchman, int64_t step);

/* Ends all ranks with the error that weir_fail has just told, between attend and dismiss; does not return
 * where there are several. */
void weir_watchman_end(struct weir_watchman *watchman, int error);

/* Steps are over on all ranks, and they have agreed that none has failed. */
void weir_watchman_dismiss(struct weir_watchman *watchman);

/* Tells the others that this rank gives no more signs of life. */
void weir_watchman_destroy(struct weir_watchman *watchman);

#endif
