/* Totals of blocks combined to those of a rank, and these to those of all: sums, and of places the one that
 * does not depend on the order. */
#ifndef WEIR_CODELETS_TOTALS_SUM_H
#define WEIR_CODELETS_TOTALS_SUM_H

#include "codelets/block.h"
#include "codelets/kernels/totals.h"

/* Sums over the blocks seen so far. */
struct weir_totals_sum {
    struct weir_partial_totals sum; /* places and cells in it are not used */
    uint32_t fastest_bits;
    int64_t fastest_cell; /* numbers in the domain, x fastest; -1: none */
    int64_t diverged_cell;
    int diverged_block;
};

/* combine_totals: blocks of a rank; add_totals: of ranks. Buffers of the latter: RW, R ... struct
 * weir_totals_sum. */
void weir_combine_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);
void weir_add_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Blocks that one task takes at most. */
enum { WEIR_COMBINED_MAX = 32 };

/* Submits one task: RW total, R parts[count], struct weir_partial_totals of blocks[count], which stay. first:
 * begins anew, W total. Returns as weir_task_submit. */
int weir_combine_totals_submit(struct weir_task_kind *kind, starpu_data_handle_t total,
                               const starpu_data_handle_t *parts, const struct weir_block *blocks, int count,
                               bool first);

#endif
