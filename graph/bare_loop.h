/* The steps of a simulation without tasks: the same kernels on the same blocks in the same memory, called in
 * a plain loop. What a task graph is to be compared with. CPU: each worker steps the blocks at home there,
 * and all meet at a barrier after every step. GPU: one thread launches all blocks of a step, one after the
 * other, on one stream. */
#ifndef WEIR_GRAPH_BARE_LOOP_H
#define WEIR_GRAPH_BARE_LOOP_H

#include "graph/domain.h"
#include "graph/runtime/runtime.h"

struct weir_bare_loop;

/* Takes all data of the domain from StarPU, where it lives: no task on it may be under way, and none must be
 * submitted before weir_bare_loop_destroy. All blocks must have homes, either CPU workers or workers of one
 * GPU; else -WEIR_USAGE. */
int weir_bare_loop_create(const struct weir_runtime *runtime, struct weir_domain *domain,
                          struct weir_bare_loop **loop);

/* Advances all blocks by an even number of steps, starting with parity 0, and waits. *seconds: from the
 * moment when all workers are ready until the last has ended. -WEIR_FAILED when a kernel could not be
 * launched. */
int weir_bare_loop_run(struct weir_bare_loop *loop, int steps, double *seconds);

/* Gives the data back to StarPU. NULL is allowed. */
void weir_bare_loop_destroy(struct weir_bare_loop *loop);

#endif
