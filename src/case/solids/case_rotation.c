#include "src/case/solids/case_rotation.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/case/speed.h"

#include <math.h>

const char *const weir_axis_names[] = {"x", "y", "z", NULL};

enum { RATE, AXIS, CENTER };
const struct weir_key weir_rotation_keys[] = {
    [RATE] = {.name = "rate",
              .type = WEIR_KEY_NUMBER,
              .needed = true,
              .about = "Angular velocity of the surface in radians per step (SI: rad/s); positive turns "
                       "x to y about z, y to z about x, z to x about y.",
              .examples = "[0.01, 0]",
              .example = "0.001",
              .quantity = {"the angular velocity", WEIR_DIMENSION_RATE, "0.001"}},
    [AXIS] = {.name = "axis",
              .type = WEIR_KEY_CHOICE,
              .about = "The axis that it turns about; needed in three dimensions, z in two.",
              .otherwise = "needed; in two dimensions `\"z\"`",
              .usual = true,
              .examples = "[\"z\"]",
              .choices = weir_axis_names,
              .wanted = "an axis"},
    [CENTER] = {.name = "center",
                .type = WEIR_KEY_NUMBER,
                .per_axis = true,
                .about = "A point that the axis goes through, which torque refers to as well.",
                .otherwise = "the middle of the solid",
                .examples = "[[8, 8, 8]]",
                .example = "[32, 32, 32]",
                .quantity = {"a point of the axis", WEIR_DIMENSION_LENGTH, "32"}},
    {.name = NULL},
};

static int read_axis(const struct weir_json *json, const struct weir_case *c, int *axis) {
    const bool flat = weir_lattice_dimensions(c->problem.lattice) == 2;
    *axis = 2;
    if (!weir_json_present(json))
        return flat ? 0 : weir_json_fail_missing(json, "\"x\", \"y\" or \"z\"");
    WEIR_TRY(weir_key_read(json, &weir_rotation_keys[AXIS], &c->units, axis));
    return !flat || *axis == 2
               ? 0
               : weir_json_fail_type(json, "an axis across the domain's plane", "\"z\" or leave it off");
}

/* The greatest speed of the surface: at a corner of the solid's bounding box within the domain, or, of a ball
 * that turns about its middle or a bar about its own axis, at its radius. */
static double greatest_speed(const struct weir_problem *problem, const struct weir_shape *shape, int axis,
                             const struct weir_wall *wall) {
    double square = 0, greatest = 0, low[3], high[3];
    const bool round =
        shape->type == WEIR_SPHERE || (shape->type == WEIR_CYLINDER && shape->cylinder.axis == axis);
    weir_geometry_bounds(problem, shape, low, high);
    for (int k = 1; k < 3; k++) {
        const int across = (axis + k) % 3;
        const double radius = 0.5 * (high[across] - low[across]),
                     off = fabs(0.5 * (low[across] + high[across]) - wall->center[across]);
        square += round ? off * off : (off + radius) * (off + radius);
        greatest = fmax(greatest, radius);
    }
    const double arm = sqrt(square) + (round ? greatest : 0);
    return weir_speed(wall->rotation) * arm + weir_speed(wall->velocity);
}

int weir_case_read_rotation(const struct weir_json *solid, struct weir_case *c,
                            const struct weir_shape *shape, struct weir_wall *wall) {
    const struct weir_json json = weir_json_member(solid, "rotation");
    double low[3], high[3];
    int axis;
    weir_geometry_bounds(&c->problem, shape, low, high);
    for (int k = 0; k < 3; k++)
        wall->center[k] = 0.5 * (low[k] + high[k]);
    if (!weir_json_present(&json))
        return 0;
    WEIR_TRY(weir_json_object(&json, "an object such as {\"rate\": 0.001, \"axis\": \"z\"}"));
    const struct weir_json rate = weir_json_member(&json, "rate"),
                           axis_json = weir_json_member(&json, "axis"),
                           center = weir_json_member(&json, "center");
    WEIR_TRY(read_axis(&axis_json, c, &axis));
    WEIR_TRY(
        weir_case_read_number(&rate, &c->units, &weir_rotation_keys[RATE].quantity, &wall->rotation[axis]));
    if (weir_json_present(&center))
        WEIR_TRY(weir_case_read_vector(&center, c, &weir_rotation_keys[CENTER].quantity, wall->center));
    wall->links = true;
    const double speed = greatest_speed(&c->problem, shape, axis, wall);
    c->characteristic_velocity = fmax(c->characteristic_velocity, speed);
    return weir_case_check_speed(&rate, &c->units, speed);
}
