/* Results have the same bits however the domain is cut into blocks, whatever the processor, and with poison
 * where nothing may be read. That those of small blocks are right is what test_kernels.c says. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/sanitized.h"

#include <stdlib.h>
#include <string.h>

/* A collision knows nothing of blocks: two will do. */
enum { COLLISIONS = WEIR_TRT + 1 };
enum { METHODS = WEIR_ISOTHERMAL_COUNT * COLLISIONS };

static int variant_count(void) {
    return METHODS * (every_variant() ? POPULATION_PRECISIONS : 1);
}

static const int64_t steps_checked[] = {0, 1, 2, 5, 6};

static void compare_cut(const struct weir_problem *problem, const struct weir_kernels *kernels,
                        struct block_harness *const *whole, const int block_cells[3], const char *flow) {
    struct block_harness *cut = block_harness_create(problem, kernels, block_cells, true);
    for (size_t k = 0; k < sizeof steps_checked / sizeof *steps_checked; k++) {
        block_harness_run_to(cut, steps_checked[k]);
        if (!block_harness_same(cut, whole[k]))
            fail_msg("%s (%s), %s flow of %d x %d x %d cells, step %d: blocks of %d x %d x %d cells change "
                     "the result",
                     kernels->name, kernels->instruction_set, flow, problem->cells[0], problem->cells[1],
                     problem->cells[2], (int)steps_checked[k], block_cells[0], block_cells[1],
                     block_cells[2]);
    }
    block_harness_destroy(cut);
}

/* Compares cuts into `count` sizes of blocks with one block, without poison; and with
 * kernels for other instruction sets than the best where there are some to compare. */
static void compare_cuts(const struct weir_problem *problem, const int (*block_cells)[3], int count,
                         const char *flow) {
    const struct weir_kernels *kernels =
        find_kernels(problem->lattice, problem->collision, problem->precision);
    struct block_harness *whole[sizeof steps_checked / sizeof *steps_checked];
    for (size_t k = 0; k < sizeof steps_checked / sizeof *steps_checked; k++) {
        whole[k] = block_harness_create(problem, kernels, problem->cells, false);
        block_harness_run_to(whole[k], steps_checked[k]);
    }
    for (int k = 0; k < count; k++)
        compare_cut(problem, kernels, whole, block_cells[k], flow);
    for (int choice = 1;
         has_instruction_sets(problem->lattice, problem->collision, problem->precision) &&
         (kernels = find_kernels_choice(problem->lattice, problem->collision, problem->precision, choice));
         choice++)
        compare_cut(problem, kernels, whole, block_cells[0], flow);
    for (size_t k = 0; k < sizeof steps_checked / sizeof *steps_checked; k++)
        block_harness_destroy(whole[k]);
}

/* The problems of a flow: every lattice and collision, each in another precision every METHODS variants. */
static void variant_of(int variant, enum flow flow, struct weir_problem *problem) {
    const int lattice = variant % WEIR_ISOTHERMAL_COUNT;
    const int collision = variant / WEIR_ISOTHERMAL_COUNT % COLLISIONS;
    flow_problem(flow, (enum weir_lattice)lattice, variant % 3 != 0, problem);
    weir_problem_collide_by(problem, (enum weir_collision)collision);
    problem->precision =
        (enum weir_precision)((lattice + collision + variant / METHODS) % POPULATION_PRECISIONS);
}

/* Half of the variants of each flow: every flow meets every lattice, collision and precision. */
static bool has_turn(int variant, int flow) {
    const int lattice = variant % WEIR_ISOTHERMAL_COUNT,
              collision = variant / WEIR_ISOTHERMAL_COUNT % COLLISIONS, round = variant / METHODS;
    return (lattice + collision + round + flow) % 2 == 0;
}

static void test_small_blocks(void **state) {
    (void)state;
    static const int cuts[][3] = {{13, 11, 9}, {5, 4, 3},  {7, 11, 9}, {13, 11, 1},
                                  {13, 1, 9},  {1, 11, 9}, {1, 1, 1}};
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (int variant = 0; variant < variant_count(); variant++) {
            struct weir_problem problem;
            if (!has_turn(variant, flow))
                continue;
            variant_of(variant, (enum flow)flow, &problem);
            compare_cuts(&problem, cuts, sizeof cuts / sizeof *cuts, flow_names[flow]);
        }
}

