/* What a case wants to see: fields, images, profiles, series, probes and fluxes. */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/case/case_points.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/outputs/output_keys.h"
#include "src/case/outputs/output_names.h"
#include "src/case/outputs/permeable_case.h"
#include "src/case/outputs/point_cells.h"
#include "src/case/outputs/profile_line.h"
#include "src/case/outputs/quantity.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps between outputs of those that do not say; 0: one at the end. */
static const int64_t usual_every[WEIR_OUTPUT_TYPE_COUNT] = {[WEIR_OUTPUT_SERIES] = 100,
                                                            [WEIR_OUTPUT_PROBES] = 1,
                                                            [WEIR_OUTPUT_FLUX] = 100,
                                                            [WEIR_OUTPUT_AVERAGES] = 10,
                                                            [WEIR_OUTPUT_PERMEABILITY] = 100};

/* One quantity, which must make sense for the output and the lattice; where it is none, those that do are
 * offered. */
static int read_quantity(const struct weir_json *json, const struct weir_case *c, enum weir_output_type type,
                         int *quantity) {
    const struct weir_quantity_case of = weir_quantity_case_of(&c->problem);
    const char *names[WEIR_QUANTITY_COUNT + 1], *text = json_string_value(json->value);
    enum weir_quantity quantities[WEIR_QUANTITY_COUNT];
    char list[WEIR_JSON_LIST];
    int choice;
    weir_quantity_choices(type, &of, names, quantities);
    for (enum weir_quantity k = 0; text && k < WEIR_QUANTITY_COUNT; k++) {
        const char *why = weir_quantity_refusal(k, type, &of);
        if (!why || strcmp(text, weir_quantity_row(k)->name) != 0)
            continue;
        weir_json_list_names(names, list);
        return weir_json_fail(json, "\"%s\" %s; give %s", text, why, list);
    }
    WEIR_TRY(weir_json_choice(json, weir_output_keys[OUTPUT_FIELD].wanted, names, &choice));
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
    WEIR_TRY(weir_json_array(&fields, weir_output_keys[OUTPUT_FIELDS].wanted, 1, INT_MAX, &count));
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
    const char *wanted = flat ? "\"z=0.5\", or leave it off" : weir_output_keys[OUTPUT_PLANE].wanted;
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
    const char *wanted = weir_output_keys[OUTPUT_RANGE].wanted;
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

/* true, false, or how many. */
static int read_streamlines(const struct weir_json *json, struct weir_output *output) {
    enum { USUAL = 30, LEAST = 4, MOST = 200 };
    const char *wanted = weir_output_keys[OUTPUT_STREAMLINES].wanted;
    if (!json_is_boolean(json->value))
        return weir_json_integer(json, wanted, LEAST, MOST, &output->streamlines);
    output->streamlines = json_is_true(json->value) ? USUAL : 0;
    return 0;
}

static int read_image(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    struct weir_json field = weir_json_member(json, "field"), pixels = weir_json_member(json, "pixels"),
                     streamlines = weir_json_member(json, "streamlines");
    int quantity = WEIR_SPEED;
    int64_t number = 0;

    WEIR_TRY(read_plane(json, c, output));
    if (weir_json_present(&field))
        WEIR_TRY(read_quantity(&field, c, WEIR_OUTPUT_IMAGE, &quantity));
    output->quantities = 1u << quantity;
    WEIR_TRY(read_range(json, output));
    if (weir_json_present(&pixels))
        WEIR_TRY(weir_key_read(&pixels, &weir_output_keys[OUTPUT_PIXELS], &c->units, &number));
    output->pixels = (int)number;
    return weir_json_present(&streamlines) ? read_streamlines(&streamlines, output) : 0;
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
    WEIR_TRY(weir_case_read_vector(&from, c, &weir_output_keys[OUTPUT_FROM].quantity, output->from));
    WEIR_TRY(weir_case_read_vector(&to, c, &weir_output_keys[OUTPUT_TO].quantity, output->to));
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
    WEIR_TRY(weir_case_read_vector(json, c, &weir_output_keys[OUTPUT_POINTS].quantity, point));
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
    WEIR_TRY(weir_json_array(&list, weir_output_keys[OUTPUT_DIFFERENCES].wanted, 1, WEIR_POINTS_MOST,
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
    const char *wanted = weir_output_keys[OUTPUT_POINTS].wanted;
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

/* Turns round where need be. */
static void put_low_before_high(double from[3], double to[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const double ends[2] = {from[axis], to[axis]};
        from[axis] = fmin(ends[0], ends[1]);
        to[axis] = fmax(ends[0], ends[1]);
    }
}

/* The cells between two corners, one layer at least. A corner that is on a cell's face but for rounding, in
 * SI cases, is on it. */
static void find_region(const struct weir_case *c, struct weir_output *output) {
    const double rounding = 1e-6;
    for (int axis = 0; axis < 3; axis++) {
        const int last = c->problem.cells[axis] - 1, begin = (int)floor(output->from[axis] + rounding),
                  end = (int)ceil(output->to[axis] - rounding);
        output->region.origin[axis] = begin < last ? begin : last;
        output->region.extent[axis] =
            end > output->region.origin[axis] ? end - output->region.origin[axis] : 1;
    }
}

static int read_fields(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json from = weir_json_member(json, "from"), to = weir_json_member(json, "to"),
                           stride = weir_json_member(json, "stride"),
                           format = weir_json_member(json, "format");
    int choice = WEIR_XDMF;
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    if (weir_json_present(&format))
        WEIR_TRY(weir_key_read(&format, &weir_output_keys[OUTPUT_FORMAT], &c->units, &choice));
    output->format = (enum weir_field_format)choice;
    for (int axis = 0; axis < 3; axis++)
        output->to[axis] = c->problem.cells[axis];
    if (weir_json_present(&from))
        WEIR_TRY(
            weir_case_read_vector(&from, c, &weir_output_keys[OUTPUT_FROM_OF_FIELDS].quantity, output->from));
    if (weir_json_present(&to))
        WEIR_TRY(weir_case_read_vector(&to, c, &weir_output_keys[OUTPUT_TO_OF_FIELDS].quantity, output->to));
    WEIR_TRY(check_inside(&from, c, output->from));
    WEIR_TRY(check_inside(&to, c, output->to));
    put_low_before_high(output->from, output->to);
    find_region(c, output);
    for (int axis = 0; axis < 3; axis++)
        if (output->region.extent[axis] > 1 && output->region.extent[axis] < output->stride)
            return weir_json_fail(&stride, "%lld is more than the %d cells along %c; give a smaller one",
                                  (long long)output->stride, output->region.extent[axis], "xyz"[axis]);
    return read_quantities(json, c, output);
}

/* A rectangle: its corners, low before high, and its normal. */
static int read_flux(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json from = weir_json_member(json, "from"), to = weir_json_member(json, "to");
    int normals = 0;
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    output->to[2] = 1; /* all of D2Q9's only layer of cells */
    WEIR_TRY(weir_case_read_vector(&from, c, &weir_output_keys[OUTPUT_FROM_OF_FLUX].quantity, output->from));
    WEIR_TRY(weir_case_read_vector(&to, c, &weir_output_keys[OUTPUT_TO_OF_FLUX].quantity, output->to));
    WEIR_TRY(check_inside(&from, c, output->from));
    WEIR_TRY(check_inside(&to, c, output->to));
    put_low_before_high(output->from, output->to);
    for (int axis = 0; axis < 3; axis++) {
        if (output->from[axis] != output->to[axis])
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

static int read_nusselt(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json nusselt = weir_json_member(json, weir_output_keys[OUTPUT_NUSSELT].name);
    if (!weir_json_present(&nusselt))
        return 0;
    WEIR_TRY(
        weir_json_object(&nusselt, "an object such as {\"length\": 96, \"difference\": 1, \"area\": 96}"));
    if (!c->problem.scalar.present)
        return weir_json_fail(&nusselt, "is given, but the case has no scalar; add \"scalar\": "
                                        "{\"diffusivity\": 0.01} to the case, or remove this");
    return weir_keys_read(&nusselt, weir_nusselt_keys, &c->units, output);
}

static int read_series(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json coefficients = weir_json_member(json, "coefficients");
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    WEIR_TRY(read_nusselt(json, c, output));
    if (!weir_json_present(&coefficients))
        return 0;
    WEIR_TRY(weir_json_object(&coefficients, "an object such as {\"velocity\": 0.05, \"area\": 12.6}"));
    return weir_keys_read(&coefficients, weir_coefficient_keys, &c->units, output);
}

static int read_averages(const struct weir_json *json, const struct weir_case *c,
                         struct weir_output *output) {
    const struct weir_json start = weir_json_member(json, "start"), type = weir_json_member(json, "type");
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    if (c->problem.surface.present)
        return weir_json_fail(&type,
                              "\"averages\" are not there with a free surface, where a cell is liquid at "
                              "times only; choose \"fields\"");
    if (output->start > c->steps)
        return weir_json_fail(&start, "lies behind the run's last step, %lld; give an earlier one",
                              (long long)c->steps);
    return read_quantities(json, c, output);
}

static int read_permeability(const struct weir_json *json, const struct weir_case *c,
                             struct weir_output *output) {
    const struct weir_json type = weir_json_member(json, "type");
    char text[WEIR_PERMEABLE_TEXT];
    const char *const why = weir_permeable_case_refusal(c, text);
    WEIR_TRY(weir_keys_read(json, weir_output_keys, &c->units, output));
    return why ? weir_json_fail(&type, "\"permeability\" %s", why) : 0;
}

/* Whether fluid neither passes a body nor slips along it, so that there is a stress. */
static bool holds_fluid(const struct weir_wall *wall) {
    return !weir_wall_is_open(wall) && !weir_rules[wall->rule].mirrors && !weir_wall_is_part(wall) &&
           !wall->conducts;
}

/* A body by its name. */
static int read_body(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_problem *problem = &c->problem;
    const char *name;
    int number = WEIR_FIRST_BODY;
    WEIR_TRY(weir_json_string(json, "the name of a body", &name));
    while (number < problem->wall_count && strcmp(problem->walls[number].name, name) != 0)
        number++;
    if (number == problem->wall_count)
        return weir_json_fail(json,
                              "\"%s\" is no body of this case; give the \"name\" of one of its solids, "
                              "or \"solids\" for those without one",
                              name);
    if (problem->walls[number].conducts)
        return weir_json_fail(json,
                              "\"%s\" conducts the scalar, and the stress on such solids is not computed; "
                              "give bodies that are walls",
                              name);
    if (!holds_fluid(&problem->walls[number]))
        return weir_json_fail(json,
                              "\"%s\" lets fluid pass or slip along it, so that there is no stress; give "
                              "bodies that are walls",
                              name);
    if (output->of_walls[number])
        return weir_json_fail(json, "\"%s\" is named twice; name it once", name);
    output->of_walls[number] = true;
    return 0;
}

static int read_surface(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    const struct weir_json type = weir_json_member(json, "type"), bodies = weir_json_member(json, "bodies");
    const struct weir_problem *problem = &c->problem;
    int count = 0;
    if (weir_lattice_dimensions(problem->lattice) == 2)
        return weir_json_fail(&type, "\"surface\" is for three dimensions, and this lattice has two; give "
                                     "\"fields\" with \"wall_shear_stress\"");
    if (problem->surface.present)
        return weir_json_fail(&type,
                              "\"surface\" is not there with a free surface: cells that are gas have no "
                              "velocity from which the stress at a wall beside them would follow; choose "
                              "\"fields\" with \"velocity\" and \"fill_level\"");
    if (weir_phases_are_components(&problem->phases))
        return weir_json_fail(&type,
                              "\"surface\" is not there with two components, whose viscosities differ from "
                              "place to place; choose \"fields\" with \"wall_shear_stress\"");
    if (json->source->mistakes->count > 0) /* then not all bodies are known */
        return 0;
    if (weir_json_present(&bodies)) {
        WEIR_TRY(weir_json_array(&bodies, weir_output_keys[OUTPUT_BODIES].wanted, 1, INT_MAX, &count));
        for (int k = 0; k < count; k++) {
            const struct weir_json item = weir_json_item(&bodies, k);
            WEIR_TRY(read_body(&item, c, output));
        }
        return 0;
    }
    for (int number = WEIR_FIRST_BODY; number < problem->wall_count; number++) {
        output->of_walls[number] = holds_fluid(&problem->walls[number]);
        count += output->of_walls[number];
    }
    return count > 0
               ? 0
               : weir_json_fail(&type, "\"surface\" is that of bodies, and this case has none that is a "
                                       "wall; add some to \"solids\"");
}

/* The key of the steps between outputs of a type. */
static const struct weir_key *every_of(enum weir_output_type type) {
    const struct weir_key *key = &weir_output_keys[OUTPUT_EVERY];
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
        return weir_json_fail_choice_missing(&type_json, weir_output_type_names());
    WEIR_TRY(weir_key_read(&type_json, &weir_output_keys[OUTPUT_TYPE], &c->units, &type));
    output->type = (enum weir_output_type)type;
    WEIR_TRY(weir_key_check_kind(json, weir_output_keys, type));

    output->every = usual_every[output->type];
    output->statistics_from = -1;
    memcpy(output->region.extent, c->problem.cells, sizeof output->region.extent);
    output->stride = 1;
    if (weir_json_present(&every))
        WEIR_TRY(weir_key_read(&every, every_of(output->type), &c->units, &output->every));
    if (weir_json_present(&name_json)) {
        const char *name;
        WEIR_TRY(weir_key_read(&name_json, &weir_output_keys[OUTPUT_NAME], &c->units, &name));
        strcpy(output->name, name);
    }
    switch (output->type) {
    case WEIR_OUTPUT_FIELDS:
        return read_fields(json, c, output);
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
    case WEIR_OUTPUT_PERMEABILITY:
        return read_permeability(json, c, output);
    case WEIR_OUTPUT_SURFACE:
        return read_surface(json, c, output);
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

/* Blocks keep the sums of averages; complains of those for which there is no room. */
static int count_averages(const struct weir_json *list, struct weir_case *c) {
    for (int k = 0; k < c->output_count; k++) {
        if (c->outputs[k].type != WEIR_OUTPUT_AVERAGES)
            continue;
        if (c->problem.time_sums++ < WEIR_TIME_SUMS_KEPT)
            continue;
        struct weir_json item = weir_json_item(list, k), type = weir_json_member(&item, "type");
        return weir_json_fail(&type, "there are more than %d outputs of averages; take some away",
                              WEIR_TIME_SUMS_KEPT);
    }
    return 0;
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
    WEIR_TRY(count_averages(&list, c));
    return check_files(&list, c);
}
