/* Solids: shapes inside the domain, gathered into bodies by name; and parts of the domain's faces, which are
 * read alike. */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/case/body_values.h"
#include "src/case/boundaries/case_rules.h"
#include "src/case/case_sections.h"
#include "src/case/case_tables.h"
#include "src/case/case_values.h"
#include "src/case/models/case_phases.h"
#include "src/case/models/case_scalar.h"
#include "src/case/models/case_surface.h"
#include "src/case/solids/case_conductor.h"
#include "src/case/solids/case_regions.h"
#include "src/case/solids/case_rotation.h"
#include "src/case/solids/case_simple_shapes.h"
#include "src/case/speed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of shapes come first, of solids more of them than of parts; the others are the same in both. */
enum {
    SPHERE,
    BOX,
    CYLINDER,
    PART_SHAPES,
    FORMULA = PART_SHAPES,
    SPHERES,
    MINIMAL_SURFACE,
    VESSEL_TREE,
    VOLUME,
    MESH,
    TEXT,
    SHAPES
};
enum {
    NAME,
    TYPE,
    VELOCITY,
    DENSITY,
    RAMP,
    SCALAR,
    SCALAR_FLUX,
    ADHESION,
    CONTACT_ANGLE,
    ROTATION,
    CONDUCTOR
};

/* Those of both. */
#define RAMP_ROW                                                                                             \
    {                                                                                                        \
        .name = "ramp", .type = WEIR_KEY_NUMBER, .positive = true,                                           \
        .about =                                                                                             \
            "Time in which velocity or density rise smoothly to what is given, as at faces (steps; SI: s).", \
        .otherwise = "they are there from the start", .examples = "[1000]", .quantity = {                    \
            "the time of the rise",                                                                          \
            WEIR_DIMENSION_TIME,                                                                             \
            "1000"                                                                                           \
        }                                                                                                    \
    }

#define SHAPE_ROWS                                                                             \
    [SPHERE] = {.name = "sphere",                                                              \
                .type = WEIR_KEY_OBJECT,                                                       \
                .alternative = true,                                                           \
                .about = "A ball; in two dimensions a disc.",                                  \
                .wanted = "an object {\"center\": [...], \"radius\": ...}",                    \
                .members = weir_sphere_keys},                                                  \
    [BOX] = {.name = "box",                                                                    \
             .type = WEIR_KEY_OBJECT,                                                          \
             .alternative = true,                                                              \
             .about = "A box along the axes.",                                                 \
             .wanted = "an object {\"from\": [...], \"to\": [...]}",                           \
             .members = weir_box_keys},                                                        \
    [CYLINDER] = {.name = "cylinder",                                                          \
                  .type = WEIR_KEY_OBJECT,                                                     \
                  .alternative = true,                                                         \
                  .about = "A round bar along an axis.",                                       \
                  .examples = "[{\"center\": [8, 8, 8], \"axis\": \"z\", \"radius\": 4}]",     \
                  .wanted = "an object {\"center\": [...], \"axis\": \"z\", \"radius\": ...}", \
                  .members = weir_cylinder_keys}

/* Rules that hold for surfaces of any shape: those for faces alone come last. */
static int rules_of_solids(void) {
    int count = 0;
    while (count < WEIR_RULE_COUNT && !(weir_rules[count].mirrors || weir_rules[count].wet))
        count++;
    return count;
}

/* A type of solids that is no rule of a surface, and comes after them: the shape is fluid in solids before.
 */
#define HOLLOW "fluid"

static const char *const *types_of_solids(void) {
    static const char *names[WEIR_RULE_COUNT + 2];
    const int rules = rules_of_solids();
    for (int rule = 0; rule < rules; rule++)
        names[rule] = weir_rules[rule].name;
    names[rules] = HOLLOW;
    return names;
}

