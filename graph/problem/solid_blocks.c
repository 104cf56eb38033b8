#include "graph/problem/solid_blocks.h"

#include "graph/base/error.h"
#include "graph/problem/fluid_search.h"
#include "graph/problem/model.h"

#include <stdlib.h>

static bool possible(const struct weir_problem *problem) {
    struct weir_model model;
    if (problem->shape_count == 0 || problem->keep_solid_blocks)
        return false;
    weir_model_make(problem, false, &model);
    for (int k = 0; k < model.stage_count; k++)
        if (!model.stage[k].any_cells)
            return false;
    return true;
}

int weir_solid_blocks_look(const struct weir_problem *problem, const struct weir_block_grid *grid, int part,
                           int parts, bool **solid) {
    *solid = NULL;
    if (!possible(problem))
        return 0;
    *solid = malloc(sizeof **solid * (size_t)grid->total);
    return *solid ? weir_fluid_search_blocks(problem, grid, part, parts, *solid)
                  : weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", grid->total);
}

void weir_solid_blocks_settle(struct weir_block_grid *grid, bool **solid) {
    grid->solid = *solid;
    if (weir_block_grid_fluid_blocks(grid) < grid->total)
        return;
    grid->solid = NULL;
    free(*solid);
    *solid = NULL;
}

int weir_solid_blocks_find(const struct weir_problem *problem, struct weir_block_grid *grid, bool **solid) {
    const int error = weir_solid_blocks_look(problem, grid, 0, 1, solid);
    if (error == 0) {
        weir_solid_blocks_settle(grid, solid);
    } else {
        free(*solid);
        *solid = NULL;
    }
    return error;
}
