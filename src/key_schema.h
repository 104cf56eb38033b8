/* configs/schema.json, made from the rows of keys. */
#ifndef WEIR_SRC_KEY_SCHEMA_H
#define WEIR_SRC_KEY_SCHEMA_H

#include <jansson.h>
#include <stdio.h>

/* The schema of a case file (JSON Schema, draft 7): a new reference; NULL when memory is short. */
json_t *weir_key_schema(void);

/* Writes JSON with what fits on a line of 120 characters on one. */
void weir_key_schema_print(const json_t *schema, FILE *stream);

#endif