const struct weir_key weir_solid_keys[] = {
    SHAPE_ROWS,
    [FORMULA] =
        {.name = "formula",
         .type = WEIR_KEY_TEXT,
         .alternative = true,
         .about =
             "Wherever this condition of x, y, z (the cell's centre), nx, ny, nz (the domain's size) and pi "
             "is true (SI: in m).",
         .examples = "[\"(x - 8)^2 + (y - 8)^2 < 16\"]",
         .example = "\"sin(x/8)*cos(y/8) + sin(y/8)*cos(z/8) + sin(z/8)*cos(x/8) < 0\""},
    [SPHERES] =
        {.name = "spheres",
         .type = WEIR_KEY_OBJECT,
         .alternative = true,
         .about =
             "Balls of one size at random places; in two dimensions discs. They continue across periodic "
             "seams.",
         .examples = "[{\"radius\": 2, \"count\": 5}]",
         .example = "{\"radius\": 10, \"porosity\": 0.45, \"seed\": 7}",
         .wanted = "an object {\"radius\": ..., \"porosity\": ...}",
         .members = weir_spheres_keys},
    [MINIMAL_SURFACE] = {.name = "minimal_surface",
                         .type = WEIR_KEY_OBJECT,
                         .alternative = true,
                         .about = "One side of a triply periodic minimal surface, or a wall along it.",
                         .wanted = "an object {\"surface\": \"gyroid\", \"period\": ...}",
                         .examples = "[{\"surface\": \"schwarz_p\", \"period\": 16, \"porosity\": 0.7}]",
                         .members = weir_minimal_surface_keys},
    [VESSEL_TREE] = {.name = "vessel_tree",
                     .type = WEIR_KEY_OBJECT,
                     .alternative = true,
                     .about =
                         "All around a tree of vessels that divide in two, from one face to the opposite "
                         "one; in two dimensions of channels.",
                     .wanted = "an object {\"radius\": ..., \"generations\": ...}",
                     .examples = "[{\"radius\": 2, \"generations\": 1}]",
                     .example = "{\"radius\": 10, \"generations\": 3}",
                     .members = weir_vessel_tree_keys},
    [VOLUME] = {.name = "volume",
                .type = WEIR_KEY_OBJECT,
                .alternative = true,
                .about = "Voxels of a file, by their labels or grey values.",
                .wanted = "an object {\"file\": ..., \"solid\": [...]}",
                .examples = "[{\"file\": \"labels.npy\", \"solid\": [1]}]",
                .members = weir_volume_keys},
    [MESH] = {.name = "mesh",
              .type = WEIR_KEY_OBJECT,
              .alternative = true,
              .about = "What is inside of a surface of triangles from a file.",
              .wanted = "an object {\"file\": ...}",
              .examples = "[{\"file\": \"body.stl\"}]",
              .members = weir_mesh_keys},
    [TEXT] = {.name = "text",
              .type = WEIR_KEY_OBJECT,
              .alternative = true,
              .about = "Letters in the plane of x and y; in space bars along z through the domain.",
              .wanted = "an object {\"letters\": ..., \"height\": ...}",
              .examples = "[{\"letters\": \"W\", \"height\": 6}]",
              .example = "{\"letters\": \"WEIR\", \"height\": 32}",
              .members = weir_text_keys},
    [SHAPES +
        NAME] = {.name = "name",
                 .type = WEIR_KEY_NAME,
                 .about =
                     "The body it is part of, under which forces are reported. Solids without a name are the "
                     "body \"solids\", but for those that conduct, which then are of none.",
                 .more = "Not `x-`, `y-`, `z-`, `edge`. At most 120 bodies.",
                 .fallback = "\"solids\"",
                 .examples = "[\"ball\"]",
                 .longest = sizeof((struct weir_wall *)0)->name - 1,
                 .schema = "{\"not\": {\"enum\": [\"x-\", \"y-\", \"z-\", \"edge\"]}}"},
    [SHAPES +
        TYPE] = {.name = "type",
                 .type = WEIR_KEY_CHOICE,
                 .about = "What its surface does, as for faces.",
                 .more =
                     "With `\"velocity\"` it blows or sucks, with `\"pressure\"` it keeps its `density`. "
                     "`\"fluid\"`: it is fluid, [a hollow](user-guide.md#hollows-inlets-and-outlets) in the "
                     "solids before it.",
                 .fallback = "\"wall\"",
                 .choices_of = types_of_solids,
                 .wanted = "a type of boundary of solids"},
    [SHAPES + VELOCITY] =
        {.name = "velocity",
         .type = WEIR_KEY_OTHER,
         .per_axis = true,
         .about =
             "Velocity of its surface, or with type velocity of the fluid there: for each axis a number, a "
             "formula of the time t (steps; SI: s), or a table over it (SI: m/s); the same for all solids of "
             "a body. The solid stays where it is.",
         .more = "Mass is kept only where the surface moves along itself.",
         .fallback = "[0, 0, 0]",
         .examples = "[[0, 0.05, 0], [\"0.02 * sin(2*pi*t/1000)\", 0, 0]]",
         .schema = WEIR_PROFILE_SCHEMA(""),
         .quantity = {"the surface's velocity", WEIR_DIMENSION_VELOCITY, "0.1"}},
    [SHAPES + DENSITY] =
        {.name = "density",
         .type = WEIR_KEY_OTHER,
         .about =
             "Density of the fluid at its surface, with type pressure, where it is needed: a number, such "
             "a formula or a table (SI: kg/m³).",
         .examples = "[1.01, \"1 + 0.01*sin(t/50)\"]",
         .schema = WEIR_PROFILE_SCHEMA("\"exclusiveMinimum\": 0, "),
         .quantity = {"the density", WEIR_DIMENSION_DENSITY, "1"}},
    [SHAPES + RAMP] = RAMP_ROW,
    [SHAPES + SCALAR] = WEIR_SCALAR_VALUE_KEY(WEIR_KEY_OTHER, WEIR_PROFILE_SCHEMA("")),
    [SHAPES + SCALAR_FLUX] = WEIR_SCALAR_FLUX_KEY(WEIR_KEY_OTHER, WEIR_PROFILE_SCHEMA("")),
    [SHAPES + ADHESION] = WEIR_ADHESION_KEY(0),
    [SHAPES + CONTACT_ANGLE] = WEIR_CONTACT_ANGLE_KEY(0),
    [SHAPES + ROTATION] =
        {.name = "rotation",
         .type = WEIR_KEY_OBJECT,
         .about =
             "How its surface turns, beside its velocity; with types wall and interpolated_wall. The solid "
             "stays where it is. Series have the torque on it.",
         .more = "Alike for all solids of a body. Mass is kept to rounding where all that is around the body "
                 "is fluid.",
         .wanted = "an object {\"rate\": ..., \"axis\": \"z\"}",
         .examples = "[{\"rate\": 0.01, \"axis\": \"z\", \"center\": [8, 8, 8]}]",
         .example = "{\"rate\": 0.001, \"axis\": \"z\"}",
         .members = weir_rotation_keys,
         .definition = "rotation"},
    [SHAPES +
        CONDUCTOR] = {.name = "conductor",
                      .type = WEIR_KEY_OBJECT,
                      .about =
                          "In cases with a scalar: it conducts it, instead of holding a value or letting a "
                          "flux in. The flow meets a wall at rest.",
                      .more = "Such a solid has a shape and, where forces and what it gives are to be "
                              "reported, a name. [Conducting solids](numerics.md#conducting-solids).",
                      .wanted = "an object {\"diffusivity\": ...}",
                      .example = "{\"diffusivity\": 0.1}",
                      .members = weir_conductor_keys,
                      .definition = "conductor"},
    {.name = NULL},
};

