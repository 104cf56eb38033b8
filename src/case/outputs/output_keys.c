/* The rows of the keys of outputs. */
#include "src/case/outputs/output_keys.h"
#include "src/case/case_sections.h"
#include "src/case/outputs/output_names.h"
#include "src/case/outputs/quantity.h"

const char *const *weir_output_abouts(void) {
    static const char *abouts[WEIR_OUTPUT_TYPE_COUNT + 1];
    for (enum weir_output_type type = 0; type < WEIR_OUTPUT_TYPE_COUNT; type++)
        abouts[type] = weir_output_row(type)->about;
    return abouts;
}

const char *const *weir_output_type_names(void) {
    static const char *names[WEIR_OUTPUT_TYPE_COUNT + 1];
    for (enum weir_output_type type = 0; type < WEIR_OUTPUT_TYPE_COUNT; type++)
        names[type] = weir_output_row(type)->name;
    return names;
}

const char *const weir_field_format_names[] = {"xdmf", "vtkhdf", NULL};

enum {
    FIELDS_ONLY = 1u << WEIR_OUTPUT_FIELDS,
    IMAGE_ONLY = 1u << WEIR_OUTPUT_IMAGE,
    PROFILE_ONLY = 1u << WEIR_OUTPUT_PROFILE,
    SERIES_ONLY = 1u << WEIR_OUTPUT_SERIES,
    PROBES_ONLY = 1u << WEIR_OUTPUT_PROBES,
    FLUX_ONLY = 1u << WEIR_OUTPUT_FLUX,
    AVERAGES_ONLY = 1u << WEIR_OUTPUT_AVERAGES,
    PERMEABILITY_ONLY = 1u << WEIR_OUTPUT_PERMEABILITY,
    SURFACE_ONLY = 1u << WEIR_OUTPUT_SURFACE,
};

/* What outputs of a type can show on some lattice. */
static const char *const *listed_quantities(void) {
    static const char *names[WEIR_QUANTITY_COUNT + 1];
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    weir_quantity_choices(WEIR_OUTPUT_FIELDS, &weir_quantity_any_case, names, quantities);
    return names;
}

static const char *const *averaged_quantities(void) {
    static const char *names[WEIR_QUANTITY_COUNT + 1];
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    weir_quantity_choices(WEIR_OUTPUT_AVERAGES, &weir_quantity_any_case, names, quantities);
    return names;
}

static const char *const *pictured_quantities(void) {
    static const char *names[WEIR_QUANTITY_COUNT + 1];
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    weir_quantity_choices(WEIR_OUTPUT_IMAGE, &weir_quantity_any_case, names, quantities);
    return names;
}

