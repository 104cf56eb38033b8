/* Solids that conduct the scalar. */
#ifndef WEIR_SRC_CASE_CASE_CONDUCTOR_H
#define WEIR_SRC_CASE_CASE_CONDUCTOR_H

#include "src/case/case.h"
#include "src/case/key.h"
#include "src/common/json_reader.h"

extern const struct weir_key weir_conductor_keys[];

/* Reads what a solid is made of, an object, into the shape; conductors that are alike are one. -WEIR_USAGE.
 */
int weir_case_read_conductor(const struct weir_json *json, struct weir_case *c, struct weir_shape *shape);

#endif
