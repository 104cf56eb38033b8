/* The walls on the domain's faces. */
#include "graph/base/error.h"
#include "src/case/case_sections.h"
#include "src/case/case_values.h"

#include <math.h>
#include <string.h>

/* Types of boundaries, and what each is. */
static const char *const types[] = {"wall", NULL};
static const char *const abouts[] = {"the fluid sticks to it (half-way bounce-back)"};

const char *const *weir_boundary_abouts(void) {
    return abouts;
}

enum { TYPE, VELOCITY };
const struct weir_key weir_boundary_keys[] = {
    [TYPE] = {.name = "type",
              .type = WEIR_KEY_CHOICE,
              .needed = true,
              .about = "What closes the domain here.",
              .more = "FACE is `x-`, `x+`, `y-`, `y+`, `z-` or `z+`, on an axis that is not periodic.",
              .otherwise = "needed per face named",
              .choices = types,
              .wanted = "a type of boundary"},
    [VELOCITY] = {.name = "velocity",
                  .type = WEIR_KEY_NUMBER,
                  .per_axis = true,
                  .about = "Velocity of the wall along itself (SI: m/s).",
                  .more = "The component through the face must be 0.",
                  .fallback = "[0, 0, 0]",
                  .example = "[0.1, 0, 0]",
                  .quantity = {"the wall's speed", WEIR_DIMENSION_VELOCITY, "0.1"}},
    {.name = NULL},
};

static int read_wall(const struct weir_json *face_json, struct weir_case *c, int face) {
    const struct weir_key *keys = weir_boundary_keys;
    int axis = face / 2, type;

    WEIR_TRY(
        weir_json_object(face_json, "an object such as {\"type\": \"wall\", \"velocity\": [0.1, 0, 0]}"));
    if (axis >= weir_lattice_dimensions(c->problem.lattice))
        return weir_json_fail(face_json,
                              "lattice %s is flat and has no z faces; remove this one, or use lattice D3Q19",
                              weir_lattice_names[c->problem.lattice]);
    if (c->problem.periodic[axis])
        return weir_json_fail(face_json,
                              "the domain is periodic along %c and has no such face; remove it here, or make "
                              "domain.periodic[%d] false",
                              "xyz"[axis], axis);

    const struct weir_json type_json = weir_json_member(face_json, keys[TYPE].name),
                           velocity = weir_json_member(face_json, keys[VELOCITY].name);
    if (!weir_json_present(&type_json))
        return weir_json_fail_choice_missing(&type_json, types);
    WEIR_TRY(weir_key_read(&type_json, &keys[TYPE], &c->units, &type));
    WEIR_TRY(weir_key_check_kind(face_json, keys, type));
    double *wall_velocity = c->problem.walls[1 + face].velocity;
    WEIR_TRY(weir_case_read_velocity(&velocity, c, &keys[VELOCITY].quantity, wall_velocity));
    if (wall_velocity[axis] != 0) {
        struct weir_json item = weir_json_item(&velocity, axis);
        return weir_json_fail_type(
            &item, "0", "0: a wall moves along itself; through its face it would make or destroy mass");
    }
    return 0;
}

int weir_case_read_boundaries(const struct weir_json *root, struct weir_case *c) {
    struct weir_json boundaries = weir_json_member(root, "boundaries");
    if (!weir_json_present(&boundaries))
        return 0;
    WEIR_TRY(weir_json_object(&boundaries, "an object such as {\"z+\": {\"type\": \"wall\"}}"));
    for (int face = 0; face < WEIR_FACES; face++) {
        struct weir_json face_json = weir_json_member(&boundaries, weir_face_names[face]);
        if (weir_json_present(&face_json))
            WEIR_JSON_NOTE(root->source, read_wall(&face_json, c, face));
    }
    return 0;
}
