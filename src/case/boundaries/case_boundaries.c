/* What lies beyond the domain's faces. */
#include "graph/base/error.h"
#include "src/case/boundaries/case_rules.h"
#include "src/case/boundary_profiles.h"
#include "src/case/case_sections.h"
#include "src/case/case_tables.h"
#include "src/case/density_limits.h"
#include "src/case/models/case_phases.h"
#include "src/case/models/case_scalar.h"
#include "src/case/models/case_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const *weir_boundary_abouts(void) {
    static const char *abouts[WEIR_RULE_COUNT];
    for (int rule = 0; rule < WEIR_RULE_COUNT; rule++)
        abouts[rule] = weir_rules[rule].about;
    return abouts;
}

enum {
    TYPE,
    WALL_VELOCITY,
    FLUID_VELOCITY,
    DENSITY,
    RAMP,
    SCALAR,
    SCALAR_FLUX,
    TEMPERATURE,
    ADHESION,
    CONTACT_ANGLE,
    PARTS
};
const struct weir_key weir_boundary_keys[] = {
    [TYPE] = {.name = "type",
              .type = WEIR_KEY_CHOICE,
              .needed = true,
              .about = "What happens to the fluid here.",
              .more = "FACE is `x-`, `x+`, `y-`, `y+`, `z-` or `z+`, on an axis that is not periodic.",
              .otherwise = "needed per face named",
              .choices = weir_rule_names,
              .wanted = "a type of boundary"},
    [WALL_VELOCITY] = {.name = "velocity",
                       .type = WEIR_KEY_NUMBER,
                       .per_axis = true,
                       .about = "Velocity of the wall along itself (SI: m/s).",
                       .more = "The component through the face must be 0.",
                       .fallback = "[0, 0, 0]",
                       .example = "[0.1, 0, 0]",
                       .kinds = 1u << WEIR_RULE_WALL | 1u << WEIR_RULE_INTERPOLATED_WALL,
                       .quantity = {"the wall's speed", WEIR_DIMENSION_VELOCITY, "0.1"}},
    [FLUID_VELOCITY] =
        {.name = "velocity",
         .type = WEIR_KEY_OTHER,
         .per_axis = true,
         .needed = true,
         .about =
             "Velocity of the fluid: for each axis a number, or a formula of x, y, z on the face, "
             "the time t (steps; SI: s), nx, ny, nz and pi, as for the initial state, or a table (SI: m/s).",
         .more = "A [table](user-guide.md#tables) is a CSV file, or its columns, over places, time or both.",
         .examples = "[[0.05, 0, 0], [\"0.01 * y*(ny - y)/ny^2\", 0, 0], "
                     "[\"0.02 * sin(2*pi*t/1000)\", 0, 0], "
                     "[{\"table\": {\"y\": [0, 8, 16], \"u\": [0, 0.05, 0]}}, 0, 0]]",
         .example = "[\"0.1 * 4*y*(ny - y)/ny^2\", 0, 0]",
         .schema = WEIR_PROFILE_SCHEMA(""),
         .kinds = 1u << WEIR_RULE_VELOCITY | 1u << WEIR_RULE_EQUILIBRIUM_VELOCITY |
                  1u << WEIR_RULE_ABSORBING | 1u << WEIR_RULE_ZOU_HE_VELOCITY |
                  1u << WEIR_RULE_REGULARISED_VELOCITY | 1u << WEIR_RULE_CONVECTIVE,
         .quantity = {"the fluid's velocity", WEIR_DIMENSION_VELOCITY, "0.05 or \"0.05*y/ny\""}},
    [DENSITY] = {.name = "density",
                 .type = WEIR_KEY_OTHER,
                 .needed = true,
                 .about = "Density of the fluid: a number, such a formula or a table (SI: kg/m³).",
                 .more = "The pressure is a third of it in lattice units.",
                 .examples = "[1, \"1 + 0.01*y/ny\"]",
                 .schema = WEIR_PROFILE_SCHEMA("\"exclusiveMinimum\": 0, "),
                 .kinds = 1u << WEIR_RULE_PRESSURE | 1u << WEIR_RULE_EQUILIBRIUM_PRESSURE |
                          1u << WEIR_RULE_ZOU_HE_PRESSURE | 1u << WEIR_RULE_REGULARISED_PRESSURE,
                 .quantity = {"the density", WEIR_DIMENSION_DENSITY, "1"}},
    [RAMP] = {.name = "ramp",
              .type = WEIR_KEY_NUMBER,
              .positive = true,
              .about =
                  "Time in which velocity or density rise smoothly to what is given, the velocity from 0, "
                  "the density from the mean of the start (steps; SI: s).",
              .otherwise = "they are there from the start",
              .examples = "[1000]",
              .kinds = ~(1u << WEIR_RULE_WALL | 1u << WEIR_RULE_SLIP) & ((1u << WEIR_RULE_COUNT) - 1),
              .quantity = {"the time of the rise", WEIR_DIMENSION_TIME, "1000"}},
    [SCALAR] = WEIR_SCALAR_VALUE_KEY(WEIR_KEY_OTHER, WEIR_PROFILE_SCHEMA("")),
    [SCALAR_FLUX] = WEIR_SCALAR_FLUX_KEY(WEIR_KEY_OTHER, WEIR_PROFILE_SCHEMA("")),
    [TEMPERATURE] = {.name = "temperature",
                     .type = WEIR_KEY_NUMBER,
                     .positive = true,
                     .about = "On lattice D2Q37: the temperature of the wall, which the three rows of cells "
                              "before it have, as they have its velocity.",
                     .fallback = "1",
                     .examples = "[1.05]",
                     .kinds = 1u << WEIR_RULE_WALL,
                     .quantity = {"the wall's temperature", WEIR_DIMENSION_NONE, "1.05"}},
    [ADHESION] = WEIR_ADHESION_KEY(1u << WEIR_RULE_WALL),
    [CONTACT_ANGLE] = WEIR_CONTACT_ANGLE_KEY(1u << WEIR_RULE_WALL),
    [PARTS] = {.name = "parts",
               .type = WEIR_KEY_LIST,
               .about = "Parts of the face where something else happens: those of its cells whose own faces "
                        "have their middle inside a shape. Later ones win.",
               .schema = "{\"if\": {\"required\": [\"type\"], \"properties\": {\"type\": {\"enum\": "
                         "[\"pressure\", \"equilibrium_pressure\", \"zou_he_pressure\", "
                         "\"regularised_pressure\"]}}}, \"then\": {\"required\": "
                         "[\"density\"], \"properties\": "
                         "{\"velocity\": false}}, \"else\": {\"properties\": {\"density\": false}}}",
               .members = weir_part_keys,
               .definition = "part"},
    {.name = NULL},
};