/* A part that is a wall rests (graph/problem/problem.h), so it has no velocity to give. */
const struct weir_key weir_part_keys[] = {
    SHAPE_ROWS,
    [PART_SHAPES +
        NAME] = {.name = "name",
                 .type = WEIR_KEY_NAME,
                 .about =
                     "What forces on it, and what passes it, are reported under. Parts of one name do the "
                     "same.",
                 .fallback = "\"parts\"",
                 .examples = "[\"nozzle\"]",
                 .longest = sizeof((struct weir_wall *)0)->name - 1,
                 .schema = "{\"not\": {\"enum\": [\"x-\", \"y-\", \"z-\", \"edge\"]}}"},
    [PART_SHAPES + TYPE] = {.name = "type",
                            .type = WEIR_KEY_CHOICE,
                            .about = "What happens to the fluid here, as for faces. A wall is at rest.",
                            .fallback = "\"wall\"",
                            .choices = weir_rule_names,
                            .wanted = "a type of boundary"},
    [PART_SHAPES +
        VELOCITY] = {.name = "velocity",
                     .type = WEIR_KEY_OTHER,
                     .per_axis = true,
                     .about =
                         "With type velocity, where it is needed: velocity of the fluid, for each axis a "
                         "number, a formula of the time t, or a table over it (SI: m/s).",
                     .examples = "[[0.05, 0, 0], [\"0.02 * sin(2*pi*t/1000)\", 0, 0]]",
                     .schema = WEIR_PROFILE_SCHEMA(""),
                     .quantity = {"the fluid's velocity", WEIR_DIMENSION_VELOCITY, "0.05"}},
    [PART_SHAPES +
        DENSITY] = {.name = "density",
                    .type = WEIR_KEY_OTHER,
                    .about = "With type pressure, where it is needed: density of the fluid, a number, such a "
                             "formula or a table (SI: kg/m³).",
                    .examples = "[1.01, \"1 + 0.01*sin(t/50)\"]",
                    .schema = WEIR_PROFILE_SCHEMA("\"exclusiveMinimum\": 0, "),
                    .quantity = {"the density", WEIR_DIMENSION_DENSITY, "1"}},
    [PART_SHAPES + RAMP] = RAMP_ROW,
    [PART_SHAPES + SCALAR] = WEIR_SCALAR_VALUE_KEY(WEIR_KEY_OTHER, WEIR_PROFILE_SCHEMA("")),
    [PART_SHAPES + SCALAR_FLUX] = WEIR_SCALAR_FLUX_KEY(WEIR_KEY_OTHER, WEIR_PROFILE_SCHEMA("")),
    [PART_SHAPES + ADHESION] = WEIR_ADHESION_KEY(0),
    [PART_SHAPES + CONTACT_ANGLE] = WEIR_CONTACT_ANGLE_KEY(0),
    {.name = NULL},
};

