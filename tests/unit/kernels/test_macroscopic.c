/* Density and velocity of boxes of cells. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"

#include <stdlib.h>
#include <string.h>

/* What must not be overwritten behind an array of values. */
static const double guard = -7.25;

/* The values of a box, [4][cells of the box], as doubles; the caller frees. Fails where the kernel writes
 * more. */
static double *observe(const struct block_harness *h, int block, const struct weir_local_box *box) {
    const size_t count = 4 * (size_t)box->extent[0] * (size_t)box->extent[1] * (size_t)box->extent[2];
    const size_t guards = 64, size = h->kernels->real_size;
    char *reals = malloc((count + guards) * size);
    double *values = malloc(count * sizeof *values);
    assert_non_null(reals);
    assert_non_null(values);
    for (size_t k = 0; k < count + guards; k++)
        block_harness_write_real(h, reals + k * size, guard);
    const struct weir_block_view view = block_harness_view(h, block);
    h->kernels->cpu.macroscopic(&view, &h->fluid, block_harness_parity(h), box, reals);
    for (size_t k = 0; k < count; k++)
        values[k] = block_harness_read_real(h, reals + k * size);
    for (size_t k = count; k < count + guards; k++)
        assert_close(block_harness_read_real(h, reals + k * size), guard, 0);
    free(reals);
    return values;
}

/* Value k of a cell given in the block's coordinates. */
static double value_at(const double *values, const struct weir_local_box *box, int k, const int local[3]) {
    size_t at = (size_t)k;
    for (int axis = 2; axis >= 0; axis--)
        at = at * (size_t)box->extent[axis] + (size_t)(local[axis] - box->origin[axis]);
    return values[at];
}

#define FOR_CELLS(box, cell)                                                                               \
    for (int cell[3] = {0, 0, (box)->origin[2]}; cell[2] < (box)->origin[2] + (box)->extent[2]; cell[2]++) \
        for (cell[1] = (box)->origin[1]; cell[1] < (box)->origin[1] + (box)->extent[1]; cell[1]++)         \
            for (cell[0] = (box)->origin[0]; cell[0] < (box)->origin[0] + (box)->extent[0]; cell[0]++)

static void compare_block(const struct block_harness *h, const struct reference *reference, int block) {
    const struct weir_box *place = &h->blocks[block].box;
    static const double tolerances[] = {
        [WEIR_SINGLE] = 5e-7,         [WEIR_DOUBLE] = 1e-14,         [WEIR_HALF] = 2e-4,
        [WEIR_MOMENTS_SINGLE] = 5e-7, [WEIR_MOMENTS_DOUBLE] = 1e-14, [WEIR_MOMENTS_MIXED] = 5e-6};
    const double tolerance = tolerances[h->problem->precision];
    struct weir_local_box whole = {.origin = {0, 0, 0}};
    memcpy(whole.extent, place->extent, sizeof whole.extent);
    double *values = observe(h, block, &whole);
    FOR_CELLS(&whole, local) {
        const int cell[3] = {place->origin[0] + local[0], place->origin[1] + local[1],
                             place->origin[2] + local[2]};
        double expected[WEIR_INITIAL_MAX];
        if (block_harness_solid(h, cell)) {
            for (int k = 0; k < 4; k++)
                assert_true(isnan(value_at(values, &whole, k, local)));
            continue;
        }
        reference_moments(reference, cell, expected, expected + 1);
        for (int k = 0; k < 4; k++)
            assert_close(value_at(values, &whole, k, local), expected[k], tolerance);
    }
    free(values);
}

static void test_against_reference(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int precision = 0; precision < WEIR_PRECISION_COUNT; precision++)
            for (int forced = 0; forced < 2; forced++) {
                struct weir_problem problem;
                flow_problem(FLOW_BODIES, (enum weir_lattice)lattice, forced, &problem);
                weir_problem_keep(&problem, (enum weir_precision)precision);
                if (!weir_collision_on(problem.collision, problem.lattice))
                    continue;
                struct block_harness *h = block_harness_create(
                    &problem, find_kernels(problem.lattice, problem.collision, problem.precision),
                    (const int[3]){5, 4, 3}, true);
                struct reference *reference = reference_create(&problem);
                for (int64_t step = 0; step < 4; step++) {
                    block_harness_run_to(h, step);
                    for (int block = 0; block < h->grid.total; block++)
                        compare_block(h, reference, block);
                    reference_step(reference);
                }
                reference_destroy(reference);
                block_harness_destroy(h);
            }
}

/* The velocity asked for at the beginning is the one seen, whatever the force. */
static void test_initial_state(void **state) {
    (void)state;
    struct weir_problem problem;
    flow_problem(FLOW_PERIODIC, WEIR_D3Q19, true, &problem);
    problem.precision = WEIR_DOUBLE;
    struct block_harness *h = block_harness_create(
        &problem, find_kernels(problem.lattice, problem.collision, problem.precision), problem.cells, true);
    const struct weir_local_box whole = {{0, 0, 0}, {13, 11, 9}};
    double *values = observe(h, 0, &whole);
    FOR_CELLS(&whole, cell) {
        double expected[WEIR_INITIAL_MAX];
        reference_initial(&problem, cell, expected);
        for (int k = 0; k < 4; k++)
            assert_close(value_at(values, &whole, k, cell), expected[k], 1e-15);
    }
    free(values);
    block_harness_destroy(h);
}

/* Every part of a row gives what the whole row gives there; rows are long enough to be worked on in several
 * spans (rows.h). */
static void test_boxes(void **state) {
    (void)state;
    struct weir_shape solid = {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{40, 1, 0}, {43, 2, 3}}};
    struct weir_problem problem;
    flow_problem(FLOW_TUBE, WEIR_D3Q19, true, &problem);
    memcpy(problem.cells, (const int[3]){60, 3, 3}, sizeof problem.cells);
    problem.wall_count = WEIR_FIRST_BODY + 1;
    problem.shapes = &solid;
    problem.shape_count = 1;
    struct block_harness *h = block_harness_create(
        &problem, find_kernels(problem.lattice, problem.collision, problem.precision), problem.cells, true);
    block_harness_run_to(h, 3);
    const struct weir_local_box whole = {{0, 0, 0}, {60, 3, 3}};
    double *expected = observe(h, 0, &whole);
    for (int first = 0; first < 60; first++)
        for (int end = first + 1; end <= 60; end++) {
            const struct weir_local_box box = {{first, first % 2, end % 3}, {end - first, 2, 1}};
            double *values = observe(h, 0, &box);
            FOR_CELLS(&box, cell)
            for (int k = 0; k < 4; k++) {
                const double is = value_at(values, &box, k, cell),
                             should = value_at(expected, &whole, k, cell);
                assert_true(is == should || (isnan(is) && isnan(should)));
            }
            free(values);
        }
    free(expected);
    block_harness_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_reference),
        cmocka_unit_test(test_initial_state),
        cmocka_unit_test(test_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
