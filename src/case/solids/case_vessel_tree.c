/* Solids around trees of vessels. */
#include "graph/base/error.h"
#include "src/case/case_values.h"
#include "src/case/solids/case_regions.h"
#include "src/case/solids/case_rotation.h"
#include "src/geometry/vessel_tree.h"

#include <string.h>

/* What is read of it. */
struct vessels {
    int64_t generations, seed;
    double asymmetry, exponent, irregularity;
    bool planar;
};

enum { RADIUS, GENERATIONS, AXIS, PLANAR, ASYMMETRY, EXPONENT, IRREGULARITY, SEED };
const struct weir_key weir_vessel_tree_keys[] = {
    [RADIUS] = {.name = "radius",
                .type = WEIR_KEY_NUMBER,
                .needed = true,
                .positive = true,
                .about = "Radius of the stem in cell widths (SI: m).",
                .examples = "[2]",
                .example = "10",
                .quantity = {"the radius", WEIR_DIMENSION_LENGTH, "10"}},
    [GENERATIONS] = {.name = "generations",
                     .type = WEIR_KEY_INTEGER,
                     .about = "How often vessels divide in two.",
                     .fallback = "2",
                     .least = 1,
                     .most = WEIR_VESSEL_GENERATIONS_MOST,
                     .examples = "[1]",
                     .wanted = "a number of generations, such as 2",
                     WEIR_KEY_AT(struct vessels, generations)},
    [AXIS] = {.name = "axis",
              .type = WEIR_KEY_CHOICE,
              .about = "The axis along which they go through the domain, from the middle of its low face to "
                       "its high one.",
              .fallback = "\"x\"",
              .choices = weir_axis_names,
              .wanted = "an axis"},
    [PLANAR] = {.name = "planar",
                .type = WEIR_KEY_BOOLEAN,
                .about =
                    "Whether all branches part along one axis, the next after `axis`; else along the other "
                    "two in turn.",
                .fallback = "false",
                .wanted = "true or false",
                WEIR_KEY_AT(struct vessels, planar)},
    [ASYMMETRY] = {.name = "asymmetry",
                   .type = WEIR_KEY_NUMBER,
                   .about = "How much more one of two branches carries: (1 + asymmetry) / 2 of the flow, by "
                            "Murray's law.",
                   .fallback = "0",
                   .least = 0,
                   .most = 0.9,
                   .examples = "[0.3]",
                   .wanted = "a number from 0 to 0.9, such as 0.3",
                   WEIR_KEY_AT(struct vessels, asymmetry)},
    [EXPONENT] = {.name = "exponent",
                  .type = WEIR_KEY_NUMBER,
                  .about = "Radii to this power add up to that of the vessel that divides (Murray's law: 3).",
                  .fallback = "3",
                  .least = 1,
                  .most = 5,
                  .examples = "[2.7]",
                  .wanted = "a power from 1 to 5, such as 3",
                  WEIR_KEY_AT(struct vessels, exponent)},
    [IRREGULARITY] = {.name = "irregularity",
                      .type = WEIR_KEY_NUMBER,
                      .about = "How far places are moved at random, of what lies between them.",
                      .fallback = "0",
                      .least = 0,
                      .most = 1,
                      .examples = "[0.3]",
                      .wanted = "a number from 0 to 1, such as 0.3",
                      WEIR_KEY_AT(struct vessels, irregularity)},
    [SEED] = {.name = "seed",
              .type = WEIR_KEY_INTEGER,
              .about = "Another number gives another tree; the same gives the same.",
              .fallback = "1",
              .least = 0,
              .most = 4294967295,
              .wanted = "a whole number from 0 to 4294967295",
              WEIR_KEY_AT(struct vessels, seed)},
    {.name = NULL},
};

int weir_case_read_vessel_tree(const struct weir_json *json, const struct weir_case *c,
                               struct weir_shape *shape) {
    struct vessels read = {.generations = 2, .exponent = 3, .seed = 1};
    struct weir_vessel_tree_options options = {.dimensions = weir_lattice_dimensions(c->problem.lattice)};
    const struct weir_json radius = weir_json_member(json, weir_vessel_tree_keys[RADIUS].name),
                           axis_json = weir_json_member(json, weir_vessel_tree_keys[AXIS].name);
    const int before = json->source->mistakes->count;
    struct weir_region *region;
    int axis = 0;
    WEIR_TRY(weir_case_read_positive(&radius, &c->units, &weir_vessel_tree_keys[RADIUS].quantity,
                                     &options.radius));
    if (weir_json_present(&axis_json))
        WEIR_TRY(weir_key_read(&axis_json, &weir_vessel_tree_keys[AXIS], &c->units, &axis));
    WEIR_TRY(weir_keys_read(json, weir_vessel_tree_keys, &c->units, &read));
    if (json->source->mistakes->count > before)
        return 0;
    if (axis >= options.dimensions)
        return weir_json_fail_type(&axis_json, "an axis across the domain's plane", "\"x\" or \"y\"");
    if (c->problem.periodic[axis])
        return weir_json_fail(json,
                              "begins at one face and ends at the opposite one with other vessels, and the "
                              "domain is periodic along %c; make that axis not periodic, or give another "
                              "\"axis\"",
                              "xyz"[axis]);
    memcpy(options.cells, c->problem.cells, sizeof options.cells);
    options.axis = axis;
    options.generations = (int)read.generations;
    options.planar = read.planar;
    options.exponent = read.exponent;
    options.asymmetry = read.asymmetry;
    options.irregularity = read.irregularity;
    options.seed = (uint64_t)read.seed;
    WEIR_TRY(weir_case_name_key(json, weir_vessel_tree_create(&options, &region)));
    return weir_shape_use_region(shape, region);
}
