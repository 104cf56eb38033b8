#include "src/case/solids/case_simple_shapes.h"

#include "graph/base/error.h"
#include "src/case/case_values.h"
#include "src/case/solids/case_rotation.h"

#include <math.h>

#define CENTER(text)                                                                                  \
    {                                                                                                 \
        .name = "center", .type = WEIR_KEY_NUMBER, .per_axis = true, .needed = true, .about = (text), \
        .examples = "[[8, 8, 8]]", .example = "[32, 32, 32]", .quantity = {                           \
            "the centre",                                                                             \
            WEIR_DIMENSION_LENGTH,                                                                    \
            "32"                                                                                      \
        }                                                                                             \
    }
#define RADIUS                                                                                          \
    {                                                                                                   \
        .name = "radius", .type = WEIR_KEY_NUMBER, .needed = true, .positive = true,                    \
        .about = "Its radius in cell widths (SI: m).", .examples = "[4]", .example = "8", .quantity = { \
            "the radius",                                                                               \
            WEIR_DIMENSION_LENGTH,                                                                      \
            "10"                                                                                        \
        }                                                                                               \
    }

enum { CENTER_KEY, RADIUS_KEY, AXIS_KEY, LENGTH_KEY };
const struct weir_key weir_sphere_keys[] = {
    [CENTER_KEY] = CENTER("The middle of the ball."), [RADIUS_KEY] = RADIUS, {.name = NULL}};

enum { FROM_KEY, TO_KEY };
const struct weir_key weir_box_keys[] = {
    [FROM_KEY] = {.name = "from",
                  .type = WEIR_KEY_NUMBER,
                  .per_axis = true,
                  .needed = true,
                  .about = "The low corner.",
                  .examples = "[[4, 4, 4]]",
                  .quantity = {"the low corner", WEIR_DIMENSION_LENGTH, "10"}},
    [TO_KEY] = {.name = "to",
                .type = WEIR_KEY_NUMBER,
                .per_axis = true,
                .needed = true,
                .about = "The high corner.",
                .examples = "[[8, 8, 8]]",
                .quantity = {"the high corner", WEIR_DIMENSION_LENGTH, "20"}},
    {.name = NULL},
};

const struct weir_key weir_cylinder_keys[] = {
    [CENTER_KEY] = CENTER("The middle of the bar."),
    [RADIUS_KEY] = RADIUS,
    [AXIS_KEY] = {.name = "axis",
                  .type = WEIR_KEY_CHOICE,
                  .about = "The axis it lies along; needed in three dimensions, z in two.",
                  .otherwise = "needed; in two dimensions `\"z\"`",
                  .examples = "[\"z\"]",
                  .choices = weir_axis_names,
                  .wanted = "an axis"},
    [LENGTH_KEY] = {.name = "length",
                    .type = WEIR_KEY_NUMBER,
                    .positive = true,
                    .about = "Its length in cell widths (SI: m); left out: through the whole domain.",
                    .otherwise = "through the domain",
                    .examples = "[4]",
                    .quantity = {"the length", WEIR_DIMENSION_LENGTH, "20"}},
    {.name = NULL},
};

/* Fails where a shape that spans low..high has no part in the domain. */
static int check_inside(const struct weir_json *json, const struct weir_case *c, const double low[3],
                        const double high[3]) {
    for (int axis = 0; axis < weir_lattice_dimensions(c->problem.lattice); axis++) {
        int cells = c->problem.cells[axis];
        if (low[axis] <= cells && high[axis] >= 0)
            continue;
        return weir_json_fail(
            json, "lies outside the domain: along %c it goes from %g to %g, the domain from 0 to %g%s",
            "xyz"[axis], low[axis] * c -> units.length, high[axis] * c->units.length, cells * c->units.length,
            c->units.si ? " m; move it inside" : "; move it inside");
    }
    return 0;
}

