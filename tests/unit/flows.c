#include "tests/unit/flows.h"

#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const flow_names[FLOW_COUNT] = {"periodic", "cavity",  "tube", "bodies",
                                            "rubble",   "channel", "open", "parts"};

/* A number between -1 and 1 that belongs to a cell and k. */
static double noise(const int cell[3], uint32_t k) {
    uint32_t h = k * 0x9e3779b9u;
    for (int axis = 0; axis < 3; axis++)
        h = (h ^ (uint32_t)cell[axis]) * 0x85ebca6bu ^ h >> 15;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return (double)(h ^ h >> 16) / 2147483648.0 - 1;
}

/* The cell at a place of a box that begins at `origin`: in the domain, where its axes are periodic. */
static void cell_at(const struct weir_problem *problem, const int origin[3], const int place[3],
                    int cell[3]) {
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = origin[axis] + place[axis];
        if (problem->periodic[axis])
            cell[axis] = (cell[axis] + problem->cells[axis]) % problem->cells[axis];
    }
}

/* A weir_initial_function. context: struct weir_problem. */
static int uneven_state(void *context, const int origin[3], const int extent[3], double *const values[]) {
    const struct weir_problem *problem = context;
    const int dimensions = weir_lattice_dimensions(problem->lattice);
    size_t at = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++, at++) {
                int cell[3];
                cell_at(problem, origin, (const int[3]){x, y, z}, cell);
                values[0][at] = 1 + 0.01 * noise(cell, 0);
                for (int axis = 0; axis < 3; axis++)
                    values[1 + axis][at] = axis < dimensions ? 0.03 * noise(cell, (uint32_t)axis + 1) : 0;
                if (problem->scalar.present)
                    values[4][at] = 0.3 + 0.1 * noise(cell, 5);
                if (problem->scalar.sources)
                    values[WEIR_INITIAL_SOURCE][at] = 0.01 * noise(cell, 6);
            }
    return 0;
}

/* A weir_profile_function, without symmetry, other values in every step; context: struct weir_problem. */
static int uneven_profile(void *context, const struct weir_profile_place *place, double *const values[]) {
    const struct weir_problem *problem = context;
    const int face = place->face, *const origin = place->origin, *const extent = place->extent;
    const uint32_t now =
        problem->walls[1 + face].varies_until > place->time ? 1000 * (uint32_t)place->time : 0;
    const bool pressure = weir_rules[problem->walls[1 + face].rule].value == WEIR_RULE_DENSITY;
    const int dimensions = weir_lattice_dimensions(problem->lattice);
    size_t at = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++, at++) {
                int cell[3];
                cell_at(problem, origin, (const int[3]){x, y, z}, cell);
                for (int k = 0; k < weir_rules[problem->walls[1 + face].rule].values; k++)
                    values[k][at] = problem->walls[1 + face].rule == WEIR_RULE_WALL ? 0
                                    : pressure ? 1 + 0.02 * noise(cell, now + 31 + (uint32_t)face)
                                    : k < dimensions
                                        ? 0.04 * noise(cell, now + 21 + 6 * (uint32_t)k + (uint32_t)face)
                                        : 0;
                if (problem->walls[1 + face].scalar_profile)
                    values[WEIR_PROFILE_SCALAR][at] = 0.2 + 0.02 * noise(cell, now + 41 + (uint32_t)face);
            }
    return 0;
}

/* A body each, the last right beside the first. The cylinder lies along z, the only direction in which it
 * looks the same in two dimensions. */
static struct weir_shape shapes[] = {
    {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY, .sphere = {.center = {0.3, 3.2, 0.4}, .radius = 1.9}},
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + 1, .box = {.from = {4.5, 0, 0}, .to = {7.6, 2.4, 3.5}}},
    {.type = WEIR_CYLINDER,
     .wall = WEIR_FIRST_BODY + 2,
     .cylinder = {.axis = 2, .center = {8.2, 7.1, 4.5}, .radius = 2.1, .length = 5}},
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + 3, .box = {.from = {2, 3, 0}, .to = {3, 5, 2}}},
};

/* Boxes of 1 to 4 cells along x and of 1 or 2 along y and z, at places without order; a quarter of the first
 * 53 cells along x is theirs. Every third belongs to a second body. */
