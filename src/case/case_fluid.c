/* What the fluid is: collision, precision, viscosity in one of three ways, and the force on it. */
#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/case/case_keys.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/scales.h"
#include "src/case/speed.h"

#include <stdio.h>

/* Relaxation times beyond these cannot be computed with: nearer to 1/2 no resolution is fine enough, and
 * above the upper end single precision loses the change per step. */
#define TAU_LEAST 0.5001
#define TAU_MOST 1000.0

/* What a Reynolds number is made of. */
struct reynolds {
    double number, velocity, length;
};

enum { NUMBER, VELOCITY, LENGTH };
static const struct weir_key reynolds_keys[] = {
    [NUMBER] = {.name = "number",
                .type = WEIR_KEY_NUMBER,
                .needed = true,
                .positive = true,
                .about = "The Reynolds number; the viscosity becomes velocity · length / number.",
                .otherwise = "needed with it",
                .examples = "[100]",
                .wanted = "the Reynolds number, such as 1000",
                WEIR_KEY_AT(struct reynolds, number)},
    [VELOCITY] = {.name = "velocity",
                  .type = WEIR_KEY_NUMBER,
                  .needed = true,
                  .positive = true,
                  .about = "The velocity it is made with (SI: m/s).",
                  .otherwise = "needed with it",
                  .examples = "[0.1]",
                  .quantity = {"the velocity in the Reynolds number", WEIR_DIMENSION_VELOCITY, "0.1"},
                  WEIR_KEY_AT(struct reynolds, velocity)},
    [LENGTH] = {.name = "length",
                .type = WEIR_KEY_NUMBER,
                .needed = true,
                .positive = true,
                .about = "The length it is made with, in cell widths (SI: m).",
                .otherwise = "needed with it",
                .examples = "[16]",
                .example = "128",
                .quantity = {"the length in the Reynolds number", WEIR_DIMENSION_LENGTH, "128"},
                WEIR_KEY_AT(struct reynolds, length)},
    {.name = NULL},
};

enum { VISCOSITY, TAU, REYNOLDS, WAYS };
const struct weir_key weir_fluid_keys[] = {
    [VISCOSITY] = {.name = "viscosity",
                   .type = WEIR_KEY_NUMBER,
                   .alternative = true,
                   .positive = true,
                   .about = "Kinematic viscosity (SI: m²/s).",
                   .otherwise = "one of these three",
                   .examples = "[0.02]",
                   .quantity = {"the kinematic viscosity", WEIR_DIMENSION_VISCOSITY, "0.02"}},
    [TAU] = {.name = "tau",
             .type = WEIR_KEY_NUMBER,
             .alternative = true,
             .about = "Relaxation time in steps; viscosity = (tau - 1/2) / 3, on D2Q37 (tau - 1/2) / 1.4328.",
             .otherwise = "one of these three",
             .examples = "[0.6]",
             .least = TAU_LEAST,
             .most = TAU_MOST},
    [REYNOLDS] = {.name = "reynolds",
                  .type = WEIR_KEY_OBJECT,
                  .alternative = true,
                  .about = "The viscosity that gives a Reynolds number: velocity · length / number.",
                  .otherwise = "one of these three",
                  .members = reynolds_keys},
    [WAYS] = {.name = NULL},
};

const char *const *weir_collision_abouts(void) {
    static const char *abouts[WEIR_COLLISION_COUNT + 1];
    for (int k = 0; k < WEIR_COLLISION_COUNT; k++)
        abouts[k] = weir_collision_row((enum weir_collision)k)->about;
    return abouts;
}

/* The key of a parameter of a collision. */
static struct weir_key parameter_key(enum weir_collision collision, int k) {
    static char fallbacks[WEIR_COLLISION_COUNT][WEIR_PARAMETERS_MAX][32];
    const struct weir_parameter *parameter = &weir_collision_row(collision)->parameters[k];
    char *fallback = fallbacks[collision][k];
    snprintf(fallback, sizeof fallbacks[0][0], "%.9g", parameter->fallback);
    return (struct weir_key){.name = parameter->key,
                             .type = WEIR_KEY_NUMBER,
                             .positive = true,
                             .most = parameter->most,
                             .about = parameter->about,
                             .more = parameter->more,
                             .fallback = fallback,
                             .example = parameter->example,
                             .wanted = parameter->wanted,
                             .kinds = 1u << collision};
}

