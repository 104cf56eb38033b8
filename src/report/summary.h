/* The summary of a run, as JSON: what was computed, how fast, where, and the digest that proves what came
 * out. */
#ifndef WEIR_SRC_REPORT_SUMMARY_H
#define WEIR_SRC_REPORT_SUMMARY_H

#include "graph/simulation.h"
#include "graph/specialisation.h"
#include "src/case/case.h"
#include "src/common/warnings.h"
#include "src/report/rank_costs.h"

#include <jansson.h>

/* What the run measured; NaN and NULL become null. */
struct weir_run_result {
    int64_t steps, first; /* the last and the first, which is not 0 where it has been resumed */
    double wall_seconds;
    double limit_gbs;
    double mass_drift; /* relative change of mass since step 0, without what passed open boundaries */
    double mass_flow[WEIR_WALLS_MAX], mass_passed[WEIR_WALLS_MAX]; /* of the last totals (graph/totals.h) */
    double max_velocity;
    /* Of a mean velocity that is held: what was reached, with it, and the force per volume; lattice units. */
    double mean_velocity, reynolds, driving_force;
    struct weir_rank_costs costs; /* of all ranks; of this one alone after a failure */
    struct weir_warnings warnings;
    struct weir_specialised specialised;
    int64_t specialised_from; /* step that was submitted when kernels of the run's own came; -1: none did */
    const char *digest;
    const char *stopped_by; /* "steps", "steady", "interrupt", "failure" */
    const char *failure;    /* text, or NULL */
};

/* Puts the summary together, on every rank; only that of rank 0 tells of all ranks' workers. Collective, but
 * where result->failure is set. *summary is the caller's (json_decref). -WEIR_FAILED when memory is short. */
int weir_summary_create(const struct weir_case *c, const struct weir_runtime *runtime,
                        const struct weir_simulation *simulation, const struct weir_run_result *result,
                        json_t **summary);

/* Writes a summary to a file, complete or not at all. Error: -WEIR_FAILED with path and reason. */
int weir_summary_write(const json_t *summary, const char *path);

#endif