static int read_shape(const struct weir_json *json, const struct weir_case *c, struct weir_shape *shape) {
    static int (*const read[SHAPES])(const struct weir_json *json, const struct weir_case *c,
                                     struct weir_shape *shape) = {
        [SPHERE] = weir_case_read_sphere,           [BOX] = weir_case_read_box,
        [CYLINDER] = weir_case_read_cylinder,       [FORMULA] = weir_case_read_formula_solid,
        [SPHERES] = weir_case_read_spheres_solid,   [MINIMAL_SURFACE] = weir_case_read_minimal_surface,
        [VESSEL_TREE] = weir_case_read_vessel_tree, [VOLUME] = weir_case_read_volume_solid,
        [MESH] = weir_case_read_mesh_solid,         [TEXT] = weir_case_read_text_solid};
    const char *given = NULL;
    WEIR_TRY(
        weir_json_object(json, "an object such as {\"sphere\": {\"center\": [32, 32, 32], \"radius\": 10}}"));
    for (int i = 0; i < SHAPES; i++) {
        const struct weir_key *key = &weir_solid_keys[i];
        struct weir_json shape_json = weir_json_member(json, key->name);
        if (!weir_json_present(&shape_json))
            continue;
        if (given)
            return weir_json_fail(json, "has both \"%s\" and \"%s\"; give each shape its own entry", given,
                                  key->name);
        given = key->name;
        if (key->type == WEIR_KEY_OBJECT)
            WEIR_TRY(weir_json_object(&shape_json, key->wanted));
        WEIR_TRY(read[i](&shape_json, c, shape));
    }
    return given ? 0
                 : weir_json_fail(json, "has no shape; give one of \"sphere\", \"box\", \"cylinder\", "
                                        "\"formula\", \"spheres\", \"minimal_surface\", "
                                        "\"vessel_tree\", \"volume\", \"mesh\" and \"text\"");
}

/* The row of a rule's value. */
static int value_key(enum weir_rule rule) {
    return weir_rules[rule].value == WEIR_RULE_DENSITY ? DENSITY : VELOCITY;
}

/* What is read: a solid, or a part of what lies beyond a face. */
struct kind {
    int face;                    /* weir_shape.face */
    const struct weir_key *keys; /* rows of its keys behind those of shapes */
    const char *word;            /* "solid" */
    const char *name;            /* of the body of those without one */
};

static struct kind kind_of(int face) {
    return face == 0 ? (struct kind){face, weir_solid_keys + SHAPES, "solid", "solids"}
                     : (struct kind){face, weir_part_keys + PART_SHAPES, "part", "parts"};
}

