/* The tables and defaults of what can be computed. */
#include "graph/problem/problem.h"

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/region.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const weir_lattice_names[] = {"D2Q9", "D3Q15", "D3Q19", "D3Q27", "D3Q13", "D2Q37", NULL};

#define NAME_OF(NAME, name) #name,
const char *const weir_collision_names[] = {WEIR_COLLISIONS(NAME_OF) NULL};

const char *const weir_equilibrium_names[] = {"compressible", "incompressible", NULL};
const char *const weir_turbulence_names[] = {"smagorinsky", "qr", "wale", NULL};
/* Constants: that of isotropic turbulence (Lilly 1967); sqrt(3/2) / pi, with which eddies below the cell's
 * width are not fed (Verstappen 2011); one that spends as much energy as Smagorinsky's at 0.15 (Nicoud,
 * Ducros 1999). Factors: numerics.md (N25), (N34), (N57). */
const struct weir_turbulence_row weir_turbulence_rows[] = {
    [WEIR_SMAGORINSKY] = {.constant = 0.17, .factor = 18 * 1.4142135623730951},
    [WEIR_QR] = {.constant = 0.39, .factor = 18, .in_space = true},
    [WEIR_WALE] = {.constant = 0.5, .factor = 1, .of_gradient = true},
};

const char *const weir_precision_names[] = {"single",         "double",        "half", "single_moments",
                                            "double_moments", "mixed_moments", NULL};
const char *const weir_face_names[] = {"x-", "x+", "y-", "y+", "z-", "z+", NULL};

void weir_problem_default(struct weir_problem *problem) {
    *problem = (struct weir_problem){
        .lattice = WEIR_D3Q19,
        .precision = WEIR_SINGLE,
        .cells = {1, 1, 1},
        .relaxation_time = 1.0,
        .reference_density = 1.0,
        .wall_count = WEIR_FIRST_BODY,
        .initial_density = 1.0,
        .initial_temperature = 1.0,
        .scalar = {.relaxation_time = 1.0,
                   .magic = WEIR_SCALAR_MAGIC,
                   .turbulent_prandtl = WEIR_TURBULENT_PRANDTL},
        .turbulence = {.model = WEIR_SMAGORINSKY},
    };
    weir_problem_collide_by(problem, WEIR_TRT);
    for (int face = 0; face < WEIR_FACES; face++) {
        char *name = problem->walls[WEIR_WALL_OF_FACE(face)].name;
        name[0] = weir_face_names[face][0];
        name[1] = weir_face_names[face][1];
        problem->walls[WEIR_WALL_OF_FACE(face)].temperature = 1;
    }
    strcpy(problem->walls[WEIR_EDGE_WALL].name, "edge");
}

bool weir_problem_add_gas(struct weir_problem *problem) {
    if (problem->wall_count >= WEIR_WALLS_MAX)
        return false;
    problem->surface.gas = problem->wall_count++;
    problem->walls[problem->surface.gas] = (struct weir_wall){
        .name = "gas", .rule = WEIR_RULE_PRESSURE, .density = problem->surface.gas_density, .gas = true};
    return true;
}

void weir_problem_free_shapes(struct weir_problem *problem) {
    for (int k = 0; k < problem->shape_count; k++)
        if (problem->shapes[k].type == WEIR_REGION)
            problem->shapes[k].region->destroy(problem->shapes[k].region);
    free(problem->shapes);
    problem->shapes = NULL;
    problem->shape_count = 0;
}

