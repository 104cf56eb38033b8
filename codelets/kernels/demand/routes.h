/* Tables of where the populations of lists lie (weir_list_routes_cpu), which CPUs step blocks by: data of the
 * host beside a block's, that no task takes. A block has one from its first step on a CPU on; GPUs have no
 * use for it, and it never travels. */
#ifndef WEIR_KERNELS_ROUTES_H
#define WEIR_KERNELS_ROUTES_H

#include "codelets/kernels/demand/find.h"

/* A table for a block that is a list, made by kernels for it, to be given to free; huge pages are asked for,
 * as CPUs look up many addresses in a step. view: as a task that steps the block has it. NULL: these kernels
 * need none, or memory is short, and steps do without. */
void *weir_routes_create(const struct weir_kernels *kernels, const struct weir_block_view *view);

/* Bytes that it takes, about, of a block that keeps so many cells. Measured for D3Q19: 15 to 32 a cell, the
 * fewer solids the less, and somewhat more in small blocks, more of whose cells meet others. */
static inline double weir_routes_bytes(const struct weir_lattice_table *lattice, double cells) {
    return 1.8 * lattice->populations * cells;
}

#endif
