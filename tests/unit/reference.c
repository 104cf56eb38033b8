#include "tests/unit/reference.h"

#include "graph/problem/geometry.h"
#include "tests/unit/reference_collisions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t number_of(const struct weir_problem *problem, const int cell[3]) {
    return ((size_t)cell[2] * (size_t)problem->cells[1] + (size_t)cell[1]) * (size_t)problem->cells[0] +
           (size_t)cell[0];
}

static double dot(const int c[3], const double v[3]) {
    return c[0] * v[0] + c[1] * v[1] + c[2] * v[2];
}

static double scalar_product(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int reference_next_cell(const struct weir_problem *problem, const int cell[3], const int c[3], int there[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int n = problem->cells[axis];
        there[axis] = cell[axis] + c[axis];
        if (problem->periodic[axis])
            there[axis] = (there[axis] + n) % n;
    }
    return weir_geometry_wall(problem, there);
}

int reference_first_layer(const struct weir_lattice_table *lattice, int i, int axis) {
    int first = 0;
    for (int j = 1; j < i; j++)
        if (lattice->velocity[j][axis] * lattice->velocity[i][axis] > 0)
            first += abs(lattice->velocity[j][axis]);
    return first;
}

void reference_initial(const struct weir_problem *problem, const int cell[3],
                       double values[WEIR_INITIAL_MAX]) {
    values[0] = problem->initial_density;
    memcpy(values + 1, problem->initial_velocity, 3 * sizeof *values);
    values[4] = weir_problem_initial_fifth(problem);
    values[WEIR_INITIAL_SOURCE] = problem->scalar.source;
    if (problem->initial)
        problem->initial(problem->initial_context, cell, (const int[3]){1, 1, 1},
                         (double *const[]){values, values + 1, values + 2, values + 3, values + 4,
                                           values + WEIR_INITIAL_SOURCE});
}

static void moments(const struct reference *r, const double *f, const double force[3], double *density,
                    double velocity[3]) {
    double momentum[3];
    *density = 0;
    for (int axis = 0; axis < 3; axis++)
        momentum[axis] = axis < r->lattice->dimensions ? 0.5 * force[axis] : 0;
    for (int i = 0; i < r->lattice->populations; i++) {
        *density += f[i];
        for (int axis = 0; axis < 3; axis++)
            momentum[axis] += r->lattice->velocity[i][axis] * f[i];
    }
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = momentum[axis] / reference_inertia(r->problem, *density);
}

/* The problem's force, and what the scalar, as it arrives, adds to it (Boussinesq). */
static void force_on(const struct weir_problem *problem, double scalar, double force[3]) {
    const double inertia = reference_inertia(problem, problem->reference_density);
    for (int axis = 0; axis < 3; axis++)
        force[axis] = problem->force[axis] +
                      inertia * problem->scalar.buoyancy[axis] * (scalar - problem->scalar.reference);
}

/* What a step adds to the scalar there. */
static double source_in(const struct weir_problem *problem, const int cell[3]) {
    double values[WEIR_INITIAL_MAX];
    if (!problem->scalar.sources)
        return 0;
    reference_initial(problem, cell, values);
    return values[WEIR_INITIAL_SOURCE];
}

/* What a cell is made of, where it conducts the scalar; NULL: it does not. */
static const struct weir_conductor *conductor_in(const struct weir_problem *problem, const int cell[3]) {
    const int number = problem->conductor_count > 0 ? weir_geometry_conductor(problem, cell) : 0;
    return number > 0 ? &problem->conductors[number - 1] : NULL;
}

/* The body of which a cell's surface is told; 0: the cell does not conduct, or is told of under no name. */
static int body_in(const struct weir_problem *problem, const int cell[3]) {
    const int body = problem->conductor_count > 0 ? weir_geometry_conducting_body(problem, cell) : 0;
    return body == WEIR_NO_BODY ? 0 : body;
}

static double capacity_of(const struct weir_conductor *conductor) {
    return conductor ? conductor->capacity : 1;
}

/* With half of what a step adds, as the velocity has half of the force. */
static double scalar_in(const struct reference *r, const int cell[3]) {
    double sum = 0;
    for (int i = 0; r->scalar_lattice && i < r->scalar_lattice->populations; i++)
        sum += reference_scalar_populations(r, cell)[i];
    return (sum + 0.5 * source_in(r->problem, cell)) / capacity_of(conductor_in(r->problem, cell));
}

/* Values of a boundary where a link from a cell along c meets it: half-way between the link's cells, in the
 * middle of the step; where cells lie on the boundary, at its beginning. */
static void boundary_values(const struct reference *r, int wall, const int cell[3], const int c[3],
                            double values[WEIR_PROFILE_VALUES]) {
    const struct weir_problem *p = r->problem;
    const struct weir_wall *boundary = &p->walls[wall];
    memcpy(values, boundary->velocity, 3 * sizeof *values);
    if (weir_rules[boundary->rule].value == WEIR_RULE_DENSITY)
        values[0] = boundary->density;
    values[WEIR_PROFILE_SCALAR] = boundary->scalar;
    if (!boundary->profile)
        return;
    double ends[2][WEIR_PROFILE_VALUES] = {{0}};
    for (int end = 0; end < 2; end++) {
        const double half = weir_rules[boundary->rule].wet ? 0 : 0.5;
        struct weir_profile_place at = {
            .face = wall - 1, .time = (double)r->step + half, .extent = {1, 1, 1}};
        for (int axis = 0; axis < 3; axis++)
            at.origin[axis] = cell[axis] + (end == 1 && axis != (wall - 1) / 2 ? c[axis] : 0);
        p->profile(p->profile_context, &at,
                   (double *const[]){&ends[end][0], &ends[end][1], &ends[end][2], &ends[end][3]});
    }
    if (boundary->scalar_profile)
        values[WEIR_PROFILE_SCALAR] = 0.5 * (ends[0][WEIR_PROFILE_SCALAR] + ends[1][WEIR_PROFILE_SCALAR]);
    for (int k = 0; k < weir_rules[boundary->rule].values; k++)
        values[k] = 0.5 * (ends[0][k] + ends[1][k]);
}

static bool shape_has(const struct weir_problem *p, const struct weir_shape *shape, const double point[3]) {
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (shape->type == WEIR_BOX) {
            if (point[axis] < shape->box.from[axis] || point[axis] > shape->box.to[axis])
                return false;
            continue;
        }
        double d =
            point[axis] - (shape->type == WEIR_SPHERE ? shape->sphere.center : shape->cylinder.center)[axis];
        if (p->periodic[axis])
            d -= p->cells[axis] * floor(d / p->cells[axis] + 0.5);
        if (shape->type == WEIR_SPHERE || axis != shape->cylinder.axis)
            square += d * d;
        else if (2 * fabs(d) > shape->cylinder.length)
            return false;
    }
    const double radius = shape->type == WEIR_SPHERE ? shape->sphere.radius : shape->cylinder.radius;
    return shape->type == WEIR_BOX || square <= radius * radius;
}