static bool is_zero(const double v[3]) {
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

bool weir_wall_moves(const struct weir_wall *wall) {
    return (wall->rule == WEIR_RULE_WALL || wall->rule == WEIR_RULE_INTERPOLATED_WALL) &&
           (wall->moves_in_time || !(is_zero(wall->velocity) && is_zero(wall->rotation)));
}

bool weir_wall_acts(const struct weir_wall *wall) {
    return weir_wall_moves(wall) || wall->scalar_rule != WEIR_SCALAR_FLUX || wall->scalar != 0 ||
           wall->scalar_profile || wall->in_time;
}

bool weir_wall_is_open(const struct weir_wall *wall) {
    return weir_rules[wall->rule].open && !wall->gas;
}

bool weir_wall_is_counted(const struct weir_wall *wall) {
    return weir_wall_is_open(wall) || wall->gas || wall->scalar_profile || wall->in_time || wall->links ||
           weir_rules[wall->rule].mirrors || weir_rules[wall->rule].wet;
}

bool weir_wall_is_of_links_alone(const struct weir_wall *wall) {
    return weir_rules[wall->rule].of_links_alone && !wall->gas && !wall->links;
}

void weir_wall_velocity(const struct weir_wall *wall, const double arm[3], double velocity[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        velocity[axis] = wall->velocity[axis] + wall->rotation[p] * arm[q] - wall->rotation[q] * arm[p];
    }
}

bool weir_wall_is_part(const struct weir_wall *wall) {
    return wall->part;
}

bool weir_problem_varies(const struct weir_problem *problem, double step) {
    for (int wall = 1; wall < problem->wall_count; wall++)
        if (problem->walls[wall].varies_until > step)
            return true;
    return false;
}

bool weir_problem_mirrors(const struct weir_problem *problem) {
    for (int wall = 1; wall < problem->wall_count; wall++)
        if (weir_rules[problem->walls[wall].rule].mirrors)
            return true;
    return false;
}

bool weir_face_mirrors_rows(const struct weir_problem *problem, int face) {
    return face >= WEIR_FACE(1, -1) && weir_rules[problem->walls[WEIR_WALL_OF_FACE(face)].rule].mirrors &&
           !problem->scalar.present;
}

bool weir_problem_is_wet(const struct weir_problem *problem) {
    for (int wall = 1; wall < problem->wall_count; wall++)
        if (weir_rules[problem->walls[wall].rule].wet)
            return true;
    return false;
}

bool weir_problem_carries_out(const struct weir_problem *problem) {
    for (int wall = 1; wall < problem->wall_count; wall++)
        if (weir_rules[problem->walls[wall].rule].carries)
            return true;
    return false;
}

bool weir_problem_is_thermal(const struct weir_problem *problem) {
    return weir_lattice_table((int)problem->lattice)->thermal;
}

bool weir_problem_has_fifth(const struct weir_problem *problem) {
    return problem->scalar.present || weir_problem_is_thermal(problem);
}

double weir_problem_initial_fifth(const struct weir_problem *problem) {
    return weir_problem_is_thermal(problem) ? problem->initial_temperature : problem->scalar.initial;
}

double weir_problem_viscosity(const struct weir_problem *problem) {
    return (problem->relaxation_time - 0.5) / weir_lattice_table((int)problem->lattice)->inverse_cs2;
}

double weir_problem_relaxation_time(const struct weir_problem *problem, double viscosity) {
    return weir_lattice_table((int)problem->lattice)->inverse_cs2 * viscosity + 0.5;
}

double weir_problem_sound_speed(const struct weir_problem *problem) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    const double isothermal = sqrt(1 / lattice->inverse_cs2);
    return lattice->thermal ? sqrt(2.0) * isothermal : isothermal; /* two degrees of freedom: c_p / c_v = 2 */
}

bool weir_problem_is_buoyant(const struct weir_problem *problem) {
    return problem->scalar.present && !is_zero(problem->scalar.buoyancy);
}

bool weir_problem_keeps_eddies(const struct weir_problem *problem) {
    return problem->turbulence.present && weir_turbulence_rows[problem->turbulence.model].of_gradient;
}

bool weir_problem_keeps_strain(const struct weir_problem *problem) {
    return weir_collision_row(problem->collision)->strain;
}

int weir_problem_gradient_values(const struct weir_problem *problem) {
    const int dimensions = weir_lattice_dimensions(problem->lattice);
    return weir_problem_keeps_eddies(problem) +
           (weir_problem_keeps_strain(problem) ? dimensions * (dimensions + 1) / 2 : 0);
}

int weir_problem_conductor_values(const struct weir_problem *problem) {
    return problem->conductor_count > 0 ? 3 : 0; /* two rates and a capacity */
}

int weir_problem_resting_values(const struct weir_problem *problem) {
    return problem->scalar.sources + weir_problem_conductor_values(problem) +
           weir_problem_gradient_values(problem);
}

static double own_adhesion(const struct weir_problem *problem, int wall) {
    return problem->walls[wall].adheres ? problem->walls[wall].adhesion : problem->phases.adhesion;
}

