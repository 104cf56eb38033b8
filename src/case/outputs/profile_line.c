#include "src/case/outputs/profile_line.h"

#include <math.h>

struct weir_profile_line weir_profile_line(const struct weir_problem *problem,
                                           const struct weir_output *output) {
    static const double slack = 1e-9; /* cell widths: rounding of ends computed from SI */
    struct weir_profile_line line = {.axis = 0};
    while (line.axis < 2 && output->from[line.axis] >= output->to[line.axis])
        line.axis++;
    const double last_cell = problem->cells[line.axis] - 1.0;
    line.first = (int)fmax(ceil(output->from[line.axis] - 0.5 - slack), 0.0);
    line.last = (int)fmin(floor(output->to[line.axis] - 0.5 + slack), last_cell);
    return line;
}
