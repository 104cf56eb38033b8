#include "src/workers.h"

#include "codelets/kernels/kernels.h"
#include "graph/error.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int weir_workers_of_case(const struct weir_case *c, struct weir_runtime_options *options) {
    const struct weir_problem *p = &c->problem;
    *options = (struct weir_runtime_options){
        .policy = c->policy,
        .workers = WEIR_WORKERS_AUTO,
        .has_cuda_kernels =
            weir_kernels_find(p->lattice, p->collision, p->precision)->cuda.collide_stream != NULL,
    };
    if (strcmp(c->workers, "cpu") == 0)
        options->workers = WEIR_WORKERS_CPU;
    else if (strcmp(c->workers, "cuda") == 0)
        options->workers = WEIR_WORKERS_CUDA;
    else if (strcmp(c->workers, "all") == 0)
        options->workers = WEIR_WORKERS_ALL;
    else if (strcmp(c->workers, "team") == 0)
        options->workers = WEIR_WORKERS_TEAM;
    return weir_policy_check(c->policy);
}

struct weir_simulation_options weir_simulation_options_of_case(const struct weir_case *c) {
    struct weir_simulation_options options = {
        .change = c->steady > 0, .shares = c->shares, .share_count = c->share_count};
    for (int axis = 0; axis < 3; axis++) {
        options.block_cells[axis] = c->block_cells[axis];
        options.ranks_along[axis] = c->ranks_along[axis];
    }
    return options;
}

bool weir_workers_first_run(void) {
    const char *models = getenv("STARPU_PERF_MODEL_DIR"), *home = getenv("XDG_CACHE_HOME");
    char pattern[4096];
    if (!home) /* StarPU's order */
        home = getenv("STARPU_HOME");
    if (!home)
        home = getenv("HOME");
    if (models)
        snprintf(pattern, sizeof pattern, "%s/bus/*.bandwidth", models);
    else
        snprintf(pattern, sizeof pattern, "%s/.starpu/sampling/bus/*.bandwidth", home ? home : "");
    glob_t found;
    const bool none = glob(pattern, 0, NULL, &found) == GLOB_NOMATCH;
    if (!none)
        globfree(&found);
    return none;
}