double weir_problem_adhesion(const struct weir_problem *problem, int wall) {
    double sum = 0;
    int faces = 0;
    if (wall != WEIR_EDGE_WALL)
        return own_adhesion(problem, wall);
    for (int face = 0; face < 2 * weir_lattice_dimensions(problem->lattice); face++)
        if (!problem->periodic[face / 2]) {
            sum += own_adhesion(problem, WEIR_WALL_OF_FACE(face));
            faces++;
        }
    return faces > 0 ? sum / faces : problem->phases.adhesion;
}

bool weir_problem_wets(const struct weir_problem *problem) {
    return problem->phases.present || (problem->surface.present && problem->surface.tension > 0);
}

double weir_problem_wetting(const struct weir_problem *problem, int wall) {
    const double own = problem->walls[wall].contact_angle;
    return problem->phases.present ? weir_problem_adhesion(problem, wall)
                                   : cos((own > 0 ? own : problem->surface.contact_angle) * (acos(-1) / 180));
}

bool weir_problem_is_forced(const struct weir_problem *problem) {
    return problem->driven || !is_zero(problem->force) || weir_problem_is_buoyant(problem) ||
           problem->phases.present;
}

bool weir_problem_has_solids(const struct weir_problem *problem) {
    for (int k = 0; k < problem->shape_count; k++)
        if (problem->shapes[k].face == 0)
            return true;
    return false;
}

void weir_problem_collide_by(struct weir_problem *problem, enum weir_collision collision) {
    const struct weir_collision_row *row = weir_collision_row(collision);
    problem->collision = collision;
    for (int k = 0; k < WEIR_PARAMETERS_MAX; k++)
        problem->parameters[k] = row->parameters[k].fallback;
}

void weir_problem_keep(struct weir_problem *problem, enum weir_precision precision) {
    problem->precision = precision;
    if (!weir_collision_keeps(problem->collision, precision))
        weir_problem_collide_by(
            problem, weir_collision_on(WEIR_RECURSIVE, problem->lattice) ? WEIR_RECURSIVE : WEIR_REGULARISED);
}

const struct weir_lattice_table *weir_problem_flow_set(const struct weir_problem *problem) {
    const struct weir_precision_row *const precision = weir_precision_row(problem->precision);
    return precision->moments
               ? weir_moments_table(weir_lattice_dimensions(problem->lattice), precision->stress_in_half)
               : weir_lattice_table((int)problem->lattice);
}

double weir_problem_inertia(const struct weir_problem *problem) {
    return problem->equilibrium == WEIR_INCOMPRESSIBLE ? 1 : problem->reference_density;
}

double weir_rule_kernel_value(const struct weir_problem *problem, enum weir_rule rule, double value) {
    const double inverse_cs2 = weir_lattice_table((int)problem->lattice)->inverse_cs2;
    switch (weir_rules[rule].value) {
    case WEIR_RULE_DENSITY:
        return value - 1;
    case WEIR_RULE_VELOCITY_AS_IT_IS:
    case WEIR_RULE_VELOCITY_AND_TEMPERATURE:
        return value;
    default:
        return 2 * inverse_cs2 * weir_problem_inertia(problem) * value;
    }
}

void weir_wall_kernel_values(const struct weir_problem *problem, const struct weir_wall *wall,
                             double values[WEIR_KERNEL_VALUES]) {
    const enum weir_rule_value given = weir_rules[wall->rule].value;
    for (int k = 0; k < WEIR_BOUNDARY_VALUES; k++) {
        const double value = given == WEIR_RULE_DENSITY ? (k == 0 ? wall->density : 1)
                             : given == WEIR_RULE_VELOCITY_AND_TEMPERATURE && k == 2 ? wall->temperature - 1
                                                                                     : wall->velocity[k];
        values[k] = weir_rule_kernel_value(problem, wall->rule, value);
    }
    values[WEIR_REFERENCE_EXCESS] = problem->reference_density - 1;
}

void weir_problem_ends(const struct weir_problem *problem, struct weir_end ends[2]) {
    for (int side = 0; side < 2; side++) {
        const struct weir_wall *const wall = &problem->walls[WEIR_WALL_OF_FACE(WEIR_FACE(0, 2 * side - 1))];
        ends[side] = (struct weir_end){.counted = weir_wall_is_counted(wall), .rule = wall->rule};
        weir_wall_kernel_values(problem, wall, ends[side].values);
    }
}

