#include "src/case/case_blocks.h"

#include "graph/base/error.h"
#include "graph/simulation.h"
#include "src/case/case_options.h"

int weir_case_blocks(const struct weir_case *c, bool movable, struct weir_block_grid *grid) {
    struct weir_runtime_options runtime_options;
    struct weir_step_workers workers;
    int block_cells[3];
    struct weir_simulation_options options = weir_case_simulation_options(c);
    WEIR_TRY(weir_case_runtime_options(c, &runtime_options));
    if (movable) {
        options.movable = true;
        runtime_options.problem = NULL;
    }
    WEIR_TRY(weir_runtime_expect(&runtime_options, &workers));
    weir_simulation_block_cells(&c->problem, &options, &workers, block_cells);
    return weir_block_grid_create(&c->problem, block_cells, grid);
}