static struct weir_key equilibrium_key(void) {
    struct weir_key key = {
        .name = "equilibrium",
        .type = WEIR_KEY_CHOICE,
        .about = "What populations relax to. With incompressible the density is a pressure alone: "
                 "steady flows do not feel how it falls along them.",
        .more = "[Equilibrium](numerics.md#equilibrium).",
        .fallback = "\"compressible\"",
        .choices = weir_equilibrium_names,
        .wanted = "an equilibrium"};
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++)
        if (weir_collision_row((enum weir_collision)collision)->incompressible)
            key.kinds |= 1u << collision;
    return key;
}

const struct weir_key *weir_collision_keys(void) {
    static struct weir_key keys[3 + WEIR_COLLISION_COUNT * WEIR_PARAMETERS_MAX];
    int count = 0;
    keys[count++] = (struct weir_key){.name = "operator",
                                      .type = WEIR_KEY_CHOICE,
                                      .about = "How populations relax.",
                                      .fallback = "\"trt\"",
                                      .choices = weir_collision_names,
                                      .wanted = "a collision operator"};
    keys[count++] = equilibrium_key();
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++)
        for (int k = 0; k < WEIR_PARAMETERS_MAX; k++)
            if (weir_collision_row((enum weir_collision)collision)->parameters[k].key)
                keys[count++] = parameter_key((enum weir_collision)collision, k);
    keys[count] = (struct weir_key){.name = NULL};
    return keys;
}

static int read_equilibrium(const struct weir_json *collision, struct weir_problem *problem) {
    const struct weir_key key = equilibrium_key();
    const struct weir_json json = weir_json_member(collision, key.name);
    int choice = (int)problem->equilibrium;
    if (weir_json_present(&json))
        WEIR_TRY(weir_key_read(&json, &key, NULL, &choice));
    problem->equilibrium = (enum weir_equilibrium)choice;
    return 0;
}

/* json: where the collision is named, or, where it is not, the lattice, on which the default has to work. */
static int check_lattice(const struct weir_json *json, const struct weir_problem *problem) {
    const struct weir_collision_row *row = weir_collision_row(problem->collision);
    if (weir_collision_on(problem->collision, problem->lattice))
        return 0;
    if (weir_problem_is_thermal(problem))
        return weir_json_fail(json,
                              "\"%s\" cannot be used on lattice %s: it does not conserve energy; choose the "
                              "collision thermal_bgk or thermal_hermite",
                              row->name, weir_lattice_names[problem->lattice]);
    return weir_json_fail(json, "\"%s\" cannot be used on lattice %s: %s", row->name,
                          weir_lattice_names[problem->lattice], row->elsewhere);
}

static int read_collision(const struct weir_json *root, struct weir_problem *problem) {
    const struct weir_key *keys = weir_collision_keys();
    struct weir_json collision = weir_json_member(root, "collision");
    const struct weir_json lattice = weir_json_member(root, "lattice");
    if (!weir_json_present(&collision))
        return check_lattice(&lattice, problem);
    WEIR_TRY(weir_json_object(&collision, "an object such as {\"operator\": \"trt\"}"));

    const struct weir_json name = weir_json_member(&collision, keys->name);
    int choice = (int)problem->collision;
    if (weir_json_present(&name))
        WEIR_TRY(weir_key_read(&name, keys, NULL, &choice));
    WEIR_TRY(weir_key_check_kind(&collision, keys, choice));
    weir_problem_collide_by(problem, (enum weir_collision)choice);
    WEIR_TRY(read_equilibrium(&collision, problem));

    const struct weir_collision_row *row = weir_collision_row(problem->collision);
    WEIR_TRY(check_lattice(weir_json_present(&name) ? &name : &lattice, problem));
    for (int k = 0; k < WEIR_PARAMETERS_MAX && row->parameters[k].key; k++) {
        const struct weir_key key = parameter_key(problem->collision, k);
        const struct weir_json json = weir_json_member(&collision, key.name);
        if (weir_json_present(&json) && !weir_parameter_on(&row->parameters[k], problem->lattice))
            WEIR_TRY(weir_json_fail(&json, "%s has no such moments; remove it",
                                    weir_lattice_names[problem->lattice]));
        if (weir_json_present(&json))
            WEIR_TRY(weir_key_read(&json, &key, NULL, &problem->parameters[k]));
    }
    return 0;
}

