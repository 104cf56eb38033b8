/* Solids along triply periodic minimal surfaces. */
#include "graph/base/error.h"
#include "src/case/case_values.h"
#include "src/case/solids/case_regions.h"
#include "src/geometry/minimal_surface.h"

#include <math.h>
#include <string.h>

/* What is read of it. */
struct surface {
    double porosity;
    bool sheet;
};

enum { SURFACE, PERIOD, POROSITY, SHEET, ORIGIN };
const struct weir_key weir_minimal_surface_keys[] = {
    [SURFACE] = {.name = "surface",
                 .type = WEIR_KEY_CHOICE,
                 .about = "Which surface divides space.",
                 .fallback = "\"gyroid\"",
                 .choices = weir_minimal_surface_names,
                 .wanted = "a surface"},
    [PERIOD] = {.name = "period",
                .type = WEIR_KEY_NUMBER,
                .needed = true,
                .positive = true,
                .about =
                    "After how many cell widths (SI: m) it repeats itself along each axis; a part of the "
                    "domain's length along periodic axes.",
                .examples = "[16]",
                .example = "32",
                .quantity = {"the period", WEIR_DIMENSION_LENGTH, "32"}},
    [POROSITY] = {.name = "porosity",
                  .type = WEIR_KEY_NUMBER,
                  .about = "Share of the volume that is not solid.",
                  .fallback = "0.5",
                  .least = 0.05,
                  .most = 0.95,
                  .examples = "[0.7]",
                  .wanted = "a share from 0.05 to 0.95, such as 0.7",
                  WEIR_KEY_AT(struct surface, porosity)},
    [SHEET] = {.name = "sheet",
               .type = WEIR_KEY_BOOLEAN,
               .about =
                   "Whether the solid is a wall along the surface, with a channel on each side; else it is "
                   "one of the two halves of space.",
               .fallback = "false",
               .wanted = "true or false",
               WEIR_KEY_AT(struct surface, sheet)},
    [ORIGIN] = {.name = "origin",
                .type = WEIR_KEY_NUMBER,
                .per_axis = true,
                .about = "Where a period begins.",
                .fallback = "[0, 0, 0]",
                .examples = "[[2, 2, 0]]",
                .quantity = {"where a period begins", WEIR_DIMENSION_LENGTH, "2"}},
    {.name = NULL},
};

/* Where the domain is periodic, the surface must fit it. */
static int check_period(const struct weir_json *json, const struct weir_case *c, double period) {
    for (int axis = 0; axis < 3; axis++) {
        const double periods = c->problem.cells[axis] / period;
        if (c->problem.periodic[axis] && fabs(periods - fmax(round(periods), 1)) > 1e-6 * periods)
            return weir_json_fail(
                json,
                "%g does not divide the domain's length along %c, %g, where it is periodic: "
                "there would be a seam; give a part of it, such as %g",
                period * c->units.length, "xyz"[axis], c -> problem.cells[axis] * c->units.length,
                c->problem.cells[axis] * c->units.length / fmax(round(periods), 1));
    }
    return 0;
}

int weir_case_read_minimal_surface(const struct weir_json *json, const struct weir_case *c,
                                   struct weir_shape *shape) {
    const struct weir_json surface = weir_json_member(json, weir_minimal_surface_keys[SURFACE].name),
                           period = weir_json_member(json, weir_minimal_surface_keys[PERIOD].name),
                           origin = weir_json_member(json, weir_minimal_surface_keys[ORIGIN].name);
    struct surface read = {.porosity = 0.5};
    struct weir_minimal_surface_options options = {.period = 1};
    struct weir_region *region;
    int choice = WEIR_GYROID;
    if (weir_lattice_dimensions(c->problem.lattice) == 2)
        return weir_json_fail(json, "is a surface in space, and this case is flat; give a \"formula\"");
    if (weir_json_present(&surface))
        WEIR_TRY(weir_key_read(&surface, &weir_minimal_surface_keys[SURFACE], &c->units, &choice));
    WEIR_TRY(weir_case_read_positive(&period, &c->units, &weir_minimal_surface_keys[PERIOD].quantity,
                                     &options.period));
    WEIR_TRY(check_period(&period, c, options.period));
    if (weir_json_present(&origin))
        WEIR_TRY(
            weir_case_read_vector(&origin, c, &weir_minimal_surface_keys[ORIGIN].quantity, options.origin));
    const int before = json->source->mistakes->count;
    WEIR_TRY(weir_keys_read(json, weir_minimal_surface_keys, &c->units, &read));
    if (json->source->mistakes->count > before)
        return 0;
    options.surface = (enum weir_minimal_surface)choice;
    options.porosity = read.porosity;
    options.sheet = read.sheet;
    memcpy(options.cells, c->problem.cells, sizeof options.cells);
    WEIR_TRY(weir_minimal_surface_create(&options, &region));
    return weir_shape_use_region(shape, region);
}