static int read_rule(const struct weir_json *json, const struct kind *kind, const struct weir_case *c,
                     enum weir_rule *rule) {
    const struct weir_json type = weir_json_member(json, kind->keys[TYPE].name);
    int choice = WEIR_RULE_WALL;
    if (weir_json_present(&type))
        WEIR_TRY(weir_key_read(&type, &kind->keys[TYPE], &c->units, &choice));
    *rule = (enum weir_rule)choice;
    WEIR_TRY(weir_case_check_rule(&type, c, *rule));
    for (int key = VELOCITY; key <= DENSITY; key++) {
        const struct weir_json value = weir_json_member(json, kind->keys[key].name);
        if (weir_json_present(&value) && !weir_rules[choice].key)
            return weir_json_fail(&value, "a %s of type \"%s\" has no %s; remove it", kind->word,
                                  weir_rules[choice].name, kind->keys[key].name);
        if (weir_json_present(&value) && key != value_key(*rule))
            return weir_json_fail(&value, "a %s of type \"%s\" has a %s and no %s; remove one of the two",
                                  kind->word, weir_rules[choice].name, weir_rules[choice].key,
                                  kind->keys[key].name);
    }
    return 0;
}

/* Walls of parts, and of faces that have some, are at rest (graph/problem/problem.h). */
static int check_part(const struct weir_json *json, const struct weir_case *c, const struct kind *kind,
                      const struct weir_wall *wall) {
    const struct weir_json velocity = weir_json_member(json, kind->keys[VELOCITY].name);
    if (weir_wall_moves(wall))
        return weir_json_fail(&velocity,
                              "a part of a face that is a wall rests: at its rim it would make mass; give a "
                              "solid at the face this velocity, or this part the type \"velocity\"");
    if (weir_wall_moves(&c->problem.walls[kind->face]))
        return weir_json_fail(json,
                              "face \"%s\" moves, and a face with parts rests: at their rims it would make "
                              "mass; remove the face's velocity, or its parts",
                              c->problem.walls[kind->face].name);
    return 0;
}

/* How a solid's surface turns, and whether its links have values of their own. A part's surface is half-way
 * between cells, as its face is: interpolation would change nothing. */
static int read_motion(const struct weir_json *json, struct weir_case *c, const struct kind *kind,
                       const struct weir_shape *shape, struct weir_wall *wall) {
    const struct weir_json rotation = weir_json_member(json, "rotation");
    if (kind->face != 0) {
        wall->rule = wall->rule == WEIR_RULE_INTERPOLATED_WALL ? WEIR_RULE_WALL : wall->rule;
        return 0;
    }
    wall->links = wall->rule == WEIR_RULE_INTERPOLATED_WALL;
    if (wall->links || wall->rule == WEIR_RULE_WALL)
        return weir_case_read_rotation(json, c, shape, wall);
    return weir_json_present(&rotation)
               ? weir_json_fail(&rotation, "a solid of type \"%s\" does not turn; remove one of the two",
                                weir_rules[wall->rule].name)
               : 0;
}

/* The case's values of bodies in time, made with the first. */
static int body_values_of(struct weir_case *c, struct weir_body_values **result) {
    struct weir_problem *problem = &c->problem;
    if (!problem->body_context)
        problem->body_context = weir_body_values_create(problem, &c->units, c->file);
    problem->body_values = weir_body_values_at;
    *result = problem->body_context; /* which the case owns */
    return *result ? 0 : weir_fail(WEIR_FAILED, "no memory left for the values of solids");
}

/* What a solid's surface does, all over it: numbers, or what changes in time, which stays in `surface`. */
struct surface {
    struct weir_initial_component components[WEIR_PROFILE_VALUES];
    double ramp;
};

static void free_surface(struct surface *surface) {
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++) {
        free(surface->components[k].formula);
        weir_value_table_destroy(surface->components[k].table);
    }
}

/* Notes what of it changes. */
static int find_changes(const struct weir_json *json, const struct kind *kind, const struct surface *surface,
                        struct weir_wall *wall) {
    bool differs = surface->ramp > 0, varies = false;
    for (int k = 0; k < WEIR_BOUNDARY_VALUES; k++)
        differs = differs || weir_component_differs(&surface->components[k]);
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
        varies = varies || weir_component_differs(&surface->components[k]);
    wall->in_time = differs || varies;
    wall->moves_in_time = differs && weir_rules[wall->rule].value != WEIR_RULE_DENSITY;
    wall->varies_until = varies ? HUGE_VAL : surface->ramp;
    const struct weir_json ramp = weir_json_member(json, kind->keys[RAMP].name);
    if (surface->ramp > 0 && !weir_rules[wall->rule].key)
        return weir_json_fail(&ramp, "a %s of type \"%s\" has nothing that could rise; remove it", kind->word,
                              weir_rules[wall->rule].name);
    if (wall->in_time && (wall->links || wall->rule == WEIR_RULE_INTERPOLATED_WALL))
        return weir_json_fail(
            json, "turns, or has its surface between cells, and what it does may not change in time then; "
                  "give numbers and no ramp, or type \"wall\" without \"rotation\"");
    return 0;
}

