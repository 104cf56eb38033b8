/* Solids of a case that are neither ball, box nor cylinder: their keys, and what becomes of them. */
#ifndef WEIR_SRC_CASE_CASE_REGIONS_H
#define WEIR_SRC_CASE_CASE_REGIONS_H

#include "src/case/case.h"
#include "src/case/key.h"

extern const struct weir_key weir_spheres_keys[];

/* Each reads the value of the key of that name in a solid's entry into a shape of type WEIR_REGION, whose
 * region is then the shape's. Returns 0, -WEIR_USAGE, or -WEIR_FAILED when memory is short. */
int weir_case_read_formula_solid(const struct weir_json *json, const struct weir_case *c,
                                 struct weir_shape *shape);
int weir_case_read_spheres_solid(const struct weir_json *json, const struct weir_case *c,
                                 struct weir_shape *shape);

#endif
