/* Looks after the ranks of a run: a thread of each rank, mostly asleep, that talks with the threads of the
 * others whatever the main thread waits for, from the moment that the ranks have joined (world.h) until all
 * are through. It
 *
 *   - ends all ranks when one fails while they compute: tasks of the others then wait for messages that will
 *     never come, so nothing is drained; every rank throws away what is half-written and ends, with one
 *     message from rank 0;
 *   - does the same where ranks that have failed otherwise do not come to their end by themselves;
 *   - agrees on the step to stop at when a rank is interrupted;
 *   - notices a rank that has died or gives no sign of life, and ranks that all wait for each other.
 *
 * Only of use among several ranks: in a world of one there is none, and all functions take NULL and do
 * nothing. Called from the thread that joined the world. */
#ifndef WEIR_GRAPH_RANKS_SUPERVISOR_H
#define WEIR_GRAPH_RANKS_SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct weir_supervisor;
struct weir_world;

/* Starts the thread; on all ranks, or none. Collective, errors are not agreed: -WEIR_FAILED when there is no
 * memory or thread for it. */
int weir_supervisor_create(struct weir_world *world, struct weir_supervisor **supervisor);

/* Collective: waits until all ranks have come here, and ends the thread. Who does not get through the rest of
 * the program, where the ranks meet once more in MPI's end, is ended by an alarm then. */
void weir_supervisor_leave(struct weir_supervisor *supervisor);

/* timeout: seconds without a sign of life after which a rank counts as lost, 0: never; until this is called,
 * WEIR_RANK_TIMEOUT (heartbeats.h). interrupted: set by a signal: the run shall stop in good order. */
void weir_supervisor_heed(struct weir_supervisor *supervisor, double timeout,
                          const volatile sig_atomic_t *interrupted);

/* Called before all ranks end, in the supervisor's thread while tasks and the main thread may still run: the
 * first before the user is told, so that nothing else is shown from then on; the second for what the message
 * ends with; the last after it, to throw away what is half-written, which a busy disk may prevent. */
enum { WEIR_SUPERVISOR_ADVICE = 512 };
struct weir_supervisor_guard {
    void (*hush)(void *context);
    void (*advise)(void *context, char advice[WEIR_SUPERVISOR_ADVICE]);
    void (*abandon)(void *context, const char *text);
    void *context;
};

/* From here on there is something to throw away (copied); NULL: no more. */
void weir_supervisor_guard(struct weir_supervisor *supervisor, const struct weir_supervisor_guard *guard);

/* What is computed, as the supervisor asks for it; from its thread, while the main thread goes on. */
struct weir_supervised {
    int64_t (*done)(void *context);            /* steps */
    bool (*waits)(void *context);              /* for other ranks, if no step ends meanwhile */
    int (*status)(void *context);              /* 0, or the failure, whose text is weir_error_text's */
    bool (*failed_everywhere)(void *context);  /* all ranks meet this failure alike */
    void (*fail)(void *context, const char *); /* ends it with this text */
    void *context;
};

/* Collective: from here on failures, also those that tasks meet, are the supervisor's, and ranks shall
 * advance (copied). */
void weir_supervisor_attend(struct weir_supervisor *supervisor, const struct weir_supervised *supervised);

/* Whether the time loop stops before this step, because of an interrupt on any rank; the same step on all.
 * Asked before each step that would be submitted; may wait for the others' answers. */
bool weir_supervisor_stops(struct weir_supervisor *supervisor, int64_t step);

/* Steps are over on all ranks, and they have agreed that none has failed. */
void weir_supervisor_dismiss(struct weir_supervisor *supervisor);

/* Ends this process with WEIR_FAILED after so many seconds, should it not have ended by itself. */
void weir_end_within(double seconds);

/* Ends all ranks with the error that weir_fail has just told; does not return where there are several. */
void weir_supervisor_end(struct weir_supervisor *supervisor, int error);

/* This rank is about to end with the error that weir_fail has just told. Should it take more than seconds,
 * because others wait for something else or its tasks do not drain, all ranks are ended with it. for_all: the
 * text is not about this rank alone, or names it. */
void weir_supervisor_expect_end(struct weir_supervisor *supervisor, int error, bool for_all);

/* Tells the user this message, unless he has been told one. Of all ranks, one calls this. */
void weir_supervisor_tell(struct weir_supervisor *supervisor, const char *text);

#endif
