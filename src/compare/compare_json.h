/* A comparison as JSON: every number and every repeat, what the page shows included. docs/compare.md
 * describes it. */
#ifndef WEIR_SRC_COMPARE_COMPARE_JSON_H
#define WEIR_SRC_COMPARE_COMPARE_JSON_H

#include "src/compare/comparison.h"

#include <jansson.h>

/* The document; a new reference. seconds: that the whole comparison took. -WEIR_FAILED when memory is short.
 */
int weir_compare_document(const struct weir_comparison *comparison, double seconds, json_t **document);

#endif
