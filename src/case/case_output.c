/* What a case wants to see: fields, images, profiles, series, probes and fluxes. */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/case/case_points.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/output_names.h"
#include "src/case/point_cells.h"
#include "src/case/profile_line.h"
#include "src/case/quantity.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const *weir_output_abouts(void) {
    static const char *abouts[WEIR_OUTPUT_TYPE_COUNT + 1];
    for (enum weir_output_type type = 0; type < WEIR_OUTPUT_TYPE_COUNT; type++)
        abouts[type] = weir_output_row(type)->about;
    return abouts;
}

static const char *const *type_names(void) {
    static const char *names[WEIR_OUTPUT_TYPE_COUNT + 1];
    for (enum weir_output_type type = 0; type < WEIR_OUTPUT_TYPE_COUNT; type++)
        names[type] = weir_output_row(type)->name;
    return names;
}

/* Steps between outputs of those that do not say; 0: one at the end. */
static const int64_t usual_every[WEIR_OUTPUT_TYPE_COUNT] = {[WEIR_OUTPUT_SERIES] = 100,
                                                            [WEIR_OUTPUT_PROBES] = 1,
                                                            [WEIR_OUTPUT_FLUX] = 100,
                                                            [WEIR_OUTPUT_AVERAGES] = 10};

enum {
    FIELDS_ONLY = 1u << WEIR_OUTPUT_FIELDS,
    IMAGE_ONLY = 1u << WEIR_OUTPUT_IMAGE,
    PROFILE_ONLY = 1u << WEIR_OUTPUT_PROFILE,
    SERIES_ONLY = 1u << WEIR_OUTPUT_SERIES,
    PROBES_ONLY = 1u << WEIR_OUTPUT_PROBES,
    FLUX_ONLY = 1u << WEIR_OUTPUT_FLUX,
    AVERAGES_ONLY = 1u << WEIR_OUTPUT_AVERAGES,
};

/* What outputs of a type can show on some lattice. */
static const char *const *listed_quantities(void) {
    static const char *names[WEIR_QUANTITY_COUNT + 1];
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    weir_quantity_choices(WEIR_OUTPUT_FIELDS, 3, true, names, quantities);
    return names;
}

static const char *const *averaged_quantities(void) {
    static const char *names[WEIR_QUANTITY_COUNT + 1];
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    weir_quantity_choices(WEIR_OUTPUT_AVERAGES, 3, true, names, quantities);
    return names;
}

static const char *const *pictured_quantities(void) {
    static const char *names[WEIR_QUANTITY_COUNT + 1];
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    weir_quantity_choices(WEIR_OUTPUT_IMAGE, 3, true, names, quantities);
    return names;
}

static const struct weir_key coefficient_keys[] = {
    {.name = "velocity",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "Reference velocity U (SI: m/s).",
     .examples = "[0.05]",
     .quantity = {"the reference velocity", WEIR_DIMENSION_VELOCITY, "0.05"},
     WEIR_KEY_AT(struct weir_output, reference_velocity)},
    {.name = "area",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "Reference area A, such as that of the body as the flow sees it (SI: m²). On flat lattices the "
              "body's width "
              "times one cell width.",
     .examples = "[12.6]",
     .quantity = {"the reference area", WEIR_DIMENSION_AREA, "12.6"},
     WEIR_KEY_AT(struct weir_output, reference_area)},
    {.name = "length",
     .type = WEIR_KEY_NUMBER,
     .positive = true,
     .about = "Reference length L of Strouhal numbers (f L / U) in the summary's statistics (SI: m).",
     .otherwise = "none are computed",
     .examples = "[4]",
     .quantity = {"the reference length", WEIR_DIMENSION_LENGTH, "4"},
     WEIR_KEY_AT(struct weir_output, reference_length)},
    {.name = NULL},
};

