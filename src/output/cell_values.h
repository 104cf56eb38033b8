/* What quantities are made of (weir_cell_values), from what a sink receives, and as sums for interpolation.
 */
#ifndef WEIR_SRC_OUTPUT_CELL_VALUES_H
#define WEIR_SRC_OUTPUT_CELL_VALUES_H

#include "graph/sink.h"
#include "src/case/outputs/quantity.h"

/* Before any cell is looked at. */
struct weir_cell_values weir_cell_values_begin(const struct weir_case *c);

/* Turns to the cell at `place` of the observation's box, counted from its corner. gradient: whether that is
 * wanted; else it is left alone. A solid cell has NaN in all, but for the scalar of one that conducts
 * it. Called for every cell of an output. */
static inline void weir_cell_values_turn(struct weir_cell_values *values,
                                         const struct weir_observation *observation, const int place[3],
                                         bool gradient) {
    const int *extent = observation->box.extent;
    const size_t cell =
        ((size_t)place[2] * (size_t)extent[1] + (size_t)place[1]) * (size_t)extent[0] + (size_t)place[0];
    values->density = observation->density[cell];
    for (int axis = 0; axis < 3; axis++)
        values->velocity[axis] = observation->velocity[axis][cell];
    if (observation->fifth)
        values->fifth = observation->fifth[cell];
    if (observation->eddy_viscosity)
        values->eddy_viscosity = observation->eddy_viscosity[cell];
    for (int k = 0; observation->covariance[0] && k < 6; k++)
        values->covariance[k] = observation->covariance[k][cell];
    if (gradient)
        weir_observation_gradient(observation, place, values->gradient);
}

/* A weighted mean of cells, which begins as zeros: of what flows over those in which anything does, and of
 * the scalar over those that have one, solids that conduct it too. */
struct weir_cell_sum {
    struct weir_cell_values values;
    double weights, weights_of_fifth;
};

/* Adds a cell times its weight. */
void weir_cell_sum_add(struct weir_cell_sum *sum, double weight, const struct weir_cell_values *cell);

/* The mean; NaN without any cell. */
struct weir_cell_values weir_cell_sum_mean(const struct weir_cell_sum *sum);

#endif
