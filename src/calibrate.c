#include "src/calibrate.h"

#include "graph/clock.h"
#include "graph/error.h"
#include "graph/tune.h"
#include "src/machine_store.h"
#include "src/predict.h"
#include "src/workers.h"

#include <stdio.h>
#include <stdlib.h>

static void print_machine(const struct weir_machine *machine) {
    printf("  parts                 fluid MLUPS  solid, of a fluid cell    us per task\n");
    for (int k = 0; k < machine->kind_count; k++) {
        const struct weir_machine_kind *kind = &machine->kinds[k];
        const struct weir_rates *r = &kind->rates;
        char words[WEIR_KIND_TEXT];
        weir_predict_kind(kind, words);
        printf("  %-20s  %11.1f  %22.3f  %13.2f\n", words, 1e-6 / r->fluid_cell_seconds,
               r->solid_cell_seconds / r->fluid_cell_seconds, 1e6 * r->task_seconds);
    }
    if (machine->memory_link.byte_seconds > 0)
        printf("  main memory to GPU    %.1f GB/s, %.1f us per message\n",
               1e-9 / machine->memory_link.byte_seconds, 1e6 * machine->memory_link.message_seconds);
    if (machine->has_gpu_link)
        printf("  GPU to GPU            %.1f GB/s, %.1f us per message\n",
               1e-9 / machine->gpu_link.byte_seconds, 1e6 * machine->gpu_link.message_seconds);
    printf("  submission            %.2f us per task\n", 1e6 * machine->submit_seconds);
}

static int calibrate(const struct weir_case *c, struct weir_runtime *runtime) {
    const struct weir_simulation_options options = weir_simulation_options_of_case(c);
    const struct weir_step_workers workers = weir_runtime_step_workers(runtime);
    struct weir_machine machine;
    struct weir_block_grid grid;
    struct weir_split split;
    int block_cells[3];
    char *path = NULL;
    weir_simulation_block_cells(&c->problem, &options, &workers, block_cells);
    WEIR_TRY(weir_block_grid_create(&c->problem, block_cells, &grid));
    const struct weir_machine_key key = {&c->problem, grid.block_cells, workers};
    const double start = weir_seconds();
    WEIR_TRY(weir_tune(runtime, &c->problem, grid.block_cells, &machine));
    const double seconds = weir_seconds() - start;
    WEIR_TRY(weir_machine_store_write(&key, &machine, &path));
    printf(
        "measured in %.2f s: %s, %s, %s, blocks of %d x %d x %d; each part while all of its kind compute\n",
        seconds, weir_lattice_names[c->problem.lattice], weir_collision_names[c->problem.collision],
        weir_precision_names[c->problem.precision], grid.block_cells[0], grid.block_cells[1],
        grid.block_cells[2]);
    print_machine(&machine);
    printf("  kept in %s\n", path);
    free(path);
    WEIR_TRY(weir_predict_case(c, &machine, &grid, NULL, &split));
    printf("%s: %s\n  blocks        %d of %d x %d x %d\n", c->file, c->name, grid.total, grid.block_cells[0],
           grid.block_cells[1], grid.block_cells[2]);
    weir_predict_print(&machine, &split.prediction);
    return 0;
}

int weir_calibrate(const struct weir_case *c) {
    struct weir_runtime_options options;
    struct weir_runtime *runtime = NULL;
    WEIR_TRY(weir_workers_of_case(c, &options));
    if (weir_workers_first_run())
        fputs("first run on this machine: StarPU measures its buses, which takes some seconds\n", stderr);
    WEIR_TRY(weir_runtime_create(&options, &runtime));
    const int error =
        weir_runtime_policy(runtime) == WEIR_POLICY_STARPU
            ? weir_fail(WEIR_USAGE, "placement.policy: a scheduler of StarPU measures for itself; "
                                    "calibrate with --set placement.policy=model")
            : calibrate(c, runtime);
    weir_runtime_destroy(runtime);
    return error;
}