/* By rule: the row of its value. */
enum { NO_KEY = -1 };
static const int value_keys[WEIR_RULE_COUNT] = {[WEIR_RULE_SLIP] = NO_KEY,
                                                [WEIR_RULE_WALL] = WALL_VELOCITY,
                                                [WEIR_RULE_VELOCITY] = FLUID_VELOCITY,
                                                [WEIR_RULE_PRESSURE] = DENSITY,
                                                [WEIR_RULE_EQUILIBRIUM_VELOCITY] = FLUID_VELOCITY,
                                                [WEIR_RULE_EQUILIBRIUM_PRESSURE] = DENSITY,
                                                [WEIR_RULE_ABSORBING] = FLUID_VELOCITY,
                                                [WEIR_RULE_ZOU_HE_VELOCITY] = FLUID_VELOCITY,
                                                [WEIR_RULE_ZOU_HE_PRESSURE] = DENSITY,
                                                [WEIR_RULE_REGULARISED_VELOCITY] = FLUID_VELOCITY,
                                                [WEIR_RULE_REGULARISED_PRESSURE] = DENSITY,
                                                [WEIR_RULE_CONVECTIVE] = FLUID_VELOCITY,
                                                [WEIR_RULE_INTERPOLATED_WALL] = WALL_VELOCITY};