enum { RUBBLE = 260 };
static struct weir_shape rubble[RUBBLE];

static void scatter_rubble(void) {
    static const int room[3] = {53, 11, 9}, longest[3] = {4, 2, 2};
    for (int k = 0; k < RUBBLE; k++) {
        rubble[k] = (struct weir_shape){.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + (k % 3 == 0)};
        for (int axis = 0; axis < 3; axis++) {
            const int cell[3] = {k, axis, 0};
            const double place = 0.5 * (1 + noise(cell, 11)), length = 0.5 * (1 + noise(cell, 12));
            rubble[k].box.from[axis] = floor(place * room[axis]);
            rubble[k].box.to[axis] = rubble[k].box.from[axis] + 1 + floor(length * longest[axis]);
        }
    }
}

/* The first closes a part of face x-, and the last one of x+; in between, bodies that let fluid pass, and one
 * of them beside one that does not. */
static struct weir_shape obstacles[] = {
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {.from = {0, 5, 2}, .to = {2, 8, 4}}},
    {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY + 1, .sphere = {.center = {5.3, 3.2, 0.4}, .radius = 1.9}},
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + 2, .box = {.from = {7, 6, 0}, .to = {9, 8, 6}}},
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {.from = {9, 7, 0}, .to = {13, 9, 3}}},
};

/* Parts of faces x-, x+ and y+: a round inlet, an outlet that reaches the edge, walls within open faces. */
static struct weir_shape parts[] = {
    {.type = WEIR_SPHERE,
     .face = 1,
     .wall = WEIR_FIRST_BODY,
     .sphere = {.center = {0, 4.2, 3.7}, .radius = 2.6}},
    {.type = WEIR_BOX,
     .face = 2,
     .wall = WEIR_FIRST_BODY + 1,
     .box = {.from = {12, 5, -1}, .to = {14, 12, 6}}},
    {.type = WEIR_BOX,
     .face = 2,
     .wall = WEIR_FIRST_BODY + 2,
     .box = {.from = {12, 7, -1}, .to = {14, 9, 10}}},
    {.type = WEIR_CYLINDER,
     .face = 4,
     .wall = WEIR_FIRST_BODY + 3,
     .cylinder = {.axis = 1, .center = {6, 11, 0.5}, .radius = 2.2, .length = 3}},
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + 4, .box = {.from = {10, 9, 0}, .to = {12, 11, 3}}},
};

/* A mirror as a part of face y+, and a body at the mirrors x+ and y-. */
static struct weir_shape mirrors[] = {
    {.type = WEIR_CYLINDER,
     .face = 4,
     .wall = WEIR_FIRST_BODY,
     .cylinder = {.axis = 1, .center = {6, 11, 0.5}, .radius = 3.2, .length = 3}},
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + 1, .box = {.from = {10, 0, 0}, .to = {13, 2, 3}}},
};

/* A ball near the mirror y-. */
static struct weir_shape in_tunnel[] = {
    {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY, .sphere = {.center = {6.5, 3.4, 4.5}, .radius = 2.3}},
};

/* A part of face y+ with a density, and a body in the corner of x- and y-. */
static struct weir_shape wet_parts[] = {
    {.type = WEIR_CYLINDER,
     .face = 4,
     .wall = WEIR_FIRST_BODY,
     .cylinder = {.axis = 1, .center = {6, 11, 0.5}, .radius = 3.2, .length = 3}},
    {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + 1, .box = {.from = {0, 0, 0}, .to = {3, 2, 3}}},
};

static void set_pressure(struct weir_problem *problem, int wall, double density) {
    problem->walls[wall].rule = WEIR_RULE_PRESSURE;
    problem->walls[wall].density = density;
}

static void set_velocity(struct weir_problem *problem, int wall, double x, double y, double z) {
    memcpy(problem->walls[wall].velocity, (const double[3]){x, y, z}, 3 * sizeof(double));
}

/* About z, and in space about x as well. */
static void set_rotation(struct weir_problem *problem, int wall, const double center[3], double rate) {
    struct weir_wall *w = &problem->walls[wall];
    memcpy(w->center, center, sizeof w->center);
    w->rotation[2] = rate;
    w->rotation[0] = weir_lattice_dimensions(problem->lattice) == 3 ? 0.5 * rate : 0;
    w->links = true;
}

