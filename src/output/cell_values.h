/* What quantities are made of (weir_cell_values), from what a sink receives, and as sums for interpolation.
 */
#ifndef WEIR_SRC_OUTPUT_CELL_VALUES_H
#define WEIR_SRC_OUTPUT_CELL_VALUES_H

#include "graph/sink.h"
#include "src/case/quantity.h"

/* Of the cell at `place` of the observation's box, counted from its corner. gradient: whether that is wanted;
 * else it is 0. A solid cell has NaN in all. */
struct weir_cell_values weir_cell_values_at(const struct weir_case *c,
                                            const struct weir_observation *observation, const int place[3],
                                            bool gradient);

/* Adds a cell times its weight to a sum, which begins as zeros. */
void weir_cell_values_add(struct weir_cell_values *sum, double weight, const struct weir_cell_values *cell);

/* Divides a sum by its weights; without any it becomes NaN. */
void weir_cell_values_divide(struct weir_cell_values *sum, double weights);

#endif