const struct weir_key weir_coefficient_keys[] = {
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

const struct weir_key weir_nusselt_keys[] = {
    {.name = "length",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "Reference length L: a gap's width, a body's diameter (SI: m).",
     .examples = "[96]",
     .quantity = {"the reference length", WEIR_DIMENSION_LENGTH, "96"},
     WEIR_KEY_AT(struct weir_output, nusselt_length)},
    {.name = "difference",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "Difference Δφ of the scalar that drives it, in the unit of the scalar.",
     .examples = "[1]",
     .quantity = {"the difference of the scalar", WEIR_DIMENSION_NONE, "1"},
     WEIR_KEY_AT(struct weir_output, nusselt_difference)},
    {.name = "area",
     .type = WEIR_KEY_NUMBER,
     .needed = true,
     .positive = true,
     .about = "Area A of the surface (SI: m²). On flat lattices its length times one cell width.",
     .examples = "[96]",
     .quantity = {"the area of the surface", WEIR_DIMENSION_AREA, "96"},
     WEIR_KEY_AT(struct weir_output, nusselt_area)},
    {.name = NULL},
};

const struct weir_key weir_output_keys[] = {
    [OUTPUT_TYPE] = {.name = "type",
                     .type = WEIR_KEY_CHOICE,
                     .needed = true,
                     .about = "What is written.",
                     .example = "\"image\"",
                     .choices_of = weir_output_type_names,
                     .wanted = "a type of output"},
    [OUTPUT_NAME] = {.name = "name",
                     .type = WEIR_KEY_NAME,
                     .about = "Name of the files. Default: from the type, with a number where that is taken.",
                     .more = "`fields`, `image_FIELD_AXIS`, `profile`, `series`.",
                     .otherwise = "from the type",
                     .examples = "[\"centreline\"]",
                     .longest = sizeof((struct weir_output *)0)->name - 1},
    [OUTPUT_EVERY] = {.name = "every",
                      .type = WEIR_KEY_STEPS,
                      .kinds = FIELDS_ONLY | IMAGE_ONLY | PROFILE_ONLY | SURFACE_ONLY,
                      .about =
                          "Steps between outputs, or in SI cases a time (\"0.1 s\"). Left out: once, at the "
                          "end of the run.",
                      .more = "The end of the run is always written too.",
                      .otherwise = "at the end only",
                      .examples = "[1000]",
                      .least = 1,
                      .most = WEIR_STEPS_MOST,
                      .wanted =
                          "the steps between outputs, 1 or more, such as 1000 (left off: one at the end)"},
    [OUTPUT_EVERY_OF_SERIES] = {.name = "every",
                                .type = WEIR_KEY_STEPS,
                                .kinds = SERIES_ONLY | FLUX_ONLY | PERMEABILITY_ONLY,
                                .about = "Steps between lines, or in SI cases a time.",
                                .fallback = "100",
                                .least = 1,
                                .most = WEIR_STEPS_MOST,
                                .wanted = "the steps between lines, 1 or more, such as 100"},
    [OUTPUT_EVERY_OF_PROBES] = {.name = "every",
                                .type = WEIR_KEY_STEPS,
                                .kinds = PROBES_ONLY,
                                .about = "Steps between samples, or in SI cases a time.",
                                .fallback = "1",
                                .least = 1,
                                .most = WEIR_STEPS_MOST,
                                .wanted = "the steps between samples, 1 or more, such as 10"},
    [OUTPUT_EVERY_OF_AVERAGES] = {.name = "every",
                                  .type = WEIR_KEY_STEPS,
                                  .kinds = AVERAGES_ONLY,
                                  .about = "Steps between samples.",
                                  .fallback = "10",
                                  .least = 1,
                                  .most = WEIR_STEPS_MOST,
                                  .wanted = "the steps between samples, 1 or more, such as 10"},
    [OUTPUT_START] = {.name = "start",
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
    [OUTPUT_FIELDS] = {.name = "fields",
                       .type = WEIR_KEY_CHOICE,
                       .several = true,
                       .kinds = FIELDS_ONLY | PROFILE_ONLY | PROBES_ONLY,
                       .about = "What is written.",
                       .fallback = "[\"density\", \"velocity\"]",
                       .example = "[\"velocity\"]",
                       .choices_of = listed_quantities,
                       .wanted = "a list such as [\"density\", \"velocity\"]"},
    [OUTPUT_FIELDS_OF_AVERAGES] =
        {.name = "fields",
         .type = WEIR_KEY_CHOICE,
         .several = true,
         .kinds = AVERAGES_ONLY,
         .about = "What is written; means, of which speed, and with phases pressure, are those of the means "
                  "of velocity and density, but for velocity_rms and reynolds_stress.",
         .fallback = "[\"velocity\", \"velocity_rms\", \"reynolds_stress\"]",
         .example = "[\"reynolds_stress\"]",
         .choices_of = averaged_quantities,
         .wanted = "a list such as [\"velocity\", \"reynolds_stress\"]"},
    [OUTPUT_PLANE] =
        {.name = "plane",
         .type = WEIR_KEY_TEXT,
         .usual = true,
         .kinds = IMAGE_ONLY,
         .about = "The plane's normal and its place as a fraction of the domain. Flat lattices need none.",
         .otherwise = "needed; in two dimensions none",
         .examples = "[\"y=0.5\"]",
         .schema = "{\"pattern\": \"^ *[xyz] *= *[0-9.][0-9.eE+-]* *$\"}",
         .wanted = "\"x=...\", \"y=...\" or \"z=...\" with a fraction of the domain from 0 to 1, such as "
                   "\"y=0.5\""},
    [OUTPUT_FIELD] = {.name = "field",
                      .type = WEIR_KEY_CHOICE,
                      .kinds = IMAGE_ONLY,
                      .about = "What is shown.",
                      .fallback = "\"speed\"",
                      .example = "\"vorticity\"",
                      .choices_of = pictured_quantities,
                      .wanted = "a field"},
    [OUTPUT_RANGE] = {.name = "range",
                      .type = WEIR_KEY_OTHER,
                      .kinds = IMAGE_ONLY,
                      .about = "Values at the ends of the colour map. Default: from the data.",
                      .otherwise = "from the data",
                      .examples = "[[0, 0.1]]",
                      .schema =
                          "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": "
                          "\"number\"}}",
                      .wanted = "2 numbers, the least and the greatest value shown, such as [0, 0.1]"},
    [OUTPUT_PIXELS] =
        {.name = "pixels",
         .type = WEIR_KEY_INTEGER,
         .kinds = IMAGE_ONLY,
         .about = "Pixels along the picture's longer side. Default: chosen from the cells, 4 per cell for "
                  "small planes, but 400 at least for the plane alone.",
         .more = "From 880 pixels on one per cell, up to 1600.",
         .otherwise = "from the cells",
         .examples = "[512]",
         .least = 320,
         .most = 16384,
         .wanted = "the pixels along the picture's longer side, from 320 to 16384, such as 1024"},
    [OUTPUT_STREAMLINES] =
        {.name = "streamlines",
         .type = WEIR_KEY_OTHER,
         .kinds = IMAGE_ONLY,
         .about =
             "Lines along the flow in the plane, evenly spaced: how many beside each other along its longer "
             "side, from 4 to 200, or true: 30.",
         .otherwise = "none",
         .examples = "[true, 20, false]",
         .schema = "{\"type\": [\"boolean\", \"integer\"], \"minimum\": 4, \"maximum\": 200}",
         .wanted = "true, or how many lines fit beside each other, from 4 to 200, such as 30"},
    [OUTPUT_FROM] =
        {.name = "from",
         .type = WEIR_KEY_NUMBER,
         .per_axis = true,
         .needed = true,
         .kinds = PROFILE_ONLY,
         .about = "Where the line begins: a place in cell widths from the domain's low corner (SI: m).",
         .examples = "[[8, 8, 0]]",
         .quantity = {"where the profile begins", WEIR_DIMENSION_LENGTH, "0"}},
    [OUTPUT_TO] = {.name = "to",
                   .type = WEIR_KEY_NUMBER,
                   .per_axis = true,
                   .needed = true,
                   .kinds = PROFILE_ONLY,
                   .about = "Where the line ends; differs from \"from\" along one axis only.",
                   .examples = "[[8, 8, 16]]",
                   .quantity = {"where the profile ends", WEIR_DIMENSION_LENGTH, "64"}},
    [OUTPUT_FROM_OF_FIELDS] =
        {.name = "from",
         .type = WEIR_KEY_NUMBER,
         .per_axis = true,
         .kinds = FIELDS_ONLY,
         .about = "A corner of the part of the domain that is written: a place in cell widths from the "
                  "domain's low corner (SI: m). Cells that lie in it in part are written too.",
         .otherwise = "the domain's low corner",
         .examples = "[[8, 0, 0]]",
         .quantity = {"a corner of what is written", WEIR_DIMENSION_LENGTH, "0"}},
    [OUTPUT_TO_OF_FIELDS] = {.name = "to",
                             .type = WEIR_KEY_NUMBER,
                             .per_axis = true,
                             .kinds = FIELDS_ONLY,
                             .about =
                                 "The opposite corner; where it equals \"from\" along an axis, one layer of "
                                 "cells is written.",
                             .otherwise = "the domain's high corner",
                             .examples = "[[8, 16, 16]]",
                             .quantity = {"the opposite corner of what is written", WEIR_DIMENSION_LENGTH,
                                          "64"}},
    [OUTPUT_STRIDE] = {.name = "stride",
                       .type = WEIR_KEY_INTEGER,
                       .kinds = FIELDS_ONLY,
                       .about = "Write one cell of so many along each axis, the middle one.",
                       .fallback = "1",
                       .examples = "[2]",
                       .least = 1,
                       .most = 1 << 20,
                       .wanted = "the cells of which one is written, 1 or more, such as 2",
                       WEIR_KEY_AT(struct weir_output, stride)},
    [OUTPUT_FROM_OF_FLUX] = {.name = "from",
                             .type = WEIR_KEY_NUMBER,
                             .per_axis = true,
                             .needed = true,
                             .kinds = FLUX_ONLY,
                             .about =
                                 "A corner of the rectangle: a place in cell widths from the domain's low "
                                 "corner (SI: m).",
                             .examples = "[[8, 0, 0]]",
                             .quantity = {"a corner of the rectangle", WEIR_DIMENSION_LENGTH, "0"}},
    [OUTPUT_TO_OF_FLUX] =
        {.name = "to",
         .type = WEIR_KEY_NUMBER,
         .per_axis = true,
         .needed = true,
         .kinds = FLUX_ONLY,
         .about = "The opposite corner; equals \"from\" along one axis only, to which the rectangle "
                  "is normal.",
         .examples = "[[8, 16, 16]]",
         .quantity = {"the rectangle's opposite corner", WEIR_DIMENSION_LENGTH, "64"}},
    [OUTPUT_FACES] = {.name = "faces",
                      .type = WEIR_KEY_BOOLEAN,
                      .kinds = SERIES_ONLY,
                      .about = "Forces on the domain's faces too, beside those on bodies.",
                      .fallback = "false",
                      .examples = "[true]",
                      .wanted = "true or false: whether forces on the domain's faces are wanted too",
                      WEIR_KEY_AT(struct weir_output, faces)},
    [OUTPUT_COEFFICIENTS] = {.name = "coefficients",
                             .type = WEIR_KEY_OBJECT,
                             .kinds = SERIES_ONLY,
                             .about = "Forces as coefficients too: force / (density U² A / 2).",
                             .otherwise = "none",
                             .members = weir_coefficient_keys,
                             .definition = "coefficients"},
    [OUTPUT_NUSSELT] = {.name = "nusselt",
                        .type = WEIR_KEY_OBJECT,
                        .kinds = SERIES_ONLY,
                        .about = "Flows of the scalar as Nusselt numbers too: flow · L / (D Δφ A), with the "
                                 "diffusivity D.",
                        .otherwise = "none",
                        .members = weir_nusselt_keys,
                        .definition = "nusselt"},
    [OUTPUT_STATISTICS] =
        {.name = "statistics",
         .type = WEIR_KEY_STEPS,
         .kinds = SERIES_ONLY | PROBES_ONLY | FLUX_ONLY,
         .about = "The step from which the summary has statistics of each column: mean, rms, least, "
                  "greatest, frequency of the strongest swing.",
         .more = "`0`: of the whole run. Give one after which the flow has settled.",
         .otherwise = "none",
         .examples = "[5]",
         .example = "20000",
         .least = 0,
         .most = WEIR_STEPS_MOST,
         .wanted = "the step from which statistics are made, such as 20000",
         WEIR_KEY_AT(struct weir_output, statistics_from)},
    [OUTPUT_COMPRESSED] =
        {.name = "compressed",
         .type = WEIR_KEY_BOOLEAN,
         .kinds = FIELDS_ONLY | AVERAGES_ONLY,
         .about = "Compress files without loss (HDF5's shuffle and deflate): smaller, and slower to write. "
                  "Files that several ranks write together cannot be compressed.",
         .fallback = "false",
         .examples = "[true]",
         .wanted = "true or false: whether files are compressed",
         WEIR_KEY_AT(struct weir_output, compressed)},
    [OUTPUT_FORMAT] = {.name = "format",
                       .type = WEIR_KEY_CHOICE,
                       .kinds = FIELDS_ONLY,
                       .about = "An HDF5 file for each step, and one that opens all of them: in XDMF, or "
                                "in VTKHDF, for ParaView from 5.12 on.",
                       .fallback = "\"xdmf\"",
                       .example = "\"vtkhdf\"",
                       .choices = weir_field_format_names,
                       .wanted = "a format of fields"},
    [OUTPUT_POINTS] =
        {.name = "points",
         .type = WEIR_KEY_OTHER,
         .usual = true,
         .kinds = PROBES_ONLY,
         .about = "The points: places in cell widths from the domain's low corner (SI: m), or the path of "
                  "a CSV file with one in each row, as seen from this file.",
         .otherwise = "needed",
         .examples = "[[[8, 8, 4.5], [4, 8, 8]]]",
         .schema = "{\"type\": [\"array\", \"string\"], \"minItems\": 1, \"items\": {\"type\": "
                   "\"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {\"type\": \"number\"}}}",
         .wanted = "a list of points such as [[8, 8, 4.5], [4, 8, 8]], or the path of a CSV file",
         .quantity = {"where a probe is", WEIR_DIMENSION_LENGTH, "8"}},
    [OUTPUT_DIFFERENCES] =
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
    [OUTPUT_BODIES] = {.name = "bodies",
                       .type = WEIR_KEY_OTHER,
                       .kinds = SURFACE_ONLY,
                       .about = "Names of the bodies whose surface is written.",
                       .otherwise = "all that fluid neither passes nor slips along",
                       .examples = "[[\"solids\"]]",
                       .example = "[\"artery\"]",
                       .schema = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"string\"}}",
                       .wanted = "a list of names of bodies such as [\"artery\"]"},
    {.name = NULL},
};
