/* The domain as data: its blocks with their handles, wired to their neighbours' messages. Which tasks there
 * are is told elsewhere (start.h, simulation.h, reduction.h, observation.h). */
#ifndef WEIR_GRAPH_DOMAIN_H
#define WEIR_GRAPH_DOMAIN_H

#include "codelets/block.h"
#include "graph/allocations.h"
#include "graph/blocks.h"

struct weir_domain {
    const struct weir_problem *problem;
    struct weir_block_grid grid;
    struct weir_block_context context;
    struct weir_failure failure;
    struct weir_block *blocks;                      /* [grid.total] */
    struct weir_step_argument (*step_arguments)[2]; /* [grid.total][parity] */
    int64_t fluid_cells;                            /* of all blocks; 0 until the geometry is known */
};

/* Registers the data of all blocks; nothing is allocated before a task writes it. `problem` must outlive the
 * domain. -WEIR_USAGE for a bad block size, -WEIR_FAILED when memory is short. */
int weir_domain_create(const struct weir_problem *problem, const int block_cells[3],
                       struct weir_domain **domain);

/* Waits for the data's tasks and gives it back. NULL is allowed. */
void weir_domain_destroy(struct weir_domain *domain);

/* Bytes of all data that stays for the whole run: populations, geometry, messages. */
int64_t weir_domain_bytes(const struct weir_problem *problem, const struct weir_block_grid *grid);

/* Constants of the collision that follow from the problem. */
struct weir_fluid weir_domain_fluid(const struct weir_problem *problem);

/* 0, or -WEIR_UNAVAILABLE with a text when StarPU refused a task. */
int weir_check_submitted(int result, const struct weir_task_kind *kind);

#endif
