/* A scaling as JSON: every number and every repeat, what the page shows included. docs/cluster.md describes
 * it. */
#ifndef WEIR_SRC_SCALE_SCALE_JSON_H
#define WEIR_SRC_SCALE_SCALE_JSON_H

#include "src/scale/scale_plan.h"

#include <jansson.h>

/* The document; a new reference. seconds: that the whole measurement took. -WEIR_FAILED when memory is short.
 */
int weir_scale_document(const struct weir_scale_plan *plan, const struct weir_scaling *scaling,
                        double seconds, json_t **document);

#endif