void flow_problem(enum flow flow, enum weir_lattice lattice, bool forced, struct weir_problem *problem) {
    const int dimensions = weir_lattice_dimensions(lattice);
    const double spatial = dimensions == 3 ? 1 : 0;
    weir_problem_default(problem);
    problem->lattice = lattice;
    memcpy(problem->cells, (const int[3]){13, 11, dimensions == 3 ? 9 : 1}, sizeof problem->cells);
    problem->relaxation_time = 0.7;
    problem->reference_density = 1.02;
    if (forced)
        memcpy(problem->force, (const double[3]){1e-3, -5e-4, 7e-4 * spatial}, sizeof problem->force);
    problem->initial = uneven_state;
    problem->initial_context = problem;
    problem->profile = uneven_profile;
    problem->profile_context = problem;
    problem->periodic[2] = dimensions == 2;
    switch (flow) {
    case FLOW_PERIODIC:
        memset(problem->periodic, true, sizeof problem->periodic);
        break;
    case FLOW_CAVITY:
        set_velocity(problem, 2 * dimensions, 0.05, 0.03 * (dimensions - 2), 0);
        break;
    case FLOW_TUBE:
        problem->periodic[0] = true;
        set_velocity(problem, 3, 0.04, 0.01, -0.02 * spatial);
        set_velocity(problem, 2 * dimensions, -0.03, 0.02, 0.01 * spatial);
        break;
    case FLOW_BODIES:
        problem->periodic[0] = problem->periodic[2] = true;
        problem->wall_count = WEIR_FIRST_BODY + 4;
        set_velocity(problem, WEIR_FIRST_BODY, 0.02, -0.03, 0.01 * spatial);
        set_velocity(problem, WEIR_FIRST_BODY + 3, -0.01, 0.02, 0);
        problem->shapes = shapes;
        problem->shape_count = sizeof shapes / sizeof *shapes;
        break;
    case FLOW_RUBBLE:
        scatter_rubble();
        problem->periodic[2] = true;
        problem->wall_count = WEIR_FIRST_BODY + 2;
        set_velocity(problem, 2, 0, 0.02, 0.01 * spatial);
        set_velocity(problem, 4, 0.04, 0, -0.02 * spatial);
        set_velocity(problem, WEIR_FIRST_BODY + 1, 0.01, -0.02, 0.03 * spatial);
        problem->shapes = rubble;
        problem->shape_count = RUBBLE;
        break;
    case FLOW_CHANNEL:
        problem->periodic[2] = true;
        problem->wall_count = WEIR_FIRST_BODY + 3;
        problem->walls[1].rule = problem->walls[WEIR_FIRST_BODY + 1].rule = WEIR_RULE_VELOCITY;
        problem->walls[1].profile = problem->walls[2].profile = true;
        set_pressure(problem, 2, 1);
        set_velocity(problem, 4, 0.04, 0, -0.02 * spatial);
        set_velocity(problem, WEIR_FIRST_BODY + 1, 0.03, -0.02, 0.01 * spatial);
        set_pressure(problem, WEIR_FIRST_BODY + 2, 0.98);
        problem->shapes = obstacles;
        problem->shape_count = sizeof obstacles / sizeof *obstacles;
        break;
    case FLOW_OPEN:
        for (int face = 0; face < 2 * dimensions; face++) {
            problem->walls[1 + face].profile = face != 1 && face != 2;
            problem->walls[1 + face].varies_until = face == 0 ? HUGE_VAL : face == 3 ? 4 : 0;
            if (face % 2)
                set_pressure(problem, 1 + face, 1.01);
            else
                problem->walls[1 + face].rule = WEIR_RULE_VELOCITY;
        }
        set_velocity(problem, 3, -0.03, 0.02, 0.01 * spatial);
        break;
    case FLOW_PARTS:
        problem->periodic[2] = true;
        problem->wall_count = WEIR_FIRST_BODY + 5;
        problem->walls[2].rule = WEIR_RULE_EQUILIBRIUM_VELOCITY;
        problem->walls[2].profile = true;
        set_velocity(problem, 3, 0.04, 0, -0.02 * spatial);
        for (int k = 0; k < 4; k++)
            problem->walls[WEIR_FIRST_BODY + k].part = true;
        problem->walls[WEIR_FIRST_BODY].rule = WEIR_RULE_ABSORBING;
        set_velocity(problem, WEIR_FIRST_BODY, 0.03, -0.01, 0.02 * spatial);
        set_pressure(problem, WEIR_FIRST_BODY + 1, 0.98);
        set_pressure(problem, WEIR_FIRST_BODY + 3, 1.01);
        problem->walls[WEIR_FIRST_BODY + 3].rule = WEIR_RULE_EQUILIBRIUM_PRESSURE;
        problem->shapes = parts;
        problem->shape_count = sizeof parts / sizeof *parts;
        break;
    case FLOW_TURNING:
        problem->periodic[0] = problem->periodic[2] = true;
        problem->wall_count = WEIR_FIRST_BODY + 4;
        problem->walls[WEIR_FIRST_BODY].rule = WEIR_RULE_INTERPOLATED_WALL;
        set_rotation(problem, WEIR_FIRST_BODY, shapes[0].sphere.center, 0.012);
        problem->walls[WEIR_FIRST_BODY + 1].rule = WEIR_RULE_INTERPOLATED_WALL;
        set_rotation(problem, WEIR_FIRST_BODY + 1, (const double[3]){5.9, 1.1, 1.8}, 0);
        set_velocity(problem, WEIR_FIRST_BODY + 1, 0.02, -0.01, 0.01 * spatial);
        set_rotation(problem, WEIR_FIRST_BODY + 2, (const double[3]){7.7, 7.3, 4.5}, -0.01);
        set_velocity(problem, WEIR_FIRST_BODY + 3, -0.01, 0.02, 0);
        problem->shapes = shapes;
        problem->shape_count = sizeof shapes / sizeof *shapes;
        break;
    case FLOW_SLIP:
        problem->wall_count = WEIR_FIRST_BODY + 2;
        problem->walls[2].rule = problem->walls[3].rule = WEIR_RULE_SLIP;
        if (dimensions == 3) {
            problem->walls[5].rule = WEIR_RULE_SLIP;
            problem->walls[6].rule = WEIR_RULE_CONVECTIVE;
            set_velocity(problem, 6, 0.01, 0, 0.05);
        }
        problem->walls[1].rule = WEIR_RULE_VELOCITY;
        set_velocity(problem, 1, 0.03, 0.01, 0);
        problem->walls[WEIR_FIRST_BODY] = (struct weir_wall){.rule = WEIR_RULE_SLIP, .part = true};
        problem->shapes = mirrors;
        problem->shape_count = sizeof mirrors / sizeof *mirrors;
        break;
    case FLOW_WET:
        problem->wall_count = WEIR_FIRST_BODY + 2;
        problem->walls[1].rule = WEIR_RULE_ZOU_HE_VELOCITY;
        problem->walls[1].profile = true;
        problem->walls[1].varies_until = HUGE_VAL;
        set_pressure(problem, 2, 1.01);
        problem->walls[2].rule = WEIR_RULE_REGULARISED_PRESSURE;
        set_velocity(problem, 3, 0.04, 0, -0.02 * spatial);
        problem->walls[4].rule = WEIR_RULE_CONVECTIVE;
        problem->walls[4].profile = true;
        if (dimensions == 3) {
            problem->walls[5].rule = WEIR_RULE_REGULARISED_VELOCITY;
            set_velocity(problem, 5, 0.02, -0.01, 0.03);
            set_pressure(problem, 6, 1);
            problem->walls[6].rule = WEIR_RULE_ZOU_HE_PRESSURE;
            problem->walls[6].profile = true;
        }
        set_pressure(problem, WEIR_FIRST_BODY, 0.99);
        problem->walls[WEIR_FIRST_BODY].rule = WEIR_RULE_ZOU_HE_PRESSURE;
        problem->walls[WEIR_FIRST_BODY].part = true;
        problem->shapes = wet_parts;
        problem->shape_count = sizeof wet_parts / sizeof *wet_parts;
        break;
    case FLOW_TUNNEL:
        problem->wall_count = WEIR_FIRST_BODY + 1;
        problem->walls[3].rule = problem->walls[4].rule = WEIR_RULE_SLIP;
        if (dimensions == 3)
            problem->walls[5].rule = WEIR_RULE_SLIP;
        problem->walls[1].rule = WEIR_RULE_VELOCITY;
        set_velocity(problem, 1, 0.03, 0.01, 0);
        set_pressure(problem, 2, 1.01);
        problem->shapes = in_tunnel;
        problem->shape_count = sizeof in_tunnel / sizeof *in_tunnel;
        break;
    case FLOW_END:
        break;
    }
}

