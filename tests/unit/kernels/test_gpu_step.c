/* What GPU threads do, run on a CPU (gpu_step.cpp), against the CPU kernels: the same bits. Blocks whose rows
 * fill warps in every way: several rows to a warp, several warps to a row, ends of rows within a warp, an odd
 * number of cells. Solids of all kinds among them: bodies, and rubble. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"

#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <string.h>

#define STEP(lattice, collision, precision) weir_gpu_step_##lattice##_##collision##_##precision
#define DECLARE(...) weir_collide_stream_cpu STEP(__VA_ARGS__);
FOR_VARIANTS(DECLARE)
#define SCALAR_STEP(lattice, collision, precision) weir_gpu_step_scalar_##lattice##_##collision##_##precision
#define DECLARE_SCALAR(...) weir_collide_stream_cpu SCALAR_STEP(__VA_ARGS__);
FOR_SCALAR_VARIANTS(DECLARE_SCALAR)

#define BUOYANT_STEP(lattice, collision, precision) \
    weir_gpu_step_buoyant_##lattice##_##collision##_##precision
#define DECLARE_BUOYANT(...) weir_collide_stream_cpu BUOYANT_STEP(__VA_ARGS__);
FOR_BUOYANT_VARIANTS(DECLARE_BUOYANT)

#define CONDUCTING_STEP(lattice, collision, precision) \
    weir_gpu_step_conducting_##lattice##_##collision##_##precision
#define DECLARE_CONDUCTING(...) weir_collide_stream_cpu CONDUCTING_STEP(__VA_ARGS__);
FOR_CONDUCTING_VARIANTS(DECLARE_CONDUCTING)

#define MIRROR_STEP(lattice, collision, precision) weir_gpu_step_mirrors_##lattice##_##collision##_##precision
#define DECLARE_MIRRORS(...) weir_collide_stream_cpu MIRROR_STEP(__VA_ARGS__);
FOR_MIRROR_VARIANTS(DECLARE_MIRRORS)

/* The kind of cells of the GPU's blocks; those of the CPU are bricks. */
#ifndef CELLS
#define CELLS WEIR_BRICK
#endif

static const struct weir_kernels *kernels_of(const struct weir_problem *problem, enum weir_cell_kind kind) {
    const struct weir_kernels *kernels;
    if (weir_problem_kernels(problem, kind, WEIR_KERNELS_CPU, &kernels) < 0)
        fail_msg("%s", weir_error_text());
    return kernels;
}

/* Of one of the sums of a boundary that a step of this parity counted. */
static struct weir_exact_sum counted(const struct weir_boundary_flow *flow, int parity, int sum) {
    struct weir_exact_sum all = {0, 0};
    for (int share = 0; share < WEIR_FLOW_SHARES; share++)
        weir_exact_sum_add(&all, &flow->step[parity][share][sum]);
    return all;
}

static bool is_same_sum(struct weir_exact_sum a, struct weir_exact_sum b) {
    weir_exact_sum_carry(&a);
    weir_exact_sum_carry(&b);
    return a.high == b.high && a.low == b.low;
}

/* Whether boundaries of all blocks have counted the same, in the last step and before. */
static bool same_flows(const struct block_harness *a, const struct block_harness *b) {
    const int parity = 1 - block_harness_parity(a);
    for (int block = 0; block < a->grid.total; block++) {
        const struct weir_block_view of_a = block_harness_view(a, block), of_b = block_harness_view(b, block);
        for (int flow = 0; flow < of_a.flows; flow++) {
            if (!is_same_sum(of_a.flow[flow].mass, of_b.flow[flow].mass))
                return false;
            for (int k = 0; k < WEIR_FLOW_SUMS; k++)
                if (!is_same_sum(counted(&of_a.flow[flow], parity, k), counted(&of_b.flow[flow], parity, k)))
                    return false;
        }
    }
    return true;
}

