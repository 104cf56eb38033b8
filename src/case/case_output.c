/* What a case wants to see: fields, images, profiles and series. */
#include "graph/base/error.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"
#include "src/case/output_names.h"
#include "src/case/profile_line.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const weir_output_type_names[] = {"fields", "image", "profile", "series", NULL};
const char *const weir_quantity_names[] = {"density",    "pressure", "velocity",  "velocity_x", "velocity_y",
                                           "velocity_z", "speed",    "vorticity", NULL};

enum { EVERY_SERIES = 100 }; /* steps between lines of a series that does not say */

static const struct weir_case_quantity from_quantity = {"where the profile begins", WEIR_DIMENSION_LENGTH,
                                                        "0"};
static const struct weir_case_quantity to_quantity = {"where the profile ends", WEIR_DIMENSION_LENGTH, "64"};

/* Which types of output a key belongs to; keys not listed belong to all. */
static const struct {
    const char *key;
    unsigned types; /* bits 1u << enum weir_output_type */
    const char *names;
} key_types[] = {
    {"fields", 1u << WEIR_OUTPUT_FIELDS | 1u << WEIR_OUTPUT_PROFILE, "\"fields\" and \"profile\""},
    {"plane", 1u << WEIR_OUTPUT_IMAGE, "\"image\""},
    {"field", 1u << WEIR_OUTPUT_IMAGE, "\"image\""},
    {"range", 1u << WEIR_OUTPUT_IMAGE, "\"image\""},
    {"pixels", 1u << WEIR_OUTPUT_IMAGE, "\"image\""},
    {"from", 1u << WEIR_OUTPUT_PROFILE, "\"profile\""},
    {"to", 1u << WEIR_OUTPUT_PROFILE, "\"profile\""},
    {"faces", 1u << WEIR_OUTPUT_SERIES, "\"series\""},
};

static int check_keys(const struct weir_json *json, enum weir_output_type type) {
    for (size_t i = 0; i < sizeof key_types / sizeof key_types[0]; i++) {
        struct weir_json member = weir_json_member(json, key_types[i].key);
        if (weir_json_present(&member) && !(key_types[i].types & 1u << type))
            return weir_json_fail(
                &member,
                "belongs to outputs of type %s, but this one is of type \"%s\"; remove one of the two",
                key_types[i].names, weir_output_type_names[type]);
    }
    return 0;
}

/* Why an output of this type cannot show a quantity; NULL: it can. */
static const char *refusal(enum weir_quantity quantity, enum weir_output_type type, bool flat) {
    if (quantity == WEIR_VORTICITY && type != WEIR_OUTPUT_IMAGE)
        return "\"vorticity\" is for outputs of type \"image\" only (normal to their plane); write "
               "\"velocity\" "
               "and derive it";
    if (quantity == WEIR_VELOCITY && type == WEIR_OUTPUT_IMAGE)
        return flat ? "\"velocity\" has several components, an image shows one number; give \"speed\", "
                      "\"velocity_x\", \"velocity_y\" or \"vorticity\""
                    : "\"velocity\" has several components, an image shows one number; give \"speed\", "
                      "\"velocity_x\", \"velocity_y\", \"velocity_z\" or \"vorticity\"";
    if (quantity == WEIR_VELOCITY_Z && flat)
        return "\"velocity_z\" does not exist on lattice D2Q9; give \"velocity_x\" or \"velocity_y\"";
    return NULL;
}

/* One quantity, which must make sense for the output and the lattice; where it is none, those that do are
 * offered. */
static int read_quantity(const struct weir_json *json, const struct weir_case *c, enum weir_output_type type,
                         int *quantity) {
    const bool flat = weir_lattice_dimensions(c->problem.lattice) == 2;
    const char *names[WEIR_QUANTITY_COUNT + 1] = {NULL}, *text = json_string_value(json->value);
    int number_of[WEIR_QUANTITY_COUNT], count = 0, choice;
    for (int k = 0; k < WEIR_QUANTITY_COUNT; k++) {
        const char *why = refusal((enum weir_quantity)k, type, flat);
        if (why && text && strcmp(text, weir_quantity_names[k]) == 0)
            return weir_json_fail(json, "%s", why);
        if (!why) {
            names[count] = weir_quantity_names[k];
            number_of[count++] = k;
        }
    }
    WEIR_TRY(weir_json_choice(json, "a field", names, &choice));
    *quantity = number_of[choice];
    return 0;
}