static int read_surface(const struct weir_json *json, struct weir_case *c, const struct kind *kind,
                        const struct weir_shape *shape, struct weir_wall *wall, struct surface *surface) {
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
        surface->components[k].in_time = true;
    WEIR_TRY(read_rule(json, kind, c, &wall->rule));
    WEIR_TRY(weir_case_read_scalar_rule(json, c, wall, &surface->components[WEIR_PROFILE_SCALAR]));
    surface->components[WEIR_PROFILE_SCALAR].constant = wall->scalar;
    const struct weir_key *key = &kind->keys[value_key(wall->rule)];
    WEIR_TRY(weir_case_read_rule_values(json, key, c, wall->rule, true, surface->components));
    const struct weir_json ramp = weir_json_member(json, kind->keys[RAMP].name);
    if (weir_json_present(&ramp))
        WEIR_TRY(weir_key_read(&ramp, &kind->keys[RAMP], &c->units, &surface->ramp));
    if (weir_rules[wall->rule].value == WEIR_RULE_DENSITY) {
        wall->density = surface->components[0].constant;
        return find_changes(json, kind, surface, wall);
    }
    for (int axis = 0; axis < 3; axis++)
        wall->velocity[axis] = surface->components[axis].constant;
    c->characteristic_velocity = fmax(c->characteristic_velocity, weir_speed(wall->velocity));
    WEIR_TRY(read_motion(json, c, kind, shape, wall));
    WEIR_TRY(find_changes(json, kind, surface, wall));
    return kind->face == 0 ? 0 : check_part(json, c, kind, wall);
}

static bool turns(const struct weir_wall *wall) {
    return weir_speed(wall->rotation) > 0;
}

static bool are_alike(const struct weir_wall *one, const struct weir_wall *other) {
    return one->rule == other->rule && one->part == other->part && one->conducts == other->conducts &&
           one->density == other->density && one->in_time == other->in_time &&
           one->adheres == other->adheres && one->adhesion == other->adhesion &&
           one->contact_angle == other->contact_angle && one->scalar_rule == other->scalar_rule &&
           one->scalar == other->scalar &&
           memcmp(one->velocity, other->velocity, sizeof one->velocity) == 0 &&
           memcmp(one->rotation, other->rotation, sizeof one->rotation) == 0 &&
           (!turns(one) || memcmp(one->center, other->center, sizeof one->center) == 0);
}

/* Makes a body of what a solid's surface does; of what changes in time it takes over `surface`. */
static int add_body(const struct weir_json *json, struct weir_case *c, const char *name,
                    const struct weir_wall *wall, struct surface *surface) {
    struct weir_problem *problem = &c->problem;
    struct weir_body_values *values;
    const int number = problem->wall_count;
    double greatest_speed;
    if (number == WEIR_WALLS_MAX)
        return weir_json_fail(
            json,
            "is of body number %d; there may be at most %d bodies: give solids whose forces need "
            "not be told apart the same \"name\"",
            WEIR_WALLS_MAX - WEIR_FIRST_BODY + 1, WEIR_WALLS_MAX - WEIR_FIRST_BODY);
    problem->walls[number] = *wall;
    strcpy(problem->walls[number].name, name);
    problem->wall_count++;
    if (!wall->in_time)
        return 0;
    WEIR_TRY(body_values_of(c, &values));
    WEIR_TRY(weir_body_values_take(values, number, surface->ramp, surface->components));
    WEIR_TRY(weir_body_values_survey(values, number, &greatest_speed));
    c->characteristic_velocity = fmax(c->characteristic_velocity, greatest_speed);
    return 0;
}