static void compare(const struct weir_problem *problem, weir_collide_stream_cpu *gpu_step,
                    const int block_cells[3], const char *flow) {
    const struct weir_kernels *const kernels = kernels_of(problem, WEIR_BRICK);
    struct weir_problem other = *problem;
    other.list_up_to = CELLS == WEIR_LIST;
    struct weir_kernels on_gpu = *kernels_of(&other, CELLS);
    on_gpu.cpu.collide_stream = gpu_step;
    const struct weir_kernels *of_kind[WEIR_CELL_KIND_COUNT];
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT; kind++)
        of_kind[kind] = &on_gpu;
    struct block_harness *cpu = block_harness_create(problem, kernels, block_cells, true);
    struct block_harness *gpu = block_harness_create_of(&other, of_kind, block_cells, true);
    for (int64_t step = 1; step <= 3; step++) {
        block_harness_run_to(cpu, step);
        block_harness_run_to(gpu, step);
        if (!block_harness_same(cpu, gpu) || !same_flows(cpu, gpu))
            fail_msg("%s, %s flow, %d cells along x, blocks of %d x %d x %d, step %d: another result",
                     kernels->name, flow, problem->cells[0], block_cells[0], block_cells[1], block_cells[2],
                     (int)step);
    }
    block_harness_destroy(cpu);
    block_harness_destroy(gpu);
}

enum { SHAPES_MAX = 1024, OTHERS = 3 };

static void set_box(struct weir_shape *shape, int wall, const double from[3], const double to[3]) {
    *shape = (struct weir_shape){.type = WEIR_BOX, .wall = wall};
    memcpy(shape->box.from, from, sizeof shape->box.from);
    memcpy(shape->box.to, to, sizeof shape->box.to);
}

/* Puts boxes of one to three cells along each axis all over a domain, some of which move, a plate one cell
 * thick across x with a gap in it, and a body as long as several warps. */
static void add_rubble(struct weir_problem *problem, struct weir_shape shapes[SHAPES_MAX]) {
    const int *n = problem->cells, boxes = n[0] * n[1] * n[2] / 16;
    assert_true(boxes <= SHAPES_MAX - OTHERS);
    uint32_t random = 12345;
    for (int k = 0; k < boxes; k++) {
        double from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            random = random * 1664525u + 1013904223u;
            from[axis] = (int)(random >> 8) % n[axis];
            to[axis] = from[axis] + 0.6 + (double)(random >> 28) / 8;
        }
        set_box(&shapes[k], WEIR_FIRST_BODY + k % 3, from, to);
    }
    const double x = (int)(0.4 * n[0]), low = n[1] / 3, high = 2 * n[1] / 3;
    set_box(&shapes[boxes], WEIR_FIRST_BODY, (double[]){x, 0, 0}, (double[]){x + 1, low, n[2]});
    set_box(&shapes[boxes + 1], WEIR_FIRST_BODY, (double[]){x, high, 0}, (double[]){x + 1, n[1], n[2]});
    set_box(&shapes[boxes + 2], WEIR_FIRST_BODY, (double[]){x, 3, 0}, (double[]){n[0], 7, n[2]});
    problem->shapes = shapes;
    problem->shape_count = boxes + OTHERS;
    problem->wall_count = WEIR_FIRST_BODY + 3;
    memcpy(problem->walls[WEIR_FIRST_BODY + 1].velocity, (double[]){0.02, -0.03, 0}, 3 * sizeof(double));
}

/* Every end of the domain moves, each with a velocity of its own. */
static void move_all_ends(struct weir_problem *problem) {
    for (int face = 0; face < 2 * weir_lattice_dimensions(problem->lattice); face++)
        for (int axis = 0; axis < weir_lattice_dimensions(problem->lattice); axis++)
            problem->walls[WEIR_WALL_OF_FACE(face)].velocity[axis] = 0.01 * (1 + face) - 0.015 * axis;
}

/* What the flow carries along: a scalar, one that has sources and acts on it, or one that some solids
 * conduct, and eddies mix. */
enum carried { NOTHING, SCALAR, BUOYANT, CONDUCTED };

/* A domain by its cells along x, and its blocks. */
static const struct {
    int cells_x, block[3];
} cuts[] = {{132, {132, 11, 9}}, {132, {66, 6, 5}}, {40, {20, 11, 5}}, {13, {13, 11, 9}},
            {90, {30, 6, 9}},    {13, {4, 4, 4}},   {40, {40, 1, 4}},  {40, {16, 4, 1}},
            {70, {70, 1, 1}},    {13, {1, 6, 5}},   {2, {2, 6, 5}}};

