#include "src/case/case_options.h"

#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/slabs.h"

#include <string.h>

/* Whether the case says, or leaves it to a scheduler, where each block is to be: one block would leave
 * nothing to say. */
static bool places_blocks(const struct weir_case *c) {
    return c->share_count > 0 || c->map ||
           (c->policy[0] && weir_policy_of(c->policy) != WEIR_POLICY_BALANCED);
}

int weir_case_runtime_options(const struct weir_case *c, struct weir_runtime_options *options) {
    const struct weir_problem *p = &c->problem;
    *options = (struct weir_runtime_options){
        .policy = c->policy,
        .workers = WEIR_WORKERS_AUTO,
        .has_cuda_kernels = weir_kernels_with_cuda(),
    };
    if (strcmp(c->workers, "cpu") == 0)
        options->workers = WEIR_WORKERS_CPU;
    else if (strcmp(c->workers, "cuda") == 0)
        options->workers = WEIR_WORKERS_CUDA;
    else if (strcmp(c->workers, "all") == 0)
        options->workers = WEIR_WORKERS_ALL;
    else if (strcmp(c->workers, "team") == 0)
        options->workers = WEIR_WORKERS_TEAM;
    if (!places_blocks(c))
        options->problem = p;
    if (c->memory > 0 &&
        (c->map || c->share_count > 0 || options->workers == WEIR_WORKERS_ALL ||
         options->workers == WEIR_WORKERS_TEAM || weir_policy_of(c->policy) == WEIR_POLICY_STARPU))
        return weir_fail(WEIR_USAGE,
                         "%s: placement.memory: a domain of more is computed slab by slab by one GPU or by "
                         "cores, without shares, a map or a scheduler of StarPU's; leave those out, and "
                         "placement.workers \"auto\", \"cuda\" or \"cpu\"",
                         c->file);
    if (!c->map && c->share_count == 0 && (c->memory > 0 || weir_runtime_gpus() == 1)) {
        options->data_bytes = weir_slabs_domain_bytes(p, c->steady > 0);
        options->memory = c->memory;
    }
    for (int axis = 0; axis < 3; axis++)
        options->block_cells[axis] = c->block_cells[axis];
    return weir_policy_check(c->policy);
}

/* A checkpoint has the sums of averages, which one rank puts together. */
static double sums_bytes(const struct weir_case *c) {
    const int *cells = c->problem.cells;
    return !c->checkpoint.wanted ? 0
                                 : (double)sizeof(double) * c->problem.time_sums *
                                       weir_case_sums_of_averages(c) * cells[0] * cells[1] * cells[2];
}

struct weir_simulation_options weir_case_simulation_options(const struct weir_case *c) {
    struct weir_simulation_options options = {.movable = places_blocks(c),
                                              .change = c->steady > 0,
                                              .steps = c->steps,
                                              .shares = c->shares,
                                              .share_count = c->share_count,
                                              .sums_bytes = sums_bytes(c)};
    if (c->checkpoint.wanted)
        options.copies_most = c->checkpoint.buffer * (1 << 20);
    if (c->problem.time_sums > 0)
        options.copies_most += WEIR_AVERAGES_BUFFER;
    for (int axis = 0; axis < 3; axis++) {
        options.block_cells[axis] = c->block_cells[axis];
        options.ranks_along[axis] = c->ranks_along[axis];
    }
    return options;
}
