/* A liquid with a free surface by what GPU threads do, run on a CPU (tests/unit/kernels/gpu_surface.cpp and
 * gpu_step.cpp), against the CPU kernels: the same digests, of blocks cut in several ways, and where stages
 * of both follow each other. Splashes: the surface crosses faces and ends of blocks, walls, a body, and
 * itself. Pieces of gas that it encloses are found on CPUs in any case. */
#include "tests/programs/gpu_stages.h"
#include "tests/unit/upper_halves.h"

#include <math.h>

#define DECLARE(lattice, precision, tension, bubbles, name)                       \
    weir_collide_stream_cpu weir_gpu_step_##name;                                 \
    weir_surface_cpu weir_gpu_surface_mass_##name, weir_gpu_surface_cells_##name, \
        weir_gpu_surface_flags_##name, weir_gpu_gas_spread_##name;
FOR_SURFACES(DECLARE)

enum { WEIR_single = WEIR_SINGLE, WEIR_double = WEIR_DOUBLE };

struct variant {
    const char *name;
    enum weir_lattice lattice;
    int precision;
    double tension;
    bool bubbles;
    weir_collide_stream_cpu *step;
    weir_surface_cpu *mass, *cells, *flags, *spread;
};

static const struct variant variants[] = {
#define ROW(lattice, precision, tension, bubbles, name) \
    {#name,                                             \
     WEIR_##lattice,                                    \
     WEIR_##precision,                                  \
     tension,                                           \
     bubbles,                                           \
     weir_gpu_step_##name,                              \
     weir_gpu_surface_mass_##name,                      \
     weir_gpu_surface_cells_##name,                     \
     weir_gpu_surface_flags_##name,                     \
     weir_gpu_gas_spread_##name},
    FOR_SURFACES(ROW)};

/* A column of liquid in a corner, a drop above the rest of the floor, and a film on the ceiling. */
static int fill(void *context, const int origin[3], const int extent[3], double *const values[]) {
    const struct weir_problem *problem = context;
    const int *n = problem->cells;
    size_t cell = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++, cell++) {
                const double at[3] = {origin[0] + x + 0.5, origin[1] + y + 0.5,
                                      n[2] > 1 ? origin[2] + z + 0.5 - 0.5 * n[2] : 0};
                const double column = fmin(0.3 * n[0] - at[0], 0.8 * n[1] - at[1]),
                             drop = 4.3 - hypot(hypot(at[0] - 0.7 * n[0], at[1] - 0.5 * n[1]), at[2]),
                             film = at[1] - n[1] + 2.5;
                const double depth = fmax(column, fmax(drop, film)) + 0.5;
                values[0][cell] = 1;
                values[1][cell] = drop > 0 ? 0.02 : 0;
                values[2][cell] = drop > 0 ? -0.05 : 0;
                values[3][cell] = 0;
                values[4][cell] = depth < 0 ? 0 : depth > 1 ? 1 : depth;
            }
    return 0;
}

/* body: its shape, on the floor, half in the liquid. around: the last axis is periodic. */
static void set_up(const struct variant *variant, bool around, struct weir_shape *body,
                   struct weir_problem *problem) {
    begin_problem(variant->lattice, variant->precision, 0.6, WEIR_TRT, (const double[]){0, 5}, body, problem);
    const int *n = problem->cells;
    problem->periodic[n[2] > 1 ? 2 : 0] = around;
    problem->force[1] = -1e-4;
    problem->surface = (struct weir_surface){.present = true,
                                             .gas_density = 1,
                                             .tension = variant->tension,
                                             .contact_angle = 70,
                                             .bubbles = variant->bubbles};
    problem->walls[1 + WEIR_FACE(1, -1)].contact_angle = 50;
    problem->walls[1 + WEIR_FACE(1, 1)].contact_angle = 120;
    problem->walls[body->wall].contact_angle = 100;
    problem->initial = fill;
    problem->initial_context = problem;
    (void)weir_problem_add_gas(problem);
}

static const struct variant *by_gpu;

static void step(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity, int begin,
                 int end) {
    if (gpu_has_turn()) {
        by_gpu->step(b, fluid, parity, begin, end);
    } else {
        by_cpu.cpu.collide_stream(b, fluid, parity, begin, end);
        expect_cleared_upper_halves("collide_stream");
    }
}

#define STAGE(name, of_gpu, of_cpu)                                                                  \
    static void name(const struct weir_block_view *b, const struct weir_surface_view *s, int parity, \
                     int begin, int end) {                                                           \
        if (gpu_has_turn()) {                                                                        \
            by_gpu->of_gpu(b, s, parity, begin, end);                                                \
        } else {                                                                                     \
            by_cpu.cpu.of_cpu(b, s, parity, begin, end);                                             \
            expect_cleared_upper_halves(#of_cpu);                                                    \
        }                                                                                            \
    }
STAGE(count_and_tell, mass, surface_mass)
STAGE(convert, cells, surface_cells)
STAGE(settle, flags, surface_flags)
STAGE(spread, spread, gas_spread)

static void replace(struct weir_kernels *kernels, bool mixed) {
    kernels->cpu.collide_stream = mixed ? step : by_gpu->step;
    kernels->cpu.surface_mass = mixed ? count_and_tell : by_gpu->mass;
    kernels->cpu.surface_cells = mixed ? convert : by_gpu->cells;
    kernels->cpu.surface_flags = mixed ? settle : by_gpu->flags;
    if (by_gpu->bubbles)
        kernels->cpu.gas_spread = mixed ? spread : by_gpu->spread;
}

/* Every variant with walls all around, and periodic. */
static int compare(struct weir_runtime *runtime, int number) {
    const bool around = number % 2 != 0;
    struct weir_problem problem;
    struct weir_shape body;
    by_gpu = &variants[number / 2];
    set_up(by_gpu, around, &body, &problem);
    return compare_cuts(
        runtime,
        &(struct comparison){
            .name = by_gpu->name, .problem = &problem, .around = around, .steps = 16, .replace = replace});
}

int main(void) {
    return compare_all("gpu_surface", 2 * (int)(sizeof variants / sizeof *variants), compare);
}
