/* One block by itself, to time kernels on: a domain of one block, whose messages go to itself where it is
 * periodic. Without StarPU; in main memory or on a GPU. */
#ifndef WEIR_SRC_BENCH_BENCH_BLOCK_H
#define WEIR_SRC_BENCH_BENCH_BLOCK_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "codelets/kernels/demand/find.h"
#include "graph/problem/problem.h"
#include "src/bench/bench_team.h"

struct weir_bench_block;

/* A problem whose domain is one block: fluid moving slowly through periodic space or, with walls, under a
 * moving lid; a small body force if asked for. */
void weir_bench_problem(enum weir_lattice lattice, enum weir_precision precision, const int cells[3],
                        bool force, bool walls, struct weir_problem *problem);

/* Adds a scalar to it. */
void weir_bench_add_scalar(struct weir_problem *problem);

/* Adds an eddy viscosity to it. */
void weir_bench_add_turbulence(struct weir_problem *problem);

/* Has its block keep its cells in this way; and which way that is. */
void weir_bench_keep(enum weir_cell_kind kind, struct weir_problem *problem);
enum weir_cell_kind weir_bench_kept(const struct weir_problem *problem);

/* What a problem has of these, in words: "force walls". */
enum { WEIR_BENCH_WITH = 40 };
void weir_bench_with(const struct weir_problem *problem, char with[WEIR_BENCH_WITH]);

/* Bytes that a block of this problem takes. */
double weir_bench_block_bytes(const struct weir_problem *problem);

/* Allocates and fills a block in main memory. Its memory is touched first by the threads that will work on
 * it: the first `threads` of the team, each its share of the rows. `problem` must outlive it; its collision
 * may change. -WEIR_FAILED when memory is short, or no cell is fluid. */
int weir_bench_block_create(const struct weir_problem *problem, struct weir_bench_team *team, int threads,
                            struct weir_bench_block **block);

/* The same by the calling thread alone, from within a team's run. */
int weir_bench_block_create_here(const struct weir_problem *problem, struct weir_bench_block **block);

/* The same on the current GPU; waits. */
int weir_bench_block_create_on_gpu(const struct weir_problem *problem, struct weir_bench_block **block);

/* Populations before an even step, in main memory: as weir_snapshot has them, so many bytes. -WEIR_FAILED
 * when the GPU fails. */
int weir_bench_block_snapshot(const struct weir_bench_block *block, const struct weir_kernels *kernels,
                              size_t bytes, void *populations);

/* Hash of the populations of a new block (kernels.h) after a few steps with these kernels, which are of its
 * kind: the same for all kinds, however they take the steps. -WEIR_FAILED when the GPU fails. */
int weir_bench_block_digest(const struct weir_bench_block *block, const struct weir_kernels *kernels,
                            uint64_t digest[2]);

#if WEIR_WITH_CUDA
/* Has steps of GPUs compiled for a block of this problem, where that is asked for (WEIR_KERNEL_CONSTANTS);
 * they are launched then. */
int weir_bench_specialise(const struct weir_problem *problem, const struct weir_kernels *kernels);
#endif

/* NULL is allowed. */
void weir_bench_block_destroy(struct weir_bench_block *block);

/* Cells of the block that are not solid. */
double weir_bench_block_fluid_cells(const struct weir_bench_block *block);

/* The view for a step of this parity, and what else a kernel needs. Constants of the collision are those of
 * the problem as it is now. */
const struct weir_block_view *weir_bench_block_view(const struct weir_bench_block *block, int parity);
struct weir_fluid weir_bench_block_fluid(const struct weir_bench_block *block);

#endif
