/* Values of a case file that are given as tables: {"table": "inlet.csv", "column": "u"}. */
#ifndef WEIR_SRC_CASE_CASE_TABLES_H
#define WEIR_SRC_CASE_CASE_TABLES_H

#include "src/case/value_table.h"
#include "src/common/json_reader.h"

/* What the schema says of a value that may be a number, a formula or a table; more: of numbers. */
#define WEIR_PROFILE_SCHEMA(more)                            \
    "{\"type\": [\"number\", \"string\", \"object\"], " more \
    "\"required\": [\"table\"], \"maxProperties\": 3}"

/* Puts the columns of tables that boundaries of the case name by files, as seen from its own, in the place of
 * the files' names, so that the case holds all that it computes with, in its checkpoints as well. Errors:
 * -WEIR_USAGE with file, line and column. */
int weir_case_load_tables(json_t *root, const struct weir_json_source *source);

/* Reads such a value, whose columns are there. *result is the caller's. -WEIR_USAGE; -WEIR_FAILED when memory
 * is short. */
int weir_case_read_table(const struct weir_json *json, struct weir_value_table **result);

#endif
