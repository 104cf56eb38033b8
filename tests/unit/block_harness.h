/* A problem cut into blocks and stepped by the kernels alone, without StarPU: allocates every block's arrays
 * at their exact sizes, hands messages from block to block by their addresses, and reads populations back by
 * the rules that block_view.h states. */
#ifndef WEIR_TESTS_BLOCK_HARNESS_H
#define WEIR_TESTS_BLOCK_HARNESS_H

#include "codelets/kernels/demand/find.h"
#include "graph/problem/blocks.h"
#include "tests/unit/reference.h"

struct harness_block {
    struct weir_box box;
    int *entries; /* [cells]: of each cell in the block's arrays, of those that it keeps */
    void *populations;
    void *scalar; /* NULL: the problem has none */
    void *geometry;
    void *varying[2];                /* values of boundaries that change in time, by parity */
    struct weir_block_layout layout; /* of both */
    void *routes;                    /* of a list on CPUs; NULL: it steps without */
    struct weir_first_messages
        messages; /* by parity of the step that writes them; NULL where the domain ends */
};

struct block_harness {
    const struct weir_problem *problem;
    const struct weir_kernels *kernels;                        /* of bricks */
    const struct weir_kernels *of_cells[WEIR_CELL_KIND_COUNT]; /* of each kind of cells that there is */
    const struct weir_lattice_table *lattice, *scalar_lattice; /* NULL: the problem has no scalar */
    const struct weir_lattice_table
        *further_lattice; /* with what is kept of the velocity's gradient behind it */
    struct weir_block_grid grid;
    struct weir_fluid fluid;
    int64_t step; /* steps done */
    struct harness_block *blocks;
};

/* Cuts a problem into blocks and initialises them. `poison` as in struct weir_initial_state. The problem
 * stays the caller's and must outlive the harness. Never NULL. */
struct block_harness *block_harness_create(const struct weir_problem *problem,
                                           const struct weir_kernels *kernels, const int block_cells[3],
                                           bool poison);

/* The same for problems of which blocks may be lists, by their rule: kernels for each kind of cells. */
struct block_harness *block_harness_create_of(const struct weir_problem *problem,
                                              const struct weir_kernels *const kernels[WEIR_CELL_KIND_COUNT],
                                              const int block_cells[3], bool poison);

/* Frees it; NULL is allowed. */
void block_harness_destroy(struct block_harness *h);

/* After all blocks have done a step: values of boundaries for the next but one, and the step's number. */
void block_harness_end_step(struct block_harness *h);

/* Does steps until `step` are done: in every other one the blocks, and the rows of each, go backwards. */
void block_harness_run_to(struct block_harness *h, int64_t step);

/* Parity of the next step. */
int block_harness_parity(const struct block_harness *h);

/* The kernels for a block. */
const struct weir_kernels *block_harness_kernels(const struct block_harness *h, int block);

/* A block as the kernels see it in the next step. */
struct weir_block_view block_harness_view(const struct block_harness *h, int block);

/* Where the block lies in the domain. */
struct weir_place block_harness_place(const struct block_harness *h, int block);

/* Block that holds a cell of the domain, and the cell's coordinates within it. */
int block_harness_find(const struct block_harness *h, const int cell[3], int local[3]);

/* Whether a cell of the domain is solid. */
bool block_harness_solid(const struct block_harness *h, const int cell[3]);

/* Goes on to the domain's next fluid cell, x fastest; false behind the last. From BEFORE_CELLS to the first.
 */
#define BEFORE_CELLS \
    { -1, 0, 0 }
bool block_harness_next_fluid(const struct block_harness *h, int cell[3]);

/* Address of f_i arriving at a fluid cell of the domain before the next step, as deviation from its weight.
 */
void *block_harness_population(const struct block_harness *h, const int cell[3], int i);

/* The same of the scalar, which is no deviation; or, before an even step, of what is kept behind it. */
void *block_harness_scalar(const struct block_harness *h, const int cell[3], int i);

/* Reads and writes a population as the harness's variant stores it. */
double block_harness_read(const struct block_harness *h, const void *stored);
void block_harness_write(const struct block_harness *h, void *stored, double value);

/* Reads and writes a real of the variant's arithmetic. */
double block_harness_read_real(const struct block_harness *h, const void *real);
void block_harness_write_real(const struct block_harness *h, void *real, double value);

/* Sum of the blocks' parts of the digest. */
void block_harness_digest(const struct block_harness *h, uint64_t sum[2]);

/* All populations arriving before the next step, in order of cells, sets and directions, [nz][ny][nx][q]
 * reals; zero in solid cells. The caller frees. `bytes` (out): their size. */
void *block_harness_natural(const struct block_harness *h, size_t *bytes);

/* Largest difference of a population, of either set, from the reference's; NaN where one is none. */
double block_harness_difference(const struct block_harness *h, const struct reference *r);

/* Whether two harnesses of the same problem hold the same bits, as populations and as digest. */
bool block_harness_same(const struct block_harness *a, const struct block_harness *b);

#endif
