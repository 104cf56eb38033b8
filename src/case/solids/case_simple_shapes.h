/* Spheres, boxes and cylinders: shapes of solids, and of parts of faces. */
#ifndef WEIR_SRC_CASE_CASE_SIMPLE_SHAPES_H
#define WEIR_SRC_CASE_CASE_SIMPLE_SHAPES_H

#include "src/case/case.h"
#include "src/case/key.h"

/* Rows of their members. */
extern const struct weir_key weir_sphere_keys[], weir_box_keys[], weir_cylinder_keys[];

/* Each reads one from an object, in cell widths. Return 0 or -WEIR_USAGE: also for what lies outside the
 * domain.
 */
int weir_case_read_sphere(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape);
int weir_case_read_box(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape);
int weir_case_read_cylinder(const struct weir_json *json, const struct weir_case *c,
                            struct weir_shape *shape);

#endif