enum {
    TYPE,
    NAME,
    EVERY,
    EVERY_OF_SERIES,
    EVERY_OF_PROBES,
    EVERY_OF_AVERAGES,
    START,
    FIELDS,
    FIELDS_OF_AVERAGES,
    PLANE,
    FIELD,
    RANGE,
    PIXELS,
    FROM,
    TO,
    FROM_OF_FLUX,
    TO_OF_FLUX,
    FACES,
    COEFFICIENTS,
    STATISTICS,
    COMPRESSED,
    POINTS,
    DIFFERENCES
};
const struct weir_key weir_output_keys[] = {
    [TYPE] = {.name = "type",
              .type = WEIR_KEY_CHOICE,
              .needed = true,
              .about = "What is written.",
              .example = "\"image\"",
              .choices_of = type_names,
              .wanted = "a type of output"},
    [NAME] = {.name = "name",
              .type = WEIR_KEY_NAME,
              .about = "Name of the files. Default: from the type, with a number where that is taken.",
              .more = "`fields`, `image_FIELD_AXIS`, `profile`, `series`.",
              .otherwise = "from the type",
              .examples = "[\"centreline\"]",
              .longest = sizeof((struct weir_output *)0)->name - 1},
    [EVERY] = {.name = "every",
               .type = WEIR_KEY_STEPS,
               .kinds = FIELDS_ONLY | IMAGE_ONLY | PROFILE_ONLY,
               .about = "Steps between outputs, or in SI cases a time (\"0.1 s\"). Left out: once, at the "
                        "end of the run.",
               .more = "The end of the run is always written too.",
               .otherwise = "at the end only",
               .examples = "[1000]",
               .least = 1,
               .most = WEIR_STEPS_MOST,
               .wanted = "the steps between outputs, 1 or more, such as 1000 (left off: one at the end)"},
    [EVERY_OF_SERIES] = {.name = "every",
                         .type = WEIR_KEY_STEPS,
                         .kinds = SERIES_ONLY | FLUX_ONLY,
                         .about = "Steps between lines, or in SI cases a time.",
                         .fallback = "100",
                         .least = 1,
                         .most = WEIR_STEPS_MOST,
                         .wanted = "the steps between lines, 1 or more, such as 100"},
    [EVERY_OF_PROBES] = {.name = "every",
                         .type = WEIR_KEY_STEPS,
                         .kinds = PROBES_ONLY,
                         .about = "Steps between samples, or in SI cases a time.",
                         .fallback = "1",
                         .least = 1,
                         .most = WEIR_STEPS_MOST,
                         .wanted = "the steps between samples, 1 or more, such as 10"},
    [EVERY_OF_AVERAGES] =
        {.name = "every",
         .type = WEIR_KEY_STEPS,
         .kinds = AVERAGES_ONLY,
         .about = "Steps between samples, each of which brings all cells to one rank's main memory.",
         .fallback = "10",
         .least = 1,
         .most = WEIR_STEPS_MOST,
         .wanted = "the steps between samples, 1 or more, such as 10"},
    [START] = {.name = "start",
               .type = WEIR_KEY_STEPS,
               .kinds = AVERAGES_ONLY,
               .about = "The step from which samples are taken: when the flow has settled.",
               .fallback = "0",
               .examples = "[5]",
               .example = "20000",
               .least = 0,
               .most = WEIR_STEPS_MOST,
               .wanted = "the step from which samples are taken, such as 20000",
               WEIR_KEY_AT(struct weir_output, start)},
    [FIELDS] = {.name = "fields",
                .type = WEIR_KEY_CHOICE,
                .several = true,
                .kinds = FIELDS_ONLY | PROFILE_ONLY | PROBES_ONLY,
                .about = "What is written.",
                .fallback = "[\"density\", \"velocity\"]",
                .example = "[\"velocity\"]",
                .choices_of = listed_quantities,
                .wanted = "a list such as [\"density\", \"velocity\"]"},
    [FIELDS_OF_AVERAGES] = {.name = "fields",
                            .type = WEIR_KEY_CHOICE,
                            .several = true,
                            .kinds = AVERAGES_ONLY,
                            .about = "What is written; of density, pressure and velocity the mean.",
                            .fallback = "[\"velocity\", \"velocity_rms\", \"reynolds_stress\"]",
                            .example = "[\"reynolds_stress\"]",
                            .choices_of = averaged_quantities,
                            .wanted = "a list such as [\"velocity\", \"reynolds_stress\"]"},
    [PLANE] = {.name = "plane",
               .type = WEIR_KEY_TEXT,
               .usual = true,
               .kinds = IMAGE_ONLY,
               .about =
                   "The plane's normal and its place as a fraction of the domain. Flat lattices need none.",
               .otherwise = "needed; in two dimensions none",
               .examples = "[\"y=0.5\"]",
               .schema = "{\"pattern\": \"^ *[xyz] *= *[0-9.][0-9.eE+-]* *$\"}",
               .wanted =
                   "\"x=...\", \"y=...\" or \"z=...\" with a fraction of the domain from 0 to 1, such as "
                   "\"y=0.5\""},
    [FIELD] = {.name = "field",
               .type = WEIR_KEY_CHOICE,
               .kinds = IMAGE_ONLY,
               .about = "What is shown.",
               .fallback = "\"speed\"",
               .example = "\"vorticity\"",
               .choices_of = pictured_quantities,
               .wanted = "a field"},
    [RANGE] = {.name = "range",
               .type = WEIR_KEY_OTHER,
               .kinds = IMAGE_ONLY,
               .about = "Values at the ends of the colour map. Default: from the data.",
               .otherwise = "from the data",
               .examples = "[[0, 0.1]]",
               .schema = "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": "
                         "\"number\"}}",
               .wanted = "2 numbers, the least and the greatest value shown, such as [0, 0.1]"},
    [PIXELS] = {.name = "pixels",
                .type = WEIR_KEY_INTEGER,
                .kinds = IMAGE_ONLY,
                .about =
                    "Pixels along the picture's longer side. Default: chosen from the cells, 4 per cell for "
                    "small planes, but 400 at least for the plane alone.",
                .more = "From 880 pixels on one per cell, up to 1600.",
                .otherwise = "from the cells",
                .examples = "[512]",
                .least = 320,
                .most = 16384,
                .wanted = "the pixels along the picture's longer side, from 320 to 16384, such as 1024"},
    [FROM] = {.name = "from",
              .type = WEIR_KEY_NUMBER,
              .per_axis = true,
              .needed = true,
              .kinds = PROFILE_ONLY,
              .about = "Where the line begins: a place in cell widths from the domain's low corner (SI: m).",
              .examples = "[[8, 8, 0]]",
              .quantity = {"where the profile begins", WEIR_DIMENSION_LENGTH, "0"}},
    [TO] = {.name = "to",
            .type = WEIR_KEY_NUMBER,
            .per_axis = true,
            .needed = true,
            .kinds = PROFILE_ONLY,
            .about = "Where the line ends; differs from \"from\" along one axis only.",
            .examples = "[[8, 8, 16]]",
            .quantity = {"where the profile ends", WEIR_DIMENSION_LENGTH, "64"}},
    [FROM_OF_FLUX] = {.name = "from",
                      .type = WEIR_KEY_NUMBER,
                      .per_axis = true,
                      .needed = true,
                      .kinds = FLUX_ONLY,
                      .about = "A corner of the rectangle: a place in cell widths from the domain's low "
                               "corner (SI: m).",
                      .examples = "[[8, 0, 0]]",
                      .quantity = {"a corner of the rectangle", WEIR_DIMENSION_LENGTH, "0"}},
    [TO_OF_FLUX] = {.name = "to",
                    .type = WEIR_KEY_NUMBER,
                    .per_axis = true,
                    .needed = true,
                    .kinds = FLUX_ONLY,
                    .about =
                        "The opposite corner; equals \"from\" along one axis only, to which the rectangle "
                        "is normal.",
                    .examples = "[[8, 16, 16]]",
                    .quantity = {"the rectangle's opposite corner", WEIR_DIMENSION_LENGTH, "64"}},
    [FACES] = {.name = "faces",
               .type = WEIR_KEY_BOOLEAN,
               .kinds = SERIES_ONLY,
               .about = "Forces on the domain's faces too, beside those on bodies.",
               .fallback = "false",
               .examples = "[true]",
               .wanted = "true or false: whether forces on the domain's faces are wanted too",
               WEIR_KEY_AT(struct weir_output, faces)},
    [COEFFICIENTS] = {.name = "coefficients",
                      .type = WEIR_KEY_OBJECT,
                      .kinds = SERIES_ONLY,
                      .about = "Forces as coefficients too: force / (density U² A / 2).",
                      .otherwise = "none",
                      .members = coefficient_keys,
                      .definition = "coefficients"},
    [STATISTICS] = {.name = "statistics",
                    .type = WEIR_KEY_STEPS,
                    .kinds = SERIES_ONLY | PROBES_ONLY | FLUX_ONLY,
                    .about =
                        "The step from which the summary has statistics of each column: mean, rms, least, "
                        "greatest, frequency of the strongest swing.",
                    .more = "`0`: of the whole run. Give one after which the flow has settled.",
                    .otherwise = "none",
                    .examples = "[5]",
                    .example = "20000",
                    .least = 0,
                    .most = WEIR_STEPS_MOST,
                    .wanted = "the step from which statistics are made, such as 20000",
                    WEIR_KEY_AT(struct weir_output, statistics_from)},
    [COMPRESSED] =
        {.name = "compressed",
         .type = WEIR_KEY_BOOLEAN,
         .kinds = FIELDS_ONLY | AVERAGES_ONLY,
         .about = "Compress files without loss (HDF5's shuffle and deflate): smaller, and slower to write. "
                  "Files that several ranks write together cannot be compressed.",
         .fallback = "false",
         .examples = "[true]",
         .wanted = "true or false: whether files are compressed",
         WEIR_KEY_AT(struct weir_output, compressed)},
    [POINTS] = {.name = "points",
                .type = WEIR_KEY_OTHER,
                .usual = true,
                .kinds = PROBES_ONLY,
                .about =
                    "The points: places in cell widths from the domain's low corner (SI: m), or the path of "
                    "a CSV file with one in each row, as seen from this file.",
                .otherwise = "needed",
                .examples = "[[[8, 8, 4.5], [4, 8, 8]]]",
                .schema = "{\"type\": [\"array\", \"string\"], \"minItems\": 1, \"items\": {\"type\": "
                          "\"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {\"type\": \"number\"}}}",
                .wanted = "a list of points such as [[8, 8, 4.5], [4, 8, 8]], or the path of a CSV file",
                .quantity = {"where a probe is", WEIR_DIMENSION_LENGTH, "8"}},
    [DIFFERENCES] =
        {.name = "differences",
         .type = WEIR_KEY_OTHER,
         .kinds = PROBES_ONLY,
         .about = "Pairs of points, numbered from 1: columns of what the first has more than the second, "
                  "such as the fall of pressure across a body.",
         .otherwise = "none",
         .examples = "[[[1, 2]]]",
         .schema = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", \"minItems\": 2, "
                   "\"maxItems\": 2, \"items\": {\"type\": \"integer\", \"minimum\": 1}}}",
         .wanted = "a list of pairs of points such as [[1, 2]]"},
    {.name = NULL},
};

