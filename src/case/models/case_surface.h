/* What walls are to a liquid with a free surface, in a case file: what faces, their parts and solids have in
 * common. */
#ifndef WEIR_SRC_CASE_CASE_SURFACE_H
#define WEIR_SRC_CASE_CASE_SURFACE_H

#include "src/case/case.h"
#include "src/case/key.h"

#define WEIR_ANGLE_LEAST 30.0
#define WEIR_ANGLE_MOST 150.0
#define WEIR_ANGLE_WANTED "degrees from 30 to 150, such as 60"

/* The row of its key; of_kinds: as of a key, where it is of boundaries of several types. */
#define WEIR_CONTACT_ANGLE_KEY(of_kinds)                                                                 \
    {                                                                                                    \
        .name = "contact_angle", .type = WEIR_KEY_NUMBER, .least = WEIR_ANGLE_LEAST,                     \
        .most = WEIR_ANGLE_MOST,                                                                         \
        .about =                                                                                         \
            "In cases with a free surface that has a tension: the angle, in degrees, at which it meets " \
            "this wall, in the liquid.",                                                                 \
        .more = "[Numerics](numerics.md#tension).", .otherwise = "as `free_surface` says",               \
        .examples = "[120]", .wanted = WEIR_ANGLE_WANTED, .kinds = of_kinds                              \
    }

/* Reads it from the face, part or solid; refuses it where no surface has a tension. -WEIR_USAGE. */
int weir_case_read_contact_angle(const struct weir_json *object, const struct weir_case *c,
                                 struct weir_wall *wall);

#endif
