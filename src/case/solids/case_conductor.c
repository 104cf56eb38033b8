#include "src/case/solids/case_conductor.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/case/case_sections.h"
#include "src/case/models/case_scalar.h"
#include "src/case/speed.h"

enum { DIFFUSIVITY, HEAT_CAPACITY };
const struct weir_key weir_conductor_keys[] = {
    [DIFFUSIVITY] = {.name = "diffusivity",
                     .type = WEIR_KEY_NUMBER,
                     .needed = true,
                     .positive = true,
                     .about = "How fast the scalar diffuses in it (SI: m²/s). Its conductivity is that times "
                              "its heat capacity.",
                     .examples = "[0.1]",
                     .quantity = {"the diffusivity", WEIR_DIMENSION_VISCOSITY, "0.1"}},
    [HEAT_CAPACITY] = {.name = "heat_capacity",
                       .type = WEIR_KEY_NUMBER,
                       .positive = true,
                       .about = "How much a volume of it takes up for each unit of the scalar, as a multiple "
                                "of what the fluid does: of temperatures the heat capacity per volume.",
                       .more = "At least 2/3 in two dimensions, 3/4 in three.",
                       .fallback = "1",
                       .examples = "[1.5]",
                       .wanted = "a number of at least 0.75, such as 2"},
    {.name = NULL},
};

/* Below, what rests in a cell would be less than nothing (scalar.h). */
static double least_capacity(const struct weir_case *c) {
    return 1 - weir_lattice_table((int)weir_scalar_lattice(&c->problem))->weight[0];
}

/* The number of a conductor, counted from 1, which is added where there is none like it. */
static int number_of(const struct weir_json *json, struct weir_case *c,
                     const struct weir_conductor *conductor, int *number) {
    struct weir_problem *const problem = &c->problem;
    int k = 0;
    while (k < problem->conductor_count &&
           !(problem->conductors[k].relaxation_time == conductor->relaxation_time &&
             problem->conductors[k].capacity == conductor->capacity))
        k++;
    if (k == WEIR_CONDUCTORS_MAX)
        return weir_json_fail(json, "is conductor number %d; there may be at most %d that differ", k + 1,
                              WEIR_CONDUCTORS_MAX);
    problem->conductors[k] = *conductor;
    problem->conductor_count += k == problem->conductor_count;
    *number = k + 1;
    return 0;
}

int weir_case_read_conductor(const struct weir_json *json, struct weir_case *c, struct weir_shape *shape) {
    struct weir_conductor conductor = {.capacity = 1};
    WEIR_TRY(weir_json_object(json, "an object such as {\"diffusivity\": 0.1}"));
    const struct weir_json diffusivity = weir_json_member(json, weir_conductor_keys[DIFFUSIVITY].name),
                           capacity = weir_json_member(json, weir_conductor_keys[HEAT_CAPACITY].name);
    if (!c->problem.scalar.present)
        return weir_json_fail(json, "is given, but the case has no scalar; add \"scalar\": {\"diffusivity\": "
                                    "0.01} to the case, or remove this");
    if (weir_json_present(&capacity))
        WEIR_TRY(
            weir_key_read(&capacity, &weir_conductor_keys[HEAT_CAPACITY], &c->units, &conductor.capacity));
    if (conductor.capacity < least_capacity(c))
        return weir_json_fail(&capacity,
                              "is %g, and the method takes no less than %g of the fluid's; give more, or "
                              "make the scalar's unit another: a fluid of a smaller heat capacity",
                              conductor.capacity, least_capacity(c));
    WEIR_TRY(weir_case_read_diffusivity(&diffusivity, c, conductor.capacity, &conductor.relaxation_time));
    return number_of(json, c, &conductor, &shape->conductor);
}

/* Whether a conductor has a cell beside the face. */
static bool reaches(const struct weir_problem *problem, int face) {
    const int axis = face / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    int cell[3];
    cell[axis] = face % 2 ? problem->cells[axis] - 1 : 0;
    for (cell[v] = 0; cell[v] < problem->cells[v]; cell[v]++)
        for (cell[u] = 0; cell[u] < problem->cells[u]; cell[u]++)
            if (weir_geometry_conductor(problem, cell) != 0)
                return true;
    return false;
}

