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

/* What a Rayleigh number is made of. */
struct rayleigh {
    double number, difference, length;
};

static const struct weir_key rayleigh_keys[] = {
    {.name = "number",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "The Rayleigh number β g · difference · length³ / (ν D), from which β follows.",
     .otherwise = "needed with it",
     .examples = "[100000]",
     .wanted = "the Rayleigh number, such as 100000",
     WEIR_KEY_AT(struct rayleigh, number)},
    {.name = "difference",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "The difference of the scalar that it is made with.",
     .otherwise = "needed with it",
     .examples = "[1]",
     .quantity = {"the difference of the scalar in the Rayleigh number", WEIR_DIMENSION_NONE, "1"},
     WEIR_KEY_AT(struct rayleigh, difference)},
    {.name = "length",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "The length it is made with, in cell widths (SI: m).",
     .otherwise = "needed with it",
     .examples = "[16]",
     .example = "96",
     .quantity = {"the length in the Rayleigh number", WEIR_DIMENSION_LENGTH, "96"},
     WEIR_KEY_AT(struct rayleigh, length)},
    {.name = NULL},
};

enum { EXPANSION, RAYLEIGH, GRAVITY, REFERENCE };
static const struct weir_key buoyancy_keys[] = {
    [EXPANSION] = {.name = "expansion",
                   .type = WEIR_KEY_NUMBER,
                   .alternative = true,
                   .otherwise = "one of these two",
                   .about = "Expansion coefficient β: by which part the fluid becomes lighter for each unit "
                            "of the scalar; below 0 where it becomes heavier, as by salt.",
                   .examples = "[0.01, -0.01]",
                   .quantity = {"the expansion coefficient, per unit of the scalar", WEIR_DIMENSION_NONE,
                                "0.01"}},
    [RAYLEIGH] = {.name = "rayleigh",
                  .type = WEIR_KEY_OBJECT,
                  .alternative = true,
                  .about =
                      "The expansion coefficient that gives a Rayleigh number, with the viscosity ν, the "
                      "diffusivity D and `gravity` as they are.",
                  .otherwise = "one of these two",
                  .members = rayleigh_keys},
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

enum { DIFFUSIVITY, PRANDTL, MAGIC, TURBULENT_PRANDTL, SOURCE, BUOYANCY };
const struct weir_key weir_scalar_keys[] = {
    [DIFFUSIVITY] = {.name = "diffusivity",
                     .type = WEIR_KEY_NUMBER,
                     .alternative = true,
                     .positive = true,
                     .about = "How fast it diffuses (SI: m²/s).",
                     .otherwise = "one of these two",
                     .more = "[Numerics](numerics.md#a-scalar) says how small it may be.",
                     .examples = "[0.01]",
                     .quantity = {"the diffusivity", WEIR_DIMENSION_VISCOSITY, "0.01"}},
    [PRANDTL] = {.name = "prandtl",
                 .type = WEIR_KEY_NUMBER,
                 .alternative = true,
                 .positive = true,
                 .about =
                     "Prandtl (or Schmidt) number: the diffusivity becomes the fluid's viscosity over it.",
                 .otherwise = "one of these two",
                 .examples = "[0.71]",
                 .wanted = "the Prandtl number, such as 0.71"},
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

/* Of two keys of which a case gives one. */
static int fail_both(const struct weir_json *object, const struct weir_key *one,
                     const struct weir_key *other) {
    return weir_json_fail(object, "\"%s\" and \"%s\" are both given; give one of them", one->name,
                          other->name);
}

/* The viscosity, the diffusivity and gravity have been read before. */
static int read_rayleigh(const struct weir_json *json, const struct weir_case *c, double gravity,
                         double *expansion) {
    const int before = json->source->mistakes->count;
    struct rayleigh given;
    WEIR_TRY(weir_json_object(json, "an object {\"number\": ..., \"difference\": ..., \"length\": ...}"));
    WEIR_TRY(weir_keys_read(json, rayleigh_keys, &c->units, &given));
    if (json->source->mistakes->count == before)
        *expansion = given.number * weir_problem_viscosity(&c->problem) *
                     weir_scalar_diffusivity(&c->problem) /
                     (gravity * given.difference * given.length * given.length * given.length);
    return 0;
}

static int read_expansion(const struct weir_json *json, const struct weir_case *c, double *expansion) {
    WEIR_TRY(weir_case_read_number(json, &c->units, &buoyancy_keys[EXPANSION].quantity, expansion));
    return *expansion == 0 ? weir_json_fail(json, "is 0, and the scalar does nothing to the flow; give "
                                                  "another, such as 0.01, or remove \"buoyancy\"")
                           : 0;
}

/* The force on the fluid by its scalar. */
static int read_buoyancy(const struct weir_json *scalar, struct weir_case *c) {
    const struct weir_json json = weir_json_member(scalar, weir_scalar_keys[BUOYANCY].name);
    const struct weir_json given[] = {[EXPANSION] = weir_json_member(&json, buoyancy_keys[EXPANSION].name),
                                      [RAYLEIGH] = weir_json_member(&json, buoyancy_keys[RAYLEIGH].name),
                                      [GRAVITY] = weir_json_member(&json, buoyancy_keys[GRAVITY].name),
                                      [REFERENCE] = weir_json_member(&json, buoyancy_keys[REFERENCE].name)};
    struct weir_scalar *const s = &c->problem.scalar;
    double expansion = 0, gravity[3] = {0, 0, 0};
    if (!weir_json_present(&json))
        return 0;
    WEIR_TRY(weir_json_object(&json, "an object such as {\"expansion\": 0.01, \"gravity\": [0, -0.001, 0]}"));
    const bool by_number = weir_json_present(&given[RAYLEIGH]);
    if (by_number && weir_json_present(&given[EXPANSION]))
        return fail_both(&json, &buoyancy_keys[EXPANSION], &buoyancy_keys[RAYLEIGH]);
    if (!by_number)
        WEIR_TRY(read_expansion(&given[EXPANSION], c, &expansion));
    WEIR_TRY(weir_case_read_vector(&given[GRAVITY], c, &buoyancy_keys[GRAVITY].quantity, gravity));
    if (weir_speed(gravity) == 0)
        return weir_json_fail(&given[GRAVITY], "is 0, and the scalar does nothing to the flow; give it a "
                                               "component that is not 0, or remove \"buoyancy\"");
    if (by_number)
        WEIR_TRY(read_rayleigh(&given[RAYLEIGH], c, weir_speed(gravity), &expansion));
    for (int axis = 0; axis < 3; axis++)
        s->buoyancy[axis] = -expansion * gravity[axis];
    return weir_json_present(&given[REFERENCE])
               ? weir_key_read(&given[REFERENCE], &buoyancy_keys[REFERENCE], &c->units, &s->reference)
               : 0;
}

/* Finds tau of a diffusivity. Returns whether it can be computed with; else *share is about by what the
 * diffusivity has to be multiplied to come to the nearest that can. */
static bool set_diffusivity(const struct weir_case *c, double diffusivity, double *tau, double *share) {
    *tau = weir_scalar_relaxation_time(weir_scalar_lattice(&c->problem), diffusivity);
    *share = (*tau < TAU_LEAST ? 1.001 * (TAU_LEAST - 0.5) : 0.999 * (TAU_MOST - 0.5)) / (*tau - 0.5);
    return *tau >= TAU_LEAST && *tau <= TAU_MOST;
}

static const char *too(double tau) {
    return tau < TAU_LEAST ? "near 0.5 to be stable" : "large to be computed with";
}

int weir_case_read_diffusivity(const struct weir_json *json, const struct weir_case *c, double capacity,
                               double *relaxation_time) {
    const struct weir_key *const key = &weir_scalar_keys[DIFFUSIVITY];
    const double unit = weir_units_viscosity(&c->units);
    char wanted[WEIR_WANTED];
    double value, share;
    if (!weir_json_present(json)) {
        weir_case_wanted(&c->units, &key->quantity, wanted);
        return weir_json_fail_missing(json, wanted);
    }
    WEIR_TRY(weir_case_read_positive(json, &c->units, &key->quantity, &value));
    if (set_diffusivity(c, capacity * value, relaxation_time, &share))
        return 0;
    const bool low = share > 1;
    return weir_json_fail(
        json, "%g gives the scalar's relaxation time %.9g, too %s; give at %s %.4g%s", value * unit,
        *relaxation_time, too(*relaxation_time), low ? "least" : "most", unit * value * share,
        c->units.si ? (low ? " m^2/s, or a larger si.time_step" : " m^2/s, or a smaller si.time_step") : "");
}

/* The viscosity has been read before. */
static int read_prandtl(const struct weir_json *json, struct weir_case *c) {
    double number, share, *const tau = &c->problem.scalar.relaxation_time;
    WEIR_TRY(weir_key_read(json, &weir_scalar_keys[PRANDTL], &c->units, &number));
    if (set_diffusivity(c, weir_problem_viscosity(&c->problem) / number, tau, &share))
        return 0;
    return weir_json_fail(json,
                          "%g gives the scalar's relaxation time %.9g, too %s; give at %s %.4g, or a %s "
                          "viscosity",
                          number, *tau, too(*tau), share > 1 ? "most" : "least", number / share,
                          share > 1 ? "greater" : "smaller");
}

static int read_diffusivity_choice(const struct weir_json *scalar, struct weir_case *c) {
    const struct weir_json diffusivity = weir_json_member(scalar, weir_scalar_keys[DIFFUSIVITY].name),
                           prandtl = weir_json_member(scalar, weir_scalar_keys[PRANDTL].name);
    if (!weir_json_present(&prandtl))
        return weir_case_read_diffusivity(&diffusivity, c, 1, &c->problem.scalar.relaxation_time);
    return weir_json_present(&diffusivity)
               ? fail_both(scalar, &weir_scalar_keys[DIFFUSIVITY], &weir_scalar_keys[PRANDTL])
               : read_prandtl(&prandtl, c);
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
    const struct weir_json magic = weir_json_member(&scalar, weir_scalar_keys[MAGIC].name),
                           source = weir_json_member(&scalar, weir_scalar_keys[SOURCE].name);
    s->sources = weir_json_present(&source);
    WEIR_TRY(read_diffusivity_choice(&scalar, c));
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
