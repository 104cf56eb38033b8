/* The cells around a point, for linear interpolation between their centres. Within half a cell of the
 * domain's edge there is nothing to interpolate with, and the cells at the edge count as they are. */
#ifndef WEIR_SRC_CASE_OUTPUTS_POINT_CELLS_H
#define WEIR_SRC_CASE_OUTPUTS_POINT_CELLS_H

#include "graph/problem/box.h"

struct weir_point_cells {
    struct weir_box box;   /* 1 or 2 cells along each axis */
    double high_weight[3]; /* of the higher of two */
};

/* position: in cell widths from the domain's low corner, which has `cells` cells per axis. */
struct weir_point_cells weir_point_cells(const int cells[3], const double position[3]);

/* The weight along one axis of the cell at `place`, 0 or 1 from the box's origin. */
double weir_point_weight(const struct weir_point_cells *cells, int axis, int place);

#endif