/* What of the boundaries is refused. A surface that moves gives momentum to what meets it, of which a
 * conductor, which sends back all that it is given, would make ever more. */
static int check_boundaries(const struct weir_json *root, const struct weir_case *c) {
    const struct weir_problem *const problem = &c->problem;
    const struct weir_json boundaries = weir_json_member(root, "boundaries"),
                           solids = weir_json_member(root, "solids");
    for (int face = 0; face < 2 * weir_lattice_dimensions(problem->lattice); face++) {
        const struct weir_wall *const wall = &problem->walls[WEIR_WALL_OF_FACE(face)];
        const struct weir_json json = weir_json_member(&boundaries, weir_face_names[face]);
        if (!problem->periodic[face / 2] && weir_wall_moves(wall) && !weir_wall_is_open(wall) &&
            reaches(problem, face))
            return weir_json_fail(&json, "moves, and a solid with a \"conductor\" reaches it; let the solid "
                                         "end before it, or the face rest");
    }
    if (weir_problem_is_wet(problem))
        return weir_json_fail(&boundaries,
                              "cannot have faces of the types \"zou_he\" and \"regularised\" beside solids "
                              "with a \"conductor\"; choose \"velocity\", \"pressure\" or others");
    for (int wall = WEIR_FIRST_BODY; wall < problem->wall_count; wall++)
        if (weir_wall_moves(&problem->walls[wall]) && !weir_wall_is_open(&problem->walls[wall]))
            return weir_json_fail(&solids,
                                  "cannot have \"%s\" move beside solids with a \"conductor\"; let it "
                                  "rest, or remove the conductors",
                                  problem->walls[wall].name);
    return 0;
}

static int check_outputs(const struct weir_json *root, const struct weir_case *c) {
    const struct weir_json output = weir_json_member(root, "output");
    for (int k = 0; k < c->output_count; k++) {
        const struct weir_json json = weir_json_item(&output, k);
        if (c->outputs[k].type == WEIR_OUTPUT_PERMEABILITY)
            return weir_json_fail(&json,
                                  "would take solids with a \"conductor\" for pores; remove it, or the "
                                  "conductors");
        if (c->outputs[k].quantities >> WEIR_WALL_SHEAR_STRESS & 1)
            return weir_json_fail(&json, "asks for wall_shear_stress, which is not computed at solids with a "
                                         "\"conductor\"; remove it, or the conductors");
    }
    return 0;
}

int weir_case_check_conductors(const struct weir_json *root, const struct weir_case *c) {
    const struct weir_json domain = weir_json_member(root, "domain"),
                           pockets = weir_json_member(&domain, "close_pockets"),
                           flow_rate = weir_json_member(root, "flow_rate"),
                           solids = weir_json_member(root, "solids");
    if (c->problem.conductor_count == 0)
        return 0;
    if (c->problem.phases.present)
        return weir_json_fail(&solids,
                              "cannot have a \"conductor\" beside two components, of which the scalar "
                              "is one, which would enter it; remove one of the two");
    if (weir_problem_gradient_values(&c->problem) > 0)
        return weir_json_fail(&solids, "cannot have a \"conductor\" beside turbulence of model wale or the "
                                       "collision hybrid_recursive, which take differences of the velocity "
                                       "that know no surface of it; choose others");
    if (c->close_pockets)
        return weir_json_fail(&pockets,
                              "would close solids with a \"conductor\" that solids surround; remove "
                              "it, or the conductors");
    if (weir_speed(c->flow_rate.velocity) > 0)
        return weir_json_fail(&flow_rate, "would take solids with a \"conductor\" for fluid at rest; give a "
                                          "\"force\" instead, or remove the conductors");
    WEIR_TRY(check_outputs(root, c));
    return check_boundaries(root, c);
}
