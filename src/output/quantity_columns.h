/* Quantities as columns of CSV tables, vectors and tensors as their components. */
#ifndef WEIR_SRC_OUTPUT_QUANTITY_COLUMNS_H
#define WEIR_SRC_OUTPUT_QUANTITY_COLUMNS_H

#include "src/case/outputs/quantity.h"

#include <stdio.h>

/* Writes ",NAME" for each component of each quantity, with `suffix` behind it. Quantities are bits 1u << enum
 * weir_quantity. */
void weir_quantity_columns_names(FILE *stream, unsigned quantities, const char *suffix);

/* Writes ",VALUE" for each, in output units. As many digits as the run's precision has; "nan" where there is
 * no value. */
void weir_quantity_columns_values(FILE *stream, unsigned quantities, const struct weir_case *c,
                                  const struct weir_cell_values *values);

/* The same of what `values` has more than `others`. */
void weir_quantity_columns_differences(FILE *stream, unsigned quantities, const struct weir_case *c,
                                       const struct weir_cell_values *values,
                                       const struct weir_cell_values *others);

#endif
