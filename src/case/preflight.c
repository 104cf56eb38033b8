#include "src/case/preflight.h"

#include "graph/base/error.h"
#include "graph/problem/fluid_search.h"
#include "graph/simulation.h"
#include "graph/slabs.h"
#include "src/case/case_blocks.h"
#include "src/case/case_options.h"

#include <stdio.h>

/* In the blocks that this process would choose. */
static int check_memory(const struct weir_case *c) {
    const struct weir_simulation_options options = weir_case_simulation_options(c);
    struct weir_runtime_options runtime_options;
    struct weir_step_workers workers;
    struct weir_block_grid grid;
    WEIR_TRY(weir_case_runtime_options(c, &runtime_options));
    WEIR_TRY(weir_runtime_expect(&runtime_options, &workers));
    WEIR_TRY(weir_case_blocks(c, false, &grid));
    struct weir_memory_need need = weir_simulation_memory(&c->problem, &options, &grid, NULL);
    need.workers = workers;
    struct weir_slab_plan plan;
    if (workers.slab_memory > 0 && need.bytes > workers.slab_memory)
        WEIR_TRY(weir_slabs_find_plan(&c->problem, options.change, &grid, workers.slab_memory, &plan));
    return weir_memory_check(&need);
}

int weir_preflight_named(const struct weir_case *c, int error) {
    if (error != -WEIR_USAGE)
        return error;
    char text[1600];
    snprintf(text, sizeof text, "%s", weir_error_text());
    return weir_fail((enum weir_error_code) - error, "%s: %s", c->file, text);
}

int weir_preflight(const struct weir_case *c, bool alone) {
    int error = weir_fluid_search(&c->problem);
    if (error == 0 && alone)
        error = check_memory(c);
    return weir_preflight_named(c, error);
}
