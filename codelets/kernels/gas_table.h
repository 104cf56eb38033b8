/* What a block knows of its gas where enclosed gas has a pressure of its own: which pieces of it there are,
 * and which pieces of other blocks they touch. Who joins them over all blocks (graph/bubbles.h) puts in the
 * density of each. */
#ifndef WEIR_KERNELS_GAS_TABLE_H
#define WEIR_KERNELS_GAS_TABLE_H

#include "codelets/kernels/totals.h"

enum { WEIR_GAS_PIECES_MAX = 1024, WEIR_GAS_LINKS_MAX = 4096 };

/* Cells that are gas, or at the surface, and hang together. */
struct weir_gas_piece {
    struct weir_exact_sum amount; /* of gas in it: densities times cells */
    struct weir_exact_sum volume; /* that liquid leaves, in cells */
    int64_t gas_cells;            /* 0: all are at the surface, or liquid, and have gas to hand on */
    int64_t open;                 /* cells at faces of the domain that are open to the atmosphere */
    double density;               /* of all that it is joined to; 0: nobody has said, or there is no gas */
    uint32_t beside;              /* bit o: it has cells beside the block at offset o (offsets.h) */
    uint32_t unused;
};

/* A piece touches another one in the block at an offset (offsets.h). */
struct weir_gas_link {
    int32_t piece, offset, beside;
};

struct weir_gas_table {
    int32_t pieces, links;
    int32_t lacking; /* there were more of either than there is room for */
    int32_t unused;
    struct weir_gas_piece piece[WEIR_GAS_PIECES_MAX];
    struct weir_gas_link link[WEIR_GAS_LINKS_MAX];
};

#endif
