/* Observation of the flow as tasks: macroscopic fields of the blocks in a sink's region are computed where
 * the blocks live and handed to the sink by CPU workers, while steps go on. Where there are several ranks,
 * the boxes travel to rank 0, whose sink gets them all; sinks of other ranks are never called. */
#ifndef WEIR_GRAPH_OBSERVATION_H
#define WEIR_GRAPH_OBSERVATION_H

#include "graph/domain.h"
#include "graph/sink.h"

struct weir_observation_tasks {
    struct weir_task_kind macroscopic, begin, put, finish;
};

/* where: kinds of workers that may run the tasks on blocks (StarPU's bits). */
void weir_observation_define(struct weir_observation_tasks *tasks, const struct weir_kernels *kernels,
                             unsigned where);

struct weir_watch;

/* Prepares for a sink, which is copied; its context must outlive the watch. */
int weir_watch_create(struct weir_domain *domain, struct weir_observation_tasks *tasks,
                      const struct weir_sink *sink, struct weir_watch **watch);

/* Waits for the sink's tasks. NULL is allowed. */
void weir_watch_destroy(struct weir_watch *watch);

/* Submits the observation of the state before step `step`. verdict: written by a task that checks this state
 * for soundness and was submitted before; the sink's finish waits for it. */
int weir_watch_submit(struct weir_watch *watch, int64_t step, starpu_data_handle_t verdict);

#endif
