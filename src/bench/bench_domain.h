/* How large the domain of a comparison is: out of cache and with enough blocks for all workers, but never
 * more than a part of the memory that is free. Numbers only: nothing is allocated or measured. */
#ifndef WEIR_SRC_BENCH_BENCH_DOMAIN_H
#define WEIR_SRC_BENCH_BENCH_DOMAIN_H

#include "graph/problem/blocks.h"
#include "graph/problem/problem.h"

struct weir_bench_room {
    double cache_bytes; /* of the caches that the blocks are to be beyond; 0: none */
    double data_bytes;  /* free where blocks live */
    double main_bytes;  /* free in main memory, where StarPU keeps its books of them */
    bool on_gpu;        /* blocks live elsewhere than these books */
    int workers;
    bool quick; /* few blocks will do */
};

/* Sets problem->cells and the grid of blocks of this size. *fits: false where not even one block does.
 * Errors: those of weir_block_grid_create. */
int weir_bench_domain_choose(const struct weir_bench_room *room, const int block_cells[3],
                             struct weir_problem *problem, struct weir_block_grid *grid, bool *fits);

#endif
