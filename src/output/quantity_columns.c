#include "src/output/quantity_columns.h"

#include "codelets/kernels/cells/precisions.h"

#include <math.h>

void weir_quantity_columns_names(FILE *stream, unsigned quantities, const char *suffix) {
    const unsigned columns = weir_quantities_without_repetition(quantities);
    for (enum weir_quantity q = 0; q < WEIR_QUANTITY_COUNT; q++)
        for (int k = 0; columns & 1u << q && k < weir_quantity_components(q); k++)
            fprintf(stream, ",%s%s%s", weir_quantity_row(q)->name, weir_quantity_component_name(q, k),
                    suffix);
}

static void write_value(FILE *stream, int digits, double value) {
    if (isnan(value))
        fputs(",nan", stream); /* printf may write -nan */
    else
        fprintf(stream, ",%.*g", digits, value);
}

/* others: NULL, or what is to be taken from `values`. */
static void write_values(FILE *stream, unsigned quantities, const struct weir_case *c,
                         const struct weir_cell_values *values, const struct weir_cell_values *others) {
    const unsigned columns = weir_quantities_without_repetition(quantities);
    const int digits = weir_precision_row(c->problem.precision)->digits;
    for (enum weir_quantity q = 0; q < WEIR_QUANTITY_COUNT; q++)
        for (int k = 0; columns & 1u << q && k < weir_quantity_components(q); k++)
            write_value(
                stream, digits,
                (weir_quantity_value(q, k, values) - (others ? weir_quantity_value(q, k, others) : 0.0)) *
                    weir_quantity_scale(q, &c->units));
}

void weir_quantity_columns_values(FILE *stream, unsigned quantities, const struct weir_case *c,
                                  const struct weir_cell_values *values) {
    write_values(stream, quantities, c, values, NULL);
}

void weir_quantity_columns_differences(FILE *stream, unsigned quantities, const struct weir_case *c,
                                       const struct weir_cell_values *values,
                                       const struct weir_cell_values *others) {
    write_values(stream, quantities, c, values, others);
}
