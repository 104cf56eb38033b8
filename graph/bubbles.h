/* Bubbles as tasks: in between two stages of odd steps, pieces of gas that blocks have found are joined over
 * all blocks and ranks, and blocks are told the density of each (problem/gas_join.h). The step's last stage
 * waits for that. */
#ifndef WEIR_GRAPH_BUBBLES_H
#define WEIR_GRAPH_BUBBLES_H

#include "graph/domain.h"
#include "graph/problem/gas_join.h"

struct weir_bubbles_tasks {
    struct weir_task_kind gather, join, add, finish, tell;
};

void weir_bubbles_define(struct weir_bubbles_tasks *tasks, const struct weir_kernels *kernels);

struct weir_bubbles;

/* For a domain with gas that is enclosed, whose totals of it are made known. -WEIR_FAILED when memory is
 * short. */
int weir_bubbles_create(struct weir_domain *domain, struct weir_bubbles_tasks *tasks,
                        struct weir_bubbles **bubbles);

/* Waits for the tasks of its data. NULL is allowed. */
void weir_bubbles_destroy(struct weir_bubbles *bubbles);

/* Submits what joins the pieces that blocks find in tasks submitted before. All ranks must. */
int weir_bubbles_join(struct weir_bubbles *bubbles);

#endif
