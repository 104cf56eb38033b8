/* Static placement on the workers that StarPU started: which worker each block lives on. */
#ifndef WEIR_GRAPH_HOMES_H
#define WEIR_GRAPH_HOMES_H

#include "graph/domain.h"
#include "graph/runtime.h"

/* Gives every GPU and every CPU worker that takes steps a compact region of blocks of equal weight in fluid
 * cells, and sets the blocks' homes; a GPU's blocks go round its streams. -WEIR_FAILED when memory is short.
 */
int weir_homes_choose(const struct weir_runtime *runtime, struct weir_domain *domain);

#endif
