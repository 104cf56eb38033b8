/* Rows of the keys of outputs, for the reader. */
#ifndef WEIR_SRC_CASE_OUTPUTS_OUTPUT_KEYS_H
#define WEIR_SRC_CASE_OUTPUTS_OUTPUT_KEYS_H

#include "src/case/key.h"

/* Numbers of the rows of weir_output_keys (case_sections.h). A key has several where it means different
 * things in outputs of different types. */
enum weir_output_key {
    OUTPUT_TYPE,
    OUTPUT_NAME,
    OUTPUT_EVERY,
    OUTPUT_EVERY_OF_SERIES,
    OUTPUT_EVERY_OF_PROBES,
    OUTPUT_EVERY_OF_AVERAGES,
    OUTPUT_START,
    OUTPUT_FIELDS,
    OUTPUT_FIELDS_OF_AVERAGES,
    OUTPUT_PLANE,
    OUTPUT_FIELD,
    OUTPUT_RANGE,
    OUTPUT_PIXELS,
    OUTPUT_STREAMLINES,
    OUTPUT_FROM,
    OUTPUT_TO,
    OUTPUT_FROM_OF_FIELDS,
    OUTPUT_TO_OF_FIELDS,
    OUTPUT_STRIDE,
    OUTPUT_FROM_OF_FLUX,
    OUTPUT_TO_OF_FLUX,
    OUTPUT_FACES,
    OUTPUT_COEFFICIENTS,
    OUTPUT_NUSSELT,
    OUTPUT_STATISTICS,
    OUTPUT_COMPRESSED,
    OUTPUT_FORMAT,
    OUTPUT_POINTS,
    OUTPUT_DIFFERENCES,
    OUTPUT_BODIES
};

/* Members of output[].coefficients. */
extern const struct weir_key weir_coefficient_keys[];

/* Members of output[].nusselt. */
extern const struct weir_key weir_nusselt_keys[];

/* Names of the types, in the order of enum weir_output_type, ended by NULL; static. */
const char *const *weir_output_type_names(void);

#endif
