/* What a boundary does to a scalar, in a case file: what faces and solids have in common. */
#ifndef WEIR_SRC_CASE_CASE_SCALAR_H
#define WEIR_SRC_CASE_CASE_SCALAR_H

#include "src/case/case.h"
#include "src/case/initial_formulas.h"
#include "src/case/key.h"

/* Rows of its keys, as members of a solid, which are numbers (of_type: WEIR_KEY_NUMBER, and no schema), or of
 * a face, which may be formulas or tables (WEIR_KEY_OTHER, WEIR_PROFILE_SCHEMA). */
#define WEIR_SCALAR_VALUE_KEY(of_type, of_schema)                                          \
    {                                                                                      \
        .name = "scalar", .type = of_type, .schema = of_schema,                            \
        .about = "The value that the scalar is kept at here, in cases with a scalar.",     \
        .otherwise = "the scalar does not pass, or leaves with the fluid where that does", \
        .examples = "[1]", .quantity = {                                                   \
            "the scalar",                                                                  \
            WEIR_DIMENSION_NONE,                                                           \
            "1"                                                                            \
        }                                                                                  \
    }
#define WEIR_SCALAR_FLUX_KEY(of_type, of_schema)                                                        \
    {                                                                                                   \
        .name = "scalar_flux", .type = of_type, .schema = of_schema,                                    \
        .about = "Instead of it, what comes in through the surface per area and time (SI: times m/s).", \
        .otherwise = "`0`", .examples = "[0.001]", .quantity = {                                        \
            "the flux of the scalar",                                                                   \
            WEIR_DIMENSION_VELOCITY,                                                                    \
            "0.001"                                                                                     \
        }                                                                                               \
    }

/* Reads a diffusivity of the scalar where a volume takes up `capacity` times as much of it as fluid does.
 * relaxation_time (out): of its odd moments there. -WEIR_USAGE. */
int weir_case_read_diffusivity(const struct weir_json *json, const struct weir_case *c, double capacity,
                               double *relaxation_time);

/* Reads them from the face or solid; the wall's rule for the flow is there. component: of a face, which keeps
 * a formula; NULL: there may be none. -WEIR_USAGE. */
int weir_case_read_scalar_rule(const struct weir_json *object, const struct weir_case *c,
                               struct weir_wall *wall, struct weir_initial_component *component);

#endif
