/* Solids: shapes inside the domain, gathered into bodies by name. */
#include "graph/base/error.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct weir_case_quantity center_quantity = {"the centre", WEIR_DIMENSION_LENGTH, "32"};
static const struct weir_case_quantity radius_quantity = {"the radius", WEIR_DIMENSION_LENGTH, "10"};
static const struct weir_case_quantity length_quantity = {"the length", WEIR_DIMENSION_LENGTH, "20"};
static const struct weir_case_quantity from_quantity = {"the low corner", WEIR_DIMENSION_LENGTH, "10"};
static const struct weir_case_quantity to_quantity = {"the high corner", WEIR_DIMENSION_LENGTH, "20"};
static const struct weir_case_quantity velocity_quantity = {"the surface's velocity", WEIR_DIMENSION_VELOCITY,
                                                            "0.1"};

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

static int read_sphere(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape) {
    struct weir_json center = weir_json_member(json, "center"), radius = weir_json_member(json, "radius");
    double low[3], high[3];

    shape->type = WEIR_SPHERE;
    shape->sphere.center[2] = 0.5; /* of D2Q9's only layer of cells */
    WEIR_TRY(weir_case_read_vector(&center, c, &center_quantity, shape->sphere.center));
    WEIR_TRY(weir_case_read_positive(&radius, &c->units, &radius_quantity, &shape->sphere.radius));
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = shape->sphere.center[axis] - shape->sphere.radius;
        high[axis] = shape->sphere.center[axis] + shape->sphere.radius;
    }
    return check_inside(json, c, low, high);
}

static int read_box(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape) {
    struct weir_json from = weir_json_member(json, "from"), to = weir_json_member(json, "to");

    shape->type = WEIR_BOX;
    shape->box.to[2] = 1;
    WEIR_TRY(weir_case_read_vector(&from, c, &from_quantity, shape->box.from));
    WEIR_TRY(weir_case_read_vector(&to, c, &to_quantity, shape->box.to));
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
    static const char *const names[] = {"x", "y", "z", NULL};
    bool flat = weir_lattice_dimensions(c->problem.lattice) == 2;
    if (!weir_json_present(json)) {
        *axis = 2;
        return flat ? 0 : weir_json_fail_missing(json, "\"x\", \"y\" or \"z\"");
    }
    WEIR_TRY(weir_json_choice(json, "an axis", names, axis));
    if (flat && *axis != 2)
        return weir_json_fail_type(json, "an axis across the plane of D2Q9",
                                   "\"z\" or leave it off, or use a box");
    return 0;
}

static int read_cylinder(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape) {
    struct weir_json center = weir_json_member(json, "center"), radius = weir_json_member(json, "radius");
    struct weir_json axis_json = weir_json_member(json, "axis"), length = weir_json_member(json, "length");
    double low[3], high[3];
    int axis;

    shape->type = WEIR_CYLINDER;
    shape->cylinder.center[2] = 0.5;
    shape->cylinder.length = HUGE_VAL;
    WEIR_TRY(weir_case_read_vector(&center, c, &center_quantity, shape->cylinder.center));
    WEIR_TRY(read_axis(&axis_json, c, &axis));
    WEIR_TRY(weir_case_read_positive(&radius, &c->units, &radius_quantity, &shape->cylinder.radius));
    if (weir_json_present(&length))
        WEIR_TRY(weir_case_read_positive(&length, &c->units, &length_quantity, &shape->cylinder.length));
    shape->cylinder.axis = axis;
    for (int i = 0; i < 3; i++) {
        double reach = i == axis ? shape->cylinder.length / 2 : shape->cylinder.radius;
        low[i] = shape->cylinder.center[i] - reach;
        high[i] = shape->cylinder.center[i] + reach;
    }
    return check_inside(json, c, low, high);
}

