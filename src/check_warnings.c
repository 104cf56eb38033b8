#include "src/check_warnings.h"
#include "graph/problem/geometry.h"

#include "codelets/kernels/cells/precisions.h"
#include "src/case/boundary_profiles.h"
#include "src/case/scales.h"
#include "src/case/speed.h"

#include <math.h>
#include <stdio.h>

/* In SI, what would do: with the speed (lattice units) that was warned of, or that goes with the viscosity.
 */
static void propose_scales(const struct weir_case *c, double speed) {
    const double viscosity = weir_problem_viscosity(&c->problem);
    if (!c->units.si)
        return;
    const struct weir_scales scales = weir_scales_for_flow(
        &c->units, viscosity * weir_units_viscosity(&c->units), speed * weir_units_velocity(&c->units));
    if (scales.cell_size == c->units.length)
        printf("; si.time_step %.2g mends it", scales.time_step);
    else
        printf("; no time step does, but si.cell_size %.2g with si.time_step %.2g", scales.cell_size,
               scales.time_step);
}

static void warn_of_speed(const struct weir_case *c, double speed, const char *whence) {
    const double mach = speed / weir_problem_sound_speed(&c->problem);
    if (speed <= 0.17 || (weir_problem_is_thermal(&c->problem) && speed < WEIR_SPEED_LIMIT))
        return; /* compressibility is no error of thermal flows */
    if (speed >= WEIR_SPEED_LIMIT)
        printf(
            "  warning: %sMach %.2f: the flow would diverge; it must stay below 1, and below 0.3 (velocity "
            "0.17) "
            "to be accurate",
            whence, mach);
    else
        printf("  warning: %sMach %.2f: errors of compressibility grow with its square; below 0.3 (velocity "
               "0.17) is usual",
               whence, mach);
    propose_scales(c, speed);
    printf("\n");
}

static void warn_of_waves(const struct weir_problem *p, double speed) {
    const struct weir_collision_row *row = weir_collision_row(p->collision);
    const double stable = row->least_tau ? row->least_tau(p->lattice, p->parameters, speed) : 0;
    const char *steadier = weir_steadier_collision(p->collision, p->lattice);
    if (p->relaxation_time < stable)
        printf("  warning: tau %.4f is too near 1/2 for %s at velocity %.3g: waves of a few cells grow below "
               "tau %.4f; use %s, more cells, or a lower Reynolds number\n",
               p->relaxation_time, row->name, speed, stable, steadier ? steadier : "another lattice");
}

static void warn_of_tau(const struct weir_case *c, double speed) {
    const struct weir_problem *p = &c->problem;
    const double tau = p->relaxation_time;
    if (tau < 0.51) {
        const char *steadier = weir_steadier_collision(p->collision, p->lattice);
        printf("  warning: tau %.4f is near 1/2: the flow may diverge where it is not resolved", tau);
        if (steadier)
            printf(", less so with the collision %s", steadier);
        propose_scales(c, speed);
        printf("\n");
    }
    if (tau > 2) {
        printf("  warning: tau %.3g is large: %s", tau, weir_collision_row(p->collision)->large_tau);
        if (c->units.si)
            printf("; si.time_step %.2g makes it 1", c->units.time * 0.5 / (tau - 0.5));
        printf("\n");
    }
}

static void warn_of_force(const struct weir_case *c, const struct weir_driven_flow *flow) {
    const double viscosity = weir_problem_viscosity(&c->problem), laminar = 2000;
    const double reynolds = flow->speed * flow->width / viscosity;
    if (flow->speed == 0)
        return;
    if (flow->width == 0)
        printf("  warning: nothing brakes the flow that the force drives: it is faster in every step\n");
    else if (reynolds > laminar)
        printf("  warning: by the force Reynolds %.2g: above about %g such a flow is turbulent, slower than "
               "estimated, and needs finer cells\n",
               reynolds, laminar);
    if (flow->speed > c->characteristic_velocity)
        warn_of_speed(c, flow->speed, "by the force ");
}

