/* A fluid with phases or two components: its equation of state, the force between its cells, gravity, and
 * what its walls are. */
#include "src/case/models/case_phases.h"

#include "graph/base/error.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"

#include <stddef.h>

const char *const *weir_phases_abouts(void) {
    static const char *const abouts[] = {
        "ψ = 1 − exp(−ρ), the first of Shan and Chen's (1993)",
        "ψ = exp(−1/ρ) (1994), with which densities are those of Maxwell's construction",
        "the equation of Carnahan and Starling, by the method of Yuan and Schaefer (2006)",
        "that of Peng and Robinson, by the same",
        "two liquids that do not mix, of which the second is the `scalar`"};
    return abouts;
}

#define BY_STRENGTH (1u << WEIR_SHAN_CHEN | 1u << WEIR_SHAN_CHEN_1994)
#define BY_TEMPERATURE (1u << WEIR_CARNAHAN_STARLING | 1u << WEIR_PENG_ROBINSON)
#define OF_COMPONENTS (1u << WEIR_TWO_COMPONENTS)
#define PHASES_AT(member) WEIR_KEY_AT(struct weir_phases, member)

enum {
    EQUATION,
    STRENGTH,
    TEMPERATURE,
    ATTRACTION,
    COVOLUME,
    ACENTRIC,
    MIXING,
    GRAVITY,
    REFERENCE,
    ADHESION,
    REPULSION,
    SECOND_VISCOSITY
};
const struct weir_key weir_phases_keys[] = {
    [EQUATION] = {.name = "equation",
                  .type = WEIR_KEY_CHOICE,
                  .needed = true,
                  .about = "The equation of state, or that there are two components.",
                  .more = "[Liquid and vapour](numerics.md#liquid-and-vapour), "
                          "[two components](numerics.md#two-components).",
                  .otherwise = "needed",
                  .choices = weir_equation_names,
                  .wanted = "an equation of state"},
    [STRENGTH] = {.name = "strength",
                  .type = WEIR_KEY_NUMBER,
                  .least = -20,
                  .most = 0,
                  .about = "How strongly cells attract each other: G, below 0. There are two phases below −4 "
                           "with shan_chen, below −7.389 with shan_chen_1994.",
                  .otherwise = "`-5`, or `-9` with shan_chen_1994",
                  .examples = "[-5]",
                  .wanted = "a number from -20 to 0, such as -5",
                  .kinds = BY_STRENGTH,
                  PHASES_AT(strength)},
    [TEMPERATURE] = {.name = "temperature",
                     .type = WEIR_KEY_NUMBER,
                     .positive = true,
                     .most = 2,
                     .about = "Temperature as a part of the critical one, below which there are two phases.",
                     .fallback = "0.8",
                     .examples = "[0.9]",
                     .wanted = "a number greater than 0 and at most 2, such as 0.8",
                     .kinds = BY_TEMPERATURE,
                     PHASES_AT(temperature)},
    [ATTRACTION] = {.name = "attraction",
                    .type = WEIR_KEY_NUMBER,
                    .positive = true,
                    .about =
                        "The equation's a, in lattice units with the gas constant 1: the smaller, the wider "
                        "are interfaces, and the slower flows around drops that should be at rest.",
                    .otherwise = "`0.25`, or `0.2` with peng_robinson",
                    .examples = "[0.125]",
                    .wanted = "a number greater than 0, such as 0.25",
                    .kinds = BY_TEMPERATURE,
                    PHASES_AT(attraction)},
    [COVOLUME] = {.name = "covolume",
                  .type = WEIR_KEY_NUMBER,
                  .positive = true,
                  .about = "The equation's b, in lattice units: densities are in proportion to 1/b.",
                  .otherwise = "`1`, or `0.5` with peng_robinson",
                  .examples = "[1]",
                  .wanted = "a number greater than 0, such as 1",
                  .kinds = BY_TEMPERATURE,
                  PHASES_AT(covolume)},
    [ACENTRIC] = {.name = "acentric_factor",
                  .type = WEIR_KEY_NUMBER,
                  .least = -1,
                  .most = 2,
                  .about = "Which substance it is: the acentric factor, 0.344 for water.",
                  .fallback = "0.344",
                  .examples = "[0.344]",
                  .wanted = "a number from -1 to 2, such as 0.344",
                  .kinds = 1u << WEIR_PENG_ROBINSON,
                  PHASES_AT(acentric_factor)},
    [MIXING] = {.name = "mixing",
                .type = WEIR_KEY_NUMBER,
                .least = -2,
                .most = 4,
                .about =
                    "Share β of the force that is of pairs ψ(x) ψ(x + c); the rest is of squares. It decides "
                    "which densities are beside each other; the defaults bring those of Maxwell's "
                    "construction, but for shan_chen, which is as published (1.42 would).",
                .otherwise = "`1`, `1.8` with carnahan_starling, `1.83` with peng_robinson",
                .examples = "[1]",
                .wanted = "a number from -2 to 4, such as 1",
                .kinds = BY_STRENGTH | BY_TEMPERATURE,
                PHASES_AT(mixing)},
    [GRAVITY] = {.name = "gravity",
                 .type = WEIR_KEY_NUMBER,
                 .per_axis = true,
                 .about =
                     "Acceleration of gravity, one number per axis: the force on a cell is this times its "
                     "density less `reference_density`.",
                 .fallback = "[0, 0, 0]",
                 .examples = "[[0, -1e-5, 0]]",
                 .quantity = {"the acceleration of gravity", WEIR_DIMENSION_ACCELERATION, "-1e-5"},
                 .kinds = BY_STRENGTH | BY_TEMPERATURE},
    [REFERENCE] = {.name = "reference_density",
                   .type = WEIR_KEY_NUMBER,
                   .least = 0,
                   .most = 100,
                   .about = "The density on which gravity does not act: the mean density where the domain is "
                            "periodic along gravity, else all of the fluid falls.",
                   .fallback = "0",
                   .examples = "[0.5]",
                   .wanted = "a number from 0 to 100, such as 0.5",
                   .kinds = BY_STRENGTH | BY_TEMPERATURE,
                   PHASES_AT(reference)},
    [ADHESION] = {.name = "adhesion",
                  .type = WEIR_KEY_NUMBER,
                  .least = -WEIR_ADHESION_MOST,
                  .most = WEIR_ADHESION_MOST,
                  .about = "Adhesion to walls that say nothing else, as `adhesion` of a boundary.",
                  .fallback = "0",
                  .examples = "[0.01]",
                  .wanted = WEIR_ADHESION_WANTED,
                  PHASES_AT(adhesion)},
    [REPULSION] = {.name = "repulsion",
                   .type = WEIR_KEY_NUMBER,
                   .positive = true,
                   .most = 10,
                   .about = "How strongly two components repel each other, G: they part where this times the "
                            "density is above 2, and the further it is the thinner interfaces are.",
                   .fallback = "3",
                   .examples = "[3]",
                   .wanted = "a number greater than 0 and at most 10, such as 3",
                   .kinds = OF_COMPONENTS,
                   PHASES_AT(repulsion)},
    [SECOND_VISCOSITY] = {.name = "second_viscosity",
                          .type = WEIR_KEY_NUMBER,
                          .positive = true,
                          .about = "Kinematic viscosity of the second of two components, in lattice units.",
                          .otherwise = "that of `fluid`",
                          .examples = "[0.1]",
                          .wanted = "a number greater than 0, such as 0.1",
                          .kinds = OF_COMPONENTS,
                          PHASES_AT(second_viscosity)},
    {.name = NULL},
};

