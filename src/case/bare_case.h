/* A case for measuring: as it is, but without what takes time beside the steps. */
#ifndef WEIR_SRC_CASE_BARE_CASE_H
#define WEIR_SRC_CASE_BARE_CASE_H

#include "src/case/case.h"

#include <jansson.h>

/* The case as JSON, in blocks of this size, without outputs, checks on the way and tests for a steady flow. A
 * new reference; NULL when memory is short. */
json_t *weir_bare_case(const struct weir_case *c, const int block_cells[3]);

/* The object under a key, made where it is missing. Borrowed. */
json_t *weir_bare_case_object(json_t *root, const char *key);

/* Writes it as a case file. Error: -WEIR_FAILED. */
int weir_bare_case_write(const json_t *root, const char *path);

#endif