void flow_add_scalar(struct weir_problem *problem) {
    problem->scalar =
        (struct weir_scalar){.present = true, .relaxation_time = 0.8, .magic = 0.2, .turbulent_prandtl = 0.7};
    for (int wall = 1; wall < problem->wall_count; wall++) {
        struct weir_wall *w = &problem->walls[wall];
        const int rule = wall % 3;
        if (wall == WEIR_EDGE_WALL || rule == 0)
            continue;
        if (rule == 1)
            w->scalar_rule = WEIR_SCALAR_VALUE;
        else if (weir_wall_is_open(w))
            w->scalar_rule = WEIR_SCALAR_FREE;
        /* On face y+ of closed walls, too, at rest where it differs. */
        w->profile = w->profile || (wall == 4 && !weir_wall_is_open(w));
        w->scalar_profile = w->profile && w->scalar_rule != WEIR_SCALAR_FREE;
        w->scalar = rule == 1 ? 0.2 + 0.03 * wall : w->scalar_rule == WEIR_SCALAR_FREE ? 0 : 0.002 * wall;
    }
}

void flow_add_buoyancy(struct weir_problem *problem) {
    const double buoyancy[3] = {2e-3, -3e-3, weir_lattice_dimensions(problem->lattice) == 3 ? 1e-3 : 0};
    memcpy(problem->scalar.buoyancy, buoyancy, sizeof buoyancy);
    problem->scalar.reference = 0.1;
}

