/* Which cells of the domain files of fields have: those of a region, or of it every n-th along each axis. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_FIELD_GRID_H
#define WEIR_SRC_OUTPUT_FORMATS_FIELD_GRID_H

#include "src/case/case.h"

/* Cell k of a file along an axis stands for `stride` cells of the domain, origin + k * stride and those that
 * follow, and has the values of the one in their middle. */
struct weir_field_grid {
    int origin[3], stride[3];
    int count[3]; /* cells of a file */
};

/* Of an output of type fields or averages. Across a plane, one cell thick, the stride is 1. */
static inline struct weir_field_grid weir_field_grid(const struct weir_output *output) {
    struct weir_field_grid grid;
    for (int axis = 0; axis < 3; axis++) {
        const int extent = output->region.extent[axis];
        grid.origin[axis] = output->region.origin[axis];
        grid.stride[axis] = extent == 1 ? 1 : (int)output->stride;
        grid.count[axis] = extent / grid.stride[axis];
    }
    return grid;
}

/* The cell of the domain whose values cell k of a file has. */
static inline int weir_field_grid_cell(const struct weir_field_grid *grid, int axis, int k) {
    return grid->origin[axis] + k * grid->stride[axis] + grid->stride[axis] / 2;
}

/* Where the file's grid begins, in cell widths of the domain: so that its cells have their values' places in
 * their middles. */
static inline double weir_field_grid_begin(const struct weir_field_grid *grid, int axis) {
    return weir_field_grid_cell(grid, axis, 0) + 0.5 - 0.5 * grid->stride[axis];
}

#endif