/* One quantity, which must make sense for the output and the lattice; where it is none, those that do are
 * offered. */
static int read_quantity(const struct weir_json *json, const struct weir_case *c, enum weir_output_type type,
                         int *quantity) {
    const int dimensions = weir_lattice_dimensions(c->problem.lattice);
    const char *names[WEIR_QUANTITY_COUNT + 1], *text = json_string_value(json->value);
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    char list[WEIR_JSON_LIST];
    int choice;
    weir_quantity_choices(type, dimensions, c->problem.scalar.present, names, quantities);
    for (enum weir_quantity k = 0; text && k < WEIR_QUANTITY_COUNT; k++) {
        const char *why = weir_quantity_refusal(k, type, dimensions, c->problem.scalar.present);
        if (!why || strcmp(text, weir_quantity_row(k)->name) != 0)
            continue;
        weir_json_list_names(names, list);
        return weir_json_fail(json, "\"%s\" %s; give %s", text, why, list);
    }
    WEIR_TRY(weir_json_choice(json, weir_output_keys[FIELD].wanted, names, &choice));
    *quantity = (int)quantities[choice];
    return 0;
}

static int read_quantities(const struct weir_json *json, const struct weir_case *c,
                           struct weir_output *output) {
    struct weir_json fields = weir_json_member(json, "fields");
    int count;
    output->quantities = output->type == WEIR_OUTPUT_AVERAGES
                             ? 1u << WEIR_VELOCITY | 1u << WEIR_VELOCITY_RMS | 1u << WEIR_REYNOLDS_STRESS
                             : 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY;
    if (!weir_json_present(&fields))
        return 0;
    WEIR_TRY(weir_json_array(&fields, weir_output_keys[FIELDS].wanted, 1, INT_MAX, &count));
    output->quantities = 0;
    for (int i = 0; i < count; i++) {
        struct weir_json item = weir_json_item(&fields, i);
        int quantity;
        WEIR_TRY(read_quantity(&item, c, output->type, &quantity));
        if (output->quantities & 1u << quantity)
            return weir_json_fail(&item, "\"%s\" is named twice; name it once",
                                  weir_quantity_row((enum weir_quantity)quantity)->name);
        output->quantities |= 1u << quantity;
    }
    return 0;
}