/* Share of a link along c, which ends in a cell of a wall, that is outside of it, where its surface is not
 * half-way: by halving. */
static double share_outside(const struct weir_problem *p, int wall, const int end[3], const int c[3]) {
    double low = 0, high = 1;
    if (p->walls[wall].rule != WEIR_RULE_INTERPOLATED_WALL)
        return 0.5;
    for (int k = 0; k < 50; k++) {
        const double middle = 0.5 * (low + high);
        const double back = 1 - middle, point[3] = {end[0] + 0.5 - back * c[0], end[1] + 0.5 - back * c[1],
                                                    end[2] + 0.5 - back * c[2]};
        bool inside = false;
        for (int shape = 0; shape < p->shape_count; shape++)
            inside = inside || (p->shapes[shape].wall == wall && shape_has(p, &p->shapes[shape], point));
        *(inside ? &high : &low) = middle;
    }
    return low;
}

/* From a body's centre, the image that is nearest, to a cell's. */
static void arm_of(const struct weir_problem *p, int wall, const int cell[3], double arm[3]) {
    for (int axis = 0; axis < 3; axis++) {
        arm[axis] = cell[axis] + 0.5 - p->walls[wall].center[axis];
        if (p->periodic[axis])
            arm[axis] -= p->cells[axis] * floor(arm[axis] / p->cells[axis] + 0.5);
    }
}

/* Interpolated bounce-back in the form of Bouzidi et al. 2001, whose populations of the cell beyond are
 * replaced: numerics.md (N29). */
