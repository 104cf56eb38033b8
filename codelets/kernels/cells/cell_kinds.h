/* How blocks keep their cells: a row for each kind. What a kind decides is where in a block's arrays a cell
 * lies, and so how large these are; messages, flags and arithmetic are the same for all.
 *
 * Kernel texts are compiled for a kind (WEIR_CELLS); what they ask of it is in kept_cells.h. */
#ifndef WEIR_KERNELS_CELL_KINDS_H
#define WEIR_KERNELS_CELL_KINDS_H

#include "codelets/kernels/lattice/lattice.h"

#include <stddef.h>
#include <stdint.h>

enum weir_cell_kind {
    WEIR_BRICK, /* all cells, x fastest */
    WEIR_LIST,  /* the fluid cells only, in the same order */
    WEIR_CELL_KIND_COUNT
};

/* The cells that a block keeps. */
struct weir_kept_cells {
    enum weir_cell_kind kind;
    int64_t count;
};

struct weir_cell_kind_row {
    const char *name; /* in kernel texts, as WEIR_CELLS */
    /* Bytes of the table by which kernels find cells in the arrays, of a block of extent[3] cells, and what
     * fills it, from flags as block_view.h has them. NULL: they need none. */
    size_t (*table_bytes)(const int extent[3]);
    void (*fill_table)(const struct weir_lattice_table *lattice, const int extent[3], const uint8_t *flags,
                       void *table);
    /* What a step of a fluid and of a solid cell costs, in steps of fluid cells of bricks. */
    double fluid_cost, solid_cost;
};

/* By enum weir_cell_kind. */
extern const struct weir_cell_kind_row weir_cell_kinds[WEIR_CELL_KIND_COUNT];

/* Cells that a block with so many keeps, of which some are fluid. */
struct weir_kept_cells weir_kept_cells(enum weir_cell_kind kind, int64_t cells, int64_t fluid);

#endif