static void warn_of_buoyancy(const struct weir_case *c) {
    const struct weir_buoyant_flow flow = weir_buoyant_flow(&c->problem);
    const double usual = 0.3; /* of the speed of free fall, which most flows stay below */
    warn_of_speed(c, usual * flow.speed, "by buoyancy ");
}

/* Whether the mass that passes it is given. */
static bool lets_in(const struct weir_wall *wall) {
    const struct weir_rule_row *rule = &weir_rules[wall->rule];
    return wall->rule == WEIR_RULE_VELOCITY || (rule->wet && rule->value == WEIR_RULE_VELOCITY_AS_IT_IS);
}

/* Mass that boundaries with a velocity let in each step, by the numbers of their cells, those of parts of
 * faces too; bodies, whose surfaces are closed, add nothing as a whole. */
static double inflow_of(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    double inflow = 0;
    for (int face = 0; face < WEIR_FACES; face++) {
        const struct weir_wall *wall = &p->walls[WEIR_WALL_OF_FACE(face)];
        struct weir_profile_survey survey;
        if (lets_in(wall) && !p->periodic[face / 2] &&
            weir_boundary_profiles_survey(p->profile_context, face, &survey) == 0)
            inflow += p->reference_density * survey.inflow * p->cells[(face / 2 + 1) % 3] *
                      p->cells[(face / 2 + 2) % 3];
    }
    for (int k = 0; k < p->shape_count; k++) {
        const struct weir_shape *part = &p->shapes[k];
        const struct weir_wall *wall = &p->walls[part->wall];
        if (part->face != 0 && lets_in(wall)) {
            const int face = part->face - WEIR_WALL_OF_FACE(0);
            inflow += p->reference_density * (face % 2 ? -1 : 1) * wall->velocity[face / 2] *
                      (double)weir_geometry_part_cells(p, part);
        }
    }
    return inflow;
}

/* A fluid that is let in needs a way out. */
static void warn_of_inflow(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    const double mass = p->reference_density * p->cells[0] * p->cells[1] * p->cells[2];
    for (int wall = 1; wall < p->wall_count; wall++)
        if (weir_wall_is_open(&p->walls[wall]) && !lets_in(&p->walls[wall]))
            return;
    const double share = inflow_of(c) * (double)c->steps / mass;
    if (fabs(share) > 1e-6)
        printf("  warning: boundaries with a given velocity let %.3g %% of the domain's mass %s in the whole "
               "run, "
               "and the "
               "density %s: let it %s by a boundary of type pressure\n",
               100 * fabs(share), share > 0 ? "in" : "out", share > 0 ? "rises" : "falls",
               share > 0 ? "leave" : "come in");
}

/* Densities that differ by much drive flows that are too fast for the method. */
static void warn_of_density(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    for (int wall = 1; wall < p->wall_count; wall++) {
        const struct weir_wall *w = &p->walls[wall];
        if (weir_rules[w->rule].value == WEIR_RULE_DENSITY && !w->profile &&
            fabs(w->density - p->reference_density) > 0.1 * p->reference_density)
            printf("  warning: the density %.4g at %s is far from the mean of the start, %.4g: errors of "
                   "compressibility are as large as the difference; a few percent are usual\n",
                   w->density * c->units.density, w->name, p->reference_density * c->units.density);
    }
}

void weir_check_warnings(const struct weir_case *c, const struct weir_driven_flow *flow) {
    warn_of_speed(c, c->characteristic_velocity, "");
    const double speed = fmax(c->characteristic_velocity, flow->speed);
    warn_of_tau(c, speed);
    if (speed < WEIR_SPEED_LIMIT) /* else nothing helps */
        warn_of_waves(&c->problem, speed);
    warn_of_force(c, flow);
    warn_of_buoyancy(c);
    warn_of_inflow(c);
    warn_of_density(c);
    if (c->steady > 0 && c->steady < weir_precision_row(c->problem.precision)->steady_least)
        printf("  warning: run.stop_when.steady %.1e is below what single precision resolves (about 1e-6); "
               "it may never hold\n",
               c->steady);
}