/* "y=0.5": the plane's normal and its place as a fraction of the domain. */
static int read_plane(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    bool flat = weir_lattice_dimensions(c->problem.lattice) == 2;
    const char *wanted = flat ? "\"z=0.5\", or leave it off" : weir_output_keys[PLANE].wanted;
    struct weir_json plane = weir_json_member(json, "plane");
    const char *text = flat ? "z=0.5" : NULL;
    char axis;
    double fraction;
    int end = 0;

    if (weir_json_present(&plane))
        WEIR_TRY(weir_json_string(&plane, wanted, &text));
    if (!text)
        return weir_json_fail_missing(&plane, wanted);
    if (sscanf(text, " %c = %lf %n", &axis, &fraction, &end) != 2 || text[end] ||
        !strchr(flat ? "z" : "xyz", axis) || !(fraction >= 0 && fraction <= 1))
        return weir_json_fail_type(&plane, "a plane of the domain", wanted);
    output->axis = axis - 'x';
    output->position = fraction * c->problem.cells[output->axis];
    return 0;
}

static int read_range(const struct weir_json *json, struct weir_output *output) {
    const char *wanted = weir_output_keys[RANGE].wanted;
    struct weir_json range = weir_json_member(json, "range");
    int count;
    output->range[0] = output->range[1] = NAN;
    if (!weir_json_present(&range))
        return 0;
    WEIR_TRY(weir_json_array(&range, wanted, 2, 2, &count));
    for (int i = 0; i < 2; i++) {
        struct weir_json item = weir_json_item(&range, i);
        WEIR_TRY(weir_json_number(&item, wanted, &output->range[i]));
    }
    return output->range[0] < output->range[1]
               ? 0
               : weir_json_fail_type(&range, "a range from a smaller to a greater number", wanted);
}

