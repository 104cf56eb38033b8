/* What ranks tell each other in every step: the blocks' messages that cross the border between them, packed
 * into halo messages for each neighbour (halo messages.h), for each channel of the model, sent by starpu_mpi
 * while other blocks compute, and spread into the ghosts of the domain. Every rank submits only its own tasks
 * and its own ends of the sending. */
#ifndef WEIR_GRAPH_EXCHANGE_H
#define WEIR_GRAPH_EXCHANGE_H

#include "codelets/packing.h"
#include "graph/domain.h"
#include "graph/plan/exchange_volume.h"

struct weir_exchange_tasks {
    struct weir_task_kind pack, unpack;
    struct weir_task_kind message; /* in the place of one where the world only pretends (world.h) */
};

/* where: kinds of workers that may run them (StarPU's bits). */
void weir_exchange_define(struct weir_exchange_tasks *tasks, const struct weir_kernels *kernels,
                          unsigned where);

struct weir_exchange;

/* Prepares the halo messages. The domain is that of one of several ranks, and must outlive the exchange, as
 * must the tasks. -WEIR_FAILED when memory is short. */
int weir_exchange_create(struct weir_domain *domain, struct weir_exchange_tasks *tasks,
                         struct weir_exchange **exchange);

/* Waits for the tasks of its data. NULL is allowed. */
void weir_exchange_destroy(struct weir_exchange *exchange);

/* Gives packing and unpacking to the worker groups of the machine where most of the blocks concerned live; to
 * be called when homes have changed. */
void weir_exchange_follow_homes(struct weir_exchange *exchange);

/* Submits the exchange of what a stage of a step of this parity gives in these channels (bits); the stage of
 * the blocks at the border must have been submitted, and of no block the one after it. Where the world only
 * pretends, nothing is sent or received: empty tasks with the same accesses stand for the two ends of a
 * message. */
int weir_exchange_submit(struct weir_exchange *exchange, uint32_t channels, int parity);

/* What this rank sends in a step. */
struct weir_exchange_volume weir_exchange_volume(const struct weir_exchange *exchange);

#endif
