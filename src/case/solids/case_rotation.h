/* Solids whose surface turns. */
#ifndef WEIR_SRC_CASE_CASE_ROTATION_H
#define WEIR_SRC_CASE_CASE_ROTATION_H

#include "src/case/case.h"
#include "src/case/key.h"

/* Rows of the members of a solid's "rotation". */
extern const struct weir_key weir_rotation_keys[];

/* Axes by name, ends with NULL. */
extern const char *const weir_axis_names[];

/* Reads the rotation of a solid of this shape, where it has one, into the wall that its surface is, whose
 * velocity is there; without one, torque is about the shape's middle. Raises c->characteristic_velocity to
 * the greatest speed of the surface. Returns 0 or -WEIR_USAGE. */
int weir_case_read_rotation(const struct weir_json *solid, struct weir_case *c,
                            const struct weir_shape *shape, struct weir_wall *wall);

#endif
