#include "graph/plan/common_constants.h"

#include "graph/problem/boundaries.h"

#include <stdlib.h>

static int64_t cells_of(const struct weir_constants *c) {
    return (int64_t)c->extent[0][1] * c->extent[1][1] * c->extent[2][1];
}

void weir_common_constants_add(struct weir_common_constants *common, const struct weir_constants *block) {
    const int64_t cells = cells_of(block);
    for (int k = 0; k < common->count; k++)
        if (weir_constants_join(&common->kind[k].constants, block)) {
            common->kind[k].cells += cells;
            return;
        }
    if (common->count < WEIR_COMMON_CONSTANTS_KINDS)
        common->kind[common->count++] = (struct weir_alike_blocks){*block, cells};
}

static int more_cells(const void *a, const void *b) {
    const int64_t x = ((const struct weir_alike_blocks *)a)->cells,
                  y = ((const struct weir_alike_blocks *)b)->cells;
    return (x < y) - (x > y);
}

void weir_common_constants_choose(struct weir_common_constants *common) {
    qsort(common->kind, (size_t)common->count, sizeof *common->kind, more_cells);
    if (common->count > WEIR_COMMON_CONSTANTS_BEST)
        common->count = WEIR_COMMON_CONSTANTS_BEST;
}

void weir_common_constants_of_grid(const struct weir_problem *problem, const struct weir_block_grid *grid,
                                   struct weir_common_constants *common) {
    const struct weir_fluid fluid = weir_problem_fluid(problem);
    common->count = 0;
    for (int number = 0; number < grid->total; number++) {
        if (weir_block_is_solid(grid, number))
            continue;
        const struct weir_box box = weir_block_grid_box(grid, number);
        const struct weir_block_form form = weir_block_form(problem, &box);
        const struct weir_block_layout layout = weir_boundaries_layout(problem, &form);
        int extent[3][3];
        weir_block_grid_extents(grid, number, extent);
        const struct weir_constants constants = weir_constants_of(extent, &layout, &fluid);
        if (form.kept.kind == WEIR_BRICK)
            weir_common_constants_add(common, &constants);
    }
    weir_common_constants_choose(common);
}