static int read_image(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    struct weir_json field = weir_json_member(json, "field"), pixels = weir_json_member(json, "pixels");
    int quantity = WEIR_SPEED;
    int64_t number = 0;

    WEIR_TRY(read_plane(json, c, output));
    if (weir_json_present(&field))
        WEIR_TRY(read_quantity(&field, c, WEIR_OUTPUT_IMAGE, &quantity));
    output->quantities = 1u << quantity;
    WEIR_TRY(read_range(json, output));
    if (weir_json_present(&pixels))
        WEIR_TRY(weir_key_read(&pixels, &weir_output_keys[PIXELS], &c->units, &number));
    output->pixels = (int)number;
    return 0;
}

static int check_inside(const struct weir_json *json, const struct weir_case *c, const double position[3]) {
    for (int axis = 0; axis < 3; axis++) {
        double end = c->problem.cells[axis];
        if (position[axis] >= 0 && position[axis] <= end)
            continue;
        struct weir_json item = weir_json_item(json, axis);
        return weir_json_fail(
            &item, "%g is outside the domain, which goes from 0 to %g%s along %c; give a place inside",
            position[axis] * c->units.length, end * c->units.length, c->units.si ? " m" : "", "xyz"[axis]);
    }
    return 0;
}

static int read_profile(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    struct weir_json from = weir_json_member(json, "from"), to = weir_json_member(json, "to");
    int axes = 0, along = 0;

    output->from[2] = output->to[2] = 0.5; /* of D2Q9's only layer of cells */
    WEIR_TRY(weir_case_read_vector(&from, c, &weir_output_keys[FROM].quantity, output->from));
    WEIR_TRY(weir_case_read_vector(&to, c, &weir_output_keys[TO].quantity, output->to));
    WEIR_TRY(check_inside(&from, c, output->from));
    WEIR_TRY(check_inside(&to, c, output->to));
    for (int axis = 0; axis < 3; axis++) {
        if (output->from[axis] != output->to[axis]) {
            axes++;
            along = axis;
        }
    }
    if (axes != 1)
        return weir_json_fail(
            json,
            "\"from\" and \"to\" differ in %d components; a profile runs along one axis, so they must "
            "differ in exactly one",
            axes);
    if (output->from[along] > output->to[along]) {
        double high = output->from[along];
        output->from[along] = output->to[along];
        output->to[along] = high;
    }
    const struct weir_profile_line line = weir_profile_line(&c->problem, output);
    if (line.first > line.last)
        return weir_json_fail(
            json,
            "no centre of a cell lies on the line from %g to %g%s along %c: centres are half a cell from "
            "its faces, and a cell is %g%s wide; make the line longer",
            output->from[along] * c->units.length, output->to[along] * c->units.length,
            c->units.si ? " m" : "", "xyz"[along], c -> units.length, c->units.si ? " m" : "");
    return read_quantities(json, c, output);
}