/* Rows of several vectors, with whole ones and with rests, against blocks whose rows are shorter than a
 * vector. */
static void test_rows_of_vectors(void **state) {
    (void)state;
    static const int cuts[][3] = {{5, 4, 3}, {17, 11, 9}, {32, 4, 3}};
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (int variant = 0; variant < variant_count(); variant++) {
            struct weir_problem problem;
            if (!has_turn(variant, flow))
                continue;
            variant_of(variant, (enum flow)flow, &problem);
            problem.cells[0] = 53;
            compare_cuts(&problem, cuts, sizeof cuts / sizeof *cuts, flow_names[flow]);
        }
}

/* A block may be its own neighbour on both sides, and all its cells may lie at faces, edges and corners. */
static void test_thin_domains(void **state) {
    (void)state;
    static const int domains[][3] = {{1, 6, 5}, {6, 1, 5}, {6, 5, 1}, {1, 1, 5},
                                     {5, 1, 1}, {1, 1, 1}, {2, 2, 2}};
    static const int cuts[][3] = {{2, 3, 2}, {1, 1, 1}};
    for (size_t domain = 0; domain < sizeof domains / sizeof *domains; domain++)
        for (int flow = 0; flow < FLOW_BODIES; flow++)
            for (int variant = 0; variant < variant_count(); variant++) {
                struct weir_problem problem;
                if (!has_turn(variant, (int)domain + flow))
                    continue;
                variant_of(variant, (enum flow)flow, &problem);
                memcpy(problem.cells, domains[domain], sizeof problem.cells);
                if (weir_lattice_dimensions(problem.lattice) == 2)
                    problem.cells[2] = 1;
                compare_cuts(&problem, cuts, sizeof cuts / sizeof *cuts, flow_names[flow]);
            }
}

/* Rows are worked on in runs (rows.h) of at most 128 cells, with short runs at both ends of rows that are
 * longer than 48, and between solids. Solids are put beside all the borders of runs. */
static void test_long_rows(void **state) {
    (void)state;
    static const int lengths[] = {48, 49, 160, 161, 300};
    static const int cuts[][3] = {{7, 2, 2}, {49, 3, 3}, {1, 3, 3}, {160, 1, 2}};
    static const double solid_rows[][2] = {{0, 1},     {15, 16},   {16, 19},  {32, 34},
                                           {143, 144}, {171, 172}, {299, 300}};
    struct weir_shape solids[sizeof solid_rows / sizeof *solid_rows];
    for (size_t k = 0; k < sizeof solids / sizeof *solids; k++)
        solids[k] =
            (struct weir_shape){.type = WEIR_BOX,
                                .wall = WEIR_FIRST_BODY,
                                .box = {.from = {solid_rows[k][0], 1, 0}, .to = {solid_rows[k][1], 2, 2}}};
    for (size_t length = 0; length < sizeof lengths / sizeof *lengths; length++)
        for (int solid = 0; solid < 2; solid++)
            for (int variant = 0; variant < METHODS; variant++) {
                struct weir_problem problem;
                variant_of(variant, FLOW_TUBE, &problem);
                problem.cells[0] = lengths[length];
                problem.cells[1] = 3;
                problem.cells[2] = weir_lattice_dimensions(problem.lattice) == 2 ? 1 : 3;
                problem.periodic[0] = variant % 2 == 0;
                problem.wall_count = WEIR_FIRST_BODY + 1;
                problem.shapes = solids;
                problem.shape_count = solid ? sizeof solids / sizeof *solids : 0;
                compare_cuts(&problem, cuts, sizeof cuts / sizeof *cuts,
                             solid ? "long tube with solids" : "long tube");
            }
}

