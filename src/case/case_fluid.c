/* What the fluid is: collision, precision, viscosity in one of three ways, and the force on it. */
#include "graph/base/error.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/scales.h"
#include "src/case/speed.h"

#include <stdio.h>
#include <string.h>

/* Relaxation times beyond these cannot be computed with: nearer to 1/2 no resolution is fine enough, and
 * above the upper end single precision loses the change per step. */
static const double tau_least = 0.5001, tau_most = 1000;

static const struct weir_case_quantity viscosity_quantity = {"the kinematic viscosity",
                                                             WEIR_DIMENSION_VISCOSITY, "0.02"};
static const struct weir_case_quantity velocity_quantity = {"the velocity in the Reynolds number",
                                                            WEIR_DIMENSION_VELOCITY, "0.1"};
static const struct weir_case_quantity length_quantity = {"the length in the Reynolds number",
                                                          WEIR_DIMENSION_LENGTH, "128"};
static const struct weir_case_quantity force_quantity = {"the force per volume", WEIR_DIMENSION_FORCE_DENSITY,
                                                         "1e-5"};

/* Complains of a parameter that another collision takes. */
static int check_parameter(const struct weir_json *collision, const struct weir_collision_row *row,
                           const struct weir_collision_row *other, const char *key) {
    const struct weir_json json = weir_json_member(collision, key);
    for (int k = 0; k < WEIR_PARAMETERS_MAX && row->parameters[k].key; k++)
        if (strcmp(row->parameters[k].key, key) == 0)
            return 0;
    return weir_json_present(&json)
               ? weir_json_fail(&json,
                                "belongs to collision.operator \"%s\", but that is \"%s\"; remove one of "
                                "the two",
                                other->name, row->name)
               : 0;
}

static int read_parameters(const struct weir_json *collision, const struct weir_collision_row *row,
                           double *values) {
    for (int other = 0; other < WEIR_COLLISION_COUNT; other++) {
        const struct weir_collision_row *of = weir_collision_row((enum weir_collision)other);
        for (int k = 0; k < WEIR_PARAMETERS_MAX && of->parameters[k].key; k++)
            WEIR_TRY(check_parameter(collision, row, of, of->parameters[k].key));
    }
    for (int k = 0; k < WEIR_PARAMETERS_MAX && row->parameters[k].key; k++) {
        const struct weir_parameter *parameter = &row->parameters[k];
        const struct weir_json json = weir_json_member(collision, parameter->key);
        if (!weir_json_present(&json))
            continue;
        WEIR_TRY(weir_json_number(&json, parameter->wanted, &values[k]));
        if (!(values[k] > parameter->above)) {
            char kind[48];
            snprintf(kind, sizeof kind, "greater than %g", parameter->above);
            return weir_json_fail_type(&json, kind, parameter->wanted);
        }
    }
    return 0;
}

static int read_collision(const struct weir_json *root, struct weir_problem *problem) {
    struct weir_json collision = weir_json_member(root, "collision");
    if (!weir_json_present(&collision))
        return 0;
    WEIR_TRY(weir_json_object(&collision, "an object such as {\"operator\": \"trt\"}"));

    struct weir_json name = weir_json_member(&collision, "operator");
    if (weir_json_present(&name)) {
        int choice;
        WEIR_TRY(weir_json_choice(&name, "a collision operator", weir_collision_names, &choice));
        weir_problem_collide_by(problem, (enum weir_collision)choice);
    }
    const struct weir_collision_row *row = weir_collision_row(problem->collision);
    if (!(row->lattices & 1u << problem->lattice))
        return weir_json_fail(&name, "\"%s\" cannot be used on lattice %s: %s", row->name,
                              weir_lattice_names[problem->lattice], row->elsewhere);
    return read_parameters(&collision, row, problem->parameters);
}

static int read_precision(const struct weir_json *root, struct weir_problem *problem) {
    struct weir_json precision = weir_json_member(root, "precision");
    if (!weir_json_present(&precision))
        return 0;
    static const char *const names[] = {"single", "double", NULL};
    int choice;
    WEIR_TRY(weir_json_choice(&precision, "a precision", names, &choice));
    problem->precision = choice == 0 ? WEIR_SINGLE : WEIR_DOUBLE;
    return 0;
}

/* How populations are kept in memory. */
static int read_storage(const struct weir_json *root, struct weir_problem *problem) {
    struct weir_json storage = weir_json_member(root, "storage");
    if (!weir_json_present(&storage))
        return 0;
    static const char *const names[] = {"full", "half", NULL};
    int choice;
    WEIR_TRY(weir_json_choice(&storage, "a storage", names, &choice));
    if (choice == 0)
        return 0;
    if (problem->precision == WEIR_DOUBLE)
        return weir_json_fail(&storage, "\"half\" belongs to precision \"single\", but that is \"double\"; "
                                        "remove one of the two");
    problem->precision = WEIR_HALF;
    return 0;
}

