#include "src/output/cell_values.h"

#include <math.h>

struct weir_cell_values weir_cell_values_at(const struct weir_case *c,
                                            const struct weir_observation *observation, const int place[3],
                                            bool gradient) {
    const int *extent = observation->box.extent;
    const size_t cell =
        ((size_t)place[2] * (size_t)extent[1] + (size_t)place[1]) * (size_t)extent[0] + (size_t)place[0];
    struct weir_cell_values values = {
        .density = observation->density[cell],
        .velocity = {observation->velocity[0][cell], observation->velocity[1][cell],
                     observation->velocity[2][cell]},
        .scalar = observation->scalar ? observation->scalar[cell] : 0.0,
        .viscosity = (c->problem.relaxation_time - 0.5) / 3.0,
    };
    if (gradient)
        weir_observation_gradient(observation, place, values.gradient);
    return values;
}

void weir_cell_values_add(struct weir_cell_values *sum, double weight, const struct weir_cell_values *cell) {
    sum->density += weight * cell->density;
    sum->scalar += weight * cell->scalar;
    for (int a = 0; a < 3; a++) {
        sum->velocity[a] += weight * cell->velocity[a];
        for (int b = 0; b < 3; b++)
            sum->gradient[a][b] += weight * cell->gradient[a][b];
    }
    sum->viscosity = cell->viscosity;
}

void weir_cell_values_divide(struct weir_cell_values *sum, double weights) {
    const double total = weights > 0.0 ? weights : NAN;
    sum->density /= total;
    sum->scalar /= total;
    for (int a = 0; a < 3; a++) {
        sum->velocity[a] /= total;
        for (int b = 0; b < 3; b++)
            sum->gradient[a][b] /= total;
    }
}
