#include "src/calibrate.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/problem/solid_blocks.h"
#include "src/case/case_options.h"
#include "src/machine/bus_calibration.h"
#include "src/machine/machine_store.h"
#include "src/predict.h"

#include <stdio.h>
#include <stdlib.h>

static void print_machine(const struct weir_machine *machine) {
    printf("  parts                 fluid MLUPS  beside walls  solid, of a fluid cell    us per task\n");
    for (int k = 0; k < machine->kind_count; k++) {
        const struct weir_machine_kind *kind = &machine->kinds[k];
        const struct weir_rates *r = &kind->rates;
        char words[WEIR_KIND_TEXT];
        weir_predict_kind(kind, words);
        printf("  %-20s  %11.1f  %11.2fx  %22.3f  %13.2f\n", words, 1e-6 / r->fluid_cell_seconds,
               1 + r->wall_cell_seconds / r->fluid_cell_seconds,
               r->solid_cell_seconds / r->fluid_cell_seconds, 1e6 * r->task_seconds);
        if (r->lists.fluid > 0)
            printf("    lists               %11.1f  %11.2fx  %22.3f\n", 1e-6 / r->lists.fluid,
                   1 + r->lists.wall / r->lists.fluid, r->lists.solid / r->lists.fluid);
        if (kind->cached_cells > 0)
            printf("    in the cache        %11.1f  up to %.3g cells each\n",
                   1e-6 / kind->cached_fluid_cell_seconds, kind->cached_cells);
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
    const struct weir_simulation_options options = weir_case_simulation_options(c);
    const struct weir_step_workers workers = weir_runtime_step_workers(runtime);
    struct weir_machine machine;
    struct weir_block_grid grid;
    struct weir_split split;
    int block_cells[3];
    bool *solid;
    struct weir_machine_trust trust = {0};
    char *path = NULL, quality[WEIR_TRUST_TEXT];
    WEIR_TRY(weir_predict_knows(c, &workers));
    weir_simulation_block_cells(&c->problem, &options, &workers, block_cells);
    WEIR_TRY(weir_block_grid_create(&c->problem, block_cells, &grid));
    const struct weir_machine_key key = {&c->problem, grid.block_cells, workers};
    const double start = weir_seconds();
    WEIR_TRY(
        weir_machine_store_measure(runtime, &c->problem, grid.block_cells, false, &machine, &trust.quality));
    const double seconds = weir_seconds() - start;
    WEIR_TRY(weir_machine_store_write(&key, &machine, &trust, &path));
    printf(
        "measured in %.2f s: %s, %s, %s, blocks of %d x %d x %d; each part while all of its kind compute\n",
        seconds, weir_lattice_names[c->problem.lattice], weir_collision_names[c->problem.collision],
        weir_precision_names[c->problem.precision], grid.block_cells[0], grid.block_cells[1],
        grid.block_cells[2]);
    print_machine(&machine);
    printf("  kept in %s\n", path);
    weir_tune_quality_text(&trust.quality, quality);
    if (weir_tune_is_disturbed(&trust.quality))
        printf("  warning: something else used this machine meanwhile (%s); measure again when it is quiet: "
               "weir "
               "calibrate %s\n",
               quality, c->file);
    free(path);
    WEIR_TRY(weir_solid_blocks_find(&c->problem, &grid, &solid));
    const int error = weir_predict_case(c, &machine, &grid, NULL, &split);
    if (error == 0) {
        printf("%s: %s\n", c->file, c->name);
        weir_predict_print_blocks(&grid);
        weir_predict_print(&machine, &split.prediction);
    }
    free(solid);
    return error;
}

static void ignore_change(void *context, int64_t step, double change, double speed) {
    (void)context;
    (void)step;
    (void)change;
    (void)speed;
}

/* A scheduler of StarPU believes its own measurements of a task, on blocks of this size and a kind of worker,
 * once it has ten of them: so the flow itself is advanced for some steps, or long enough. StarPU keeps them
 * when it stops. */
static int let_starpu_measure(const struct weir_case *c, struct weir_runtime *runtime) {
    enum { STEPS = 40 };
    const double longest_seconds = 5;
    const struct weir_simulation_options options = weir_case_simulation_options(c);
    struct weir_simulation *simulation = NULL;
    char digest[33];
    int error = weir_simulation_create(runtime, &c->problem, &options, &simulation), step = 0;
    const double start = weir_seconds();
    for (; error == 0 && step < STEPS && weir_seconds() - start < longest_seconds; step++) {
        error = weir_simulation_totals(simulation, NULL, NULL);
        if (error == 0 && options.change)
            error = weir_simulation_change(simulation, ignore_change, NULL);
        if (error == 0)
            error = weir_simulation_step(simulation);
        if (error == 0)
            error = weir_simulation_wait(simulation);
    }
    if (error == 0)
        error = weir_simulation_digest(simulation, digest);
    if (error == 0)
        printf("%s measured its tasks in %d steps, %.2f s; StarPU keeps that in its own files\n",
               weir_runtime_policy_name(runtime), step, weir_seconds() - start);
    weir_simulation_destroy(simulation);
    return error;
}

int weir_calibrate(const struct weir_case *c) {
    struct weir_runtime_options options;
    struct weir_runtime *runtime = NULL;
    WEIR_TRY(weir_case_runtime_options(c, &options));
    setenv("STARPU_CALIBRATE", "1", 0); /* StarPU's models: add to what there is */
    weir_bus_calibration_announce();
    WEIR_TRY(weir_runtime_create(&options, &runtime));
    const int error = weir_runtime_policy(runtime) == WEIR_POLICY_STARPU ? let_starpu_measure(c, runtime)
                                                                         : calibrate(c, runtime);
    weir_runtime_destroy(runtime);
    return error;
}
