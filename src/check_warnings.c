#include "src/check_warnings.h"

#include "src/case/scales.h"
#include "src/case/speed.h"

#include <math.h>
#include <stdio.h>

/* In SI, what would do: with the speed (lattice units) that was warned of, or that goes with the viscosity.
 */
static void propose_scales(const struct weir_case *c, double speed) {
    const double viscosity = (c->problem.relaxation_time - 0.5) / 3;
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
    const double mach = speed * sqrt(3.0);
    if (speed <= 0.17)
        return;
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
    if (p->relaxation_time < stable)
        printf("  warning: tau %.4f is too near 1/2 for %s at velocity %.3g: waves of a few cells grow below "
               "tau %.4f; use %s, more cells, or a lower Reynolds number\n",
               p->relaxation_time, row->name, speed, stable, row->steadier);
}

static void warn_of_tau(const struct weir_case *c, double speed) {
    const struct weir_problem *p = &c->problem;
    const double tau = p->relaxation_time;
    if (tau < 0.51) {
        printf("  warning: tau %.4f is near 1/2: the flow may diverge where it is not resolved", tau);
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
    const double viscosity = (c->problem.relaxation_time - 0.5) / 3, laminar = 2000;
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

void weir_check_warnings(const struct weir_case *c, const struct weir_driven_flow *flow) {
    warn_of_speed(c, c->characteristic_velocity, "");
    const double speed = fmax(c->characteristic_velocity, flow->speed);
    warn_of_tau(c, speed);
    if (speed < WEIR_SPEED_LIMIT) /* else nothing helps */
        warn_of_waves(&c->problem, speed);
    warn_of_force(c, flow);
    if (c->steady > 0 && c->problem.precision != WEIR_DOUBLE && c->steady < 1e-7)
        printf("  warning: run.stop_when.steady %.1e is below what single precision resolves (about 1e-6); "
               "it may never hold\n",
               c->steady);
}
