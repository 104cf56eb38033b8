/* The tasks before the first step: which cells are solid, what boundaries do, and the initial state of every
 * block. */
#ifndef WEIR_GRAPH_START_H
#define WEIR_GRAPH_START_H

#include "graph/domain.h"

struct weir_start {
    struct weir_task_kind geometry, values, restored, initialise, fill;
};

void weir_start_define(struct weir_start *start, const struct weir_kernels *kernels);

/* Computes flags and fluid cells of all blocks, and waits for it: placement needs to know. */
int weir_start_geometry(struct weir_start *start, struct weir_domain *domain);

struct weir_restart;

/* Submits the state of all blocks before the first step, each at its home: the initial one, or that of a
 * checkpoint, which it waits for, some blocks at a time; NULL: there is none. poison: fill what no step may
 * read with NaN. */
int weir_start_populations(struct weir_start *start, struct weir_domain *domain,
                           const struct weir_restart *restart, bool poison);

#endif
