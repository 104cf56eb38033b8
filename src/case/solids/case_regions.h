/* Solids of a case that are neither ball, box nor cylinder: their keys, and what becomes of them. */
#ifndef WEIR_SRC_CASE_CASE_REGIONS_H
#define WEIR_SRC_CASE_CASE_REGIONS_H

#include "src/case/case.h"
#include "src/case/key.h"

extern const struct weir_key weir_spheres_keys[], weir_minimal_surface_keys[], weir_vessel_tree_keys[],
    weir_volume_keys[], weir_mesh_keys[], weir_text_keys[];

/* Rows for the corners of a box; text: what the first says of itself. */
#define WEIR_KEY_OF_LOW_CORNER(text)                                                \
    {                                                                               \
        .name = "from", .type = WEIR_KEY_NUMBER, .per_axis = true, .about = (text), \
        .otherwise = "the domain's", .examples = "[[4, 4, 4]]", .quantity = {       \
            "the low corner",                                                       \
            WEIR_DIMENSION_LENGTH,                                                  \
            "10"                                                                    \
        }                                                                           \
    }
#define WEIR_KEY_OF_HIGH_CORNER                                                               \
    {                                                                                         \
        .name = "to", .type = WEIR_KEY_NUMBER, .per_axis = true, .about = "Its high corner.", \
        .otherwise = "the domain's", .examples = "[[12, 12, 12]]", .quantity = {              \
            "the high corner",                                                                \
            WEIR_DIMENSION_LENGTH,                                                            \
            "20"                                                                              \
        }                                                                                     \
    }

/* Each reads the value of the key of that name in a solid's entry into a shape of type WEIR_REGION, whose
 * region is then the shape's. Returns 0, -WEIR_USAGE, -WEIR_FAILED when memory is
 * short, or -WEIR_UNAVAILABLE for meshes in a build that reads none. */
int weir_case_read_formula_solid(const struct weir_json *json, const struct weir_case *c,
                                 struct weir_shape *shape);
int weir_case_read_spheres_solid(const struct weir_json *json, const struct weir_case *c,
                                 struct weir_shape *shape);
int weir_case_read_minimal_surface(const struct weir_json *json, const struct weir_case *c,
                                   struct weir_shape *shape);
int weir_case_read_vessel_tree(const struct weir_json *json, const struct weir_case *c,
                               struct weir_shape *shape);
int weir_case_read_volume_solid(const struct weir_json *json, const struct weir_case *c,
                                struct weir_shape *shape);

int weir_case_read_mesh_solid(const struct weir_json *json, const struct weir_case *c,
                              struct weir_shape *shape);

int weir_case_read_text_solid(const struct weir_json *json, const struct weir_case *c,
                              struct weir_shape *shape);

/* The region becomes the shape's. Returns 0. */
int weir_shape_use_region(struct weir_shape *shape, struct weir_region *region);

/* Passes a mistake, the last error, on with the key that has it; other errors and 0 as they are. */
int weir_case_name_key(const struct weir_json *json, int error);

#endif
