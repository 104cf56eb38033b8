/* A liquid with a free surface: where it is to begin with, and the gas beyond. The formula of the liquid is
 * read with the rest of the initial state (case_initial.c). */
#include "src/case/models/case_surface.h"

#include "graph/base/error.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/density_limits.h"

#include <math.h>

#define TENSION_MOST 0.1 /* lattice units */

enum { LIQUID, GAS_DENSITY, BUBBLES, ATMOSPHERE, TENSION, CONTACT_ANGLE };
const struct weir_key weir_surface_keys[] = {
    [LIQUID] = {.name = "liquid",
                .type = WEIR_KEY_OTHER,
                .needed = true,
                .about =
                    "Where there is liquid to begin with: where this formula is greater than 0, of x, y, "
                    "z, nx, ny, nz and pi as in `initial` (SI: m). Cells in part beyond the surface are "
                    "filled in part.",
                .more = "[Numerics](numerics.md#free-surface).",
                .examples = "[\"8 - y\"]",
                .schema = "{\"type\": [\"string\", \"number\"]}",
                .quantity = {"a formula that is greater than 0 in the liquid", WEIR_DIMENSION_NONE,
                             "\"ny/2 - y\""}},
    [GAS_DENSITY] = {.name = "gas_density",
                     .type = WEIR_KEY_NUMBER,
                     .about = "The pressure of the gas, as the density that the liquid has at its surface "
                              "(SI: kg/m³).",
                     .fallback = "1",
                     .otherwise = "`1` (SI: `si.density`)",
                     .examples = "[1]",
                     .quantity = {"the density of the liquid at its surface", WEIR_DIMENSION_DENSITY, "1"}},
    [BUBBLES] = {.name = "bubbles",
                 .type = WEIR_KEY_BOOLEAN,
                 .about =
                     "Gas that is enclosed by liquid, walls and ends of the domain keeps its amount: its "
                     "pressure, at the start that of `gas_density`, rises as its volume shrinks. "
                     "Without it all gas has one pressure, and bubbles collapse.",
                 .more = "[Numerics](numerics.md#bubbles).",
                 .fallback = "false",
                 .examples = "[true]",
                 .wanted = "true or false"},
    [ATMOSPHERE] = {.name = "atmosphere",
                    .type = WEIR_KEY_CHOICE,
                    .several = true,
                    .about = "With bubbles: faces of the domain that are open to the atmosphere. Gas that "
                             "reaches one of them keeps the pressure of `gas_density`.",
                    .otherwise = "none: all gas is enclosed",
                    .examples = "[[\"y+\"]]",
                    .choices = weir_face_names,
                    .wanted = "a list of faces such as [\"y+\"]"},
    [TENSION] = {.name = "tension",
                 .type = WEIR_KEY_NUMBER,
                 .about = "The tension of the surface (SI: N/m); in lattice units at most 0.1.",
                 .more = "[Numerics](numerics.md#tension).",
                 .fallback = "0",
                 .examples = "[0.01]",
                 .quantity = {"the tension of the surface", WEIR_DIMENSION_TENSION, "0.01"}},
    [CONTACT_ANGLE] = {.name = "contact_angle",
                       .type = WEIR_KEY_NUMBER,
                       .least = WEIR_ANGLE_LEAST,
                       .most = WEIR_ANGLE_MOST,
                       .about =
                           "With tension: the angle, in degrees, at which the surface meets walls that say "
                           "nothing else, in the liquid. Below 90 liquid wets walls, above it does not.",
                       .more = "[Numerics](numerics.md#tension).",
                       .fallback = "90",
                       .examples = "[60]",
                       .wanted = WEIR_ANGLE_WANTED},
    {.name = NULL},
};

