/* Ranks of which the last one fails, while they compute, in ways that cannot be had of the program;
 * test_rank_failures.py starts them and says what is to come of it. Usage: failing_steps task|call|stuck */
#include "graph/error.h"
#include "graph/watchman.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEP_OF_FAILURE = 20 };
static volatile sig_atomic_t never;

static void hush(void *world) {
    if (weir_world_speaks(world))
        fprintf(stderr, "hush\n");
}

static void abandon(void *world, const char *text) {
    if (weir_world_speaks(world))
        printf("abandoned: %s\n", text);
    fflush(stdout);
}

static int compute(struct weir_watchman *watchman, struct weir_simulation *simulation, const char *way) {
    for (;;) {
        if (weir_watchman_stops(watchman, weir_simulation_submitted(simulation)))
            return weir_fail(WEIR_FAILED, "nobody has asked to stop");
        if (way && weir_simulation_submitted(simulation) == STEP_OF_FAILURE) {
            if (strcmp(way, "task") == 0)
                weir_simulation_fail(simulation, "the task gives up");
            else if (strcmp(way, "call") == 0)
                return weir_fail(WEIR_FAILED, "the call gives up");
            else
                for (;;)
                    pause();
        }
        WEIR_TRY(weir_simulation_step(simulation));
    }
}

static int run(struct weir_world *world, const char *way) {
    struct weir_problem problem;
    struct weir_runtime *runtime;
    struct weir_simulation *simulation;
    struct weir_watchman *watchman;
    const struct weir_simulation_options options = {.block_cells = {32, 32, 1}};
    const struct weir_watchman_options watchman_options = {
        .timeout = 2, .interrupted = &never, .hush = hush, .abandon = abandon, .context = world};
    weir_problem_default(&problem);
    problem.lattice = WEIR_D2Q9;
    problem.cells[0] = problem.cells[1] = 64;
    problem.cells[2] = 1;
    WEIR_TRY(weir_watchman_create(world, &watchman_options, &watchman));
    WEIR_TRY(weir_runtime_create(
        &(struct weir_runtime_options){.policy = "static", .workers = WEIR_WORKERS_CPU, .world = world},
        &runtime));
    WEIR_TRY(weir_simulation_create(runtime, &problem, &options, &simulation));
    weir_watchman_attend(watchman, simulation);
    const bool failing = weir_world_rank(world) == weir_world_size(world) - 1;
    weir_watchman_end(watchman, compute(watchman, simulation, failing ? way : NULL));
    return weir_fail(WEIR_FAILED, "came through");
}

int main(int argc, char **argv) {
    struct weir_world *world;
    int error = weir_world_join(&world);
    if (error == 0 && argc == 2)
        error = run(world, argv[1]);
    if (error != 0)
        fprintf(stderr, "weir: %s\n", weir_error_text());
    weir_world_leave(world);
    return -error;
}