/* The flow must be there, not a solid alone. */
static int check_fluid(const struct weir_json *json, const struct weir_case *c, const double position[3]) {
    const struct weir_box box = weir_point_cells(c->problem.cells, position).box;
    int wall = 0;
    for (int k = 0; k < 8; k++) {
        const int cell[3] = {box.origin[0] + (k & 1) % box.extent[0],
                             box.origin[1] + (k >> 1 & 1) % box.extent[1],
                             box.origin[2] + (k >> 2) % box.extent[2]};
        wall = weir_geometry_wall(&c->problem, cell);
        if (wall == 0)
            return 0;
    }
    return weir_json_fail(json, "lies in the solid \"%s\", where nothing flows; give a place in the fluid",
                          c->problem.walls[wall].name);
}

static int read_point(const struct weir_json *json, const struct weir_case *c, double point[3]) {
    point[2] = 0.5; /* of D2Q9's only layer of cells */
    WEIR_TRY(weir_case_read_vector(json, c, &weir_output_keys[POINTS].quantity, point));
    WEIR_TRY(check_inside(json, c, point));
    return check_fluid(json, c, point);
}

static int read_difference(const struct weir_json *json, const struct weir_output *output, int numbers[2]) {
    char wanted[64];
    int count;
    snprintf(wanted, sizeof wanted, "two different points, from 1 to %d", output->point_count);
    WEIR_TRY(weir_json_array(json, wanted, 2, 2, &count));
    for (int k = 0; k < 2; k++) {
        const struct weir_json item = weir_json_item(json, k);
        int64_t number;
        WEIR_TRY(weir_json_integer(&item, wanted, 1, output->point_count, &number));
        numbers[k] = (int)number - 1;
    }
    return numbers[0] != numbers[1] ? 0 : weir_json_fail_type(json, "a pair of points", wanted);
}

static int read_differences(const struct weir_json *json, struct weir_output *output) {
    const struct weir_json list = weir_json_member(json, "differences");
    if (!weir_json_present(&list))
        return 0;
    WEIR_TRY(weir_json_array(&list, weir_output_keys[DIFFERENCES].wanted, 1, WEIR_POINTS_MOST,
                             &output->difference_count));
    output->differences = calloc((size_t)output->difference_count, sizeof *output->differences);
    if (!output->differences)
        return weir_fail(WEIR_FAILED, "no memory left for %d differences", output->difference_count);
    for (int k = 0; k < output->difference_count; k++) {
        const struct weir_json item = weir_json_item(&list, k);
        WEIR_TRY(read_difference(&item, output, output->differences[k]));
    }
    return 0;
}

