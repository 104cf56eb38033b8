/* Joins the pieces of gas that blocks have found (codelets/kernels/gas_table.h) over all blocks, and over
 * ranks: what hangs together is a bubble, or open to the atmosphere, and has one density. Sums are exact, so
 * that density does not depend on the order of blocks, nor on how they are cut and divided. */
#ifndef WEIR_GRAPH_PROBLEM_GAS_JOIN_H
#define WEIR_GRAPH_PROBLEM_GAS_JOIN_H

#include "codelets/kernels/gas_table.h"
#include "graph/problem/blocks.h"

/* What a rank tells the others: of gas that goes on there, by pieces that stand for all that hangs together
 * on this rank; and its bubbles that end here. Pieces have numbers that all ranks know. */
enum { WEIR_GAS_PARCEL_PIECES = 2048, WEIR_GAS_PARCEL_LINKS = 8192 };
struct weir_gas_parcel {
    int32_t pieces, links;
    int32_t lacking; /* there was no room for all, in a block or here */
    int32_t unused;
    int64_t bubbles;
    struct weir_exact_sum volume, amount; /* of these */
    struct {
        int64_t number;
        struct weir_gas_piece of;
    } piece[WEIR_GAS_PARCEL_PIECES];
    int64_t link[WEIR_GAS_PARCEL_LINKS][2]; /* numbers of pieces that hang together */
};

/* Adds what another rank tells. */
void weir_gas_parcel_add(struct weir_gas_parcel *parcel, const struct weir_gas_parcel *other);

/* All bubbles of the domain. */
struct weir_gas_totals {
    int64_t bubbles;
    double volume; /* cells */
    double amount; /* densities times cells */
};

struct weir_gas_join;

/* The grid must outlive it. gas_density: of what is open to the atmosphere. -WEIR_FAILED when memory is
 * short. */
int weir_gas_join_create(const struct weir_block_grid *grid, double gas_density, struct weir_gas_join **join);

/* NULL is allowed. */
void weir_gas_join_destroy(struct weir_gas_join *join);

/* Begins anew. */
void weir_gas_join_begin(struct weir_gas_join *join);

/* Adds what a block has found; blocks come by number, ascending. -WEIR_FAILED: no memory, or its table lacks
 * something. */
int weir_gas_join_add(struct weir_gas_join *join, int block, const struct weir_gas_table *table);

/* Joins what has been added, and puts what others are to know into the parcel. -WEIR_FAILED when memory is
 * short. */
int weir_gas_join_here(struct weir_gas_join *join, struct weir_gas_parcel *parcel);

/* Joins it with what all ranks, this one too, have told. -WEIR_FAILED: no memory, or the parcel lacks
 * something. */
int weir_gas_join_all(struct weir_gas_join *join, const struct weir_gas_parcel *parcel,
                      struct weir_gas_totals *totals);

/* Puts the densities into the table of a block that was added. */
void weir_gas_join_tell(const struct weir_gas_join *join, int block, struct weir_gas_table *table);

#endif