static int read_quantities(const struct weir_json *json, const struct weir_case *c,
                           struct weir_output *output) {
    struct weir_json fields = weir_json_member(json, "fields");
    int count;
    output->quantities = 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY;
    if (!weir_json_present(&fields))
        return 0;
    WEIR_TRY(weir_json_array(&fields, "a list such as [\"density\", \"velocity\"]", 1, INT_MAX, &count));
    output->quantities = 0;
    for (int i = 0; i < count; i++) {
        struct weir_json item = weir_json_item(&fields, i);
        int quantity;
        WEIR_TRY(read_quantity(&item, c, output->type, &quantity));
        if (output->quantities & 1u << quantity)
            return weir_json_fail(&item, "\"%s\" is named twice; name it once",
                                  weir_quantity_names[quantity]);
        output->quantities |= 1u << quantity;
    }
    return 0;
}

/* "y=0.5": the plane's normal and its place as a fraction of the domain. */
static int read_plane(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    bool flat = weir_lattice_dimensions(c->problem.lattice) == 2;
    const char *wanted = flat ? "\"z=0.5\", or leave it off"
                              : "\"x=...\", \"y=...\" or \"z=...\" with a fraction of the "
                                "domain from 0 to 1, such as \"y=0.5\"";
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
        return weir_json_fail_type(&plane, flat ? "a plane of a D2Q9 domain" : "a plane of the domain",
                                   wanted);
    output->axis = axis - 'x';
    output->position = fraction * c->problem.cells[output->axis];
    return 0;
}

static int read_range(const struct weir_json *json, struct weir_output *output) {
    const char *wanted = "2 numbers, the least and the greatest value shown, such as [0, 0.1]";
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
        WEIR_TRY(weir_json_integer(
            &pixels, "the pixels along the picture's longer side, from 320 to 16384, such as 1024", 320,
            16384, &number));
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
    WEIR_TRY(weir_case_read_vector(&from, c, &from_quantity, output->from));
    WEIR_TRY(weir_case_read_vector(&to, c, &to_quantity, output->to));
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

static int read_series(const struct weir_json *json, struct weir_output *output) {
    struct weir_json faces = weir_json_member(json, "faces");
    return weir_json_present(&faces)
               ? weir_json_boolean(&faces,
                                   "true or false: whether forces on the domain's faces are wanted too",
                                   &output->faces)
               : 0;
}

static int read_entry(const struct weir_json *json, const struct weir_case *c, struct weir_output *output) {
    struct weir_json type_json = weir_json_member(json, "type"), every = weir_json_member(json, "every");
    struct weir_json name_json = weir_json_member(json, "name");
    int type;

    WEIR_TRY(weir_json_object(json, "an object such as {\"type\": \"fields\", \"every\": 1000}"));
    if (!weir_json_present(&type_json))
        return weir_json_fail_missing(&type_json, "\"fields\", \"image\", \"profile\" or \"series\"");
    WEIR_TRY(weir_json_choice(&type_json, "a type of output", weir_output_type_names, &type));
    output->type = (enum weir_output_type)type;
    WEIR_TRY(check_keys(json, output->type));

    output->every = output->type == WEIR_OUTPUT_SERIES ? EVERY_SERIES : 0;
    if (weir_json_present(&every))
        WEIR_TRY(weir_json_integer(
            &every, "the steps between outputs, 1 or more, such as 1000 (left off: one at the end)", 1,
            INT64_C(1000000000000), &output->every));
    if (weir_json_present(&name_json)) {
        const char *name;
        WEIR_TRY(weir_json_name(&name_json, sizeof output->name - 1, &name));
        strcpy(output->name, name);
    }
    switch (output->type) {
    case WEIR_OUTPUT_FIELDS:
        return read_quantities(json, c, output);
    case WEIR_OUTPUT_IMAGE:
        return read_image(json, c, output);
    case WEIR_OUTPUT_PROFILE:
        return read_profile(json, c, output);
    case WEIR_OUTPUT_SERIES:
        return read_series(json, output);
    default:
        return 0;
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
        snprintf(base, sizeof base, "image_%s_%c", weir_quantity_names[__builtin_ctz(output->quantities)],
                 "xyz"[output->axis]);
    else
        snprintf(base, sizeof base, "%s", weir_output_type_names[output->type]);
    snprintf(output->name, sizeof output->name, "%s", base);
    for (int number = 2; find_name(c, output->name, self) >= 0; number++)
        snprintf(output->name, sizeof output->name, "%s_%d", base, number);
}

/* Whether each output has files of its own; complains of the later of two that do not. */
static int check_files(const struct weir_json *list, const struct weir_case *c) {
    for (int i = 0; i < c->output_count; i++)
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
    return 0;
}

int weir_case_read_output(const struct weir_json *root, struct weir_case *c) {
    struct weir_json list = weir_json_member(root, "output");
    int count;
    if (!weir_json_present(&list))
        return 0;
    WEIR_TRY(weir_json_array(&list, "a list of outputs", 0, 1000, &count));
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
    for (int i = 0; i < count && root->source->mistakes->count == before; i++)
        if (!c->outputs[i].name[0])
            choose_name(c, i);
    return check_files(&list, c);
}