static int read_probes(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json points = weir_json_member(json, "points");
    const char *wanted = weir_output_keys[POINTS].wanted;
    int count;
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    if (!weir_json_present(&points))
        return weir_json_fail_missing(&points, wanted);
    WEIR_TRY(weir_json_array(&points, wanted, 1, WEIR_POINTS_MOST, &count));
    output->points = calloc((size_t)count, sizeof *output->points);
    if (!output->points)
        return weir_fail(WEIR_FAILED, "no memory left for %d probes", count);
    output->point_count = count;
    for (int k = 0; k < count; k++) {
        const struct weir_json item = weir_json_item(&points, k);
        WEIR_TRY(read_point(&item, c, output->points[k]));
    }
    WEIR_TRY(read_differences(json, output));
    return read_quantities(json, c, output);
}

/* A rectangle: its corners, low before high, and its normal. */
static int read_flux(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json from = weir_json_member(json, "from"), to = weir_json_member(json, "to");
    int normals = 0;
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    output->to[2] = 1; /* all of D2Q9's only layer of cells */
    WEIR_TRY(weir_case_read_vector(&from, c, &weir_output_keys[FROM_OF_FLUX].quantity, output->from));
    WEIR_TRY(weir_case_read_vector(&to, c, &weir_output_keys[TO_OF_FLUX].quantity, output->to));
    WEIR_TRY(check_inside(&from, c, output->from));
    WEIR_TRY(check_inside(&to, c, output->to));
    for (int axis = 0; axis < 3; axis++) {
        const double ends[2] = {output->from[axis], output->to[axis]};
        output->from[axis] = fmin(ends[0], ends[1]);
        output->to[axis] = fmax(ends[0], ends[1]);
        if (ends[0] != ends[1])
            continue;
        output->axis = axis;
        normals++;
    }
    return normals == 1
               ? 0
               : weir_json_fail(
                     json,
                     "\"from\" and \"to\" are equal in %d components; they are opposite corners of a "
                     "rectangle normal to an axis, so they must be equal in exactly one",
                     normals);
}

static int read_series(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json coefficients = weir_json_member(json, "coefficients");
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    if (!weir_json_present(&coefficients))
        return 0;
    WEIR_TRY(weir_json_object(&coefficients, "an object such as {\"velocity\": 0.05, \"area\": 12.6}"));
    return weir_keys_read(&coefficients, coefficient_keys, &c->units, output);
}

static int read_averages(const struct weir_json *json, const struct weir_case *c,
                         struct weir_output *output) {
    const struct weir_json start = weir_json_member(json, "start");
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    if (output->start > c->steps)
        return weir_json_fail(&start, "lies behind the run's last step, %lld; give an earlier one",
                              (long long)c->steps);
    return read_quantities(json, c, output);
}

/* The key of the steps between outputs of a type. */
static const struct weir_key *every_of(enum weir_output_type type) {
    const struct weir_key *key = &weir_output_keys[EVERY];
    while (!weir_key_of_kind(key, (int)type))
        key++;
    return key;
}

static int read_entry(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    struct weir_json type_json = weir_json_member(json, "type"), every = weir_json_member(json, "every");
    struct weir_json name_json = weir_json_member(json, "name");
    int type;

    WEIR_TRY(weir_json_object(json, "an object such as {\"type\": \"fields\", \"every\": 1000}"));
    if (!weir_json_present(&type_json))
        return weir_json_fail_choice_missing(&type_json, type_names());
    WEIR_TRY(weir_key_read(&type_json, &weir_output_keys[TYPE], &c->units, &type));
    output->type = (enum weir_output_type)type;
    WEIR_TRY(weir_key_check_kind(json, weir_output_keys, type));

    output->every = usual_every[output->type];
    output->statistics_from = -1;
    if (weir_json_present(&every))
        WEIR_TRY(weir_key_read(&every, every_of(output->type), &c->units, &output->every));
    if (weir_json_present(&name_json)) {
        const char *name;
        WEIR_TRY(weir_key_read(&name_json, &weir_output_keys[NAME], &c->units, &name));
        strcpy(output->name, name);
    }
    switch (output->type) {
    case WEIR_OUTPUT_FIELDS:
        WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
        return read_quantities(json, c, output);
    case WEIR_OUTPUT_IMAGE:
        return read_image(json, c, output);
    case WEIR_OUTPUT_PROFILE:
        return read_profile(json, c, output);
    case WEIR_OUTPUT_PROBES:
        return read_probes(json, c, output);
    case WEIR_OUTPUT_FLUX:
        return read_flux(json, c, output);
    case WEIR_OUTPUT_AVERAGES:
        return read_averages(json, c, output);
    default:
        return read_series(json, c, output);
    }
}

