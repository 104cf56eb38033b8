/* What files of fields hold: an array for each quantity, and where the case has solids the mask "solid". */
#ifndef WEIR_SRC_OUTPUT_FORMATS_FIELD_ARRAYS_H
#define WEIR_SRC_OUTPUT_FORMATS_FIELD_ARRAYS_H

#include "src/case/case.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

/* Numbers of the arrays: those of enum weir_quantity, and the mask. */
enum { WEIR_SOLID_ARRAY = WEIR_QUANTITY_COUNT, WEIR_FIELD_ARRAYS };

/* Whether the files of an output of type fields or averages have an array. */
bool weir_field_array_wanted(const struct weir_case *c, const struct weir_output *output, int array);

const char *weir_field_array_name(int array);

/* UTF-8; "" where it has none. */
const char *weir_field_array_unit(const struct weir_case *c, int array);

/* Numbers of a cell: 1, 3 or 6. */
int weir_field_array_components(int array);

/* Bytes of a number, and its type, which is the library's own. */
size_t weir_field_array_value_bytes(const struct weir_case *c, int array);
hid_t weir_field_array_type(const struct weir_case *c, int array);

#endif
