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

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The cells of these problems: of a flat lattice, and of others. */
static const int flat_cells[3] = {150, 34, 1}, deep_cells[3] = {70, 18, 14};

/* A problem of that many cells with a box in it: body, from this height above the floor to that, through half
 * of the domain's depth. */
static void begin_problem(enum weir_lattice lattice, int precision, double relaxation_time, int collision,
                          const double height[2], struct weir_shape *body, struct weir_problem *problem) {
    const bool flat = weir_lattice_dimensions(lattice) == 2;
    weir_problem_default(problem);
    problem->lattice = lattice;
    problem->precision = (enum weir_precision)precision;
    problem->relaxation_time = relaxation_time;
    weir_problem_collide_by(problem, (enum weir_collision)collision);
    memcpy(problem->cells, flat ? flat_cells : deep_cells, sizeof flat_cells);
    const int *n = problem->cells;
    *body = (struct weir_shape){.type = WEIR_BOX, .wall = WEIR_FIRST_BODY};
    memcpy(body->box.from, (double[]){0.25 * n[0], height[0], 0}, sizeof body->box.from);
    memcpy(body->box.to, (double[]){0.32 * n[0], height[1], flat ? 1 : 0.5 * n[2]}, sizeof body->box.to);
    problem->shapes = body;
    problem->shape_count = 1;
    problem->wall_count = WEIR_FIRST_BODY + 1;
}

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

/* The CPU's kernels, whose place others take. */
static struct weir_kernels by_cpu;

struct comparison {
    const char *name;
    const struct weir_problem *problem;
    bool around; /* it is periodic; other blocks than without are done by both */
    int64_t steps;
    /* Puts the GPU's functions there; mixed: such that leave it to chance who does a task. */
    void (*replace)(struct weir_kernels *kernels, bool mixed);
    const int *seen_otherwise; /* values of cells that both did not see alike; NULL: they are not looked at */
};

/* The same digests, of blocks cut in several ways. */
static int compare_cuts(struct weir_runtime *runtime, const struct comparison *c) {
    enum { CUTS = 4 };
    static const int cuts[2][CUTS][3] = {{{70, 18, 14}, {35, 18, 7}, {16, 9, 14}, {7, 5, 3}},
                                         {{150, 34, 1}, {50, 34, 1}, {64, 12, 1}, {11, 7, 1}}};
    const bool flat = weir_lattice_dimensions(c->problem->lattice) == 2;
    const struct weir_kernels *kernels;
    char digests[2][33];
    WEIR_TRY(weir_problem_kernels(c->problem, WEIR_BRICK, WEIR_KERNELS_CPU, &kernels));
    struct weir_kernels *const theirs = (struct weir_kernels *)kernels; /* nobody else uses them */
    by_cpu = *kernels;
    WEIR_TRY(digest_of(runtime, c->problem, cuts[flat][0], c->steps, digests[0]));
    for (int cut = 0; cut < CUTS; cut++) {
        const bool mixed = cut % 2 != c->around;
        const int *const cells = cuts[flat][cut];
        c->replace(theirs, mixed);
        const int error = digest_of(runtime, c->problem, cells, c->steps, digests[1]);
        *theirs = by_cpu;
        WEIR_TRY(error);
        const int otherwise = c->seen_otherwise ? *c->seen_otherwise : 0;
        if (strcmp(digests[0], digests[1]) != 0 || otherwise > 0)
            return weir_fail(WEIR_FAILED,
                             "%s, blocks of %d x %d x %d, %s: %s, and by CPU kernels %s; %d values seen "
                             "otherwise",
                             c->name, cells[0], cells[1], cells[2], mixed ? "mixed" : "GPU", digests[1],
                             digests[0], otherwise);
    }
    printf("%s%s %s\n", c->name, c->around ? ", periodic" : "", digests[0]);
    return 0;
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