/* Every flow in every cut is for one variant of `every`, the one whose turn it is: with all of them for each,
 * this would take minutes and find no more, as what flows and cuts ask of a step is the same text in all
 * variants. */
static void check(enum weir_lattice lattice, enum weir_collision collision, enum weir_precision precision,
                  enum carried carried, int number, int every, weir_collide_stream_cpu *gpu_step) {
    enum { RUBBLE = FLOW_COUNT, RUBBLE_IN_TUBE, MOVING_ENDS };
    for (int flow = 0; flow <= MOVING_ENDS; flow++)
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
            struct weir_problem problem;
            struct weir_shape shapes[SHAPES_MAX];
            if ((flow + (int)k + number) % every != 0 ||
                cuts[k].cells_x < weir_lattice_table((int)lattice)->reach)
                continue;
            const enum flow base = flow == RUBBLE || flow == MOVING_ENDS ? FLOW_CAVITY
                                   : flow == RUBBLE_IN_TUBE              ? FLOW_TUBE
                                                                         : (enum flow)flow;
            flow_problem(base, lattice, (flow + (int)k) % 2 == 0, &problem);
            weir_problem_collide_by(&problem, collision);
            problem.precision = precision;
            problem.cells[0] = cuts[k].cells_x;
            if (flow == MOVING_ENDS)
                move_all_ends(&problem);
            else if (flow >= RUBBLE)
                add_rubble(&problem, shapes);
            if (carried != NOTHING)
                flow_add_scalar(&problem);
            if (carried == BUOYANT) {
                flow_add_buoyancy(&problem);
                flow_add_sources(&problem);
            }
            if (carried == CONDUCTED) {
                flow_add_conductors(&problem);
                problem.turbulence =
                    (struct weir_turbulence){.present = true, .model = WEIR_SMAGORINSKY, .constant = 0.9};
            }
            /* Blocks as thick as populations move then, also the last of a row of 13 cells. */
            const int thick[3] = {5, 4, 4};
            const bool thin = cuts[k].block[0] < thick[0] || cuts[k].block[1] == 1;
            const int *block = lattice == WEIR_D2Q37 && thin ? thick : cuts[k].block;
            compare(&problem, gpu_step, block,
                    flow < RUBBLE         ? flow_names[flow]
                    : flow == MOVING_ENDS ? "moving ends"
                                          : "rubble");
        }
}

/* Mirrors, in every cut, of the variants that have them; x open, or periodic so that blocks of some cuts have
 * nothing but one mirror. */
__attribute__((unused)) static void check_mirrors(enum weir_lattice lattice, enum weir_collision collision,
                                                  enum weir_precision precision,
                                                  weir_collide_stream_cpu *gpu_step) {
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
        for (int periodic = 0; periodic < 2; periodic++) {
            struct weir_problem problem;
            flow_problem(FLOW_TUNNEL, lattice, k % 2 == 0, &problem);
            weir_problem_collide_by(&problem, collision);
            problem.precision = precision;
            problem.cells[0] = cuts[k].cells_x;
            problem.periodic[0] = periodic != 0;
            if (periodic)
                problem.shape_count = 0;
            compare(&problem, gpu_step, cuts[k].block, "tunnel");
        }
}

