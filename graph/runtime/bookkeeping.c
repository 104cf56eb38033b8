#include "graph/runtime/bookkeeping.h"

#include "codelets/block.h"
#include "codelets/kernels/lattice.h"
#include "codelets/kernels/totals.h"

#include <starpu.h>

/* Of a handle in every memory that there may be: 16 bytes for each memory that data may be asked for from,
 * its state, its interface. Of the handle besides: its state, locks, a piece of memory. As of StarPU 1.4. */
enum { PER_MEMORY = 16 * STARPU_MAXNODES + 136, PER_HANDLE = 890 };

/* Of a task: per buffer that it might have, and besides, with Weir's arguments. */
enum { PER_BUFFER = 56, PER_TASK = 652 };

/* Handles of a block: populations, geometry, what it adds to totals and to the digest; and two messages, one
 * for each parity, through each of its faces. */
enum { HANDLES = 4, HANDLES_PER_AXIS = 4 };

/* Tasks of a block at once, at most, as measured: those of some steps, of a check, and what is left between
 * them. */
enum { TASKS = 8 };

double weir_bookkeeping_bytes(enum weir_lattice lattice) {
    const double handle = (double)STARPU_MAXNODES * PER_MEMORY + PER_HANDLE,
                 task = (double)sizeof(struct starpu_task) + PER_BUFFER * STARPU_NMAXBUFS + PER_TASK;
    return (HANDLES + HANDLES_PER_AXIS * weir_lattice_table((int)lattice)->dimensions) * handle +
           TASKS * task + (double)sizeof(struct weir_partial_totals) + (double)sizeof(struct weir_block);
}
