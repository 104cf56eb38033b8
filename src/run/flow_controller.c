#include "src/run/flow_controller.h"

#include "graph/base/error.h"
#include "src/case/speed.h"

#include <math.h>
#include <string.h>

static bool is_wanted(const struct weir_flow_controller *controller) {
    return controller->c && weir_speed(controller->c->flow_rate.velocity) > 0;
}

void weir_flow_controller_init(struct weir_flow_controller *controller) {
    *controller = (struct weir_flow_controller){.state = {NAN, 0}};
    weir_future_init(&controller->future);
}

void weir_flow_controller_release(struct weir_flow_controller *controller) {
    weir_future_release(&controller->future);
}

static void set_force(const struct weir_flow_controller *controller) {
    const double *const wanted = controller->c->flow_rate.velocity, speed = weir_speed(wanted);
    double force[3];
    for (int axis = 0; axis < 3; axis++)
        force[axis] = controller->c->problem.force[axis] + controller->state.force * (wanted[axis] / speed);
    weir_simulation_set_force(controller->simulation, force);
}

int weir_flow_controller_begin(struct weir_flow_controller *controller, const struct weir_case *c,
                               struct weir_simulation *simulation, int64_t first,
                               const struct weir_flow_control *before) {
    controller->c = c;
    controller->simulation = simulation;
    controller->first = first;
    controller->fluid_cells = weir_simulation_fluid_cells(simulation);
    if (!is_wanted(controller) || !before)
        return 0;
    controller->state = *before;
    WEIR_TRY(weir_simulation_wait(simulation));
    set_force(controller);
    return 0;
}

static void receive(void *context, const struct weir_totals *totals) {
    struct weir_flow_controller *controller = context;
    controller->mass = totals->mass;
    memcpy(controller->momentum, totals->momentum, sizeof totals->momentum);
    weir_future_set(&controller->future);
}

/* The mean velocity of the state now, along the wanted one. */
static int measure(struct weir_flow_controller *controller, double *velocity) {
    const double *const wanted = controller->c->flow_rate.velocity, *const p = controller->momentum;
    weir_future_reset(&controller->future);
    WEIR_TRY(weir_simulation_totals(controller->simulation, receive, controller));
    const bool told = weir_simulation_await(controller->simulation, &controller->future);
    WEIR_TRY(weir_simulation_wait(controller->simulation));
    *velocity = told ? (p[0] * wanted[0] + p[1] * wanted[1] + p[2] * wanted[2]) /
                           (controller->mass * weir_speed(wanted))
                     : NAN;
    return 0;
}

/* The force is what the walls were seen to take since the last time, and so much more that a part of what is
 * missing comes in as many steps: numerics.md (N39). */
int weir_flow_controller_step(struct weir_flow_controller *controller) {
    if (!is_wanted(controller))
        return 0;
    const struct weir_flow_rate *const rate = &controller->c->flow_rate;
    struct weir_flow_control *const state = &controller->state;
    const int64_t step = weir_simulation_submitted(controller->simulation);
    const bool resumed = step == controller->first && step > 0;
    double velocity;
    if (step % rate->every != 0 || resumed)
        return 0;
    WEIR_TRY(measure(controller, &velocity));
    if (isfinite(state->velocity)) {
        const double density = controller->mass / (double)controller->fluid_cells,
                     missing = weir_speed(rate->velocity) - velocity, gained = velocity - state->velocity;
        state->force += density * (rate->gain * missing - gained) / (double)rate->every;
        set_force(controller);
    }
    state->velocity = velocity;
    return 0;
}

int64_t weir_flow_controller_next(const struct weir_flow_controller *controller, int64_t step) {
    const int64_t every = controller->c->flow_rate.every;
    return is_wanted(controller) ? (step / every + 1) * every : INT64_MAX;
}

double weir_flow_controller_reynolds(const struct weir_flow_controller *controller) {
    const double viscosity = weir_problem_viscosity(&controller->c->problem),
                 length = controller->c->characteristic_length;
    return length > 0 ? controller->state.velocity * length / viscosity : NAN;
}
