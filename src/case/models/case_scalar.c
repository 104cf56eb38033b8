/* A scalar that the flow carries along: its diffusivity, and what boundaries do to it. Its values at step 0,
 * and its sources, are read with the others (case_initial.c). */
#include "src/case/models/case_scalar.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/case/case_formulas.h"
#include "src/case/case_sections.h"
#include "src/case/speed.h"

#include <stdio.h>

/* As for the viscosity (case_fluid.c). */
#define TAU_LEAST 0.5001
#define TAU_MOST 1000.0

enum { EXPANSION, GRAVITY, REFERENCE };
static const struct weir_key buoyancy_keys[] = {
    [EXPANSION] = {.name = "expansion",
                   .type = WEIR_KEY_NUMBER,
                   .needed = true,
                   .about = "Expansion coefficient β: by which part the fluid becomes lighter for each unit "
                            "of the scalar; below 0 where it becomes heavier, as by salt.",
                   .examples = "[0.01, -0.01]",
                   .quantity = {"the expansion coefficient, per unit of the scalar", WEIR_DIMENSION_NONE,
                                "0.01"}},
    [GRAVITY] = {.name = "gravity",
                 .type = WEIR_KEY_NUMBER,
                 .per_axis = true,
                 .needed = true,
                 .about = "Acceleration of gravity g, one number per axis (SI: m/s²).",
                 .examples = "[[0, -0.001, 0]]",
                 .quantity = {"the acceleration of gravity", WEIR_DIMENSION_ACCELERATION, "-0.001"}},
    [REFERENCE] = {.name = "reference",
                   .type = WEIR_KEY_NUMBER,
                   .about = "The value φ₀ of the scalar at which there is no such force: the mean of the "
                            "greatest and the least, as a rule.",
                   .fallback = "0",
                   .examples = "[0.5]",
                   .quantity = {"the scalar without buoyancy", WEIR_DIMENSION_NONE, "0.5"}},
    {.name = NULL},
};

enum { DIFFUSIVITY, MAGIC, TURBULENT_PRANDTL, SOURCE, BUOYANCY };
const struct weir_key weir_scalar_keys[] = {
    [DIFFUSIVITY] = {.name = "diffusivity",
                     .type = WEIR_KEY_NUMBER,
                     .needed = true,
                     .positive = true,
                     .about = "How fast it diffuses (SI: m²/s).",
                     .more = "[Numerics](numerics.md#a-scalar) says how small it may be.",
                     .examples = "[0.01]",
                     .quantity = {"the diffusivity", WEIR_DIMENSION_VISCOSITY, "0.01"}},
    [MAGIC] = {.name = "magic",
               .type = WEIR_KEY_NUMBER,
               .positive = true,
               .about = "Magic parameter of its two relaxation times: 1/4 is the most stable, 1/6 diffuses "
                        "most accurately.",
               .fallback = "0.25",
               .example = "0.16667",
               .wanted = "a number greater than 0, such as 0.25"},
    [TURBULENT_PRANDTL] =
        {.name = "turbulent_prandtl",
         .type = WEIR_KEY_NUMBER,
         .positive = true,
         .about = "In cases with `turbulence`: turbulent Prandtl (or Schmidt) number. What the eddies of a "
                  "cell add to its diffusivity is their eddy viscosity over this; large, they mix nothing.",
         .more = "[A scalar among eddies](numerics.md#a-scalar-among-eddies).",
         .fallback = "0.85",
         .example = "0.7",
         .wanted = "a number greater than 0, such as 0.85"},
    [SOURCE] = {.name = "source",
                .type = WEIR_KEY_OTHER,
                .about =
                    "What is added to it per volume and time, heat that is set free, say; below 0 what is "
                    "taken away: a number, or a formula of x, y, z as of the values at step 0 (SI: per "
                    "second).",
                .fallback = "0",
                .examples = "[1e-5, \"(x - 20)^2 + (y - 20)^2 < 25 ? 1e-4 : 0\"]",
                .schema = "{\"type\": [\"number\", \"string\"]}",
                .quantity = WEIR_SOURCE_QUANTITY},
    [BUOYANCY] = {.name = "buoyancy",
                  .type = WEIR_KEY_OBJECT,
                  .about = "Has the scalar φ act on the flow, by the force −β (φ − φ₀) g per mass "
                           "(Boussinesq), beside `force`.",
                  .more = "[Numerics](numerics.md#buoyancy).",
                  .members = buoyancy_keys},
    {.name = NULL},
};

