/* Steps of GPUs that are compiled for constants of some blocks, run on a CPU (gpu_step.cpp), against the CPU
 * kernels: the same bits, for the blocks that have the constants; other blocks of the run take the CPU's
 * kernel. And which constants blocks have in common. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"

#include "graph/base/error.h"
#include "graph/plan/common_constants.h"
#include "graph/problem/problem_kernels.h"

#include <stdlib.h>
#include <string.h>

#define WEIR_bgk WEIR_BGK
#define WEIR_trt WEIR_TRT
#define WEIR_single WEIR_SINGLE
#define WEIR_double WEIR_DOUBLE
#define WEIR_half WEIR_HALF
#define UNPACK(...) \
    { __VA_ARGS__ }

/* Cases: what gpu_step.cpp has been compiled with for each (meson.build), and the flow whose blocks have it.
 */
struct constants_case {
    const char *name;
    enum weir_lattice lattice;
    enum weir_collision collision;
    enum weir_precision precision;
    enum flow flow;
    int cells_x, block[3];
    struct weir_constants constants;
    weir_collide_stream_cpu *step;
    int fitting; /* blocks, of those the harness cuts */
};

#define DECLARE(name, ...) weir_collide_stream_cpu weir_gpu_step_constants_##name;
FOR_CONSTANTS(DECLARE)

#define ROW(name_, lattice_, collision_, precision_, flow_, cells_x_, block_, x, y, z, stride_, bodies_, \
            open_, moving, fitting_)                                                                     \
    {.name = #name_,                                                                                     \
     .lattice = WEIR_##lattice_,                                                                         \
     .collision = WEIR_##collision_,                                                                     \
     .precision = WEIR_##precision_,                                                                     \
     .flow = flow_,                                                                                      \
     .cells_x = cells_x_,                                                                                \
     .block = UNPACK block_,                                                                             \
     .constants = {.extent = {UNPACK x, UNPACK y, UNPACK z},                                             \
                   .stride = stride_,                                                                    \
                   .bodies = bodies_,                                                                    \
                   .open = open_,                                                                        \
                   .moving_faces = moving},                                                              \
     .step = weir_gpu_step_constants_##name_,                                                            \
     .fitting = fitting_},
static const struct constants_case cases[] = {FOR_CONSTANTS(ROW)};

/* What the harness's kernels are: one case at a time. */
static const struct constants_case *running;
static weir_collide_stream_cpu *general;
static int steps_taken;

static void step_of_some(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                         int row_begin, int row_end) {
    if (!weir_constants_fit(&running->constants, b, fluid)) {
        general(b, fluid, parity, row_begin, row_end);
        return;
    }
    running->step(b, fluid, parity, row_begin, row_end);
    steps_taken += row_begin == 0;
}

static void check(const struct constants_case *c, bool forced) {
    enum { STEPS = 4 };
    struct weir_problem problem;
    const struct weir_kernels *kernels;
    flow_problem(c->flow, c->lattice, forced, &problem);
    problem.collision = c->collision;
    problem.precision = c->precision;
    problem.cells[0] = c->cells_x;
    if (weir_problem_kernels(&problem, WEIR_BRICK, WEIR_KERNELS_CPU, &kernels) < 0)
        fail_msg("%s", weir_error_text());
    struct weir_kernels special = *kernels;
    special.cpu.collide_stream = step_of_some;
    running = c;
    general = kernels->cpu.collide_stream;
    steps_taken = 0;
    struct block_harness *a = block_harness_create(&problem, kernels, c->block, true),
                         *b = block_harness_create(&problem, &special, c->block, true);
    for (int64_t step = 1; step <= STEPS; step++) {
        block_harness_run_to(a, step);
        block_harness_run_to(b, step);
        if (!block_harness_same(a, b))
            fail_msg("%s, %s flow, step %d: another result", c->name, flow_names[c->flow], (int)step);
    }
    if (steps_taken != STEPS * c->fitting)
        fail_msg("%s: %d steps of blocks with these constants instead of %d", c->name, steps_taken,
                 STEPS * c->fitting);
    block_harness_destroy(a);
    block_harness_destroy(b);
}

static void test_the_same_bits(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        check(&cases[k], false);
        check(&cases[k], true);
    }
}

/* ---- which constants there are ---------------------------------------------------------------------------
 */

