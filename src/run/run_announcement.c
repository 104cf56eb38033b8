#include "src/run/run_announcement.h"

#include "graph/ranks/world.h"

#include <stdio.h>

static void announce_slabs(const struct weir_runtime *runtime, const struct weir_slab_plan *slabs) {
    const bool gpu = weir_runtime_step_workers(runtime).gpus > 0;
    fprintf(stderr,
            "%d of its %d slabs of blocks have room %s at a time, and take %d steps in turn; the others wait "
            "in main memory\n",
            slabs->places, slabs->count, gpu ? "on the GPU" : "where they are computed", slabs->steps);
}

void weir_run_announce(const struct weir_case *c, const struct weir_runtime *runtime,
                       const struct weir_simulation *simulation, const struct weir_world *world) {
    const struct weir_problem *p = &c->problem;
    const struct weir_block_grid *grid = weir_simulation_grid(simulation);
    const struct weir_slab_plan *slabs = weir_simulation_slabs(simulation);
    const int ranks = weir_world_size(world);
    char on_ranks[32] = "";
    if (ranks > 1)
        snprintf(on_ranks, sizeof on_ranks, " on %d ranks", ranks);
    fprintf(stderr,
            "%s: %s %s %s, %d x %d x %d cells in %d block%s of %d x %d x %d%s, %lld steps, policy %s\n",
            c->name, weir_lattice_names[p->lattice], weir_collision_names[p->collision],
            weir_precision_names[p->precision], p->cells[0], p->cells[1], p->cells[2], grid->total,
            grid->total > 1 ? "s" : "", grid->block_cells[0], grid->block_cells[1], grid->block_cells[2],
            on_ranks, (long long)c->steps, weir_runtime_policy_name(runtime));
    if (slabs)
        announce_slabs(runtime, slabs);
}
