/* A scalar that the flow carries along: its diffusivity, and what boundaries do to it. Its values at step 0
 * are read with the others (case_initial.c). */
#include "src/case/case_scalar.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/case/case_formulas.h"
#include "src/case/case_sections.h"

#include <stdio.h>

/* As for the viscosity (case_fluid.c). */
#define TAU_LEAST 0.5001
#define TAU_MOST 1000.0

enum { DIFFUSIVITY, MAGIC };
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
    {.name = NULL},
};

int weir_case_read_scalar(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json scalar = weir_json_member(root, "scalar");
    const struct weir_key *const key = &weir_scalar_keys[DIFFUSIVITY];
    struct weir_scalar *const s = &c->problem.scalar;
    if (!weir_json_present(&scalar))
        return 0;
    s->present = true; /* also where the rest is wrong: what belongs to it is no mistake of its own then */
    WEIR_TRY(weir_json_object(&scalar, "an object such as {\"diffusivity\": 0.01}"));
    const char *const refusal = weir_precision_row(c->problem.precision)->without_scalar;
    if (refusal)
        return weir_json_fail(&scalar, "%s", refusal);
    const struct weir_json diffusivity = weir_json_member(&scalar, key->name),
                           magic = weir_json_member(&scalar, weir_scalar_keys[MAGIC].name);
    char wanted[WEIR_WANTED];
    if (!weir_json_present(&diffusivity)) {
        weir_case_wanted(&c->units, &key->quantity, wanted);
        return weir_json_fail_missing(&diffusivity, wanted);
    }
    double value;
    WEIR_TRY(weir_case_read_positive(&diffusivity, &c->units, &key->quantity, &value));
    const double unit = weir_units_viscosity(&c->units);
    const enum weir_lattice lattice = weir_scalar_lattice(&c->problem);
    s->relaxation_time = weir_scalar_relaxation_time(lattice, value);
    const bool low = s->relaxation_time < TAU_LEAST;
    if (low || s->relaxation_time > TAU_MOST)
        return weir_json_fail(
            &diffusivity, "%g gives the scalar's relaxation time %.9g, too %s; give at %s %.4g%s",
            value * unit, s->relaxation_time, low ? "near 0.5 to be stable" : "large to be computed with",
            low ? "least" : "most",
            unit * value * (low ? 1.001 * (TAU_LEAST - 0.5) : 0.999 * (TAU_MOST - 0.5)) /
                (s->relaxation_time - 0.5),
            c->units.si ? (low ? " m^2/s, or a larger si.time_step" : " m^2/s, or a smaller si.time_step")
                        : "");
    return weir_json_present(&magic) ? weir_key_read(&magic, &weir_scalar_keys[MAGIC], &c->units, &s->magic)
                                     : 0;
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
