#include "src/case/driven_flow.h"

#include "src/case/speed.h"

#include <math.h>

/* Sum of 1 / width^2 over the axes across the flow that are bounded, or over all of them. */
static double across(const struct weir_problem *p, int along, bool all) {
    double sum = 0;
    for (int axis = 0; axis < weir_lattice_dimensions(p->lattice); axis++)
        if (axis != along && (all || !p->periodic[axis]))
            sum += 1.0 / p->cells[axis] / p->cells[axis];
    return sum;
}

struct weir_driven_flow weir_driven_flow(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    const double viscosity = weir_problem_viscosity(p);
    struct weir_driven_flow flow = {.steady = true, .by_walls = true};
    double square = 0, largest = 0;
    for (int axis = 0; axis < weir_lattice_dimensions(p->lattice); axis++) {
        const double gain = fabs(p->force[axis]) / p->reference_density;
        if (gain == 0 || !p->periodic[axis])
            continue;
        const double walls = across(p, axis, false),
                     solids = weir_problem_has_solids(p) ? across(p, axis, true) : 0,
                     brakes = walls > 0 ? walls : solids;
        const double final = brakes > 0 ? gain / (8 * viscosity * brakes) : HUGE_VAL,
                     reached = gain * (double)c->steps, speed = fmin(final, reached);
        square += speed * speed;
        if (speed <= largest)
            continue;
        largest = speed;
        flow.width = brakes > 0 ? 1 / sqrt(brakes) : 0;
        flow.by_walls = walls > 0;
        flow.steady = final <= reached;
    }
    flow.speed = sqrt(square);
    return flow;
}

struct weir_buoyant_flow weir_buoyant_flow(const struct weir_problem *p) {
    struct weir_buoyant_flow flow = {0};
    const double force = weir_speed(p->scalar.buoyancy);
    double least = HUGE_VAL, greatest = -HUGE_VAL, length = 0;
    for (int wall = 1; wall < p->wall_count; wall++) {
        const struct weir_wall *w = &p->walls[wall];
        if (w->scalar_rule != WEIR_SCALAR_VALUE || w->scalar_profile)
            continue;
        least = fmin(least, w->scalar);
        greatest = fmax(greatest, w->scalar);
    }
    if (!weir_problem_is_buoyant(p) || greatest <= least)
        return flow;
    for (int axis = 0; axis < 3; axis++)
        length += p->cells[axis] * fabs(p->scalar.buoyancy[axis]) / force;
    flow.difference = greatest - least;
    flow.length = length;
    flow.speed = sqrt(force * flow.difference * length);
    flow.rayleigh = force * flow.difference * length * length * length * 3 /
                    ((p->relaxation_time - 0.5) * weir_scalar_diffusivity(p));
    return flow;
}