/* What phases cannot be computed with. */
static int check_company(const struct weir_json *phases, bool components, const struct weir_json *root,
                         const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    const struct weir_json blocks = weir_json_member(root, "blocks"),
                           list_up_to = weir_json_member(&blocks, "list_up_to");
    if (c->units.si)
        return weir_json_fail(phases,
                              "are given in lattice units, as their densities follow from the equation "
                              "of state; remove \"units\" and \"si\"");
    if (components && !p->scalar.present)
        return weir_json_fail(phases,
                              "are two components, of which the scalar is the density of the second; add "
                              "\"scalar\": {\"diffusivity\": 0.125}, and its values at step 0 as "
                              "\"initial.scalar\"");
    if (components && p->scalar.sources)
        return weir_json_fail(phases, "are two components, and a source would make one out of nothing; "
                                      "remove \"scalar.source\"");
    if (p->scalar.present && !components)
        return weir_json_fail(phases,
                              "cannot be computed together with a scalar, whose diffusion would have to "
                              "differ between the phases; remove one of the two");
    if (components && weir_collision_row(p->collision)->without_eddies)
        return weir_json_fail(phases,
                              "are two components, whose cells have viscosities of their own, which the "
                              "collision %s does not; choose another, such as trt",
                              weir_collision_names[p->collision]);
    if (weir_collision_row(p->collision)->strain)
        return weir_json_fail(phases,
                              "cannot be computed with the collision %s, whose differences of the velocity "
                              "know no interfaces; choose the collision recursive, or remove phases",
                              weir_collision_names[p->collision]);
    if (p->turbulence.present)
        return weir_json_fail(phases, "cannot be computed together with turbulence, whose models know no "
                                      "interfaces; remove one of the two");
    if (p->precision == WEIR_HALF)
        return weir_json_fail(
            phases, "need more than 16 bits: with these 5 %% of the mass is lost in 8000 steps, as vapour "
                    "is far from density 1; choose \"storage\": \"full\"");
    if (p->equilibrium != WEIR_COMPRESSIBLE)
        return weir_json_fail(phases, "differ in density, which the incompressible equilibrium takes for 1; "
                                      "choose the compressible one");
    if (p->lattice == WEIR_D3Q13)
        return weir_json_fail(phases,
                              "need a lattice whose weights are the same to all directions, which those "
                              "of D3Q13 are not; choose D3Q15 or D3Q19");
    if (weir_json_present(&list_up_to) && json_number_value(list_up_to.value) > 0)
        return weir_json_fail(&list_up_to,
                              "asks for lists of fluid cells, and phases are computed in bricks, "
                              "where walls are told from fluid by their cells; remove "
                              "it");
    return 0;
}

