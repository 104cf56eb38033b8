#include "src/output/cell_values.h"

#include <math.h>

struct weir_cell_values weir_cell_values_begin(const struct weir_case *c) {
    return (struct weir_cell_values){.viscosity = weir_problem_viscosity(&c->problem),
                                     .thermal = weir_problem_is_thermal(&c->problem),
                                     .phases = c->problem.phases.present ? &c->problem.phases : NULL};
}

void weir_cell_sum_add(struct weir_cell_sum *sum, double weight, const struct weir_cell_values *cell) {
    struct weir_cell_values *const values = &sum->values;
    values->viscosity = cell->viscosity;
    values->phases = cell->phases;
    values->thermal = cell->thermal;
    if (!isnan(cell->fifth)) {
        values->fifth += weight * cell->fifth;
        sum->weights_of_fifth += weight;
    }
    if (isnan(cell->density))
        return;
    sum->weights += weight;
    values->density += weight * cell->density;
    values->eddy_viscosity += weight * cell->eddy_viscosity;
    for (int a = 0; a < 3; a++) {
        values->velocity[a] += weight * cell->velocity[a];
        for (int b = 0; b < 3; b++)
            values->gradient[a][b] += weight * cell->gradient[a][b];
    }
}

struct weir_cell_values weir_cell_sum_mean(const struct weir_cell_sum *sum) {
    struct weir_cell_values mean = sum->values;
    const double total = sum->weights > 0.0 ? sum->weights : NAN;
    mean.fifth /= sum->weights_of_fifth > 0.0 ? sum->weights_of_fifth : NAN;
    mean.density /= total;
    mean.eddy_viscosity /= total;
    for (int a = 0; a < 3; a++) {
        mean.velocity[a] /= total;
        for (int b = 0; b < 3; b++)
            mean.gradient[a][b] /= total;
    }
    return mean;
}