/* The case's profiles, made with the first. */
static int profiles_of(struct weir_case *c, struct weir_boundary_profiles **result) {
    struct weir_problem *problem = &c->problem;
    struct weir_boundary_profiles *profiles = problem->profile_context;
    if (!profiles) {
        profiles = weir_boundary_profiles_create(problem, &c->units, c->file);
        problem->profile_context = profiles; /* from here on the case owns it */
        problem->profile = weir_boundary_profiles_fill;
        if (!profiles || !profiles->file)
            return weir_fail(WEIR_FAILED, "no memory left for the boundaries");
    }
    *result = profiles;
    return 0;
}

/* Takes constants over into the problem; formulas and tables stay in the profiles. */
static int use_values(struct weir_case *c, int face, struct weir_boundary_profiles *profiles) {
    struct weir_wall *wall = &c->problem.walls[WEIR_WALL_OF_FACE(face)];
    const struct weir_initial_component *components = profiles->components[face];
    struct weir_profile_survey survey;
    wall->scalar_profile = weir_component_differs(&components[WEIR_PROFILE_SCALAR]);
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
        wall->profile = wall->profile || weir_component_differs(&components[k]);
    wall->profile = wall->profile || profiles->ramp[face] > 0;
    wall->varies_until = weir_boundary_profiles_vary(profiles, face) ? HUGE_VAL : profiles->ramp[face];
    if (weir_rules[wall->rule].value == WEIR_RULE_DENSITY)
        wall->density = components[0].constant;
    else
        for (int axis = 0; axis < 3; axis++)
            wall->velocity[axis] = components[axis].constant;
    WEIR_TRY(weir_boundary_profiles_survey(profiles, face, &survey));
    c->characteristic_velocity = fmax(c->characteristic_velocity, survey.greatest_speed);
    return 0;
}

/* Along itself a wall may move, but not through the face. */
static int check_wall(const struct weir_json *face_json, const struct weir_wall *wall, int axis) {
    if ((wall->rule != WEIR_RULE_WALL && wall->rule != WEIR_RULE_THERMAL_WALL) || wall->velocity[axis] == 0)
        return 0;
    const struct weir_json velocity = weir_json_member(face_json, "velocity"),
                           item = weir_json_item(&velocity, axis);
    return weir_json_fail_type(
        &item, "0",
        "0: a wall moves along itself; through its face it would make or destroy mass. Type "
        "\"velocity\" lets fluid pass");
}

static int read_temperature(const struct weir_json *face_json, const struct weir_case *c,
                            struct weir_wall *wall) {
    const struct weir_json temperature = weir_json_member(face_json, weir_boundary_keys[TEMPERATURE].name);
    if (!weir_json_present(&temperature))
        return 0;
    if (!weir_problem_is_thermal(&c->problem))
        return weir_json_fail(&temperature,
                              "is given, but the flow has no temperature; choose lattice D2Q37, or "
                              "remove this");
    return weir_key_read(&temperature, &weir_boundary_keys[TEMPERATURE], &c->units, &wall->temperature);
}

/* The rule that the type of a face means in this case. */
static enum weir_rule rule_of_face(const struct weir_problem *problem, int type) {
    if (weir_problem_is_thermal(problem) && type == WEIR_RULE_WALL)
        return WEIR_RULE_THERMAL_WALL;
    /* A face is half-way between cells, where interpolation changes nothing. */
    return type == WEIR_RULE_INTERPOLATED_WALL ? WEIR_RULE_WALL : (enum weir_rule)type;
}