int weir_case_read_sphere(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape) {
    struct weir_json center = weir_json_member(json, "center"), radius = weir_json_member(json, "radius");
    double low[3], high[3];

    shape->type = WEIR_SPHERE;
    shape->sphere.center[2] = 0.5; /* of D2Q9's only layer of cells */
    WEIR_TRY(weir_case_read_vector(&center, c, &weir_sphere_keys[CENTER_KEY].quantity, shape->sphere.center));
    WEIR_TRY(weir_case_read_positive(&radius, &c->units, &weir_sphere_keys[RADIUS_KEY].quantity,
                                     &shape->sphere.radius));
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = shape->sphere.center[axis] - shape->sphere.radius;
        high[axis] = shape->sphere.center[axis] + shape->sphere.radius;
    }
    return check_inside(json, c, low, high);
}

int weir_case_read_box(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape) {
    struct weir_json from = weir_json_member(json, "from"), to = weir_json_member(json, "to");

    shape->type = WEIR_BOX;
    shape->box.to[2] = 1;
    WEIR_TRY(weir_case_read_vector(&from, c, &weir_box_keys[FROM_KEY].quantity, shape->box.from));
    WEIR_TRY(weir_case_read_vector(&to, c, &weir_box_keys[TO_KEY].quantity, shape->box.to));
    for (int axis = 0; axis < 3; axis++)
        if (shape->box.from[axis] >= shape->box.to[axis])
            return weir_json_fail(
                json,
                "\"from\" (%g) is not below \"to\" (%g) along %c; give the low corner as \"from\" and "
                "the high corner as \"to\"",
                shape->box.from[axis] * c->units.length, shape->box.to[axis] * c->units.length, "xyz"[axis]);
    return check_inside(json, c, shape->box.from, shape->box.to);
}

static int read_axis(const struct weir_json *json, const struct weir_case *c, int *axis) {
    bool flat = weir_lattice_dimensions(c->problem.lattice) == 2;
    if (!weir_json_present(json)) {
        *axis = 2;
        return flat ? 0 : weir_json_fail_missing(json, "\"x\", \"y\" or \"z\"");
    }
    WEIR_TRY(weir_key_read(json, &weir_cylinder_keys[AXIS_KEY], &c->units, axis));
    if (flat && *axis != 2)
        return weir_json_fail_type(json, "an axis across the domain's plane",
                                   "\"z\" or leave it off, or use a box");
    return 0;
}

int weir_case_read_cylinder(const struct weir_json *json, const struct weir_case *c,
                            struct weir_shape *shape) {
    struct weir_json center = weir_json_member(json, "center"), radius = weir_json_member(json, "radius");
    struct weir_json axis_json = weir_json_member(json, "axis"), length = weir_json_member(json, "length");
    double low[3], high[3];
    int axis;

    shape->type = WEIR_CYLINDER;
    shape->cylinder.center[2] = 0.5;
    shape->cylinder.length = HUGE_VAL;
    WEIR_TRY(
        weir_case_read_vector(&center, c, &weir_cylinder_keys[CENTER_KEY].quantity, shape->cylinder.center));
    WEIR_TRY(read_axis(&axis_json, c, &axis));
    WEIR_TRY(weir_case_read_positive(&radius, &c->units, &weir_cylinder_keys[RADIUS_KEY].quantity,
                                     &shape->cylinder.radius));
    if (weir_json_present(&length))
        WEIR_TRY(weir_case_read_positive(&length, &c->units, &weir_cylinder_keys[LENGTH_KEY].quantity,
                                         &shape->cylinder.length));
    shape->cylinder.axis = axis;
    for (int i = 0; i < 3; i++) {
        double reach = i == axis ? shape->cylinder.length / 2 : shape->cylinder.radius;
        low[i] = shape->cylinder.center[i] - reach;
        high[i] = shape->cylinder.center[i] + reach;
    }
    return check_inside(json, c, low, high);
}
