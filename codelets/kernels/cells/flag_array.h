/* Where the flags of a block's cells lie (block_view.h), for what fills them and makes tables of them: rows
 * along x, with a ring of cells around the block along the axes that the lattice has. */
#ifndef WEIR_KERNELS_FLAG_ARRAY_H
#define WEIR_KERNELS_FLAG_ARRAY_H

#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/lattice/lattice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_flag_array {
    int ring[3];
    ptrdiff_t row, rows; /* cells of a row, rows of a plane, rings included */
};

static inline struct weir_flag_array weir_flag_array(const struct weir_lattice_table *lattice,
                                                     const int extent[3]) {
    struct weir_flag_array array;
    for (int axis = 0; axis < 3; axis++)
        array.ring[axis] = weir_lattice_ring(lattice, axis);
    array.row = extent[0] + 2 * array.ring[0];
    array.rows = extent[1] + 2 * array.ring[1];
    return array;
}

/* Number of the row at (y, z) of the block. */
static inline ptrdiff_t weir_flag_row(const struct weir_flag_array *array, int y, int z) {
    return (z + array->ring[2]) * array->rows + y + array->ring[1];
}

/* Place of a cell of the block, or of its ring, among all flags. */
static inline ptrdiff_t weir_flag_place(const struct weir_flag_array *array, int x, int y, int z) {
    return weir_flag_row(array, y, z) * array->row + x + array->ring[0];
}

/* From a flag to that of the cell c away. */
static inline ptrdiff_t weir_flag_distance(const struct weir_flag_array *array, const int c[3]) {
    return (c[2] * array->rows + c[1]) * array->row + c[0];
}

static inline bool weir_flag_is_fluid(uint8_t flag) {
    return flag == WEIR_FLUID || flag >= WEIR_NEAR_WALL;
}

#endif
