#include "src/report/json_numbers.h"

#include <math.h>

json_t *weir_json_of_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *weir_json_of_spread(const struct weir_spread *spread) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i}", "median", weir_json_of_number(spread->median),
                     "low_quartile", weir_json_of_number(spread->low), "high_quartile",
                     weir_json_of_number(spread->high), "least", weir_json_of_number(spread->least), "most",
                     weir_json_of_number(spread->most), "count", spread->count);
}

json_t *weir_json_of_values(const struct weir_spread *spread, const double *values) {
    json_t *object = weir_json_of_spread(spread), *list = json_array();
    for (int k = 0; k < spread->count; k++)
        json_array_append_new(list, weir_json_of_number(values[k]));
    json_object_set_new(object, "values", list);
    return object;
}
