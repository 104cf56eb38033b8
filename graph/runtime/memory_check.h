/* Whether what a run keeps has room here: in the memory of the GPUs where they take the blocks, in main
 * memory else. */
#ifndef WEIR_GRAPH_RUNTIME_MEMORY_CHECK_H
#define WEIR_GRAPH_RUNTIME_MEMORY_CHECK_H

#include "graph/problem/blocks.h"
#include "graph/runtime/runtime.h"

/* What one process keeps. */
struct weir_memory_need {
    double cells;        /* of its blocks */
    double bytes;        /* of their populations, geometry, messages, velocities and sums over time */
    double values_bytes; /* initial values of its largest block, where formulas give them; else 0 */
    int blocks;          /* how many */
    double books;        /* what StarPU keeps of them in main memory */
    double routes;       /* of those that are lists, in main memory where cores step them */
    /* What outputs keep in main memory, whoever takes steps: */
    double sums;                      /* over time, for a checkpoint, of one process on this host */
    double copies;                    /* of blocks that wait to be written, at most */
    struct weir_step_workers workers; /* of this process */
    int sharers;                      /* processes on this host that need about as much each; at least 1 */
    bool started;                     /* StarPU is running, with its threads */
};

/* -WEIR_USAGE, with the key to change, where there is less. */
int weir_memory_check(const struct weir_memory_need *need);

/* Bytes of the initial values of a block, which formulas fill. 0 where numbers do. */
double weir_memory_of_values(const struct weir_problem *problem, const struct weir_block_grid *grid);

#endif