struct weir_fluid weir_problem_fluid(const struct weir_problem *problem) {
    struct weir_fluid fluid = {0};
    memcpy(fluid.parameters, problem->parameters, sizeof fluid.parameters);
    weir_collision_row(problem->collision)->rates(problem->relaxation_time, problem->parameters, &fluid);
    if (problem->turbulence.present)
        fluid.eddies = weir_turbulence_rows[problem->turbulence.model].factor * problem->turbulence.constant *
                       problem->turbulence.constant;
    for (int axis = 0; axis < 3; axis++)
        fluid.force[axis] = problem->force[axis];
    fluid.forced = weir_problem_is_forced(problem);
    for (int wall = 0; wall < problem->wall_count; wall++)
        fluid.walls_move = fluid.walls_move || weir_wall_acts(&problem->walls[wall]);
    for (int face = 0; face < WEIR_FACES; face++)
        fluid.moving_faces |= (unsigned)weir_wall_acts(&problem->walls[WEIR_WALL_OF_FACE(face)]) << face;
    weir_problem_ends(problem, fluid.ends);
    if (problem->scalar.present) {
        const double excess = problem->scalar.relaxation_time - 0.5;
        fluid.scalar_omega_minus = 1 / problem->scalar.relaxation_time;
        fluid.scalar_omega_plus = 1 / (0.5 + problem->scalar.magic / excess);
        fluid.scalar_excess = excess;
        fluid.scalar_magic = problem->scalar.magic;
        if (problem->turbulence.present)
            fluid.scalar_mixing = weir_lattice_table((int)weir_scalar_lattice(problem))->inverse_cs2 /
                                  problem->scalar.turbulent_prandtl;
        fluid.buoyancy_reference = problem->scalar.reference;
        for (int axis = 0; axis < 3; axis++)
            fluid.buoyancy[axis] = weir_problem_inertia(problem) * problem->scalar.buoyancy[axis];
    }
    if (problem->phases.present)
        fluid.interaction = weir_phases_interaction(&problem->phases);
    if (weir_phases_are_components(&problem->phases)) { /* on which gravity acts by the scalar's buoyancy */
        const double viscosity = weir_problem_viscosity(problem);
        fluid.mixture.tau_of_second =
            (weir_components_viscosity(&problem->phases, viscosity, 1, 1) - viscosity) *
            weir_lattice_table((int)problem->lattice)->inverse_cs2;
        weir_components_share(&problem->phases, &fluid.mixture.share_scale, &fluid.mixture.share_offset);
    } else if (problem->phases.present) {
        fluid.buoyancy_reference = problem->phases.reference;
        memcpy(fluid.buoyancy, problem->phases.gravity, sizeof fluid.buoyancy);
    }
    if (problem->surface.present)
        fluid.tension = problem->surface.tension;
    fluid.atmosphere = problem->surface.atmosphere;
    return fluid;
}

int weir_problem_macroscopic(const struct weir_problem *problem) {
    return weir_problem_has_fifth(problem) || problem->surface.present ? WEIR_MACROSCOPIC_MAX
                                                                       : WEIR_MACROSCOPIC_MAX - 1;
}

int weir_problem_initial_values(const struct weir_problem *problem) {
    return weir_problem_macroscopic(problem) + problem->scalar.sources;
}

int weir_problem_observed(const struct weir_problem *problem) {
    return weir_problem_macroscopic(problem) + problem->turbulence.present;
}

int weir_problem_time_sums(const struct weir_problem *problem) {
    enum { PRODUCTS = 6 };
    return weir_problem_observed(problem) + PRODUCTS;
}

enum weir_lattice weir_scalar_lattice(const struct weir_problem *problem) {
    return weir_lattice_dimensions(problem->lattice) == 2 ? WEIR_D2Q5 : WEIR_D3Q7;
}

double weir_scalar_relaxation_time(enum weir_lattice lattice, double diffusivity) {
    return 0.5 + weir_lattice_table((int)lattice)->inverse_cs2 * diffusivity;
}

double weir_scalar_diffusivity(const struct weir_problem *problem) {
    return (problem->scalar.relaxation_time - 0.5) /
           weir_lattice_table((int)weir_scalar_lattice(problem))->inverse_cs2;
}

int weir_lattice_dimensions(enum weir_lattice lattice) {
    return weir_lattice_table((int)lattice)->dimensions;
}

int weir_lattice_populations(enum weir_lattice lattice) {
    return weir_lattice_table((int)lattice)->populations;
}