/* What a free surface cannot be computed with. */
static int check_company(const struct weir_json *surface, const struct weir_json *root,
                         const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    const struct weir_json blocks = weir_json_member(root, "blocks"),
                           list_up_to = weir_json_member(&blocks, "list_up_to"),
                           flow_rate = weir_json_member(root, "flow_rate");
    if (p->scalar.present || p->phases.present)
        return weir_json_fail(surface,
                              "cannot be computed together with %s, which would have to end at the surface; "
                              "remove one of the two",
                              p->scalar.present ? "a scalar" : "phases");
    if (weir_problem_gradient_values(p) > 0 && !p->turbulence.present)
        return weir_json_fail(surface,
                              "cannot be computed with a collision that asks neighbours for their velocity, "
                              "which gas does not have; choose another, such as \"recursive\"");
    if (p->turbulence.present)
        return weir_json_fail(surface, "cannot be computed together with turbulence, whose models know no "
                                       "surfaces; remove one of the two");
    if (p->precision == WEIR_HALF)
        return weir_json_fail(surface, "needs more than 16 bits for the mass of cells, which is nowhere else "
                                       "to be had; choose \"storage\": \"full\"");
    if (weir_json_present(&flow_rate))
        return weir_json_fail(surface,
                              "cannot be computed together with \"flow_rate\", whose mean velocity is of "
                              "all cells, and how many are liquid changes; remove one of the two");
    if (weir_json_present(&list_up_to) && json_number_value(list_up_to.value) > 0)
        return weir_json_fail(&list_up_to, "asks for lists of fluid cells, and with a free surface any cell "
                                           "may become liquid; remove it");
    return 0;
}

static int read_gas_density(const struct weir_json *gas, struct weir_case *c) {
    const double unit = weir_case_unit(&c->units, WEIR_DIMENSION_DENSITY);
    double *const density = &c->problem.surface.gas_density, least, most;
    char limits[WEIR_DENSITY_TEXT];
    *density = 1;
    if (!weir_json_present(gas))
        return 0;
    WEIR_TRY(weir_case_read_positive(gas, &c->units, &weir_surface_keys[GAS_DENSITY].quantity, density));
    weir_density_limits(&c->problem, &least, &most);
    weir_density_limits_text(least * unit, most * unit, limits);
    if (!(*density >= least && *density <= most))
        return weir_json_fail(gas, "%g is no density at a surface; %s", *density * unit, limits);
    return 0;
}

static int read_tension(const struct weir_json *tension, const struct weir_json *angle, struct weir_case *c) {
    const double unit = weir_case_unit(&c->units, WEIR_DIMENSION_TENSION);
    struct weir_surface *const surface = &c->problem.surface;
    surface->contact_angle = 90;
    if (!weir_json_present(tension))
        surface->tension = 0;
    else
        WEIR_TRY(weir_case_read_number(tension, &c->units, &weir_surface_keys[TENSION].quantity,
                                       &surface->tension));
    if (!(surface->tension >= 0 && surface->tension <= TENSION_MOST))
        return weir_json_fail(tension,
                              "%g must be from 0 to %g%s (more would change the density of small drops by a "
                              "third); take shorter time steps, or another tension",
                              surface->tension * unit, TENSION_MOST * unit, c->units.si ? " N/m" : "");
    if (!weir_json_present(angle))
        return 0;
    if (surface->tension == 0)
        return weir_json_fail(angle, "means nothing to a surface without tension; give \"tension\", too, or "
                                     "remove this");
    return weir_key_read(angle, &weir_surface_keys[CONTACT_ANGLE], &c->units, &surface->contact_angle);
}

/* A face in the list of those that are open to the atmosphere. */
static int read_open_face(const struct weir_json *name, struct weir_case *c) {
    const struct weir_problem *const p = &c->problem;
    int face;
    WEIR_TRY(weir_key_read(name, &weir_surface_keys[ATMOSPHERE], &c->units, &face));
    const int axis = face / 2;
    if (axis >= weir_lattice_dimensions(p->lattice) || p->periodic[axis])
        return weir_json_fail(name, "the domain has no face \"%s\": it is %s; name another one",
                              weir_face_names[face],
                              axis >= weir_lattice_dimensions(p->lattice) ? "flat" : "periodic there");
    if (p->surface.atmosphere >> face & 1)
        return weir_json_fail(name, "\"%s\" is named twice; name it once", weir_face_names[face]);
    c->problem.surface.atmosphere |= 1u << face;
    return 0;
}

