/* What GPU threads do, run on a CPU (gpu_step.cpp), against the CPU kernels: the same bits. Blocks whose rows
 * fill warps in every way: several rows to a warp, several warps to a row, ends of rows within a warp, an odd
 * number of cells. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"

#define STEP(lattice, collision, precision) weir_gpu_step_##lattice##_##collision##_##precision
#define DECLARE(...) weir_collide_stream_cpu STEP(__VA_ARGS__);
FOR_VARIANTS(DECLARE)

static void compare(const struct weir_problem *problem, weir_collide_stream_cpu *gpu_step,
                    const int block_cells[3], const char *flow) {
    const struct weir_kernels *kernels =
        weir_kernels_find(problem->lattice, problem->collision, problem->precision);
    struct weir_kernels on_gpu = *kernels;
    on_gpu.cpu.collide_stream = gpu_step;
    struct block_harness *cpu = block_harness_create(problem, kernels, block_cells, true);
    struct block_harness *gpu = block_harness_create(problem, &on_gpu, block_cells, true);
    for (int64_t step = 1; step <= 3; step++) {
        block_harness_run_to(cpu, step);
        block_harness_run_to(gpu, step);
        if (!block_harness_same(cpu, gpu))
            fail_msg("%s, %s flow, %d cells along x, blocks of %d x %d x %d, step %d: another result",
                     kernels->name, flow, problem->cells[0], block_cells[0], block_cells[1], block_cells[2],
                     (int)step);
    }
    block_harness_destroy(cpu);
    block_harness_destroy(gpu);
}

static void check(enum weir_lattice lattice, enum weir_collision collision, enum weir_precision precision,
                  weir_collide_stream_cpu *gpu_step) {
    static const struct {
        int cells_x, block[3];
    } cuts[] = {
        {132, {132, 11, 9}}, {132, {66, 6, 5}}, {40, {20, 11, 5}}, {13, {13, 11, 9}}, {13, {4, 4, 4}}};
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
            struct weir_problem problem;
            flow_problem((enum flow)flow, lattice, (flow + (int)k) % 2 == 0, &problem);
            problem.collision = collision;
            problem.precision = precision;
            problem.cells[0] = cuts[k].cells_x;
            compare(&problem, gpu_step, cuts[k].block, flow_names[flow]);
        }
}

#define WEIR_bgk WEIR_BGK
#define WEIR_trt WEIR_TRT
#define WEIR_single WEIR_SINGLE
#define WEIR_double WEIR_DOUBLE
#define WEIR_half WEIR_HALF
#define TEST(lattice, collision, precision)                                                             \
    static void test_##lattice##_##collision##_##precision(void **state) {                              \
        (void)state;                                                                                    \
        check(WEIR_##lattice, WEIR_##collision, WEIR_##precision, STEP(lattice, collision, precision)); \
    }
FOR_VARIANTS(TEST)

int main(void) {
#define ENTRY(lattice, collision, precision) cmocka_unit_test(test_##lattice##_##collision##_##precision),
    const struct CMUnitTest tests[] = {FOR_VARIANTS(ENTRY)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
