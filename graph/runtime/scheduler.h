/* Weir's own StarPU scheduling policy: the tasks of a block run on the worker group of the machine where the
 * block has its home at the moment they become ready, whichever of the worker group's workers is free first.
 * Tasks without home (output) go to CPU workers. It also keeps the time that each worker group was busy: what
 * homes are chosen by (balance.h). One at a time, as StarPU itself. */
#ifndef WEIR_GRAPH_RUNTIME_SCHEDULER_H
#define WEIR_GRAPH_RUNTIME_SCHEDULER_H

#include "graph/plan/worker_groups.h"

#include <starpu.h>

extern struct starpu_sched_policy weir_scheduler_policy;

/* Tells the policy which worker groups there are; before the first task. `visits`: an idle CPU core may take
 * a task that waits at another core of the same memory; its block's home stays. `groups` must stay. */
void weir_scheduler_serve(const struct weir_worker_groups *groups, bool visits);

/* One of StarPU's own schedulers, for starpu_conf: as it is, but that its workers, too, can be told to give
 * way. NULL: there is none of this name. */
struct starpu_sched_policy *weir_scheduler_of_starpu(const char *name);

/* Workers share their cores with a thread that must be let in: while they have nothing to do they sleep, for
 * some microseconds at a time, where else they would spin. */
void weir_scheduler_give_way(void);

/* Of tasks that wait at their home those of higher priority go first. */
void weir_scheduler_heed_priorities(void);

/* What a worker group had to do since StarPU started. A GPU takes several tasks at once: with fewer it is
 * busy too, but does not show what it can do. */
struct weir_scheduler_load {
    double busy, full;  /* seconds with a task at least, ready or under way; with one for each worker */
    int64_t ended;      /* tasks */
    int64_t ended_full; /* of these, at such times */
};
struct weir_scheduler_load weir_scheduler_load(int group);

#endif
