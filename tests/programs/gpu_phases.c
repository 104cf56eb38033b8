/* Fluids with phases and two components by what GPU threads do, run on a CPU
 * (tests/unit/kernels/gpu_phases.cpp and gpu_step.cpp), against the CPU kernels: the same digests, of blocks
 * cut in several ways, and where stages of both follow each other; and what is seen of cells is the same. A
 * fluid that falls apart, between walls of which some attract it and around a body, so that there are slopes
 * and forces in all cells. */
#include "tests/programs/gpu_stages.h"

#include <math.h>
#include <stdlib.h>

#define DECLARE(lattice, collision, precision, equation, name) \
    weir_collide_stream_cpu weir_gpu_step_##name;              \
    weir_pseudopotential_cpu weir_gpu_pseudopotential_##name;  \
    weir_digest_cpu weir_gpu_digest_##name;                    \
    weir_macroscopic_cpu weir_gpu_macroscopic_##name;
FOR_PHASES(DECLARE)

enum {
    WEIR_single = WEIR_SINGLE,
    WEIR_double = WEIR_DOUBLE,
    WEIR_trt = WEIR_TRT,
    WEIR_recursive = WEIR_RECURSIVE
};

struct variant {
    const char *name;
    enum weir_lattice lattice;
    int collision, precision;
    enum weir_equation equation;
    weir_collide_stream_cpu *step;
    weir_pseudopotential_cpu *attract;
    weir_digest_cpu *digest;
    weir_macroscopic_cpu *look;
};

static const struct variant variants[] = {
#define ROW(lattice, collision, precision, equation, name) \
    {#name,                                                \
     WEIR_##lattice,                                       \
     WEIR_##collision,                                     \
     WEIR_##precision,                                     \
     WEIR_##equation,                                      \
     weir_gpu_step_##name,                                 \
     weir_gpu_pseudopotential_##name,                      \
     weir_gpu_digest_##name,                               \
     weir_gpu_macroscopic_##name},
    FOR_PHASES(ROW)};

/* Density, velocity, and what of it is the second component. */
static int fill(void *context, const int origin[3], const int extent[3], double *const values[]) {
    const struct weir_problem *problem = context;
    size_t cell = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++, cell++) {
                const double at[3] = {origin[0] + x, origin[1] + y, origin[2] + z};
                const double wave = sin(0.7 * at[0] + 1.3 * at[1]) * cos(0.9 * at[2] - 0.4 * at[1]);
                values[0][cell] = problem->scalar.present ? 1 + 0.01 * wave : 0.5 + 0.2 * wave;
                values[1][cell] = 0.01 * wave;
                values[2][cell] = -0.02 * wave;
                values[3][cell] = 0;
                if (problem->scalar.present)
                    values[4][cell] = 0.5 + 0.3 * wave;
            }
    return 0;
}

/* around: all axes but the last are periodic. body: its shape. */
static void set_up(const struct variant *variant, bool around, struct weir_shape *body,
                   struct weir_problem *problem) {
    begin_problem(variant->lattice, variant->precision, 0.8, variant->collision, (const double[]){3, 9}, body,
                  problem);
    const bool is_flat = weir_lattice_dimensions(problem->lattice) == 2;
    problem->phases = weir_phases_default(variant->equation);
    problem->phases.gravity[1] = -1e-4;
    problem->phases.reference = 0.1;
    problem->phases.adhesion = 0.01;
    problem->scalar.present = weir_phases_are_components(&problem->phases);
    for (int axis = 0; axis < 3; axis++)
        problem->periodic[axis] = around && axis < (is_flat ? 1 : 2);
    problem->walls[1 + WEIR_FACE(1, -1)].adheres = true;
    problem->walls[1 + WEIR_FACE(1, -1)].adhesion = -0.02;
    problem->initial = fill;
    problem->initial_context = problem;
}

/* The GPU's kernels, and values of cells that the CPU's saw otherwise. */
static const struct variant *by_gpu;
static int seen_otherwise;

static void step(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity, int begin,
                 int end) {
    (gpu_has_turn() ? by_gpu->step : by_cpu.cpu.collide_stream)(b, fluid, parity, begin, end);
}

static void attract(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity, int begin,
                    int end, void *const outgoing[WEIR_FACES]) {
    (gpu_has_turn() ? by_gpu->attract : by_cpu.cpu.pseudopotential)(b, fluid, parity, begin, end, outgoing);
}

/* The GPU's, which also looks at all cells of the block, as the CPU does. */
static void digest(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                   const struct weir_place *place, int begin, int end, uint64_t sum[2]) {
    const struct weir_local_box box = {.extent = {b->extent[0][1], b->extent[1][1], b->extent[2][1]}};
    const size_t count = (size_t)box.extent[0] * (size_t)box.extent[1] * (size_t)box.extent[2],
                 bytes = 6 * count * sizeof(double);
    char *const seen[2] = {calloc(1, bytes), calloc(1, bytes)};
    by_gpu->digest(b, fluid, parity, place, begin, end, sum);
    if (begin != 0)
        return;
    by_gpu->look(b, fluid, parity, &box, seen[0]);
    by_cpu.cpu.macroscopic(b, fluid, parity, &box, seen[1]);
    for (size_t k = 0; k < bytes; k += by_cpu.real_size)
        seen_otherwise += memcmp(seen[0] + k, seen[1] + k, by_cpu.real_size) != 0;
    free(seen[0]);
    free(seen[1]);
}

static void replace(struct weir_kernels *kernels, bool mixed) {
    kernels->cpu.collide_stream = mixed ? step : by_gpu->step;
    kernels->cpu.pseudopotential = mixed ? attract : by_gpu->attract;
    kernels->cpu.digest = digest;
}

/* Every variant with walls all around, and periodic. */
static int compare(struct weir_runtime *runtime, int number) {
    const bool around = number % 2 != 0;
    struct weir_problem problem;
    struct weir_shape body;
    by_gpu = &variants[number / 2];
    set_up(by_gpu, around, &body, &problem);
    return compare_cuts(runtime, &(struct comparison){.name = by_gpu->name,
                                                      .problem = &problem,
                                                      .around = around,
                                                      .steps = 14,
                                                      .replace = replace,
                                                      .seen_otherwise = &seen_otherwise});
}

int main(void) {
    return compare_all("gpu_phases", 2 * (int)(sizeof variants / sizeof *variants), compare);
}
