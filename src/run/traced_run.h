/* The part of a run that weir trace records: a window of steps, between two windows of as many steps that run
 * without recording, which show what recording costs. All tasks end before each of them begins. */
#ifndef WEIR_SRC_RUN_TRACED_RUN_H
#define WEIR_SRC_RUN_TRACED_RUN_H

#include "codelets/task_expectations.h"
#include "graph/base/core_use.h"
#include "graph/plan/run_record.h"
#include "graph/plan/time_model.h"
#include "graph/runtime/runtime.h"
#include "graph/simulation.h"

#include <stdbool.h>

struct weir_traced_run {
    int64_t from, steps; /* the window; the run has from + 2 steps */
    struct weir_world *world;

    /* What comes of it. */
    double seconds;       /* of the recorded window, from nothing under way to nothing under way */
    double before, after; /* seconds of the windows beside it, NaN: there was none */
    bool recorded;        /* the window was recorded to its end */
    bool measured;        /* this machine has been, for such blocks, and that can be trusted */
    struct weir_machine machine;
    struct weir_core_span cores; /* of this rank, in the recorded window */
    double limit_gbs;            /* of memory, all ranks together, measured before the time loop; NaN: not */
    bool shared_core;            /* the thread that moves messages has no core of its own on this rank */
    char policy[64];             /* as it was in force */
    struct weir_run_record
        record; /* workers and blocks, no tasks; once `recorded`, the caller's to release */
    struct weir_task_expectation *expectations; /* [expectation_count], of the window; the caller's to free */
    int expectation_count;

    double mark;                /* when the window under way began */
    struct weir_core_use begin; /* of the recorded window */
};

/* A window of these steps. */
struct weir_traced_run weir_traced_run_of(int64_t from, int64_t steps, struct weir_world *world);

/* To be called before each step is submitted, and after the last: where a window begins or ends, waits for
 * all tasks and switches recording on or off. Errors as weir_simulation_wait, or memory. */
int weir_traced_run_step(struct weir_traced_run *traced, const struct weir_runtime *runtime,
                         struct weir_simulation *simulation);

#endif