#define WEIR_bgk WEIR_BGK
#define WEIR_trt WEIR_TRT
#define WEIR_mrt WEIR_MRT
#define WEIR_regularised WEIR_REGULARISED
#define WEIR_recursive WEIR_RECURSIVE
#define WEIR_cumulant WEIR_CUMULANT
#define WEIR_parametrised_cumulant WEIR_PARAMETRISED_CUMULANT
#define WEIR_thermal_bgk WEIR_THERMAL_BGK
#define WEIR_thermal_hermite WEIR_THERMAL_HERMITE
#define WEIR_none WEIR_NONE
#define WEIR_single WEIR_SINGLE
#define WEIR_double WEIR_DOUBLE
#define WEIR_half WEIR_HALF
#define NUMBER(lattice, collision, precision) NUMBER_##lattice##_##collision##_##precision,
enum { FOR_VARIANTS(NUMBER) VARIANTS };
/* Each flow in each cut is met by one variant at least. */
enum { EVERY = VARIANTS > 6 ? 6 : 3 };
#define SCALAR_NUMBER(lattice, collision, precision) SCALAR_##lattice##_##collision##_##precision,
enum { FOR_SCALAR_VARIANTS(SCALAR_NUMBER) };
#define BUOYANT_NUMBER(lattice, collision, precision) BUOYANT_##lattice##_##collision##_##precision,
enum { FOR_BUOYANT_VARIANTS(BUOYANT_NUMBER) };
#define CONDUCTING_NUMBER(lattice, collision, precision) CONDUCTING_##lattice##_##collision##_##precision,
enum { FOR_CONDUCTING_VARIANTS(CONDUCTING_NUMBER) };
#define TEST(lattice, collision, precision)                                                              \
    static void test_##lattice##_##collision##_##precision(void **state) {                               \
        (void)state;                                                                                     \
        check(WEIR_##lattice, WEIR_##collision, WEIR_##precision, NOTHING,                               \
              NUMBER_##lattice##_##collision##_##precision, EVERY, STEP(lattice, collision, precision)); \
    }
FOR_VARIANTS(TEST)
#define TEST_SCALAR(lattice, collision, precision)                                                          \
    static void test_scalar_##lattice##_##collision##_##precision(void **state) {                           \
        (void)state;                                                                                        \
        check(WEIR_##lattice, WEIR_##collision, WEIR_##precision, SCALAR,                                   \
              SCALAR_##lattice##_##collision##_##precision, 2, SCALAR_STEP(lattice, collision, precision)); \
    }
FOR_SCALAR_VARIANTS(TEST_SCALAR)
#define TEST_BUOYANT(lattice, collision, precision)                                \
    static void test_buoyant_##lattice##_##collision##_##precision(void **state) { \
        (void)state;                                                               \
        check(WEIR_##lattice, WEIR_##collision, WEIR_##precision, BUOYANT,         \
              BUOYANT_##lattice##_##collision##_##precision, 2,                    \
              BUOYANT_STEP(lattice, collision, precision));                        \
    }
FOR_BUOYANT_VARIANTS(TEST_BUOYANT)
#define TEST_CONDUCTING(lattice, collision, precision)                                \
    static void test_conducting_##lattice##_##collision##_##precision(void **state) { \
        (void)state;                                                                  \
        check(WEIR_##lattice, WEIR_##collision, WEIR_##precision, CONDUCTED,          \
              CONDUCTING_##lattice##_##collision##_##precision, 2,                    \
              CONDUCTING_STEP(lattice, collision, precision));                        \
    }
FOR_CONDUCTING_VARIANTS(TEST_CONDUCTING)
#define TEST_MIRRORS(lattice, collision, precision)                                \
    static void test_mirrors_##lattice##_##collision##_##precision(void **state) { \
        (void)state;                                                               \
        check_mirrors(WEIR_##lattice, WEIR_##collision, WEIR_##precision,          \
                      MIRROR_STEP(lattice, collision, precision));                 \
    }
FOR_MIRROR_VARIANTS(TEST_MIRRORS)

int main(void) {
#define ENTRY(lattice, collision, precision) cmocka_unit_test(test_##lattice##_##collision##_##precision),
#define SCALAR_ENTRY(lattice, collision, precision) \
    cmocka_unit_test(test_scalar_##lattice##_##collision##_##precision),
#define BUOYANT_ENTRY(lattice, collision, precision) \
    cmocka_unit_test(test_buoyant_##lattice##_##collision##_##precision),
#define CONDUCTING_ENTRY(lattice, collision, precision) \
    cmocka_unit_test(test_conducting_##lattice##_##collision##_##precision),
#define MIRROR_ENTRY(lattice, collision, precision) \
    cmocka_unit_test(test_mirrors_##lattice##_##collision##_##precision),
    const struct CMUnitTest tests[] = {
        FOR_VARIANTS(ENTRY) FOR_SCALAR_VARIANTS(SCALAR_ENTRY) FOR_BUOYANT_VARIANTS(BUOYANT_ENTRY)
            FOR_CONDUCTING_VARIANTS(CONDUCTING_ENTRY) FOR_MIRROR_VARIANTS(MIRROR_ENTRY)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
