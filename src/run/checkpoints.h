/* When a run writes checkpoints, and what they have of it beside the populations: what it has added up so
 * far, and which older ones go. How they are written: src/output/output_checkpoint.h.
 *
 * A checkpoint is due every so many steps, by the clock, on SIGUSR1, and when a run is interrupted. Where the
 * run tests for a steady flow, those that are not urgent wait for the next step with such a test: then the
 * velocities that the next test compares with are those of the checkpoint, and need not be kept. */
#ifndef WEIR_SRC_RUN_CHECKPOINTS_H
#define WEIR_SRC_RUN_CHECKPOINTS_H

#include "graph/problem/totals.h"
#include "graph/ranks/supervisor.h"
#include "graph/simulation.h"
#include "src/case/case.h"
#include "src/common/results_folder.h"
#include "src/output/outputs.h"

#include "src/run/flow_controller.h"

#include <jansson.h>

struct weir_checkpoints;

/* What a run has added up when it comes to a step. */
struct weir_run_sums {
    double first_mass;     /* at step 0 */
    double greatest_speed; /* at any step that was looked at */
    double all_mass_passed;
    double mass_flow[WEIR_WALLS_MAX], mass_passed[WEIR_WALLS_MAX];
    /* The test for a steady flow whose answer is not used yet. */
    int64_t tested_step; /* -1: none */
    bool steady;
    struct weir_flow_control flow; /* of a mean velocity that is held; NaN: none, or not yet measured */
};

/* Reads them from what a checkpoint says of itself; -1: it does not say them. */
int weir_run_sums_read(const struct weir_case *c, const json_t *about, struct weir_run_sums *sums);

/* To be called early in a run: from then on SIGUSR1 asks for a checkpoint, where the case wants any. */
void weir_checkpoints_heed(const struct weir_case *c);

/* first: the step at which the run begins, whose checkpoint is there. Collective. *result is NULL where the
 * case wants none, else the caller's. All must outlive it. Error: -WEIR_FAILED (no memory). */
int weir_checkpoints_create(const struct weir_case *c, struct weir_simulation *simulation,
                            struct weir_world *world, struct weir_outputs *outputs,
                            struct weir_results_folder *folder, int64_t first,
                            struct weir_checkpoints **result);

/* When all tasks have ended, before the outputs and the simulation are destroyed. NULL is allowed. */
void weir_checkpoints_destroy(struct weir_checkpoints *checkpoints, bool ended_well);

/* The next functions take NULL, and do nothing. */

/* The first step after `step` at which one is due for its number, or ranks ask each other; INT64_MAX: none.
 */
int64_t weir_checkpoints_next(const struct weir_checkpoints *checkpoints, int64_t step);

/* Whether a checkpoint is to be taken of this step, the same on all ranks; called once for each step that the
 * time loop comes to. tests: the run tests for a steady flow now, or never does. interrupted: it ends here.
 */
bool weir_checkpoints_due(struct weir_checkpoints *checkpoints, int64_t step, bool tests, bool interrupted);

/* Takes the checkpoint of the present step in two parts: what is known of the test for a steady flow and of
 * the force, before the step's totals are submitted; and the state, after. Waits until the one before is
 * written. */
int weir_checkpoints_prepare(struct weir_checkpoints *checkpoints, int64_t tested_step, bool steady,
                             const struct weir_flow_control *flow);
int weir_checkpoints_take(struct weir_checkpoints *checkpoints);

/* To be called with the sums of each step whose totals arrive; from a worker's thread. */
void weir_checkpoints_sums(struct weir_checkpoints *checkpoints, int64_t step,
                           const struct weir_run_sums *sums);

/* What a message of a failure ends with: the command that goes on; "" where there is no checkpoint yet. From
 * any thread. */
enum { WEIR_RESUME_ADVICE = WEIR_SUPERVISOR_ADVICE };
void weir_checkpoints_advise(const struct weir_checkpoints *checkpoints, char advice[WEIR_RESUME_ADVICE]);

/* After the simulation has failed: see weir_outputs_abandon. */
void weir_checkpoints_abandon(struct weir_checkpoints *checkpoints);

/* Bytes of a rank's copies that wait to be written, at most, with blocks of these cells; and how many blocks
 * that are. */
double weir_checkpoints_buffer(const struct weir_case *c, const int block_cells[3], int *blocks);

#endif