/* Sets tau from a viscosity in lattice units. Returns whether it can be computed with; else *bound is
 * about the nearest that can, far enough inside to be shown with four digits. */
static bool set_viscosity(struct weir_problem *problem, double viscosity, double *bound) {
    double tau = 3 * viscosity + 0.5;
    problem->relaxation_time = tau;
    *bound = tau < tau_least ? 1.001 * (tau_least - 0.5) / 3 : 0.999 * (tau_most - 0.5) / 3;
    return tau >= tau_least && tau <= tau_most;
}

static int read_viscosity(const struct weir_json *json, struct weir_case *c) {
    const double unit = weir_units_viscosity(&c->units);
    double viscosity, bound;
    WEIR_TRY(weir_case_read_positive(json, &c->units, &viscosity_quantity, &viscosity));
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
    snprintf(wanted, sizeof wanted, "a relaxation time between %g and %g, such as 0.6", tau_least, tau_most);
    WEIR_TRY(weir_json_number(json, wanted, &c->problem.relaxation_time));
    if (c->problem.relaxation_time < tau_least)
        return weir_json_fail_type(json,
                                   c->problem.relaxation_time <= 0.5
                                       ? "greater than 0.5 (where the viscosity is 0)"
                                       : "far enough from 0.5 to be stable",
                                   wanted);
    if (c->problem.relaxation_time > tau_most)
        return weir_json_fail_type(json, "small enough", wanted);
    return 0;
}

static int read_reynolds(const struct weir_json *json, struct weir_case *c) {
    const char *number_wanted = "the Reynolds number, such as 1000";
    struct weir_json number = weir_json_member(json, "number");
    struct weir_json velocity = weir_json_member(json, "velocity");
    struct weir_json length = weir_json_member(json, "length");
    double reynolds, speed, cells, bound;

    WEIR_TRY(weir_json_object(json, "an object {\"number\": ..., \"velocity\": ..., \"length\": ...}"));
    if (!weir_json_present(&number))
        return weir_json_fail_missing(&number, number_wanted);
    WEIR_TRY(weir_json_number(&number, number_wanted, &reynolds));
    if (reynolds <= 0)
        return weir_json_fail_type(&number, "greater than 0", number_wanted);
    WEIR_TRY(weir_case_read_positive(&velocity, &c->units, &velocity_quantity, &speed));
    WEIR_TRY(weir_case_check_speed(&velocity, &c->units, speed));
    WEIR_TRY(weir_case_read_positive(&length, &c->units, &length_quantity, &cells));

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
    static const struct {
        const char *key;
        int (*read)(const struct weir_json *json, struct weir_case *c);
    } ways[] = {{"viscosity", read_viscosity}, {"tau", read_tau}, {"reynolds", read_reynolds}};
    struct weir_json fluid = weir_json_member(root, "fluid"), chosen;
    const char *wanted = "exactly one of \"viscosity\", \"tau\" and \"reynolds\", such as {\"tau\": 0.6}";
    const char *given = NULL;
    int way = 0;

    if (!weir_json_present(&fluid))
        return weir_json_fail_missing(&fluid, wanted);
    WEIR_TRY(weir_json_object(&fluid, wanted));
    for (int i = 0; i < 3; i++) {
        struct weir_json json = weir_json_member(&fluid, ways[i].key);
        if (!weir_json_present(&json))
            continue;
        if (given)
            return weir_json_fail(&fluid, "\"%s\" and \"%s\" are both given; give %s", given, ways[i].key,
                                  wanted);
        given = ways[i].key;
        chosen = json;
        way = i;
    }
    if (!given)
        return weir_json_fail(&fluid, "says nothing of the viscosity; give %s", wanted);
    return ways[way].read(&chosen, c);
}

int weir_case_read_fluid(const struct weir_json *root, struct weir_case *c) {
    WEIR_JSON_NOTE(root->source, read_collision(root, &c->problem));
    WEIR_JSON_NOTE(root->source, read_precision(root, &c->problem));
    WEIR_JSON_NOTE(root->source, read_storage(root, &c->problem));
    return read_viscosity_choice(root, c);
}

int weir_case_read_force(const struct weir_json *root, struct weir_case *c) {
    struct weir_json force = weir_json_member(root, "force");
    if (!weir_json_present(&force))
        return 0;
    WEIR_TRY(weir_case_read_vector(&force, c, &force_quantity, c->problem.force));
    double gain = weir_speed(c->problem.force) / c->problem.reference_density;
    if (gain < WEIR_SPEED_LIMIT)
        return 0;
    return weir_json_fail(
        &force,
        "would speed the fluid up by %.4g cell widths per step in every step; a speed must stay "
        "below %s, so a force is usually below 1e-3%s",
        gain, WEIR_SPEED_LIMIT_TEXT, c->units.si ? " in lattice units: make si.time_step smaller" : "");
}