/* A uniform initial state needs no array of values. */
static int uniform_state(void *context, const int origin[3], const int extent[3], double *const values[4]) {
    const struct weir_problem *problem = context;
    (void)origin;
    for (int cell = 0; cell < extent[0] * extent[1] * extent[2]; cell++) {
        values[0][cell] = problem->initial_density;
        for (int axis = 0; axis < 3; axis++)
            values[1 + axis][cell] = problem->initial_velocity[axis];
    }
    return 0;
}

static void test_uniform_initial_state(void **state) {
    (void)state;
    for (int variant = 0; variant < variant_count(); variant++) {
        struct weir_problem problem;
        variant_of(variant, FLOW_BODIES, &problem);
        problem.initial_density = 1.01;
        problem.initial_velocity[0] = 0.02;
        problem.initial_velocity[1] = -0.01;
        const struct weir_kernels *kernels =
            find_kernels(problem.lattice, problem.collision, problem.precision);
        problem.initial = NULL;
        struct block_harness *plain = block_harness_create(&problem, kernels, (const int[3]){5, 4, 3}, true);
        problem.initial = uniform_state;
        struct block_harness *array = block_harness_create(&problem, kernels, (const int[3]){6, 11, 2}, true);
        for (int64_t step = 0; step < 2; step++) {
            block_harness_run_to(plain, step);
            block_harness_run_to(array, step);
            assert_true(block_harness_same(plain, array));
        }
        block_harness_destroy(plain);
        block_harness_destroy(array);
    }
}

static size_t count_nan(const struct block_harness *h, const void *reals, size_t bytes) {
    size_t count = 0;
    for (size_t at = 0; at < bytes; at += h->kernels->stored_size)
        if (isnan(block_harness_read(h, (const char *)reals + at)))
            count++;
    return count;
}

/* Poison lies in what no step may read: solid cells, and the messages that the first step writes. */
static void test_poison_is_there(void **state) {
    (void)state;
    for (int poison = 0; poison < 2; poison++) {
        struct weir_problem problem;
        flow_problem(FLOW_BODIES, WEIR_D3Q19, false, &problem);
        const struct weir_kernels *kernels =
            find_kernels(problem.lattice, problem.collision, problem.precision);
        struct block_harness *h = block_harness_create(&problem, kernels, problem.cells, poison);
        const struct harness_block *block = &h->blocks[0];
        size_t solid_cells = 0;
        for (int cell = 0; cell < 13 * 11 * 9; cell++)
            solid_cells += block_harness_solid(h, (const int[3]){cell % 13, cell / 13 % 11, cell / 13 / 11});
        const size_t message = block->messages.bytes[1];
        const size_t all = 19 * weir_layout_stride(13 * 11 * 9, sizeof(float)) * sizeof(float);
        assert_int_equal(count_nan(h, block->messages.message[0][1], message),
                         poison ? message / sizeof(float) : 0);
        const size_t in_populations = count_nan(h, block->populations, all);
        assert_true(poison ? in_populations >= 19 * solid_cells : in_populations == 0);
        block_harness_destroy(h);
    }
}

/* The comparison itself notices the last bit of one population. */
static void test_comparison_sees_one_bit(void **state) {
    (void)state;
    struct weir_problem problem;
    flow_problem(FLOW_BODIES, WEIR_D3Q19, true, &problem);
    const struct weir_kernels *kernels = find_kernels(problem.lattice, problem.collision, problem.precision);
    struct block_harness *a = block_harness_create(&problem, kernels, problem.cells, true);
    struct block_harness *b = block_harness_create(&problem, kernels, (const int[3]){5, 4, 3}, true);
    assert_true(block_harness_same(a, b));
    *(unsigned char *)block_harness_population(b, (const int[3]){5, 4, 3}, 7) ^= 1;
    assert_false(block_harness_same(a, b));
    block_harness_destroy(a);
    block_harness_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparison_sees_one_bit),
        cmocka_unit_test(test_poison_is_there),
        cmocka_unit_test(test_small_blocks),
        cmocka_unit_test(test_rows_of_vectors),
        cmocka_unit_test(test_thin_domains),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_uniform_initial_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