/* A brick without solids, with neighbours as large as it is but along x, given. */
static struct weir_constants brick(int before, int nx, int after, int side) {
    return (struct weir_constants){.extent = {{before, nx, after}, {side, side, side}, {side, side, side}},
                                   .stride = (int64_t)nx * side * side + 16};
}

static struct weir_common_constants choose(const struct weir_constants *blocks, int count) {
    struct weir_common_constants common = {.count = 0};
    for (int k = 0; k < count; k++)
        weir_common_constants_add(&common, &blocks[k]);
    weir_common_constants_choose(&common);
    return common;
}

static void check_along_x(const struct weir_alike_blocks *blocks, int before, int own, int after) {
    const int wanted[3] = {before, own, after};
    assert_memory_equal(blocks->constants.extent[0], wanted, sizeof wanted);
}

static void test_blocks_alike_have_all_constants(void **state) {
    (void)state;
    const struct weir_constants blocks[] = {brick(32, 32, 32, 32), brick(32, 32, 32, 32)};
    const struct weir_common_constants common = choose(blocks, 2);
    assert_int_equal(common.count, 1);
    assert_int_equal(common.kind[0].cells, 2 * 32 * 32 * 32);
    check_along_x(&common.kind[0], 32, 32, 32);
    assert_int_equal(common.kind[0].constants.stride, 32 * 32 * 32 + 16);
    assert_int_equal(common.kind[0].constants.bodies, 0);
}

/* A row of blocks between walls, of which the last is shorter. */
static void test_what_differs_is_no_constant(void **state) {
    (void)state;
    struct weir_constants blocks[] = {brick(0, 32, 32, 32), brick(32, 32, 32, 32), brick(32, 32, 20, 32),
                                      brick(32, 20, 0, 32)};
    blocks[1].bodies = 1;
    const struct weir_common_constants common = choose(blocks, 4);
    assert_int_equal(common.count, 2);
    check_along_x(&common.kind[0], WEIR_OR_END(32), 32, WEIR_DIFFERS);
    assert_int_equal(common.kind[0].constants.bodies, WEIR_DIFFERS);
    check_along_x(&common.kind[1], 32, 20, 0);
}

static void test_most_cells_come_first_and_few_are_taken(void **state) {
    (void)state;
    struct weir_constants blocks[] = {brick(8, 8, 8, 8), brick(9, 9, 9, 8), brick(64, 64, 64, 8),
                                      brick(9, 9, 9, 8)};
    blocks[2].open = true;
    const struct weir_common_constants common = choose(blocks, 4);
    assert_int_equal(common.count, WEIR_COMMON_CONSTANTS_BEST);
    assert_int_equal(common.kind[0].constants.extent[0][1], 64);
    assert_true(common.kind[0].constants.open);
    assert_int_equal(common.kind[1].constants.extent[0][1], 9);
}

static void test_no_blocks(void **state) {
    (void)state;
    assert_int_equal(choose(NULL, 0).count, 0);
}

/* 13 cells in blocks of 4 make four blocks, the last of 1; along y walls, along z around. */
static void test_of_a_grid(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_block_grid grid;
    struct weir_common_constants common;
    flow_problem(FLOW_RUBBLE, WEIR_D3Q19, false, &problem);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){4, 11, 9}, &grid), 0);
    weir_common_constants_of_grid(&problem, &grid, &common);
    assert_int_equal(common.count, 2);
    check_along_x(&common.kind[0], WEIR_OR_END(4), 4, WEIR_DIFFERS);
    check_along_x(&common.kind[1], 4, 1, 0);
    assert_int_equal(common.kind[0].cells, 3 * 4 * 11 * 9);
    for (int kind = 0; kind < 2; kind++) {
        const struct weir_constants *c = &common.kind[kind].constants;
        assert_memory_equal(c->extent[1], ((const int[]){0, 11, 0}), sizeof c->extent[1]);
        assert_memory_equal(c->extent[2], ((const int[]){9, 9, 9}), sizeof c->extent[2]);
        assert_int_equal(c->bodies, 1);
        assert_int_equal(c->moving_faces, 1 << 1 | 1 << 3);
        assert_false(c->open);
    }
}

/* ---- how they get into objects ---------------------------------------------------------------------------
 */

