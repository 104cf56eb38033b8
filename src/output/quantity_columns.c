#include "src/output/quantity_columns.h"

#include "src/case/quantity.h"

#include <math.h>

void weir_quantity_columns_names(FILE *stream, unsigned quantities, const char *suffix) {
    const unsigned scalars = weir_quantity_scalars(quantities);
    for (enum weir_quantity q = 0; q < WEIR_QUANTITY_COUNT; q++)
        if (scalars & 1u << q)
            fprintf(stream, ",%s%s", weir_quantity_row(q)->name, suffix);
}

void weir_quantity_columns_values(FILE *stream, unsigned quantities, const struct weir_case *c,
                                  const double values[5]) {
    const unsigned scalars = weir_quantity_scalars(quantities);
    const int digits = c->problem.precision != WEIR_DOUBLE ? 9 : 17;
    for (enum weir_quantity q = 0; q < WEIR_QUANTITY_COUNT; q++) {
        if (!(scalars & 1u << q))
            continue;
        const double value =
            weir_quantity_value(q, 0, values[0], values + 1, values[4]) * weir_quantity_scale(q, &c->units);
        if (isnan(value))
            fputs(",nan", stream); /* printf may write -nan */
        else
            fprintf(stream, ",%.*g", digits, value);
    }
}