static double interpolated(const struct reference *r, int wall, const int cell[3], const int end[3], int i,
                           const double *after) {
    const struct weir_wall *w = &r->problem->walls[wall];
    const double *before = reference_populations(r, cell);
    const int *c = r->lattice->velocity[i], o = r->lattice->opposite[i];
    const double q = share_outside(r->problem, wall, end, c);
    double arm[3], u[3];
    arm_of(r->problem, wall, cell, arm);
    for (int axis = 0; axis < 3; axis++)
        arm[axis] += q * c[axis];
    u[0] = w->velocity[0] + w->rotation[1] * arm[2] - w->rotation[2] * arm[1];
    u[1] = w->velocity[1] + w->rotation[2] * arm[0] - w->rotation[0] * arm[2];
    u[2] = w->velocity[2] + w->rotation[0] * arm[1] - w->rotation[1] * arm[0];
    const double inertia = reference_inertia(r->problem, r->problem->reference_density);
    const double term = 6 * r->lattice->weight[i] * inertia * dot(c, u);
    const double odd = 0.5 * ((after[i] - before[i]) - (after[o] - before[o]));
    return q < 0.5 ? 2 * q * after[i] + (1 - 2 * q) * (before[i] + odd) - term
                   : (after[i] + (2 * q - 1) * (after[o] + odd) - term) / (2 * q);
}

/* What comes back from a boundary along direction i, of after[i]; density, velocity: of the cell. */
static double reflected(const struct reference *r, int wall, const int cell[3], int i, double after,
                        double density, const double velocity[3]) {
    const int *c = r->lattice->velocity[i];
    double values[WEIR_PROFILE_VALUES];
    boundary_values(r, wall, cell, c, values);
    const int o = r->lattice->opposite[i];
    switch (r->problem->walls[wall].rule) {
    case WEIR_RULE_PRESSURE:
    case WEIR_RULE_ZOU_HE_PRESSURE:
    case WEIR_RULE_REGULARISED_PRESSURE:
        return -after + reference_equilibrium(r->problem, i, values[0], velocity) +
               reference_equilibrium(r->problem, o, values[0], velocity);
    case WEIR_RULE_ABSORBING: {
        const double share = 1 / (1 + sqrt(3)), rho = r->problem->reference_density;
        const double closed =
            after - 6 * r->lattice->weight[i] * reference_inertia(r->problem, rho) * dot(c, values);
        const double open = -after + reference_equilibrium(r->problem, i, rho, velocity) +
                            reference_equilibrium(r->problem, o, rho, velocity);
        return share * closed + (1 - share) * open;
    }
    case WEIR_RULE_EQUILIBRIUM_PRESSURE:
        return reference_equilibrium(r->problem, o, values[0], velocity);
    case WEIR_RULE_SLIP:
        return after;
    case WEIR_RULE_EQUILIBRIUM_VELOCITY:
        return reference_equilibrium(r->problem, o, density, values);
    default:
        break;
    }
    const double inertia = reference_inertia(r->problem, r->problem->reference_density);
    return after - 6 * r->lattice->weight[i] * inertia * dot(c, values);
}

/* ---- cells on wet faces -----------------------------------------------------------------------------------
 */

/* The first wet face on which a cell lies, and the normal into the domain; 0: none. */
static int wet_face_of(const struct weir_problem *problem, const int cell[3], int normal[3]) {
    for (int face = 0; face < 2 * weir_lattice_dimensions(problem->lattice); face++) {
        int out[3] = {0, 0, 0}, there[3];
        out[face / 2] = face % 2 ? 1 : -1;
        const int wall = reference_next_cell(problem, cell, out, there);
        for (int axis = 0; axis < 3; axis++)
            normal[axis] = -out[axis];
        if (wall != 0 && weir_rules[problem->walls[wall].rule].wet)
            return wall;
    }
    return 0;
}