static void test_definitions_and_names(void **state) {
    (void)state;
    struct weir_kernel_specification s = weir_kernel_specification(WEIR_D3Q19, WEIR_TRT, WEIR_SINGLE);
    struct weir_constants constants = brick(0, 64, WEIR_DIFFERS, 32);
    struct weir_kernel_object *objects = NULL, *general_objects = NULL;
    int count = 0, general_count = 0;
    constants.bodies = WEIR_DIFFERS;
    assert_int_equal(weir_kernel_special_objects_of(&s, &constants, "sm_90", &objects, &count), 0);
    assert_int_equal(count, 2); /* parities */
    for (int k = 0; k < count; k++) {
        char name[NAME_MAX];
        weir_kernel_object_file(&objects[k], name);
        assert_non_null(strstr(name, k == 0 ? "PARITY0" : "PARITY1"));
        assert_non_null(strstr(name, "_64x32x32.sm_90"));
        assert_string_equal(name + strlen(name) - strlen(weir_kernel_some_blocks_ending),
                            weir_kernel_some_blocks_ending);
        assert_string_equal(weir_definition(&objects[k].definitions, "WEIR_EXTENT_X"), "0,64,-1");
        assert_string_equal(weir_definition(&objects[k].definitions, "WEIR_STRIDE"), "65552");
        assert_null(weir_definition(&objects[k].definitions, "WEIR_BODIES"));
    }
    assert_int_equal(weir_kernel_objects_of(&s, NULL, "sm_90", &general_objects, &general_count), 0);
    for (int k = 0; k < general_count; k++)
        assert_false(general_objects[k].for_some_blocks);
    free(objects);
    free(general_objects);
}

/* Kernels with constants come while others launch: found for blocks that have these, and for no others. There
 * is no GPU, so nothing has to be compiled. */
static void test_found_where_they_fit(void **state) {
    (void)state;
    const struct weir_kernel_specification s = weir_kernel_specification(WEIR_D3Q19, WEIR_TRT, WEIR_SINGLE);
    const struct weir_kernel_patience patience = {.compile = false};
    const struct weir_fluid fluid = {.moving_faces = 0};
    struct weir_kernel_news news;
    const struct weir_kernels *const kernels = weir_kernels_find(&s, 0, &news);
    struct weir_block_view view = {.extent = {{0, 8, 8}, {8, 8, 8}, {8, 8, 8}}, .stride = 528};
    const struct weir_constants constants = {
        .extent = {{WEIR_DIFFERS, 8, 8}, {8, 8, WEIR_OR_END(8)}, {8, 8, 8}}, .stride = 528};
    if (weir_cuda_architectures((char[1][16]){""}, 1) > 0)
        skip(); /* then they would have to be compiled */
    assert_null(weir_special_steps_for(kernels, &view, &fluid));
    assert_int_equal(weir_kernels_specialise(kernels, &constants, &patience, &news), 0);
    const struct weir_special_steps *const steps = weir_special_steps_for(kernels, &view, &fluid);
    assert_non_null(steps);
    view.extent[0][0] = 5;
    assert_ptr_equal(weir_special_steps_for(kernels, &view, &fluid), steps);
    view.extent[0][2] = 5;
    assert_null(weir_special_steps_for(kernels, &view, &fluid));
    view.extent[0][2] = 8;
    view.extent[1][2] = 0;
    assert_ptr_equal(weir_special_steps_for(kernels, &view, &fluid), steps);
    view.extent[1][2] = 7;
    assert_null(weir_special_steps_for(kernels, &view, &fluid));
    view.extent[1][2] = 8;
    view.bodies = true;
    assert_null(weir_special_steps_for(kernels, &view, &fluid));
    view.bodies = false;
    view.stride++;
    assert_null(weir_special_steps_for(kernels, &view, &fluid));
    view.stride--;
    assert_null(weir_special_steps_for(kernels, &view, &(struct weir_fluid){.moving_faces = 1}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_bits),
        cmocka_unit_test(test_blocks_alike_have_all_constants),
        cmocka_unit_test(test_what_differs_is_no_constant),
        cmocka_unit_test(test_most_cells_come_first_and_few_are_taken),
        cmocka_unit_test(test_no_blocks),
        cmocka_unit_test(test_of_a_grid),
        cmocka_unit_test(test_definitions_and_names),
        cmocka_unit_test(test_found_where_they_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
