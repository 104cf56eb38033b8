#include "graph/runtime/bookkeeping.h"

#include "codelets/block.h"
#include "codelets/kernels/totals.h"
#include "graph/problem/model.h"

#include <starpu.h>

/* Of a handle in every memory that there may be: 16 bytes for each memory that data may be asked for from,
 * its state, its interface. Of the handle besides: its state, locks, a piece of memory. As of StarPU 1.4. */
enum { PER_MEMORY = 16 * STARPU_MAXNODES + 136, PER_HANDLE = 890 };

/* Of a task: per buffer that it might have, and besides, with Weir's arguments. */
enum { PER_BUFFER = 56, PER_TASK = 652 };

/* Handles of a block beside its data: what it adds to totals and to the digest. */
enum { HANDLES = 2 };

/* Tasks of a block at once, at most, as measured: those of some steps, of a check, and what is left between
 * them. */
enum { TASKS = 8 };

double weir_bookkeeping_bytes(const struct weir_problem *problem, bool steady) {
    const struct weir_block_form inside =
        weir_brick_form(&(struct weir_box){.origin = {8, 8, 8}, .extent = {8, 8, 8}});
    struct weir_model model;
    struct weir_datum data[WEIR_DATA_MAX];
    const double handle = (double)STARPU_MAXNODES * PER_MEMORY + PER_HANDLE,
                 task = (double)sizeof(struct starpu_task) + PER_BUFFER * STARPU_NMAXBUFS + PER_TASK;
    weir_model_make(problem, steady, &model);
    const int count = weir_model_data(&model, &inside, (1u << WEIR_FACES) - 1, data);
    return (HANDLES + steady + count) * handle + TASKS * model.stage_count * task +
           (double)sizeof(struct weir_partial_totals) + (double)sizeof(struct weir_block);
}