static int read_face(const struct weir_json *face_json, struct weir_case *c, int face) {
    const int axis = face / 2;
    struct weir_wall *wall = &c->problem.walls[WEIR_WALL_OF_FACE(face)];
    struct weir_boundary_profiles *profiles = NULL;

    WEIR_TRY(
        weir_json_object(face_json, "an object such as {\"type\": \"wall\", \"velocity\": [0.1, 0, 0]}"));
    if (axis >= weir_lattice_dimensions(c->problem.lattice))
        return weir_json_fail(face_json,
                              "lattice %s is flat and has no z faces; remove this one, or use lattice D3Q19",
                              weir_lattice_names[c->problem.lattice]);
    if (c->problem.periodic[axis])
        return weir_json_fail(face_json,
                              "the domain is periodic along %c and has no such face; remove it here, or make "
                              "domain.periodic[%d] false",
                              "xyz"[axis], axis);

    const struct weir_key *keys = weir_boundary_keys;
    const struct weir_json type = weir_json_member(face_json, keys[TYPE].name);
    const char *word;
    int rule;
    if (!weir_json_present(&type))
        return weir_json_fail_choice_missing(&type, weir_rule_names);
    WEIR_TRY(weir_json_string(&type, keys[TYPE].wanted, &word));
    if (strcmp(word, "periodic") == 0) /* as other solvers have it */
        return weir_json_fail(
            &type,
            "\"periodic\" is said of an axis and not of a face; make domain.periodic[%d] true, "
            "and remove both faces normal to %c here",
            axis, "xyz"[axis]);
    WEIR_TRY(weir_key_read(&type, &keys[TYPE], &c->units, &rule));
    WEIR_TRY(weir_key_check_kind(face_json, keys, rule));
    WEIR_TRY(weir_case_check_rule(&type, c, (enum weir_rule)rule));
    WEIR_TRY(profiles_of(c, &profiles));
    profiles->rule[face] = wall->rule = rule_of_face(&c->problem, rule);
    if (value_keys[rule] != NO_KEY)
        WEIR_TRY(weir_case_read_rule_values(face_json, &keys[value_keys[rule]], c, wall->rule,
                                            weir_rules[wall->rule].profiles, profiles->components[face]));
    WEIR_TRY(
        weir_case_read_scalar_rule(face_json, c, wall, &profiles->components[face][WEIR_PROFILE_SCALAR]));
    const struct weir_json ramp = weir_json_member(face_json, keys[RAMP].name);
    if (weir_json_present(&ramp))
        WEIR_TRY(weir_key_read(&ramp, &keys[RAMP], &c->units, &profiles->ramp[face]));
    WEIR_TRY(use_values(c, face, profiles));
    WEIR_TRY(check_wall(face_json, wall, axis));
    WEIR_TRY(read_temperature(face_json, c, wall));
    WEIR_TRY(weir_case_read_adhesion(face_json, c, wall));
    return weir_case_read_contact_angle(face_json, c, wall);
}

int weir_case_read_boundaries(const struct weir_json *root, struct weir_case *c) {
    struct weir_json boundaries = weir_json_member(root, "boundaries");
    for (int face = 0; face < WEIR_FACES; face++) /* what is not said is a wall */
        if (face / 2 < weir_lattice_dimensions(c->problem.lattice) && !c->problem.periodic[face / 2])
            c->problem.walls[WEIR_WALL_OF_FACE(face)].rule = rule_of_face(&c->problem, WEIR_RULE_WALL);
    if (!weir_json_present(&boundaries))
        return 0;
    WEIR_TRY(weir_json_object(&boundaries, "an object such as {\"z+\": {\"type\": \"wall\"}}"));
    for (int face = 0; face < WEIR_FACES; face++) {
        struct weir_json face_json = weir_json_member(&boundaries, weir_face_names[face]);
        if (weir_json_present(&face_json))
            WEIR_JSON_NOTE(root->source, read_face(&face_json, c, face));
    }
    return 0;
}