void flow_add_sources(struct weir_problem *problem) {
    problem->scalar.sources = true;
    problem->scalar.source = 0.003;
}

/* Two of them are bodies. */
void flow_add_conductors(struct weir_problem *problem) {
    enum { CONDUCTORS = 3, SHAPES_MOST = 1024 + CONDUCTORS };
    static struct weir_shape all[SHAPES_MOST];
    const int ball = problem->wall_count, box = ball + 1;
    const struct weir_shape conductors[CONDUCTORS] = {
        {.type = WEIR_SPHERE,
         .conductor = 1,
         .body = ball,
         .sphere = {.center = {6.3, 5.6, 4.4}, .radius = 2.3}},
        {.type = WEIR_BOX, .conductor = 2, .box = {.from = {8, 3, 2}, .to = {11, 5, 6}}},
        {.type = WEIR_BOX, .conductor = 1, .body = box, .box = {.from = {0, 9, 0}, .to = {3, 11, 4}}}};
    const size_t before = (size_t)problem->shape_count * sizeof *all;
    if (problem->shape_count + CONDUCTORS > SHAPES_MOST)
        abort();
    if (before > 0)
        memcpy(all, problem->shapes, before);
    memcpy(all + problem->shape_count, conductors, sizeof conductors);
    problem->shapes = all;
    problem->shape_count += CONDUCTORS;
    problem->conductors[0] = (struct weir_conductor){.relaxation_time = 1.4, .capacity = 2.5};
    problem->conductors[1] = (struct weir_conductor){.relaxation_time = 0.6, .capacity = 1};
    problem->conductor_count = 2;
    problem->walls[ball] = (struct weir_wall){.name = "ball that conducts", .conducts = true};
    problem->walls[box] = (struct weir_wall){.name = "box that conducts", .conducts = true};
    problem->wall_count += 2;
}

void flow_messages(const struct weir_problem *problem, struct weir_message_layout *messages) {
    struct weir_model model;
    weir_model_make(problem, false, &model);
    *messages = model.channel[0].layout;
}