/* The name of the body that a solid is of; where it has none, *name stays. */
static int read_name(const struct weir_json *json, const struct weir_case *c, const struct kind *kind,
                     const char **name) {
    const struct weir_json name_json = weir_json_member(json, "name");
    if (weir_json_present(&name_json))
        WEIR_TRY(weir_key_read(&name_json, &kind->keys[NAME], &c->units, name));
    for (int face = 1; *name && face < WEIR_FIRST_BODY; face++)
        if (strcmp(c->problem.walls[face].name, *name) == 0)
            return weir_json_fail(
                &name_json,
                "\"%s\" is what forces on the domain's own walls are reported under; give the "
                "body another name, such as \"body_%s\"",
                *name, *name);
    return 0;
}

/* Finds or makes the body of a solid that conducts the scalar; without a name it has none. */
static int read_conducting_body(const struct weir_json *json, struct weir_case *c, const struct kind *kind,
                                struct weir_shape *shape) {
    const struct weir_problem *problem = &c->problem;
    const struct weir_wall wall = {.conducts = true};
    const char *name = NULL;
    WEIR_TRY(read_name(json, c, kind, &name));
    if (!name)
        return 0;
    shape->body = WEIR_FIRST_BODY;
    while (shape->body < problem->wall_count && strcmp(problem->walls[shape->body].name, name) != 0)
        shape->body++;
    if (shape->body == problem->wall_count)
        return add_body(json, c, name, &wall, NULL);
    if (problem->walls[shape->body].conducts)
        return 0;
    const struct weir_json name_json = weir_json_member(json, "name");
    return weir_json_fail(&name_json,
                          "\"%s\" is the name of a solid or part without a \"conductor\"; give those that "
                          "conduct a name of their own",
                          name);
}

/* Finds or makes the body a solid belongs to; all its solids do the same. */
static int find_body(const struct weir_json *json, struct weir_case *c, const struct kind *kind,
                     struct weir_shape *shape, struct weir_wall *wall, struct surface *surface) {
    const struct weir_problem *problem = &c->problem;
    const char *name = kind->name;
    WEIR_TRY(read_name(json, c, kind, &name));
    WEIR_TRY(read_surface(json, c, kind, shape, wall, surface));
    WEIR_TRY(weir_case_read_adhesion(json, c, wall));
    WEIR_TRY(weir_case_read_contact_angle(json, c, wall));

    for (shape->wall = WEIR_FIRST_BODY; shape->wall < problem->wall_count; shape->wall++) {
        if (strcmp(problem->walls[shape->wall].name, name) != 0)
            continue;
        if (are_alike(&problem->walls[shape->wall], wall) &&
            (!wall->in_time ||
             weir_body_values_same(problem->body_context, shape->wall, surface->ramp, surface->components)))
            return 0;
        return weir_json_fail(json,
                              "does otherwise than an earlier solid or part of the same name \"%s\"; give it "
                              "another \"name\" or the same \"type\", \"rotation\" and \"%s\"",
                              name, kind->keys[value_key(wall->rule)].name);
    }
    return add_body(json, c, name, wall, surface);
}

static int read_body(const struct weir_json *json, struct weir_case *c, const struct kind *kind,
                     struct weir_shape *shape) {
    struct weir_wall wall = {.part = kind->face != 0};
    struct surface surface = {.ramp = 0};
    const int error = find_body(json, c, kind, shape, &wall, &surface);
    free_surface(&surface);
    return error;
}

/* Fails where a solid has a key beside its shape and the one of this row. named: a name is no such key. what:
 * it, and why. */
static int check_bare(const struct weir_json *json, int row, bool named, const char *what) {
    const struct weir_key *const keys = weir_solid_keys + SHAPES;
    for (int key = named ? NAME + 1 : NAME; keys[key].name; key++) {
        const struct weir_json other = weir_json_member(json, keys[key].name);
        if (key != row && weir_json_present(&other))
            return weir_json_fail(&other, "cannot be given here: a solid %s; remove it", what);
    }
    return 0;
}

