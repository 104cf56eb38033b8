#include "graph/problem/utilisation.h"

#include "graph/problem/fluid_estimate.h"
#include "graph/problem/forms.h"

#include <string.h>

void weir_utilisation_find(const struct weir_problem *problem, const struct weir_block_grid *grid,
                           struct weir_utilisation kinds[WEIR_CELL_KIND_COUNT]) {
    const int distance = weir_fluid_sample_distance(problem);
    memset(kinds, 0, sizeof *kinds * WEIR_CELL_KIND_COUNT);
    for (int block = 0; block < grid->total; block++) {
        if (weir_block_is_solid(grid, block))
            continue;
        const struct weir_box box = weir_block_grid_box(grid, block);
        const double fluid = weir_fluid_estimate(problem, &box, distance);
        struct weir_utilisation *kind = &kinds[weir_block_kind(problem, &box, fluid)];
        kind->blocks++;
        kind->cells += (double)weir_box_cells(&box);
        kind->fluid += fluid;
    }
}
