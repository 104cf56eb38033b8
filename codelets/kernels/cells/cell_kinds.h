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
    WEIR_LIST,  /* the fluid cells only, in the same order: cell_list.h */
    WEIR_CELL_KIND_COUNT
};

/* Tables of a kind, at most. */
enum { WEIR_CELL_TABLES = 3 };

/* The cells that a block keeps. */
struct weir_kept_cells {
    enum weir_cell_kind kind;
    int64_t count;
};

/* What a step of a fluid cell costs, what it costs more where a wall is beside it that is no face of the
 * domain, and what a solid cell costs; in one unit for all kinds. */
struct weir_cell_costs {
    double fluid, wall, solid;
};

struct weir_cell_kind_row {
    const char *name; /* in kernel texts, as WEIR_CELLS */
    /* Populations of so many cells lie together for each direction; 1: those of all the block's cells. */
    int together;
    /* Bytes of the tables by which kernels find cells in the arrays, of a block of extent[3] cells that keeps
     * `kept`, and what fills them: table k lies table[k] bytes behind the beginning of the block's geometry,
     * which the flags are (block_view.h). NULL: they need none. */
    void (*table_bytes)(const struct weir_lattice_table *lattice, const int extent[3], int64_t kept,
                        size_t bytes[WEIR_CELL_TABLES]);
    void (*fill_tables)(const struct weir_lattice_table *lattice, const int extent[3], int64_t kept,
                        void *geometry, const size_t table[WEIR_CELL_TABLES]);
    struct weir_cell_costs cost; /* where nothing is measured */
};

/* What a step of so many cells costs, `wall` of the fluid ones beside walls. */
static inline double weir_cells_cost(const struct weir_cell_costs *cost, double fluid, double wall,
                                     double solid) {
    return cost->fluid * fluid + cost->wall * wall + cost->solid * solid;
}

/* By enum weir_cell_kind. */
extern const struct weir_cell_kind_row weir_cell_kinds[WEIR_CELL_KIND_COUNT];

/* Cells that a block with so many keeps, of which some are fluid. */
struct weir_kept_cells weir_kept_cells(enum weir_cell_kind kind, int64_t cells, int64_t fluid);

#endif
