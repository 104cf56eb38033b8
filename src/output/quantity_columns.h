/* Quantities as columns of CSV tables, a vector as its components. */
#ifndef WEIR_SRC_OUTPUT_QUANTITY_COLUMNS_H
#define WEIR_SRC_OUTPUT_QUANTITY_COLUMNS_H

#include "src/case/case.h"

#include <stdio.h>

/* Writes ",NAME" for each quantity, with `suffix` behind it. Quantities are bits 1u << enum weir_quantity. */
void weir_quantity_columns_names(FILE *stream, unsigned quantities, const char *suffix);

/* Writes ",VALUE" for each, in output units, of these values in lattice units: density, velocity, scalar. As
 * many digits as the run's precision has; "nan" where there is none. */
void weir_quantity_columns_values(FILE *stream, unsigned quantities, const struct weir_case *c,
                                  const double values[5]);

#endif