/* The output that has a name, other than number `self`; -1: none. */
static int find_name(const struct weir_case *c, const char *name, int self) {
    for (int i = 0; i < c->output_count; i++)
        if (i != self && strcmp(c->outputs[i].name, name) == 0)
            return i;
    return -1;
}

static int check_name(const struct weir_json *entry, const struct weir_case *c, int self) {
    const char *name = c->outputs[self].name;
    const int twin = name[0] ? find_name(c, name, self) : -1;
    if (twin < 0)
        return 0;
    const struct weir_json json = weir_json_member(entry, "name");
    return weir_json_fail(&json, "\"%s\" is also the name of output[%d]; give each output its own", name,
                          twin);
}

/* Gives an output without a name the default of its type, with a number behind it where that is taken. */
static void choose_name(struct weir_case *c, int self) {
    struct weir_output *output = &c->outputs[self];
    char base[48];
    if (output->type == WEIR_OUTPUT_IMAGE)
        snprintf(base, sizeof base, "image_%s_%c",
                 weir_quantity_row((enum weir_quantity)__builtin_ctz(output->quantities))->name,
                 "xyz"[output->axis]);
    else
        snprintf(base, sizeof base, "%s", weir_output_row(output->type)->name);
    snprintf(output->name, sizeof output->name, "%s", base);
    for (int number = 2; find_name(c, output->name, self) >= 0; number++)
        snprintf(output->name, sizeof output->name, "%s_%d", base, number);
}

/* Whether each output has files of its own; complains of the later of two that do not. */
static int check_files(const struct weir_json *list, const struct weir_case *c) {
    for (int i = 0; i < c->output_count; i++) {
        const struct weir_output *own = &c->outputs[i];
        if (weir_output_names_are_checkpoints(own)) {
            struct weir_json item = weir_json_item(list, i), name = weir_json_member(&item, "name");
            return weir_json_fail(&name, "\"%s\": checkpoints are called so; give another name", own->name);
        }
        for (int k = 0; k < i; k++) {
            const struct weir_output *output = &c->outputs[i], *other = &c->outputs[k];
            if (!weir_output_names_clash(output, other))
                continue;
            struct weir_json item = weir_json_item(list, i), name = weir_json_member(&item, "name");
            return weir_json_fail(
                &name,
                "\"%s\": output[%d], called \"%s\", would write to the same file at some step; "
                "give one of them another name",
                output->name, k, other->name);
        }
    }
    return 0;
}

int weir_case_read_output(const struct weir_json *root, struct weir_case *c) {
    struct weir_json list = weir_json_member(root, "output");
    int count;
    if (!weir_json_present(&list))
        return 0;
    WEIR_TRY(weir_json_array(&list, "a list of outputs", 0, WEIR_OUTPUTS_MOST, &count));
    if (count == 0)
        return 0;
    c->outputs = calloc((size_t)count, sizeof *c->outputs);
    if (!c->outputs)
        return weir_fail(WEIR_FAILED, "no memory left for %d outputs", count);
    c->output_count = count;
    const int before = root->source->mistakes->count;
    for (int i = 0; i < count; i++) {
        struct weir_json item = weir_json_item(&list, i);
        WEIR_JSON_NOTE(root->source, read_entry(&item, c, &c->outputs[i]));
        WEIR_JSON_NOTE(root->source, check_name(&item, c, i));
    }
    if (root->source->mistakes->count > before) /* then not all outputs have names yet */
        return 0;
    for (int i = 0; i < count; i++)
        if (!c->outputs[i].name[0])
            choose_name(c, i);
    return check_files(&list, c);
}