/* The force on the fluid by its scalar. */
static int read_buoyancy(const struct weir_json *scalar, struct weir_case *c) {
    const struct weir_json json = weir_json_member(scalar, weir_scalar_keys[BUOYANCY].name);
    const struct weir_json given[] = {[EXPANSION] = weir_json_member(&json, buoyancy_keys[EXPANSION].name),
                                      [GRAVITY] = weir_json_member(&json, buoyancy_keys[GRAVITY].name),
                                      [REFERENCE] = weir_json_member(&json, buoyancy_keys[REFERENCE].name)};
    struct weir_scalar *const s = &c->problem.scalar;
    double expansion, gravity[3] = {0, 0, 0};
    if (!weir_json_present(&json))
        return 0;
    WEIR_TRY(weir_json_object(&json, "an object such as {\"expansion\": 0.01, \"gravity\": [0, -0.001, 0]}"));
    WEIR_TRY(
        weir_case_read_number(&given[EXPANSION], &c->units, &buoyancy_keys[EXPANSION].quantity, &expansion));
    if (expansion == 0)
        return weir_json_fail(&given[EXPANSION], "is 0, and the scalar does nothing to the flow; give "
                                                 "another, such as 0.01, or remove \"buoyancy\"");
    WEIR_TRY(weir_case_read_vector(&given[GRAVITY], c, &buoyancy_keys[GRAVITY].quantity, gravity));
    if (weir_speed(gravity) == 0)
        return weir_json_fail(&given[GRAVITY], "is 0, and the scalar does nothing to the flow; give it a "
                                               "component that is not 0, or remove \"buoyancy\"");
    for (int axis = 0; axis < 3; axis++)
        s->buoyancy[axis] = -expansion * gravity[axis];
    return weir_json_present(&given[REFERENCE])
               ? weir_key_read(&given[REFERENCE], &buoyancy_keys[REFERENCE], &c->units, &s->reference)
               : 0;
}

int weir_case_read_diffusivity(const struct weir_json *json, const struct weir_case *c, double capacity,
                               double *relaxation_time) {
    const struct weir_key *const key = &weir_scalar_keys[DIFFUSIVITY];
    const double unit = weir_units_viscosity(&c->units);
    char wanted[WEIR_WANTED];
    double value;
    if (!weir_json_present(json)) {
        weir_case_wanted(&c->units, &key->quantity, wanted);
        return weir_json_fail_missing(json, wanted);
    }
    WEIR_TRY(weir_case_read_positive(json, &c->units, &key->quantity, &value));
    const double tau = weir_scalar_relaxation_time(weir_scalar_lattice(&c->problem), capacity * value);
    const bool low = tau < TAU_LEAST;
    if (low || tau > TAU_MOST)
        return weir_json_fail(
            json, "%g gives the scalar's relaxation time %.9g, too %s; give at %s %.4g%s", value * unit, tau,
            low ? "near 0.5 to be stable" : "large to be computed with", low ? "least" : "most",
            unit * value * (low ? 1.001 * (TAU_LEAST - 0.5) : 0.999 * (TAU_MOST - 0.5)) / (tau - 0.5),
            c->units.si ? (low ? " m^2/s, or a larger si.time_step" : " m^2/s, or a smaller si.time_step")
                        : "");
    *relaxation_time = tau;
    return 0;
}

