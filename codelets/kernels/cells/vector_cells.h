/* How many cells a CPU takes at once. */
#ifndef WEIR_KERNELS_VECTOR_CELLS_H
#define WEIR_KERNELS_VECTOR_CELLS_H

#include "codelets/kernels/variant.h"

/* Cells that the processor takes at once, in the widest vectors there are. */
enum { VECTOR_CELLS = 64 / sizeof(real) };

#endif
