/* Holds a mean velocity by a body force (docs/numerics.md, A flow rate that is held). Every so many steps the
 * time loop waits for all tasks, so that the force is that of the same steps in all blocks, on all ranks, and
 * results do not depend on either. */
#ifndef WEIR_SRC_RUN_FLOW_CONTROLLER_H
#define WEIR_SRC_RUN_FLOW_CONTROLLER_H

#include "graph/future.h"
#include "graph/simulation.h"
#include "src/case/case.h"

/* What goes on in a run that is resumed. */
struct weir_flow_control {
    double velocity; /* mean, along what is wanted, as it was measured the last time */
    double force;    /* per volume, along the same, beside the case's own */
};

struct weir_flow_controller {
    const struct weir_case *c;
    struct weir_simulation *simulation;
    int64_t first;                  /* step at which the run begins */
    int64_t fluid_cells;            /* of all ranks */
    struct weir_flow_control state; /* NaN: nothing has been measured yet */
    struct weir_future future;
    double mass, momentum[3]; /* as they are measured, in lattice units */
};

void weir_flow_controller_init(struct weir_flow_controller *controller);

/* When all tasks have ended. */
void weir_flow_controller_release(struct weir_flow_controller *controller);

/* Takes up what the case wants. before: what a checkpoint has of it; NULL: the run begins with step 0. The
 * case and the simulation must outlive it. Error: what a task met (weir_simulation_status). */
int weir_flow_controller_begin(struct weir_flow_controller *controller, const struct weir_case *c,
                               struct weir_simulation *simulation, int64_t first,
                               const struct weir_flow_control *before);

/* To be called at each step that the time loop comes to, before anything looks at the state: measures, and
 * sets the force, where it is time to. Errors as above. */
int weir_flow_controller_step(struct weir_flow_controller *controller);

/* The first step after `step` at which there is something to do; INT64_MAX: none. */
int64_t weir_flow_controller_next(const struct weir_flow_controller *controller, int64_t step);

/* The Reynolds number of the mean velocity, with the case's length; NaN: it has none. */
double weir_flow_controller_reynolds(const struct weir_flow_controller *controller);

#endif