/* Turbulence has been read before. */
static int read_turbulent_prandtl(const struct weir_json *scalar, struct weir_case *c) {
    const struct weir_key *const key = &weir_scalar_keys[TURBULENT_PRANDTL];
    const struct weir_json json = weir_json_member(scalar, key->name);
    if (!weir_json_present(&json))
        return 0;
    if (!c->problem.turbulence.present)
        return weir_json_fail(&json, "is given, but the case has no model of turbulence; add \"turbulence\": "
                                     "{\"model\": \"smagorinsky\"} to the case, or remove this");
    return weir_key_read(&json, key, &c->units, &c->problem.scalar.turbulent_prandtl);
}

int weir_case_read_scalar(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json scalar = weir_json_member(root, "scalar");
    struct weir_scalar *const s = &c->problem.scalar;
    if (!weir_json_present(&scalar))
        return 0;
    s->present = true; /* also where the rest is wrong: what belongs to it is no mistake of its own then */
    WEIR_TRY(weir_json_object(&scalar, "an object such as {\"diffusivity\": 0.01}"));
    const char *const refusal = weir_precision_row(c->problem.precision)->without_scalar;
    if (refusal)
        return weir_json_fail(&scalar, "%s", refusal);
    const struct weir_json diffusivity = weir_json_member(&scalar, weir_scalar_keys[DIFFUSIVITY].name),
                           magic = weir_json_member(&scalar, weir_scalar_keys[MAGIC].name);
    const struct weir_json source = weir_json_member(&scalar, weir_scalar_keys[SOURCE].name);
    s->sources = weir_json_present(&source);
    WEIR_TRY(weir_case_read_diffusivity(&diffusivity, c, 1, &s->relaxation_time));
    if (weir_json_present(&magic))
        WEIR_TRY(weir_key_read(&magic, &weir_scalar_keys[MAGIC], &c->units, &s->magic));
    WEIR_TRY(read_turbulent_prandtl(&scalar, c));
    return read_buoyancy(&scalar, c);
}

int weir_case_read_scalar_rule(const struct weir_json *object, const struct weir_case *c,
                               struct weir_wall *wall, struct weir_initial_component *component) {
    static const struct weir_key keys[] = {WEIR_SCALAR_VALUE_KEY(WEIR_KEY_NUMBER, NULL),
                                           WEIR_SCALAR_FLUX_KEY(WEIR_KEY_NUMBER, NULL)};
    const struct weir_json given[] = {weir_json_member(object, keys[0].name),
                                      weir_json_member(object, keys[1].name)};
    const bool value = weir_json_present(&given[0]), flux = weir_json_present(&given[1]);
    if ((value || flux) && !c->problem.scalar.present)
        return weir_json_fail(
            &given[!value],
            "is given, but the case has no scalar; add \"scalar\": {\"diffusivity\": 0.01} to "
            "the case, or remove this");
    if ((value || flux) && c->problem.phases.present)
        return weir_json_fail(&given[!value],
                              "is given, and the scalar is the density of a component, of which walls let "
                              "nothing through; remove this");
    if (value && flux)
        return weir_json_fail(&given[1],
                              "cannot be given together with \"scalar\": a boundary keeps the scalar at "
                              "a value, or lets so much in; remove one of the two");
    const bool open = weir_wall_is_open(wall) && c->problem.scalar.present;
    wall->scalar_rule = value ? WEIR_SCALAR_VALUE : flux || !open ? WEIR_SCALAR_FLUX : WEIR_SCALAR_FREE;
    if (!value && !flux)
        return 0;
    if (component && (json_is_string(given[!value].value) || json_is_object(given[!value].value)))
        return weir_case_read_formula(&given[!value], &c->units, &keys[!value].quantity, component);
    return weir_key_read(&given[!value], &keys[!value], &c->units, &wall->scalar);
}
