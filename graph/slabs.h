/* The data of a domain that has no room where it is computed (plan/slab_plan.h): main memory has a home for
 * each datum of each block, and the workers' memory has places, which slabs of blocks share: slab s has place
 * s % places. What tasks are given are places. Which block's data a place has is decided while tasks are
 * submitted, in their order: whoever is about to submit one says which data it needs
 * (weir_block_context.needs), and what is not there is brought by a task before it, as what was there is put
 * back where it has been changed. So any order of tasks is right, and that of weir_simulation_advance is
 * quick. */
#ifndef WEIR_GRAPH_SLABS_H
#define WEIR_GRAPH_SLABS_H

#include "graph/domain.h"
#include "graph/plan/slab_plan.h"
#include "graph/runtime/runtime.h"

struct weir_slabs;

struct weir_slabs_tasks {
    struct weir_task_kind bring, put_back;
};

void weir_slabs_define(struct weir_slabs_tasks *tasks, const struct weir_kernels *kernels);

/* Bytes of all blocks of a domain, about, however it is cut: where some may keep their fluid cells only, by
 * how many are fluid. steady: as of weir_model_make. */
double weir_slabs_domain_bytes(const struct weir_problem *problem, bool steady);

/* What can be done with `memory` bytes where a domain is cut so; errors: as of weir_slab_plan_make. */
int weir_slabs_find_plan(const struct weir_problem *problem, bool steady, const struct weir_block_grid *grid,
                         double memory, struct weir_slab_plan *plan);

/* Size of blocks of whole planes by which a domain is computed fastest where `memory` bytes have room at a
 * time, on a GPU. */
void weir_slabs_block_cells(const struct weir_problem *problem, bool steady, double memory,
                            int block_cells[3]);

/* Share of the speed without such a limit that is expected of these blocks on a GPU; 0: they do not do. */
double weir_slabs_efficiency(const struct weir_problem *problem, bool steady,
                             const struct weir_block_grid *grid, double memory);

/* Gives the domain's blocks, of which no data has been used yet, places in `memory` bytes instead of data of
 * their own, and homes in main memory, which is taken now. movers: as of weir_runtime_movers. The domain must
 * outlive it; errors: blocks too thick (-WEIR_USAGE), memory. */
int weir_slabs_create(struct weir_domain *domain, bool steady, struct weir_slabs_tasks *tasks, double memory,
                      const int movers[2 * WEIR_MOVERS_EACH_WAY], struct weir_slabs **slabs);

/* Gives the blocks their data back; what it holds is lost. No task may be under way. NULL is allowed. */
void weir_slabs_destroy(struct weir_slabs *slabs);

const struct weir_slab_plan *weir_slabs_plan(const struct weir_slabs *slabs);

/* Places in the domain of the blocks of a slab; returns how many they are. */
int weir_slabs_blocks(const struct weir_slabs *slabs, int slab, const int **blocks);

/* Whether the last slab is there, and the first one is not: a sweep begins where slabs are. */
bool weir_slabs_last_is_there(const struct weir_slabs *slabs);

/* Says that the slab's blocks have been advanced to this step: of their messages only those of the last one
 * are looked at again, and none before they are advanced again. */
void weir_slabs_advanced(struct weir_slabs *slabs, int slab, int64_t step);

/* Brings what steps of the slab's blocks begin with, as far as it is not there. */
void weir_slabs_expect(struct weir_slabs *slabs, int slab);

#endif