static int read_bubbles(const struct weir_json *bubbles, const struct weir_json *atmosphere,
                        struct weir_case *c) {
    int faces;
    if (weir_json_present(bubbles))
        WEIR_TRY(weir_key_read(bubbles, &weir_surface_keys[BUBBLES], &c->units, &c->problem.surface.bubbles));
    if (c->problem.surface.bubbles && c->problem.lattice == WEIR_D3Q13)
        return weir_json_fail(bubbles,
                              "bubbles are not found on D3Q13, whose populations join every other cell "
                              "only; choose another lattice, such as D3Q19");
    if (!weir_json_present(atmosphere))
        return 0;
    if (!c->problem.surface.bubbles)
        return weir_json_fail(atmosphere, "means nothing where all gas has one pressure; give \"bubbles\": "
                                          "true, too, or remove this");
    WEIR_TRY(weir_json_array(atmosphere, weir_surface_keys[ATMOSPHERE].wanted, 1, WEIR_FACES, &faces));
    for (int k = 0; k < faces; k++) {
        const struct weir_json name = weir_json_item(atmosphere, k);
        WEIR_JSON_NOTE(atmosphere->source, read_open_face(&name, c));
    }
    return 0;
}

int weir_case_read_surface(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json json = weir_json_member(root, "free_surface"),
                           gas = weir_json_member(&json, weir_surface_keys[GAS_DENSITY].name),
                           bubbles = weir_json_member(&json, weir_surface_keys[BUBBLES].name),
                           atmosphere = weir_json_member(&json, weir_surface_keys[ATMOSPHERE].name),
                           tension = weir_json_member(&json, weir_surface_keys[TENSION].name),
                           angle = weir_json_member(&json, weir_surface_keys[CONTACT_ANGLE].name);
    if (!weir_json_present(&json))
        return 0;
    c->problem.surface.present = true; /* also where the rest is wrong, as of a scalar */
    c->problem.surface.gas_density = 1;
    c->problem.surface.tension = NAN; /* until it is known: nobody says that it has none */
    WEIR_TRY(weir_json_object(&json, "an object such as {\"liquid\": \"ny/2 - y\"}"));
    WEIR_TRY(check_company(&json, root, c));
    WEIR_JSON_NOTE(root->source, read_gas_density(&gas, c));
    WEIR_JSON_NOTE(root->source, read_bubbles(&bubbles, &atmosphere, c));
    WEIR_JSON_NOTE(root->source, read_tension(&tension, &angle, c));
    return 0;
}

int weir_case_read_contact_angle(const struct weir_json *object, const struct weir_case *c,
                                 struct weir_wall *wall) {
    static const struct weir_key key = WEIR_CONTACT_ANGLE_KEY(0);
    const struct weir_json angle = weir_json_member(object, key.name);
    if (!weir_json_present(&angle))
        return 0;
    if (!c->problem.surface.present)
        return weir_json_fail(&angle, "is given, but the fluid has no free surface; add \"free_surface\": "
                                      "{\"liquid\": \"ny/2 - y\", \"tension\": 0.01} to the case, or remove "
                                      "this");
    if (c->problem.surface.tension == 0)
        return weir_json_fail(&angle, "means nothing to a surface without tension; give "
                                      "\"free_surface.tension\", too, or remove this");
    return weir_key_read(&angle, &key, &c->units, &wall->contact_angle);
}

int weir_case_add_gas(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json json = weir_json_member(root, "free_surface");
    struct weir_problem *const p = &c->problem;
    if (!p->surface.present)
        return 0;
    for (int wall = 1; wall < p->wall_count; wall++) {
        const struct weir_wall *w = &p->walls[wall];
        if (w->rule != WEIR_RULE_WALL || w->links)
            return weir_json_fail(&json,
                                  "has boundary \"%s\" of type \"%s\", and mass is counted between cells and "
                                  "not across boundaries; with a free surface they are of type \"wall\"",
                                  w->name, weir_rules[w->rule].name);
        if (weir_wall_moves(w))
            return weir_json_fail(&json,
                                  "has boundary \"%s\", which moves, and would add to the mass of cells that "
                                  "are filled in part; with a free surface walls are at rest",
                                  w->name);
    }
    return weir_problem_add_gas(p)
               ? 0
               : weir_json_fail(&json, "has no room beside %d boundaries; name fewer bodies",
                                WEIR_WALLS_MAX - 1);
}
