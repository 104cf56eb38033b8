#include "graph/plan/slab_plan.h"

#include "graph/base/error.h"

#include <math.h>

/* At the least, and where there is room for many. */
enum { BESIDE_LEAST = 4, BESIDE = 8, MANY_PLACES = 32 };

int weir_slab_axis(const struct weir_block_grid *grid) {
    for (int axis = 2; axis >= 0; axis--)
        if (grid->count[axis] > 1)
            return axis;
    return grid->cells[2] > 1 ? 2 : 1;
}

int weir_slab_count(const struct weir_block_grid *grid) {
    const int axis = weir_slab_axis(grid), places = grid->count[axis];
    return grid->periodic[axis] ? (places + 1) / 2 : places;
}

int weir_slab_of(const struct weir_block_grid *grid, int block) {
    const int axis = weir_slab_axis(grid);
    int position[3];
    weir_block_grid_position(grid, block, position);
    const int from_end = grid->count[axis] - 1 - position[axis];
    return grid->periodic[axis] && from_end < position[axis] ? from_end : position[axis];
}

int weir_slab_plan_make(const struct weir_block_grid *grid, double slab_bytes, double memory, int stages,
                        struct weir_slab_plan *plan) {
    *plan = (struct weir_slab_plan){.axis = weir_slab_axis(grid), .count = weir_slab_count(grid)};
    const double places = floor(memory / slab_bytes);
    plan->places = places < plan->count ? (int)places : plan->count;
    plan->beside = plan->places < MANY_PLACES ? BESIDE_LEAST : BESIDE;
    plan->steps = (plan->places - plan->beside) / stages;
    if (plan->steps >= 1)
        return 0;
    return weir_fail(WEIR_USAGE,
                     "blocks.cells: the domain does not fit where it is computed (%.4g MiB), and of the %d "
                     "slabs of blocks along %c only %d have room at a time, where a step needs %d; choose "
                     "blocks with fewer cells along %c, or leave blocks.cells out",
                     memory / (1 << 20), plan->count, "xyz"[plan->axis], plan -> places,
                     stages + BESIDE_LEAST, "xyz"[plan->axis]);
}

double weir_slab_plan_efficiency(const struct weir_slab_plan *plan, double step_seconds,
                                 double undivided_seconds, double move_seconds) {
    const double wave = plan->steps * step_seconds; /* while as many slabs as can take steps */
    const double among_themselves = fmin(plan->count, plan->places), others = plan->count - among_themselves;
    const double sweep = among_themselves * wave + others * fmax(wave, move_seconds);
    return plan->count * plan->steps * undivided_seconds / sweep;
}