static int read_shape(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape) {
    static const struct {
        const char *key, *wanted;
        int (*read)(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape);
    } types[] = {
        {"sphere", "an object {\"center\": [...], \"radius\": ...}", read_sphere},
        {"box", "an object {\"from\": [...], \"to\": [...]}", read_box},
        {"cylinder", "an object {\"center\": [...], \"axis\": \"z\", \"radius\": ...}", read_cylinder},
    };
    const char *given = NULL;
    WEIR_TRY(
        weir_json_object(json, "an object such as {\"sphere\": {\"center\": [32, 32, 32], \"radius\": 10}}"));
    for (int i = 0; i < 3; i++) {
        struct weir_json shape_json = weir_json_member(json, types[i].key);
        if (!weir_json_present(&shape_json))
            continue;
        if (given)
            return weir_json_fail(json, "has both \"%s\" and \"%s\"; give each shape its own entry", given,
                                  types[i].key);
        given = types[i].key;
        WEIR_TRY(weir_json_object(&shape_json, types[i].wanted));
        WEIR_TRY(types[i].read(&shape_json, c, shape));
    }
    return given ? 0 : weir_json_fail(json, "has no shape; give one of \"sphere\", \"box\" and \"cylinder\"");
}

/* Finds or makes the body a solid belongs to; all its solids move alike. */
static int read_body(const struct weir_json *json, struct weir_case *c, int *wall) {
    struct weir_problem *problem = &c->problem;
    struct weir_json name_json = weir_json_member(json, "name"),
                     velocity_json = weir_json_member(json, "velocity");
    const char *name = "solids";
    double velocity[3];

    if (weir_json_present(&name_json))
        WEIR_TRY(weir_json_name(&name_json, sizeof problem->walls[0].name - 1, &name));
    for (int face = 1; face < WEIR_FIRST_BODY; face++)
        if (strcmp(problem->walls[face].name, name) == 0)
            return weir_json_fail(
                &name_json,
                "\"%s\" is what forces on the domain's own walls are reported under; give the "
                "body another name, such as \"body_%s\"",
                name, name);
    WEIR_TRY(weir_case_read_velocity(&velocity_json, c, &velocity_quantity, velocity));

    for (*wall = WEIR_FIRST_BODY; *wall < problem->wall_count; ++*wall) {
        if (strcmp(problem->walls[*wall].name, name) != 0)
            continue;
        if (memcmp(problem->walls[*wall].velocity, velocity, sizeof velocity) == 0)
            return 0;
        return weir_json_fail(
            json,
            "moves otherwise than an earlier solid of the same body \"%s\"; give it another "
            "\"name\" or the same \"velocity\"",
            name);
    }
    if (problem->wall_count == WEIR_WALLS_MAX)
        return weir_json_fail(
            json,
            "is of body number %d; there may be at most %d bodies: give solids whose forces need "
            "not be told apart the same \"name\"",
            WEIR_WALLS_MAX - WEIR_FIRST_BODY + 1, WEIR_WALLS_MAX - WEIR_FIRST_BODY);
    struct weir_wall *body = &problem->walls[problem->wall_count++];
    strcpy(body->name, name);
    memcpy(body->velocity, velocity, sizeof velocity);
    return 0;
}

static int read_solid(const struct weir_json *json, struct weir_case *c, struct weir_shape *shape) {
    WEIR_TRY(read_shape(json, c, shape));
    return read_body(json, c, &shape->wall);
}

int weir_case_read_solids(const struct weir_json *root, struct weir_case *c) {
    struct weir_json solids = weir_json_member(root, "solids");
    int count;
    if (!weir_json_present(&solids))
        return 0;
    WEIR_TRY(weir_json_array(&solids, "a list of solids", 0, INT_MAX, &count));
    if (count == 0)
        return 0;
    c->problem.shapes = calloc((size_t)count, sizeof *c->problem.shapes);
    if (!c->problem.shapes)
        return weir_fail(WEIR_FAILED, "no memory left for %d solids", count);
    for (int i = 0; i < count; i++) {
        struct weir_json item = weir_json_item(&solids, i);
        struct weir_shape *shape = &c->problem.shapes[i];
        const bool full = c->problem.wall_count == WEIR_WALLS_MAX;
        const int error = read_solid(&item, c, shape);
        WEIR_JSON_NOTE(root->source, error);
        if (error != 0 && full) /* each further body would be too many again */
            return 0;
        c->problem.shape_count++;
    }
    return 0;
}
