/* Main memory that is taken for a block beside its cells: by StarPU for its handles, which are large where a
 * build of StarPU allows for many memories, and its tasks under way; by Weir for its totals. */
#ifndef WEIR_GRAPH_RUNTIME_BOOKKEEPING_H
#define WEIR_GRAPH_RUNTIME_BOOKKEEPING_H

#include "codelets/kernels/variants.h"

/* Bytes per block, with neighbours on all sides; measured from 1000 blocks on, within a tenth. */
double weir_bookkeeping_bytes(enum weir_lattice lattice);

#endif
