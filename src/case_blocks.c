#include "src/case_blocks.h"

#include "graph/error.h"
#include "graph/simulation.h"
#include "src/workers.h"

int weir_case_blocks(const struct weir_case *c, struct weir_block_grid *grid) {
    struct weir_runtime_options runtime_options;
    struct weir_step_workers workers;
    int block_cells[3];
    const struct weir_simulation_options options = weir_simulation_options_of_case(c);
    WEIR_TRY(weir_workers_of_case(c, &runtime_options));
    WEIR_TRY(weir_runtime_expect(&runtime_options, &workers));
    weir_simulation_block_cells(&c->problem, &options, &workers, block_cells);
    return weir_block_grid_create(&c->problem, block_cells, grid);
}