static int along(const int a[3], const int b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Density and velocity that a cell on the face is to have. */
static void wet_moments(const struct reference *r, int wall, const int cell[3], const int normal[3],
                        const double *f, const double force[3], double *density, double velocity[3]) {
    const struct weir_lattice_table *lattice = r->lattice;
    const int rule = (int)r->problem->walls[wall].rule, none[3] = {0, 0, 0};
    double values[WEIR_PROFILE_VALUES], known = -0.5 * dot(normal, force);
    boundary_values(r, wall, cell, none, values);
    for (int i = 0; i < lattice->populations; i++) {
        const int c = along(lattice->velocity[i], normal);
        known += c == 0 ? f[i] : c < 0 ? 2 * f[i] : 0;
    }
    const bool incompressible = r->problem->equilibrium != WEIR_COMPRESSIBLE;
    velocity[0] = velocity[1] = velocity[2] = 0;
    if (rule == WEIR_RULE_ZOU_HE_PRESSURE || rule == WEIR_RULE_REGULARISED_PRESSURE) {
        *density = values[0];
        for (int axis = 0; axis < 3; axis++)
            velocity[axis] = normal[axis] * (values[0] - known) / reference_inertia(r->problem, *density);
        return;
    }
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = axis < lattice->dimensions ? values[axis] : 0;
    *density = incompressible ? known + dot(normal, velocity) : known / (1 - dot(normal, velocity));
}

/* f_i from density, momentum and stress of what the populations are (Latt et al. 2008). */
static void regularise(const struct reference *r, double density, const double velocity[3],
                       const double force[3], double *f) {
    const struct weir_lattice_table *lattice = r->lattice;
    double stress[3][3] = {{0}}, e[WEIR_POPULATIONS_MAX];
    for (int i = 0; i < lattice->populations; i++) {
        e[i] = reference_equilibrium(r->problem, i, density, velocity);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                stress[a][b] += lattice->velocity[i][a] * lattice->velocity[i][b] * (f[i] - e[i]);
    }
    for (int i = 0; i < lattice->populations; i++) {
        double sum = -1.0 / 3 * (stress[0][0] + stress[1][1] + stress[2][2]);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                sum += lattice->velocity[i][a] * lattice->velocity[i][b] * stress[a][b];
        f[i] = e[i] + lattice->weight[i] * (4.5 * sum - 1.5 * dot(lattice->velocity[i], force));
    }
}

/* Zou, He, Phys. Fluids 9 (1997) 1591, as in numerics.md (N45). Returns the boundary; 0: nothing is changed.
 */
static int complete(const struct reference *r, const int cell[3], double *f) {
    const struct weir_lattice_table *lattice = r->lattice;
    int normal[3];
    double density, velocity[3], force[3], missing[3] = {0, 0, 0}, weights = 0;
    const int wall = wet_face_of(r->problem, cell, normal);
    if (wall == 0)
        return 0;
    force_on(r->problem, scalar_in(r, cell), force);
    wet_moments(r, wall, cell, normal, f, force, &density, velocity);
    const double inertia = reference_inertia(r->problem, density);
    for (int i = 0; i < lattice->populations; i++)
        if (along(lattice->velocity[i], normal) > 0) {
            const int o = lattice->opposite[i];
            f[i] = f[o] + reference_equilibrium(r->problem, i, density, velocity) -
                   reference_equilibrium(r->problem, o, density, velocity) -
                   lattice->inverse_cs2 * lattice->weight[i] * dot(lattice->velocity[i], force);
        }
    const int rule = (int)r->problem->walls[wall].rule;
    if (rule == WEIR_RULE_REGULARISED_VELOCITY || rule == WEIR_RULE_REGULARISED_PRESSURE) {
        regularise(r, density, velocity, force, f);
        return wall;
    }
    for (int axis = 0; axis < lattice->dimensions; axis++) {
        missing[axis] = normal[axis] != 0 ? 0 : inertia * velocity[axis] - 0.5 * force[axis];
        for (int i = 0; i < lattice->populations && normal[axis] == 0; i++)
            missing[axis] -= lattice->velocity[i][axis] * f[i];
    }
    for (int i = 0; i < lattice->populations; i++) {
        const int *c = lattice->velocity[i], t = normal[0] == 0 ? 0 : 1;
        weights += along(c, normal) > 0 ? lattice->weight[i] * c[t] * c[t] : 0;
    }
    for (int i = 0; i < lattice->populations; i++)
        if (along(lattice->velocity[i], normal) > 0)
            f[i] += lattice->weight[i] / weights * dot(lattice->velocity[i], missing);
    return wall;
}

/* What is going to collide in a cell. */
static void completed(const struct reference *r, const int cell[3], double *f) {
    memcpy(f, reference_populations(r, cell), (size_t)r->lattice->populations * sizeof *f);
    (void)complete(r, cell, f);
}

/* The same in a step: what is added passes the boundary. */
static void complete_in_step(struct reference *r, const int cell[3], double *f) {
    const size_t q = (size_t)r->lattice->populations;
    const double *arrived = reference_populations(r, cell);
    memcpy(f, arrived, q * sizeof *f);
    const int wall = complete(r, cell, f);
    for (size_t i = 0; wall != 0 && i < q; i++) {
        r->mass_flow[wall] += f[i] - arrived[i];
        for (int axis = 0; axis < 3; axis++)
            r->wall_force[wall][axis] -= r->lattice->velocity[i][axis] * (f[i] - arrived[i]);
    }
}

static bool is_mirror(const struct weir_problem *problem, const int cell[3], const int c[3], int *wall) {
    int there[3];
    *wall = reference_next_cell(problem, cell, c, there);
    return *wall != 0 && problem->walls[*wall].rule == WEIR_RULE_SLIP;
}

/* Most problems have none, and each population of each cell asks for them. */
static bool has_mirrors(const struct weir_problem *problem) {
    for (int wall = 0; wall < problem->wall_count; wall++)
        if (problem->walls[wall].rule == WEIR_RULE_SLIP)
            return true;
    return false;
}

int reference_mirror(const struct weir_problem *problem, const int cell[3], const int c[3], int after[3],
                     int there[3]) {
    int first = 0, along[3], ignored;
    if (!has_mirrors(problem))
        return 0;
    for (int axis = 2; axis >= 0; axis--) {
        int step[3] = {0, 0, 0}, wall;
        step[axis] = c[axis];
        const bool turns = c[axis] != 0 && is_mirror(problem, cell, step, &wall);
        first = turns ? wall : first;
        after[axis] = turns ? -c[axis] : c[axis];
        along[axis] = turns ? 0 : c[axis];
    }
    if (first == 0 || (along[0] == 0 && along[1] == 0 && along[2] == 0) ||
        reference_next_cell(problem, cell, along, there) != 0)
        return 0;
    for (int axis = 0; axis < 3; axis++) {
        int step[3] = {0, 0, 0};
        step[axis] = c[axis];
        if (after[axis] != c[axis] && !is_mirror(problem, there, step, &ignored))
            return 0;
    }
    return first;
}

/* The direction of a lattice along c. */
static int direction_along(const struct weir_lattice_table *lattice, const int c[3]) {
    int i = 0;
    while (memcmp(lattice->velocity[i], c, sizeof lattice->velocity[i]) != 0)
        i++;
    return i;
}

/* What comes back along direction i of a boundary that carries out what is in the fluid, in a flow that does
 * not change through the face: d f_o / dt + U n . grad f_o = 0, with f_o one cell further in, where it would
 * be in front of the cell it comes from. before, after: of the cell. */
static double carried_out(const struct reference *r, int wall, const int cell[3], int i, const double *before,
                          const double *after, double density) {
    const struct weir_lattice_table *lattice = r->lattice;
    const int *c = lattice->velocity[i], o = lattice->opposite[i];
    double values[WEIR_PROFILE_VALUES], strain[3][3] = {{0}}, along = 0;
    int through = -1;
    boundary_values(r, wall, cell, c, values);
    for (int axis = 2; axis >= 0; axis--) {
        int step[3] = {0, 0, 0}, there[3];
        step[axis] = c[axis];
        const int beside = c[axis] != 0 ? reference_next_cell(r->problem, cell, step, there) : 0;
        if (beside != 0 && (through < 0 || beside == wall))
            through = axis;
    }
    for (int k = 0; k < lattice->populations; k++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                strain[a][b] +=
                    1.5 * lattice->velocity[k][a] * lattice->velocity[k][b] * (after[k] - before[k]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const double ta = a == through ? 0 : -c[a], tb = b == through ? 0 : -c[b];
            const double na = a == through ? c[a] : 0;
            along += (ta * tb - 2 * na * tb) * strain[a][b];
        }
    const double further_in = after[o] - 3 * lattice->weight[i] * along;
    const double speed = fmax(0, c[through] * values[through]);
    return (before[o] + speed * further_in) / (1 + speed) -
           0.01 * lattice->weight[i] * (density - r->problem->reference_density);
}

/* The force on a body by what goes from a cell to another with velocity c, and turns round there. */
static void push(struct reference *r, const int cell[3], const int there[3], const int c[3], double excess) {
    const int body = conductor_in(r->problem, cell) ? 0 : body_in(r->problem, there);
    for (int axis = 0; body > 0 && axis < 3; axis++)
        r->wall_force[body][axis] += 2 * c[axis] * excess;
}

/* Sends the populations of one cell on their way. */
static void stream(struct reference *r, const int cell[3], const double *after, double density,
                   const double velocity[3]) {
    const struct weir_lattice_table *lattice = r->lattice;
    const size_t q = (size_t)lattice->populations;
    for (int i = 0; i < lattice->populations; i++) {
        const int *c = lattice->velocity[i];
        int there[3];
        const int wall = reference_next_cell(r->problem, cell, c, there);
        if (wall == 0) {
            r->next[number_of(r->problem, there) * q + (size_t)i] = after[i];
            push(r, cell, there, c, after[i] - lattice->weight[i]);
            continue;
        }
        const double w = lattice->weight[i];
        int turned[3], behind[3];
        const int mirror = reference_mirror(r->problem, cell, c, turned, behind);
        if (conductor_in(r->problem, cell)) { /* its flow is nothing to boundaries */
            if (mirror != 0)
                r->next[number_of(r->problem, behind) * q + (size_t)direction_along(lattice, turned)] =
                    after[i];
            else
                r->next[number_of(r->problem, cell) * q + (size_t)lattice->opposite[i]] = after[i];
            continue;
        }
        if (mirror != 0) {
            r->next[number_of(r->problem, behind) * q + (size_t)direction_along(lattice, turned)] = after[i];
            for (int axis = 0; axis < 3; axis++)
                r->wall_force[mirror][axis] += (c[axis] - turned[axis]) * (after[i] - w);
            push(r, cell, behind, turned, after[i] - w);
            continue;
        }
        const double back =
            r->problem->walls[wall].links ? interpolated(r, wall, cell, there, i, after)
            : r->problem->walls[wall].rule == WEIR_RULE_CONVECTIVE
                ? carried_out(r, wall, cell, i, reference_populations(r, cell), after, density)
                : reflected(r, wall, cell, i, after[i], density, velocity);
        r->next[number_of(r->problem, cell) * q + (size_t)lattice->opposite[i]] = back;
        for (int axis = 0; axis < 3; axis++)
            r->wall_force[wall][axis] += c[axis] * (after[i] + back - 2 * w);
        if (r->problem->walls[wall].links) {
            double arm[3];
            arm_of(r->problem, wall, cell, arm);
            for (int axis = 0; axis < 3; axis++) {
                const int p = (axis + 1) % 3, s = (axis + 2) % 3;
                r->wall_torque[wall][axis] += (arm[p] * c[s] - arm[s] * c[p]) * (after[i] + back - 2 * w);
            }
        }
        r->mass_flow[wall] += back - after[i];
    }
}

/* ---- a scalar (Krueger et al., chapter 8; numerics.md, A scalar) ------------------------------------------
 */

/* For lattices of axes only. */
static double scalar_equilibrium(const struct weir_lattice_table *lattice, int i, double scalar,
                                 const double velocity[3]) {
    const double cu = dot(lattice->velocity[i], velocity);
    if (i == 0)
        return scalar * (lattice->weight[0] - scalar_product(velocity, velocity));
    return scalar * (lattice->weight[i] * (1 + lattice->inverse_cs2 * cu) + 0.5 * cu * cu);
}

/* The same of a conductor, where nothing flows, and a volume takes up so much for each unit. */
static double conducted_equilibrium(const struct weir_lattice_table *lattice, int i, double scalar,
                                    double capacity) {
    return scalar * (lattice->weight[i] + (i == 0 ? capacity - 1 : 0));
}

/* The two halves of a pair: sign 1, -1. */
static double half(const double *g, const struct weir_lattice_table *lattice, int i, int sign) {
    return 0.5 * (g[i] + sign * g[lattice->opposite[i]]);
}

/* What comes back from a boundary along direction i, of after[i]; scalar, velocity: of the cell. */
static double scalar_reflected(const struct reference *r, int wall, const int cell[3], int i, double after,
                               double scalar, const double velocity[3]) {
    const struct weir_wall *w = &r->problem->walls[wall];
    const double none[3] = {0, 0, 0}, *u = weir_wall_is_open(w) ? velocity : none;
    double values[WEIR_PROFILE_VALUES];
    boundary_values(r, wall, cell, r->scalar_lattice->velocity[i], values);
    const double given = values[WEIR_PROFILE_SCALAR],
                 value = w->scalar_rule == WEIR_SCALAR_FREE ? scalar : given;
    if (weir_wall_is_open(w) && conductor_in(r->problem, cell))
        return after;
    if (w->scalar_rule == WEIR_SCALAR_FLUX)
        return after + given;
    return -after + scalar_equilibrium(r->scalar_lattice, i, value, u) +
           scalar_equilibrium(r->scalar_lattice, r->scalar_lattice->opposite[i], value, u);
}

/* eddy_viscosity: of the cell, 0 where there are no eddies. */
static void step_scalar(struct reference *r, const int cell[3], const double velocity[3],
                        double eddy_viscosity) {
    const struct weir_lattice_table *lattice = r->scalar_lattice;
    const size_t q = (size_t)lattice->populations;
    const struct weir_conductor *conductor = conductor_in(r->problem, cell);
    const double mixed =
        eddy_viscosity > 0 ? eddy_viscosity / r->problem->scalar.turbulent_prandtl * lattice->inverse_cs2 : 0;
    const double tau_odd =
        conductor ? conductor->relaxation_time : r->problem->scalar.relaxation_time + mixed;
    const double tau_even = 0.5 + r->problem->scalar.magic / (tau_odd - 0.5);
    const double *g = reference_scalar_populations(r, cell), scalar = scalar_in(r, cell);
    const double source = source_in(r->problem, cell);
    double e[WEIR_POPULATIONS_MAX], s[WEIR_POPULATIONS_MAX];
    for (size_t i = 0; i < q; i++) {
        e[i] = scalar_equilibrium(lattice, (int)i, scalar, velocity);
        s[i] = scalar_equilibrium(lattice, (int)i, source, velocity);
        if (conductor) {
            e[i] = conducted_equilibrium(lattice, (int)i, scalar, conductor->capacity);
            s[i] = conducted_equilibrium(lattice, (int)i, source / conductor->capacity, conductor->capacity);
        }
    }
    for (int i = 0; i < lattice->populations; i++) {
        const double after = g[i] - (half(g, lattice, i, 1) - half(e, lattice, i, 1)) / tau_even -
                             (half(g, lattice, i, -1) - half(e, lattice, i, -1)) / tau_odd +
                             (1 - 0.5 / tau_even) * half(s, lattice, i, 1) +
                             (1 - 0.5 / tau_odd) * half(s, lattice, i, -1);
        int there[3];
        const int wall = reference_next_cell(r->problem, cell, lattice->velocity[i], there);
        if (wall == 0) {
            r->scalar_next[number_of(r->problem, there) * q + (size_t)i] = after;
            if (conductor && !conductor_in(r->problem, there))
                r->surface_flow[body_in(r->problem, cell)] += after;
            else if (!conductor)
                r->surface_flow[body_in(r->problem, there)] -= after;
        } else
            r->scalar_next[number_of(r->problem, cell) * q + (size_t)lattice->opposite[i]] =
                scalar_reflected(r, wall, cell, i, after, scalar, velocity);
    }
}

/* Calls body for all fluid cells, with the cell's coordinates in `cell`. */
#define FOR_FLUID_CELLS(problem, cell)                                      \
    for (int cell[3] = {0, 0, 0}; cell[2] < (problem)->cells[2]; cell[2]++) \
        for (cell[1] = 0; cell[1] < (problem)->cells[1]; cell[1]++)         \
            for (cell[0] = 0; cell[0] < (problem)->cells[0]; cell[0]++)     \
                if (weir_geometry_wall(problem, cell) == 0)

struct reference *reference_create(const struct weir_problem *problem) {
    struct reference *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->problem = problem;
    r->lattice = weir_lattice_table((int)problem->lattice);
    const size_t cells = (size_t)problem->cells[0] * (size_t)problem->cells[1] * (size_t)problem->cells[2];
    r->arriving = calloc(cells * (size_t)r->lattice->populations, sizeof *r->arriving);
    r->next = calloc(cells * (size_t)r->lattice->populations, sizeof *r->next);
    if (!r->arriving || !r->next)
        abort();
    if (problem->scalar.present) {
        r->scalar_lattice = weir_lattice_table((int)weir_scalar_lattice(problem));
        const size_t q = (size_t)r->scalar_lattice->populations;
        r->scalar_arriving = calloc(cells * q, sizeof *r->scalar_arriving);
        r->scalar_next = calloc(cells * q, sizeof *r->scalar_next);
        if (!r->scalar_arriving || !r->scalar_next)
            abort();
    }
    FOR_FLUID_CELLS(problem, cell) {
        double values[WEIR_INITIAL_MAX];
        reference_initial(problem, cell, values);
        double *f = r->arriving + number_of(problem, cell) * (size_t)r->lattice->populations;
        /* With half the force added (see moments), the velocity is the one asked for. */
        double force[3];
        force_on(problem, values[4], force);
        for (int axis = 0; axis < 3; axis++)
            values[1 + axis] -= 0.5 * force[axis] / reference_inertia(problem, values[0]);
        const struct weir_conductor *conductor = conductor_in(problem, cell);
        if (conductor)
            memset(values + 1, 0, 3 * sizeof *values);
        for (int i = 0; i < r->lattice->populations; i++)
            f[i] = reference_equilibrium(r->problem, i, values[0], values + 1);
        const double arrives = values[4] - 0.5 * source_in(problem, cell) / capacity_of(conductor);
        for (int i = 0; problem->scalar.present && i < r->scalar_lattice->populations; i++)
            r->scalar_arriving[number_of(problem, cell) * (size_t)r->scalar_lattice->populations +
                               (size_t)i] =
                conductor ? conducted_equilibrium(r->scalar_lattice, i, arrives, conductor->capacity)
                          : scalar_equilibrium(r->scalar_lattice, i, arrives, values + 1);
    }
    return r;
}

void reference_destroy(struct reference *r) {
    if (!r)
        return;
    free(r->arriving);
    free(r->next);
    free(r->scalar_arriving);
    free(r->scalar_next);
    free(r);
}

/* f: what is going to collide there; force: on the cell, where r->force says nothing. */
static struct reference_cell state_of(const struct reference *r, const int cell[3], const double *f,
                                      const double force[3]) {
    struct reference_cell state = {.problem = r->problem,
                                   .lattice = r->lattice,
                                   .f = f,
                                   .force = r->force ? r->force[number_of(r->problem, cell)] : force};
    moments(r, state.f, state.force, &state.density, state.velocity);
    return state;
}

static double eddy_viscosity_of(const struct reference_cell *state) {
    return (reference_relaxation_time(state) - state->problem->relaxation_time) / 3;
}

double reference_eddy_viscosity(const struct reference *r, const int cell[3]) {
    double f[WEIR_POPULATIONS_MAX], force[3];
    completed(r, cell, f);
    force_on(r->problem, scalar_in(r, cell), force);
    const struct reference_cell state = state_of(r, cell, f, force);
    return eddy_viscosity_of(&state);
}

void reference_step(struct reference *r) {
    memset(r->wall_force, 0, sizeof r->wall_force);
    memset(r->wall_torque, 0, sizeof r->wall_torque);
    memset(r->mass_flow, 0, sizeof r->mass_flow);
    memset(r->surface_flow, 0, sizeof r->surface_flow);
    FOR_FLUID_CELLS(r->problem, cell) {
        double before[WEIR_POPULATIONS_MAX], after[WEIR_POPULATIONS_MAX], density, velocity[3], force[3];
        force_on(r->problem, scalar_in(r, cell), force);
        complete_in_step(r, cell, before);
        moments(r, before, force, &density, velocity);
        const struct reference_cell state = state_of(r, cell, before, force);
        reference_collide(&state, after);
        for (int i = 0; i < r->lattice->populations && conductor_in(r->problem, cell); i++) {
            after[i] = before[r->lattice->opposite[i]];
            velocity[i % 3] = 0;
        }
        stream(r, cell, after, density, velocity);
        if (r->scalar_lattice)
            step_scalar(r, cell, velocity, eddy_viscosity_of(&state));
    }
    r->step++;
    double *scalar_done = r->scalar_next;
    r->scalar_next = r->scalar_arriving;
    r->scalar_arriving = scalar_done;
    double *done = r->next;
    r->next = r->arriving;
    r->arriving = done;
}

const double *reference_populations(const struct reference *r, const int cell[3]) {
    return r->arriving + number_of(r->problem, cell) * (size_t)r->lattice->populations;
}

const double *reference_scalar_populations(const struct reference *r, const int cell[3]) {
    return r->scalar_arriving + number_of(r->problem, cell) * (size_t)r->scalar_lattice->populations;
}

void reference_moments(const struct reference *r, const int cell[3], double *density, double velocity[3]) {
    double f[WEIR_POPULATIONS_MAX], force[3];
    completed(r, cell, f);
    force_on(r->problem, scalar_in(r, cell), force);
    moments(r, f, force, density, velocity);
}
