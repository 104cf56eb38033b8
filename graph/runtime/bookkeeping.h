/* Main memory that is taken for a block beside its cells: by StarPU for its handles, which are large where a
 * build of StarPU allows for many memories, and its tasks under way; by Weir for its totals. */
#ifndef WEIR_GRAPH_RUNTIME_BOOKKEEPING_H
#define WEIR_GRAPH_RUNTIME_BOOKKEEPING_H

#include <stdbool.h>

struct weir_problem;

/* Bytes per block of a problem's model (steady: graph/problem/model.h), with neighbours on all sides;
 * measured from 1000 blocks on, within a tenth. */
double weir_bookkeeping_bytes(const struct weir_problem *problem, bool steady);

#endif
