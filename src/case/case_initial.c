/* The initial state: numbers, or formulas that become the problem's initial function. */
#include "graph/base/error.h"
#include "src/case/case_formulas.h"
#include "src/case/case_sections.h"
#include "src/case/density_limits.h"
#include "src/case/initial_formulas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DENSITY, VELOCITY, SCALAR, TEMPERATURE };
const struct weir_key weir_initial_keys[] = {
    [DENSITY] = {.name = "density",
                 .type = WEIR_KEY_OTHER,
                 .about =
                     "A number, or a formula of x, y, z (the cell's centre), nx, ny, nz (the domain's size) "
                     "and pi (SI: kg/m³). In lattice units between 0.02 and 50, with half storage 4.",
                 .fallback = "1",
                 .otherwise = "`1` (SI: `si.density`)",
                 .examples = "[\"1 + 0.01 * sin(2*pi*x/nx)\"]",
                 .schema = "{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0}",
                 .quantity = {"the density", WEIR_DIMENSION_DENSITY, "1 or \"1 + 0.01*sin(2*pi*x/nx)\""}},
    [VELOCITY] = {.name = "velocity",
                  .type = WEIR_KEY_OTHER,
                  .per_axis = true,
                  .about = "For each axis a number, or a formula as for the density (SI: m/s).",
                  .fallback = "[0, 0, 0]",
                  .examples = "[[\"0.05 * sin(2*pi*y/ny)\", 0, 0]]",
                  .schema = "{\"type\": [\"number\", \"string\"]}",
                  .quantity = {"the velocity", WEIR_DIMENSION_VELOCITY, "0.05 or \"0.05*sin(2*pi*y/ny)\""}},
    [SCALAR] = {.name = "scalar",
                .type = WEIR_KEY_OTHER,
                .about = "In cases with a scalar: a number, or a formula as for the density.",
                .fallback = "0",
                .examples = "[\"exp(-((x - nx/2)^2 + (y - ny/2)^2) / 50)\"]",
                .schema = "{\"type\": [\"number\", \"string\"]}",
                .quantity = {"the scalar", WEIR_DIMENSION_NONE, "1 or \"y < ny/2 ? 1 : 0\""}},
    [TEMPERATURE] = {.name = "temperature",
                     .type = WEIR_KEY_OTHER,
                     .about = "On lattice D2Q37: a number greater than 0, or a formula as for the density. 1 "
                              "is the temperature "
                              "at which the lattice is most accurate, 0.5 to 1.5 usual.",
                     .fallback = "1",
                     .examples = "[\"1 + 0.01 * sin(2*pi*x/nx)\"]",
                     .schema = "{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0}",
                     .quantity = {"the temperature", WEIR_DIMENSION_NONE,
                                  "1 or \"1 + 0.01*sin(2*pi*x/nx)\""}},
    {.name = NULL},
};

/* Takes what was read over into the problem. */
static int use_state(struct weir_case *c, const struct weir_initial_formulas *state) {
    struct weir_problem *problem = &c->problem;
    struct weir_initial_survey survey;

    problem->initial_density = problem->reference_density = state->components[0].constant;
    for (int axis = 0; axis < 3; axis++)
        problem->initial_velocity[axis] = state->components[1 + axis].constant;
    if (weir_problem_is_thermal(problem))
        problem->initial_temperature = state->components[4].constant;
    else
        problem->scalar.initial = state->components[4].constant;
    if (problem->surface.present)
        problem->initial = weir_initial_formulas_fill;
    problem->scalar.source = state->components[WEIR_INITIAL_SOURCE].constant;
    for (int i = 0; i < weir_problem_initial_values(problem); i++)
        if (state->components[i].formula)
            problem->initial = weir_initial_formulas_fill;

    WEIR_TRY(weir_initial_formulas_survey(state, &survey));
    if (state->components[0].formula)
        problem->reference_density = survey.mean_density;
    c->characteristic_velocity = fmax(c->characteristic_velocity, survey.greatest_speed);
    return 0;
}

static int read_temperature(const struct weir_json *initial, const struct weir_case *c,
                            struct weir_initial_formulas *state) {
    const struct weir_key *const key = &weir_initial_keys[TEMPERATURE];
    const struct weir_json json = weir_json_member(initial, key->name);
    struct weir_initial_component *const component = &state->components[4];
    if (!weir_json_present(&json))
        return 0;
    if (!state->thermal)
        return weir_json_fail(&json,
                              "is given, but the flow has no temperature; choose lattice D2Q37, or remove "
                              "this");
    WEIR_TRY(weir_case_read_formula(&json, &c->units, &key->quantity, component));
    return component->formula || component->constant > 0
               ? 0
               : weir_json_fail(&json, "is %g, and a temperature must be greater than 0; give one such as 1",
                                component->constant);
}

