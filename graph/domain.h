/* The domain as data: the blocks of this rank, if any, with their handles, wired to their neighbours'
 * messages. Where a neighbour is on another rank, its messages are ghosts here: as large as there, filled
 * with what this rank's blocks read (exchange.h). Which tasks there are is told elsewhere (start.h,
 * simulation.h, reduction.h, observation.h). */
#ifndef WEIR_GRAPH_DOMAIN_H
#define WEIR_GRAPH_DOMAIN_H

#include "codelets/block.h"
#include "graph/problem/blocks.h"
#include "graph/problem/model.h"
#include "graph/runtime/allocations.h"

/* A message of a block on another rank. */
struct weir_ghost {
    int channel, block, face;
    starpu_data_handle_t message[2]; /* by parity of the step that gives it */
};

struct weir_world;

struct weir_domain {
    const struct weir_problem *problem;
    struct weir_model model;
    const struct weir_world *world;
    struct weir_block_grid grid; /* of the whole domain */
    int *rank_of; /* [grid.total] of each block, of a solid one whose output writes it; NULL in a world of one
                   */
    int *places;  /* [grid.total] among those with fluid, -1 of a solid one; NULL: none is */
    int idle_ranks;            /* that have no blocks */
    struct weir_block_set set; /* this rank's blocks, of which all have fluid */
    struct weir_block_context context;
    struct weir_failure failure;
    struct weir_block *blocks;                      /* [set.count] */
    struct weir_step_argument (*step_arguments)[2]; /* [set.count][parity] */
    struct weir_ghost *ghosts;                      /* [ghost_count], by channel, block and face */
    int ghost_count;
    int64_t fluid_cells;             /* of this rank's blocks; 0 until the geometry is known */
    int64_t all_fluid_cells;         /* of all ranks' */
    starpu_data_handle_t gas_totals; /* struct weir_gas_totals of the last odd step; NULL: no bubbles */
};

/* Registers the data of this rank's blocks, as the problem's model has it (steady: model.h); nothing is
 * allocated before a task writes it. `problem` and what the grid knows of solid blocks must outlive the
 * domain. kernels: of the problem, for each kind of cells that blocks may have. * rank_of[grid->total]: the
 * rank of each block, copied; NULL in a world of one. -WEIR_FAILED when memory is short. */
int weir_domain_create(const struct weir_problem *problem, bool steady, const struct weir_block_grid *grid,
                       const struct weir_world *world,
                       const struct weir_kernels *const kernels[WEIR_CELL_KIND_COUNT], const int *rank_of,
                       struct weir_domain **domain);

/* The domain as it is to be when blocks are divided among ranks as rank_of[grid.total] (copied) says: blocks
 * that stay share their data with `domain`, those that come have data of their own, not allocated yet. In
 * between both exist. -WEIR_FAILED when memory is short. */
int weir_domain_divide_anew(const struct weir_domain *domain, const int *rank_of, struct weir_domain **next);

/* Makes `domain` the next one, and gives back the data of blocks that left; `next` is gone. Pointers to the
 * domain stay right, pointers to its blocks do not. No task may be under way. */
void weir_domain_become(struct weir_domain *domain, struct weir_domain *next);

/* Gives the next domain up; `domain` stays as it is. */
void weir_domain_discard_next(const struct weir_domain *domain, struct weir_domain *next);

/* The block of this number; NULL where it is on another rank, or has no fluid. */
struct weir_block *weir_domain_block(const struct weir_domain *domain, int number);

/* Its place among those with fluid, of all ranks; -1: it is solid. */
static inline int weir_domain_place(const struct weir_domain *domain, int number) {
    return domain->places ? domain->places[number] : number;
}

/* The message that a block gives through a face in a channel in a step of this parity: its own, or a ghost.
 * NULL where there is none here. */
starpu_data_handle_t weir_domain_message(const struct weir_domain *domain, int channel, int block, int face,
                                         int parity);

/* Finds the messages that blocks take anew, once they have others. */
void weir_domain_wire(struct weir_domain *domain);

/* Waits for the data's tasks and gives it back. NULL is allowed. */
void weir_domain_destroy(struct weir_domain *domain);

/* Bytes of all data of these blocks, which stays for the whole run. set: NULL for all blocks. steady: as
 * above.
 */
int64_t weir_domain_bytes(const struct weir_problem *problem, bool steady, const struct weir_block_grid *grid,
                          const struct weir_block_set *set);

/* The same of one block of a domain. */
int64_t weir_domain_block_bytes(const struct weir_domain *domain, int number);

/* What weir_task_submit returned, as an error: 0, -WEIR_UNAVAILABLE when StarPU refused the task,
 * -WEIR_FAILED when there was no memory for it. */
int weir_check_submitted(int result, const struct weir_task_kind *kind);

#endif
