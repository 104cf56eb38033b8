#include "src/output/cell_values.h"

#include <math.h>

struct weir_cell_values weir_cell_values_begin(const struct weir_case *c) {
    return (struct weir_cell_values){.viscosity = weir_problem_viscosity(&c->problem),
                                     .thermal = weir_problem_is_thermal(&c->problem),
                                     .phases = c->problem.phases.present ? &c->problem.phases : NULL};
}

void weir_cell_values_add(struct weir_cell_values *sum, double weight, const struct weir_cell_values *cell) {
    sum->density += weight * cell->density;
    sum->fifth += weight * cell->fifth;
    sum->eddy_viscosity += weight * cell->eddy_viscosity;
    for (int a = 0; a < 3; a++) {
        sum->velocity[a] += weight * cell->velocity[a];
        for (int b = 0; b < 3; b++)
            sum->gradient[a][b] += weight * cell->gradient[a][b];
    }
    sum->viscosity = cell->viscosity;
    sum->phases = cell->phases;
    sum->thermal = cell->thermal;
}

void weir_cell_values_divide(struct weir_cell_values *sum, double weights) {
    const double total = weights > 0.0 ? weights : NAN;
    sum->density /= total;
    sum->fifth /= total;
    sum->eddy_viscosity /= total;
    for (int a = 0; a < 3; a++) {
        sum->velocity[a] /= total;
        for (int b = 0; b < 3; b++)
            sum->gradient[a][b] /= total;
    }
}