/* Whether a solid is a hollow: such have a shape and nothing else. */
static int read_hollow(const struct weir_json *json, const struct weir_case *c,
                       const struct weir_shape *shape, bool *hollow) {
    const struct weir_key *const keys = weir_solid_keys + SHAPES;
    const struct weir_json type = weir_json_member(json, keys[TYPE].name);
    int choice = WEIR_RULE_WALL;
    *hollow = false;
    if (!weir_json_present(&type))
        return 0;
    WEIR_TRY(weir_key_read(&type, &keys[TYPE], &c->units, &choice));
    *hollow = choice == rules_of_solids();
    if (!*hollow)
        return 0;
    WEIR_TRY(check_bare(json, TYPE, false,
                        "of type \"" HOLLOW "\" is a hollow in the solids before it, which has "
                        "no surface of its own"));
    return shape == c->problem.shapes
               ? weir_json_fail(&type, "a hollow needs a solid before it, and this is the first "
                                       "of the list; put it behind the solid that it is in")
               : 0;
}

static int read_one(const struct weir_json *json, struct weir_case *c, int face, struct weir_shape *shape) {
    const struct kind kind = kind_of(face);
    WEIR_TRY(read_shape(json, c, shape));
    shape->face = face;
    if (face != 0 && weir_geometry_part_cells(&c->problem, shape) == 0)
        return weir_json_fail(
            json,
            "has no cell of face \"%s\": the middle of none of their faces lies inside; let "
            "the shape reach through the face",
            c->problem.walls[face].name);
    bool hollow = false;
    const struct weir_json conductor = weir_json_member(json, weir_solid_keys[SHAPES + CONDUCTOR].name);
    if (face == 0 && weir_json_present(&conductor)) {
        WEIR_TRY(
            check_bare(json, CONDUCTOR, true, "with a \"conductor\" has no surface that does anything else"));
        WEIR_TRY(weir_case_read_conductor(&conductor, c, shape));
        return read_conducting_body(json, c, &kind, shape);
    }
    if (face == 0)
        WEIR_TRY(read_hollow(json, c, shape, &hollow));
    return hollow ? 0 : read_body(json, c, &kind, shape);
}

/* All lists of shapes of a case: of solids (0), and of the parts of each face. Values refer to those that
 * they are members of, so they are kept, too. */
struct shape_lists {
    struct weir_json boundaries, faces[1 + WEIR_FACES], list[1 + WEIR_FACES];
    int count[1 + WEIR_FACES], total;
};

/* A face that is none has no list; that it is named is an error told elsewhere. */
static int find_lists(const struct weir_json *root, const struct weir_case *c, struct shape_lists *lists) {
    *lists = (struct shape_lists){.boundaries = weir_json_member(root, "boundaries")};
    for (int face = 0; face <= WEIR_FACES; face++) {
        const int axis = (face - 1) / 2;
        if (face > 0 && (axis >= weir_lattice_dimensions(c->problem.lattice) || c->problem.periodic[axis]))
            continue;
        if (face > 0)
            lists->faces[face] = weir_json_member(&lists->boundaries, weir_face_names[face - 1]);
        lists->list[face] =
            face == 0 ? weir_json_member(root, "solids") : weir_json_member(&lists->faces[face], "parts");
        if (weir_json_present(&lists->list[face]))
            WEIR_TRY(weir_json_array(&lists->list[face], face == 0 ? "a list of solids" : "a list of parts",
                                     0, INT_MAX - lists->total, &lists->count[face]));
        lists->total += lists->count[face];
    }
    return 0;
}

static int read_list(const struct weir_json *list, struct weir_case *c, int face, int count) {
    for (int i = 0; i < count; i++) {
        struct weir_json item = weir_json_item(list, i);
        const bool full = c->problem.wall_count == WEIR_WALLS_MAX;
        /* Counted before it is read: a region is freed with the shapes that are counted. */
        struct weir_shape *shape = &c->problem.shapes[c->problem.shape_count++];
        const int error = read_one(&item, c, face, shape);
        WEIR_JSON_NOTE(list->source, error);
        if (error != 0 && full) /* each further body would be too many again */
            return 0;
    }
    return 0;
}

int weir_case_read_solids(const struct weir_json *root, struct weir_case *c) {
    struct shape_lists lists;
    WEIR_TRY(find_lists(root, c, &lists));
    if (lists.total == 0)
        return 0;
    c->problem.shapes = calloc((size_t)lists.total, sizeof *c->problem.shapes);
    if (!c->problem.shapes)
        return weir_fail(WEIR_FAILED, "no memory left for %d solids", lists.total);
    for (int face = 0; face <= WEIR_FACES; face++)
        WEIR_TRY(read_list(&lists.list[face], c, face, lists.count[face]));
    return 0;
}
