/* The tables of blocks that are lists of fluid cells (cell_list.h), made from flags. */
#ifndef WEIR_KERNELS_LIST_TABLES_H
#define WEIR_KERNELS_LIST_TABLES_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "codelets/kernels/cells/cell_list.h"

/* Numbers of the tables. */
enum { WEIR_LIST_SEGMENTS, WEIR_LIST_POSITIONS, WEIR_LIST_MARKS };

/* Bytes of each, of a block of extent[3] cells of which `kept` are fluid. */
void weir_list_table_bytes(const struct weir_lattice_table *lattice, const int extent[3], int64_t kept,
                           size_t bytes[WEIR_CELL_TABLES]);

/* Fills them, table k in geometry + table[k], from the flags that are at the beginning of the geometry. */
void weir_list_tables_fill(const struct weir_lattice_table *lattice, const int extent[3], int64_t kept,
                           void *geometry, const size_t table[WEIR_CELL_TABLES]);

/* Where a view finds them. table 0, 0, 0: the block has none. */
struct weir_cell_list weir_cell_list_in(const void *geometry, const size_t table[WEIR_CELL_TABLES]);

#endif
