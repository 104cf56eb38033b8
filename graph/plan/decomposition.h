/* How a domain is cut, as the time model sees it: the cells of every block, and the messages with those who
 * read them. Knows neither parts nor time. */
#ifndef WEIR_GRAPH_PLAN_DECOMPOSITION_H
#define WEIR_GRAPH_PLAN_DECOMPOSITION_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "graph/problem/blocks.h"
#include "graph/problem/fluid_estimate.h"

/* What leaves a block through one face in one channel in one step. A neighbour across an edge or corner reads
 * the message of the first crossed axis, so one message may have several readers. */
struct weir_decomposition_message {
    int source;           /* block, by its place in the set */
    double bytes;         /* 0: nobody reads it */
    int64_t first_reader; /* place in readers */
    int reader_count;     /* a block that reads it twice is there twice */
};

struct weir_decomposition {
    struct weir_block_grid grid;
    struct weir_block_set set;         /* the blocks that are looked at; others' messages are not */
    double *fluid_cells, *solid_cells; /* [set.count], of each block */
    double *wall_cells;                /* [set.count], of the fluid cells those beside solids */
    enum weir_cell_kind *kinds;        /* [set.count], how each block keeps its cells */
    double total_fluid, total_solid;
    struct weir_cell_counts of_kind[WEIR_CELL_KIND_COUNT]; /* of all blocks of a kind */
    int channels;
    double stages; /* tasks of each block in a step: the mean of even and odd ones */
    struct weir_decomposition_message *messages; /* [set.count][channels][WEIR_FACES] */
    int *readers;                                /* blocks, by place in the set */
};

static inline int weir_decomposition_messages(const struct weir_decomposition *decomposition) {
    return decomposition->set.count * decomposition->channels * WEIR_FACES;
}

/* set: the blocks to look at, copied; NULL: all that have fluid. fluid_cells[set->count]: of each block;
 * NULL: counted, or estimated from a regular sample of about 16 million cells where the domain has more and
 * solids. *decomposition is the caller's (weir_decomposition_destroy). -WEIR_FAILED when memory is short. */
int weir_decomposition_create(const struct weir_problem *problem, const struct weir_block_grid *grid,
                              const struct weir_block_set *set, const int64_t *fluid_cells,
                              struct weir_decomposition **decomposition);

/* NULL is allowed. */
void weir_decomposition_destroy(struct weir_decomposition *decomposition);

#endif