/* The formula of the liquid with a free surface. */
static int read_liquid(const struct weir_json *liquid, const struct weir_case *c,
                       struct weir_initial_component *component) {
    static const struct weir_case_quantity quantity = {"a formula that is greater than 0 in the liquid",
                                                       WEIR_DIMENSION_NONE, "\"ny/2 - y\""};
    if (!weir_json_present(liquid))
        return weir_json_fail_missing(liquid, "a formula that is greater than 0 in the liquid, such as "
                                              "\"ny/2 - y\"");
    return weir_case_read_formula(liquid, &c->units, &quantity, component);
}

int weir_case_read_initial(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json initial = weir_json_member(root, "initial"),
                           surface = weir_json_member(root, "free_surface"),
                           liquid = weir_json_member(&surface, "liquid"),
                           of_scalar = weir_json_member(root, "scalar"),
                           source = weir_json_member(&of_scalar, "source");
    static const struct weir_case_quantity source_quantity = WEIR_SOURCE_QUANTITY;
    if (!weir_json_present(&initial) && !c->problem.surface.present && !c->problem.scalar.sources)
        return 0;
    if (weir_json_present(&initial))
        WEIR_TRY(weir_json_object(&initial, "an object such as {\"density\": 1, \"velocity\": [0, 0, 0]}"));

    const int before = root->source->mistakes->count;
    struct weir_initial_formulas *state = calloc(1, sizeof *state);
    if (!state)
        return weir_fail(WEIR_FAILED, "no memory left for the initial state");
    c->problem.initial_context = state; /* from here on the case owns it */
    state->file = strdup(c->file);
    if (!state->file)
        return weir_fail(WEIR_FAILED, "no memory left for the initial state");
    state->has_solids = weir_problem_has_solids(&c->problem);
    state->cell_size = c->units.length;
    weir_density_limits(&c->problem, &state->least_density, &state->most_density);
    memcpy(state->cells, c->problem.cells, sizeof state->cells);
    memcpy(state->periodic, c->problem.periodic, sizeof state->periodic);
    state->fifth = weir_problem_macroscopic(&c->problem) == WEIR_MACROSCOPIC_MAX;
    state->sources = c->problem.scalar.sources;
    state->thermal = weir_problem_is_thermal(&c->problem);
    /* A temperature, a scalar and a liquid have their formulas in the same place; two of them are refused:
     * case_thermal.c, case_surface.c. */
    state->filling = c->problem.surface.present && !state->thermal && !c->problem.scalar.present;
    state->components[0].constant = 1;
    state->components[4].constant = state->thermal ? 1 : 0;

    struct weir_json density = weir_json_member(&initial, weir_initial_keys[DENSITY].name);
    struct weir_json velocity = weir_json_member(&initial, weir_initial_keys[VELOCITY].name);
    struct weir_json scalar = weir_json_member(&initial, weir_initial_keys[SCALAR].name);
    if (weir_json_present(&density))
        WEIR_JSON_NOTE(root->source,
                       weir_case_read_density_formula(&density, c, &weir_initial_keys[DENSITY].quantity,
                                                      "to begin with", &state->components[0]));
    if (weir_json_present(&velocity))
        WEIR_JSON_NOTE(root->source,
                       weir_case_read_velocity_formulas(&velocity, c, &weir_initial_keys[VELOCITY].quantity,
                                                        &state->components[1]));
    if (weir_json_present(&scalar) && !c->problem.scalar.present)
        WEIR_JSON_NOTE(root->source,
                       weir_json_fail(&scalar, "is given, but the case has no scalar; add \"scalar\": "
                                               "{\"diffusivity\": 0.01} to the case, or remove this"));
    else if (weir_json_present(&scalar) && !state->thermal)
        WEIR_JSON_NOTE(root->source,
                       weir_case_read_formula(&scalar, &c->units, &weir_initial_keys[SCALAR].quantity,
                                              &state->components[4]));
    if (state->sources)
        WEIR_JSON_NOTE(root->source, weir_case_read_formula(&source, &c->units, &source_quantity,
                                                            &state->components[WEIR_INITIAL_SOURCE]));
    WEIR_JSON_NOTE(root->source, read_temperature(&initial, c, state));
    if (state->filling && json_is_object(surface.value)) /* else that has been told */
        WEIR_JSON_NOTE(root->source, read_liquid(&liquid, c, &state->components[4]));
    return root->source->mistakes->count > before ? 0 : use_state(c, state);
}
