/* Whether the flow of a run has become steady: every so many steps the run asks how much velocities have
 * changed since it last asked. */
#ifndef WEIR_SRC_RUN_STEADY_TEST_H
#define WEIR_SRC_RUN_STEADY_TEST_H

#include "graph/future.h"
#include "graph/simulation.h"
#include "src/case/case.h"
#include "src/run/checkpoints.h"

struct weir_steady_test {
    double limit;  /* greatest change, of the greatest speed; 0: the case wants no test */
    int64_t every; /* steps */
    struct weir_simulation *simulation;
    int64_t first;                      /* step at which the run begins */
    const struct weir_run_sums *before; /* what the checkpoint has that it goes on from; NULL: none */

    /* The newest test. */
    int64_t tested_step; /* -1: none under way */
    struct weir_future future;
    bool steady; /* once the answer is there */
};

/* Begins with a test that never does anything. */
void weir_steady_test_init(struct weir_steady_test *test);

/* When all tasks have ended. */
void weir_steady_test_release(struct weir_steady_test *test);

/* Tests as the case says. before: see above. All must outlive the test. */
void weir_steady_test_begin(struct weir_steady_test *test, const struct weir_case *c,
                            struct weir_simulation *simulation, int64_t first,
                            const struct weir_run_sums *before);

/* To be called at each step that the time loop comes to: submits the test where it is due; *steady: one of a
 * few steps before held. Errors are those of weir_simulation_change. */
int weir_steady_test_step(struct weir_steady_test *test, bool *steady);

/* Whether a test is due at this step, or never is any. */
bool weir_steady_test_is_due(const struct weir_steady_test *test, int64_t step);

/* The first step after `step` at which there is something to do; INT64_MAX: none. */
int64_t weir_steady_test_next(const struct weir_steady_test *test, int64_t step);

/* For a checkpoint: waits for the answer of the test under way, if any. */
bool weir_steady_test_answer(struct weir_steady_test *test);

#endif
