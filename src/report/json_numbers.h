/* Measured numbers in the JSON of reports. The values returned are the caller's. */
#ifndef WEIR_SRC_REPORT_JSON_NUMBERS_H
#define WEIR_SRC_REPORT_JSON_NUMBERS_H

#include "src/common/statistics.h"

#include <jansson.h>

/* A finite number, or null. */
json_t *weir_json_of_number(double value);

/* median, low and high quartile, least, most, count. */
json_t *weir_json_of_spread(const struct weir_spread *spread);

/* The same with all values in order of time. */
json_t *weir_json_of_values(const struct weir_spread *spread, const double *values);

#endif
