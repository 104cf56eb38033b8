/* Observation of the flow as tasks: macroscopic fields of the blocks in a sink's region are computed where
 * the blocks live and handed to the sink by CPU workers, while steps go on. Where there are several ranks,
 * the boxes travel to rank 0, whose sink gets them all, or stay where they are for a sink that is called
 * everywhere (sink.h).
 *
 * Tasks that make collective calls keep their worker until all other ranks have come to the same call. So
 * that all of them come:
 *
 * 1. Ranks have the same collective calls in the same order. Sinks that are called everywhere share a token,
 *    which their tasks take for writing: they run in the order of their submission, which is the same on all
 *    ranks, never two at once.
 * 2. Who waits is not needed by those he waits for, though it be his only worker. begin reads the verdict on
 *    the step's state, which comes of the totals of all blocks of all ranks: with it all steps before are
 *    done everywhere, their halo messages have arrived, and all ranks have submitted this begin. What a rank
 *    still has to do before its own begin it can do alone: passing the verdict on is the message thread's.
 *    Between begin and finish are looks at a rank's own blocks, and their boxes; where a sink wants gradients
 *    also the layers of cells beside them, which other ranks may have. These compute them before their own
 *    finish, in which they could be waited for: they lend them by a task that takes the token.
 * 3. Both calls begin with an agreement: a rank that has failed comes to them too, and then none goes on. An
 *    diverged flow never begins. */
#ifndef WEIR_GRAPH_OBSERVATION_H
#define WEIR_GRAPH_OBSERVATION_H

#include "graph/domain.h"
#include "graph/ranks/agreement.h"
#include "graph/sink.h"

#include <stdatomic.h>
#include <time.h>

struct weir_observation_tasks {
    struct weir_task_kind macroscopic, snapshot, time_sums, solid, begin, put, lend, finish;
};

/* where: kinds of workers that may run the tasks on blocks (StarPU's bits). */
void weir_observation_define(struct weir_observation_tasks *tasks, const struct weir_kernels *kernels,
                             unsigned where);

/* What the sinks of a simulation share, those that are called everywhere in particular. */
struct weir_together {
    struct weir_agreeing who;   /* with a communicator for their collective calls */
    starpu_data_handle_t token; /* NULL in a world of one */
    int watches;                /* created so far: gives each its number, the same on all ranks */
    atomic_int inside;          /* collective calls that this rank is in, and may wait for others */
};

/* Collective. Where the world only pretends there is nobody to call. */
void weir_together_create(const struct weir_world *world, struct weir_together *together);
void weir_together_destroy(struct weir_together *together);

struct weir_watch;

/* Prepares for a sink, which is copied; its context must outlive the watch, as must `together`. All ranks
 * create the same watches in the same order. */
int weir_watch_create(struct weir_domain *domain, struct weir_observation_tasks *tasks,
                      struct weir_together *together, const struct weir_sink *sink,
                      struct weir_watch **watch);

/* Waits for the sink's tasks, or until all for it has been sent. NULL is allowed. */
void weir_watch_destroy(struct weir_watch *watch);

/* Once the domain has failed, and where its tasks may never end: the sink is not called any more; what it was
 * writing is the caller's to remove. From any thread. Waits for a call that is under way, but not beyond
 * `until` (of CLOCK_REALTIME): its disk may hang, or another rank that it waits for. NULL is allowed. */
void weir_watch_abandon(struct weir_watch *watch, const struct timespec *until);

/* Submits the observation of the state before step `step`. verdict: written by a task that checks this state
 * for divergence, on all ranks, and was submitted before; the sink's finish waits for it, and the begin of
 * one that is called everywhere. */
int weir_watch_submit(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict);

#endif
