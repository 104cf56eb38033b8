/* What a boundary does to a scalar, in a case file: what faces and solids have in common. */
#ifndef WEIR_SRC_CASE_CASE_SCALAR_H
#define WEIR_SRC_CASE_CASE_SCALAR_H

#include "src/case/case.h"
#include "src/case/key.h"

/* Rows of its keys, as members of a face or solid. */
#define WEIR_SCALAR_VALUE_KEY                                                              \
    {                                                                                      \
        .name = "scalar", .type = WEIR_KEY_NUMBER,                                         \
        .about = "The value that the scalar is kept at here, in cases with a scalar.",     \
        .otherwise = "the scalar does not pass, or leaves with the fluid where that does", \
        .examples = "[1]", .quantity = {                                                   \
            "the scalar",                                                                  \
            WEIR_DIMENSION_NONE,                                                           \
            "1"                                                                            \
        }                                                                                  \
    }
#define WEIR_SCALAR_FLUX_KEY                                                                            \
    {                                                                                                   \
        .name = "scalar_flux", .type = WEIR_KEY_NUMBER,                                                 \
        .about = "Instead of it, what comes in through the surface per area and time (SI: times m/s).", \
        .otherwise = "`0`", .examples = "[0.001]", .quantity = {                                        \
            "the flux of the scalar",                                                                   \
            WEIR_DIMENSION_VELOCITY,                                                                    \
            "0.001"                                                                                     \
        }                                                                                               \
    }

/* Reads them from the face or solid; the wall's rule for the flow is there. -WEIR_USAGE. */
int weir_case_read_scalar_rule(const struct weir_json *object, const struct weir_case *c,
                               struct weir_wall *wall);

#endif