int weir_case_read_phases(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json json = weir_json_member(root, "phases");
    const struct weir_key *const keys = weir_phases_keys;
    struct weir_phases *const phases = &c->problem.phases;
    if (!weir_json_present(&json))
        return 0;
    phases->present = true; /* also where the rest is wrong, as of a scalar */
    WEIR_TRY(weir_json_object(&json, "an object such as {\"equation\": \"shan_chen\", \"strength\": -5}"));
    const struct weir_json equation = weir_json_member(&json, keys[EQUATION].name),
                           gravity = weir_json_member(&json, keys[GRAVITY].name);
    int choice;
    if (!weir_json_present(&equation))
        return weir_json_fail_choice_missing(&equation, weir_equation_names);
    WEIR_TRY(weir_key_read(&equation, &keys[EQUATION], &c->units, &choice));
    WEIR_TRY(weir_key_check_kind(&json, keys, choice));
    WEIR_TRY(check_company(&json, choice == WEIR_TWO_COMPONENTS, root, c));
    *phases = weir_phases_default((enum weir_equation)choice);
    WEIR_TRY(weir_keys_read(&json, keys, &c->units, phases));
    if (weir_phases_are_components(phases))
        weir_components_dissolved(phases, 1, &phases->dissolved);
    if (weir_json_present(&gravity))
        WEIR_TRY(weir_case_read_vector(&gravity, c, &keys[GRAVITY].quantity, phases->gravity));
    return 0;
}

int weir_case_read_adhesion(const struct weir_json *object, const struct weir_case *c,
                            struct weir_wall *wall) {
    static const struct weir_key key = WEIR_ADHESION_KEY(0);
    const struct weir_json adhesion = weir_json_member(object, key.name);
    if (!c->problem.phases.present)
        return weir_json_present(&adhesion)
                   ? weir_json_fail(&adhesion, "is given, but the fluid has no phases; add \"phases\": "
                                               "{\"equation\": \"shan_chen\"} to the case, or remove this")
                   : 0;
    if (wall->rule != WEIR_RULE_WALL)
        return weir_json_fail(object,
                              "is of type \"%s\", and a fluid with phases needs to know what it touches: "
                              "choose type \"wall\", or make the axis periodic",
                              weir_rules[wall->rule].name);
    if (weir_wall_moves(wall))
        return weir_json_fail(object,
                              "moves, and would drag along liquid and vapour as if they had one adhesion; "
                              "with phases walls are at rest");
    wall->adheres = weir_json_present(&adhesion);
    return wall->adheres ? weir_key_read(&adhesion, &key, &c->units, &wall->adhesion) : 0;
}