/* The choice that a case makes at a key, by name; the first where it makes none. */
static int read_name(const struct weir_json *root, const char *key, const char *const names[],
                     const char **name) {
    const struct weir_json json = weir_json_member(root, key);
    int choice = 0;
    if (weir_json_present(&json))
        WEIR_TRY(weir_key_read(&json, weir_case_root_key(key), NULL, &choice));
    *name = names[choice];
    return 0;
}

/* The arithmetic, and how populations are kept in memory. What is wrong with one is told beside what is wrong
 * with the other. */
static int read_precision(const struct weir_json *root, struct weir_problem *problem) {
    const char *arithmetic = weir_arithmetic_names[0], *storage = weir_storage_names[0];
    WEIR_JSON_NOTE(root->source, read_name(root, "precision", weir_arithmetic_names, &arithmetic));
    WEIR_JSON_NOTE(root->source, read_name(root, "storage", weir_storage_names, &storage));
    const int precision = weir_precision_find(arithmetic, storage);
    if (precision < 0) {
        const struct weir_json json = weir_json_member(root, "storage");
        return weir_json_fail(
            &json,
            "populations of precision \"%s\" cannot be kept as \"%s\"; remove \"precision\" "
            "or \"storage\"",
            arithmetic, storage);
    }
    problem->precision = (enum weir_precision)precision;
    return 0;
}

/* Sets tau from a viscosity in lattice units. Returns whether it can be computed with; else *bound is
 * about the nearest that can, far enough inside to be shown with four digits. */
static bool set_viscosity(struct weir_problem *problem, double viscosity, double *bound) {
    const double tau = weir_problem_relaxation_time(problem, viscosity);
    problem->relaxation_time = tau;
    *bound = (tau < TAU_LEAST ? 1.001 * (TAU_LEAST - 0.5) : 0.999 * (TAU_MOST - 0.5)) /
             weir_lattice_table((int)problem->lattice)->inverse_cs2;
    return tau >= TAU_LEAST && tau <= TAU_MOST;
}

static int read_viscosity(const struct weir_json *json, struct weir_case *c) {
    const double unit = weir_units_viscosity(&c->units);
    double viscosity, bound;
    WEIR_TRY(weir_case_read_positive(json, &c->units, &weir_fluid_keys[VISCOSITY].quantity, &viscosity));
    if (set_viscosity(&c->problem, viscosity, &bound))
        return 0;
    bool low = viscosity < bound;
    char scales[128] = "";
    if (c->units.si && low)
        snprintf(scales, sizeof scales,
                 " m^2/s, or a larger si.time_step (%.2g makes it 0.51) or smaller si.cell_size",
                 weir_time_step_for_viscosity(&c->units, viscosity * unit));
    else if (c->units.si)
        snprintf(scales, sizeof scales, " m^2/s, or a smaller si.time_step or larger si.cell_size");
    return weir_json_fail(json, "%g gives the relaxation time %.9g, too %s; give at %s %.4g%s",
                          viscosity * unit, c->problem.relaxation_time,
                          low ? "near 0.5 to be stable" : "large to be computed with", low ? "least" : "most",
                          bound * unit, scales);
}

static int read_tau(const struct weir_json *json, struct weir_case *c) {
    char wanted[WEIR_WANTED];
    snprintf(wanted, sizeof wanted, "a relaxation time between %g and %g, such as 0.6", TAU_LEAST, TAU_MOST);
    WEIR_TRY(weir_json_number(json, wanted, &c->problem.relaxation_time));
    if (c->problem.relaxation_time < TAU_LEAST)
        return weir_json_fail_type(json,
                                   c->problem.relaxation_time <= 0.5
                                       ? "greater than 0.5 (where the viscosity is 0)"
                                       : "far enough from 0.5 to be stable",
                                   wanted);
    if (c->problem.relaxation_time > TAU_MOST)
        return weir_json_fail_type(json, "small enough", wanted);
    return 0;
}

static int read_reynolds(const struct weir_json *json, struct weir_case *c) {
    const struct weir_json velocity = weir_json_member(json, "velocity");
    const int before = json->source->mistakes->count;
    struct reynolds given;
    double bound;

    WEIR_TRY(weir_json_object(json, "an object {\"number\": ..., \"velocity\": ..., \"length\": ...}"));
    WEIR_TRY(weir_keys_read(json, reynolds_keys, &c->units, &given));
    if (json->source->mistakes->count > before)
        return 0;
    const double reynolds = given.number, speed = given.velocity, cells = given.length;
    WEIR_TRY(weir_case_check_speed(&velocity, &c->units, speed));

    c->characteristic_velocity = fmax(c->characteristic_velocity, speed);
    c->characteristic_length = cells;
    if (set_viscosity(&c->problem, speed * cells / reynolds, &bound))
        return 0;
    bool low = speed * cells / reynolds < bound;
    return weir_json_fail(
        json,
        "number %g with this velocity and length gives the relaxation time %.9g, too %s; give a number "
        "of at %s %.4g, or make the length in cells or the velocity %s",
        reynolds, c->problem.relaxation_time, low ? "near 0.5 to be stable" : "large to be computed with",
        low ? "most" : "least", speed * cells / bound, low ? "greater" : "smaller");
}

