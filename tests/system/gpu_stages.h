/* What programs have in common that compare stages as GPU threads do them, run on a CPU, with those of CPU
 * kernels. */
#ifndef WEIR_TESTS_GPU_STAGES_H
#define WEIR_TESTS_GPU_STAGES_H

#include "codelets/kernels/kernels.h"
#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"
#include "graph/ranks/world.h"
#include "graph/runtime/runtime.h"
#include "graph/simulation.h"

#include <stdio.h>
#include <string.h>

/* The digest of a problem after so many steps, in blocks of these cells. */
static int digest_of(struct weir_runtime *runtime, const struct weir_problem *problem,
                     const int block_cells[3], int64_t steps, char digest[33]) {
    struct weir_simulation *simulation;
    struct weir_simulation_options options = {.poison = true};
    memcpy(options.block_cells, block_cells, sizeof options.block_cells);
    WEIR_TRY(weir_simulation_create(runtime, problem, &options, &simulation));
    int error = 0;
    while (error == 0 && weir_simulation_submitted(simulation) < steps)
        error = weir_simulation_step(simulation);
    if (error == 0)
        error = weir_simulation_digest(simulation, digest);
    weir_simulation_destroy(simulation);
    return error;
}

/* By chance: who does the next task, where both may. With one worker a call has all rows of a block. */
static bool gpu_has_turn(void) {
    static uint32_t chance;
    chance = chance * 1664525u + 1013904223u;
    return chance >> 31;
}

/* Runs `compare` on one core for every number below `count`, up to the first error: the program's exit. */
static int compare_all(const char *program, int count,
                       int (*compare)(struct weir_runtime *runtime, int number)) {
    struct weir_world *world;
    struct weir_runtime *runtime;
    int error = weir_world_join(&world);
    if (error == 0)
        error = weir_runtime_create(
            &(struct weir_runtime_options){.policy = "static", .workers = WEIR_WORKERS_CPU, .world = world},
            &runtime);
    if (error == 0) {
        for (int number = 0; number < count && error == 0; number++)
            error = compare(runtime, number);
        weir_runtime_destroy(runtime);
    }
    error = weir_world_agree(world, error);
    if (error != 0)
        fprintf(stderr, "%s: %s\n", program, weir_error_text());
    weir_world_leave(world);
    return error == 0 ? 0 : 1;
}

#endif
