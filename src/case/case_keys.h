/* Every key a case file may have. configs/schema.json describes the same keys to editors;
 * tests/system/test_schema.py holds the two together. */
#ifndef WEIR_SRC_CASE_CASE_KEYS_H
#define WEIR_SRC_CASE_CASE_KEYS_H

#include "src/common/json_reader.h"

#include <stdio.h>

/* One row per object of a case file, the root first; ends with object == NULL. */
extern const struct weir_json_keys weir_case_keys[];

/* The same for a file that ranks.map names. */
extern const struct weir_json_keys weir_case_map_keys[];

/* Prints every key with its path, one per line: "run.steps", "output[].every". */
void weir_case_print_keys(FILE *stream);

#endif