static int read_viscosity_choice(const struct weir_json *root, struct weir_case *c) {
    static int (*const read[WAYS])(const struct weir_json *json, struct weir_case *c) = {
        [VISCOSITY] = read_viscosity, [TAU] = read_tau, [REYNOLDS] = read_reynolds};
    struct weir_json fluid = weir_json_member(root, "fluid"), chosen;
    const char *wanted = "exactly one of \"viscosity\", \"tau\" and \"reynolds\", such as {\"tau\": 0.6}";
    const char *given = NULL;
    int way = 0;

    if (!weir_json_present(&fluid))
        return weir_json_fail_missing(&fluid, wanted);
    WEIR_TRY(weir_json_object(&fluid, wanted));
    for (int i = 0; i < WAYS; i++) {
        struct weir_json json = weir_json_member(&fluid, weir_fluid_keys[i].name);
        if (!weir_json_present(&json))
            continue;
        if (given)
            return weir_json_fail(&fluid, "\"%s\" and \"%s\" are both given; give %s", given,
                                  weir_fluid_keys[i].name, wanted);
        given = weir_fluid_keys[i].name;
        chosen = json;
        way = i;
    }
    if (!given)
        return weir_json_fail(&fluid, "says nothing of the viscosity; give %s", wanted);
    WEIR_TRY(read[way](&chosen, c));
    const struct weir_collision_row *row = weir_collision_row(c->problem.collision);
    if (row->most_tau > 0 && c->problem.relaxation_time >= row->most_tau)
        return weir_json_fail(
            &chosen,
            "makes the relaxation time %.6g, and %s, whose rates follow from it, takes less "
            "than %.3g; give a smaller viscosity in lattice units, by shorter time steps or "
            "wider cells, or choose the collision cumulant",
            c->problem.relaxation_time, row->name, row->most_tau);
    return 0;
}

/* Whether there is a collision on the lattice that goes by moments, where these are to be kept. */
static int check_moments(const struct weir_json *root, const struct weir_problem *problem) {
    const struct weir_json storage = weir_json_member(root, "storage");
    if (!weir_precision_row(problem->precision)->moments || weir_problem_is_thermal(problem) ||
        weir_collision_on(WEIR_REGULARISED, problem->lattice))
        return 0;
    return weir_json_fail(&storage,
                          "\"%s\" cannot be kept on lattice %s, which has no collision that goes by them; "
                          "choose D3Q15 or D3Q19, or remove \"storage\"",
                          weir_precision_row(problem->precision)->storage,
                          weir_lattice_names[problem->lattice]);
}

int weir_case_read_fluid(const struct weir_json *root, struct weir_case *c) {
    WEIR_JSON_NOTE(root->source, read_precision(root, &c->problem));
    WEIR_TRY(check_moments(root, &c->problem));
    if (!weir_problem_is_thermal(
            &c->problem)) /* what a flow with a temperature collides by keeps no moments */
        weir_problem_keep(&c->problem, c->problem.precision);
    WEIR_JSON_NOTE(root->source, read_collision(root, &c->problem));
    return read_viscosity_choice(root, c);
}

int weir_case_read_force(const struct weir_json *root, struct weir_case *c) {
    struct weir_json force = weir_json_member(root, "force");
    if (!weir_json_present(&force))
        return 0;
    WEIR_TRY(weir_case_read_vector(&force, c, &weir_case_root_key("force")->quantity, c->problem.force));
    double gain = weir_speed(c->problem.force) / c->problem.reference_density;
    if (gain < WEIR_SPEED_LIMIT)
        return 0;
    return weir_json_fail(
        &force,
        "would speed the fluid up by %.4g cell widths per step in every step; a speed must stay "
        "below %s, so a force is usually below 1e-3%s",
        gain, WEIR_SPEED_LIMIT_TEXT, c->units.si ? " in lattice units: make si.time_step smaller" : "");
}
