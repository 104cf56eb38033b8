#include "src/case/outputs/point_cells.h"

#include <math.h>

struct weir_point_cells weir_point_cells(const int cells[3], const double position[3]) {
    struct weir_point_cells around;
    for (int axis = 0; axis < 3; axis++) {
        const double centre = fmin(fmax(position[axis] - 0.5, 0.0), cells[axis] - 1.0);
        const int low = (int)floor(centre);
        around.box.origin[axis] = low;
        around.high_weight[axis] = centre - low;
        around.box.extent[axis] = around.high_weight[axis] > 0.0 ? 2 : 1;
    }
    return around;
}

double weir_point_weight(const struct weir_point_cells *cells, int axis, int place) {
    if (cells->box.extent[axis] == 1)
        return 1.0;
    return place == 1 ? cells->high_weight[axis] : 1.0 - cells->high_weight[axis];
}
