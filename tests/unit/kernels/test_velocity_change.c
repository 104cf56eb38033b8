/* How much a velocity changed between two looks, against the velocities themselves. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"

#include <stdlib.h>
#include <string.h>

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Velocities of a block, [3][cells], rounded to single precision; NaN in solid cells. */
static void velocities(const struct block_harness *h, int block, float *velocity) {
    const struct weir_block_view view = block_harness_view(h, block);
    const size_t cells = (size_t)weir_box_cells(&h->blocks[block].box), size = h->kernels->real_size;
    struct weir_local_box box = {.origin = {0, 0, 0}};
    memcpy(box.extent, h->blocks[block].box.extent, sizeof box.extent);
    char *values = malloc(4 * cells * size);
    assert_non_null(values);
    h->kernels->cpu.macroscopic(&view, &h->fluid, block_harness_parity(h), &box, values);
    for (size_t k = 0; k < 3 * cells; k++)
        velocity[k] = (float)block_harness_read_real(h, values + (cells + k) * size);
    free(values);
}

/* Looks at a block again: the change is that of the velocities since `previous`, which is then what they are
 * now. */
static void look(const struct block_harness *h, int block, float *previous) {
    const struct weir_block_view view = block_harness_view(h, block);
    const size_t components = 3 * (size_t)weir_box_cells(&h->blocks[block].box);
    float *now = malloc(components * sizeof *now);
    assert_non_null(now);
    velocities(h, block, now);
    double change = 0, speed = 0;
    for (size_t k = 0; k < components; k++)
        if (!isnan(now[k])) {
            change = fmax(change, fabs((double)now[k] - (double)previous[k]));
            speed = fmax(speed, fabs((double)now[k]));
        }
    struct weir_partial_change result;
    memset(&result, 0xa5, sizeof result); /* written as a whole, so what was there does not matter */
    h->kernels->cpu.velocity_change(&view, &h->fluid, block_harness_parity(h), 0,
                                    view.extent[1][1] * view.extent[2][1], previous, &result);
    assert_close(double_of(result.largest_change), change, 0);
    assert_close(double_of(result.largest_speed), speed, 0);
    for (size_t k = 0; k < components; k++)
        if (!isnan(now[k]))
            assert_true(previous[k] == now[k]);
    free(now);
}

static void test_change(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int precision = 0; precision < WEIR_PRECISION_COUNT; precision++) {
            struct weir_problem problem;
            flow_problem(FLOW_BODIES, (enum weir_lattice)lattice, true, &problem);
            weir_problem_keep(&problem, (enum weir_precision)precision);
            if (!weir_collision_on(problem.collision, problem.lattice))
                continue;
            struct block_harness *h = block_harness_create(
                &problem, find_kernels(problem.lattice, problem.collision, problem.precision),
                (const int[3]){7, 11, 4}, true);
            for (int block = 0; block < h->grid.total; block++) {
                float *previous = calloc(3 * (size_t)weir_box_cells(&h->blocks[block].box), sizeof *previous);
                assert_non_null(previous);
                block_harness_run_to(h, h->step + 1);
                look(h, block, previous);
                look(h, block, previous); /* nothing has changed */
                block_harness_run_to(h, h->step + 2);
                look(h, block, previous);
                free(previous);
            }
            block_harness_destroy(h);
        }
}

/* A flow of NaN is not steady. */
static void test_nan_is_never_lost(void **state) {
    (void)state;
    struct weir_problem problem;
    flow_problem(FLOW_PERIODIC, WEIR_D3Q19, false, &problem);
    struct block_harness *h = block_harness_create(
        &problem, find_kernels(problem.lattice, problem.collision, problem.precision), problem.cells, true);
    const struct weir_block_view view = block_harness_view(h, 0);
    float *previous = calloc(3 * (size_t)weir_box_cells(&h->blocks[0].box), sizeof *previous);
    assert_non_null(previous);
    block_harness_write(h, block_harness_population(h, (const int[3]){6, 5, 4}, 3), (double)-NAN);
    struct weir_partial_change result;
    h->kernels->cpu.velocity_change(&view, &h->fluid, 0, 0, view.extent[1][1] * view.extent[2][1], previous,
                                    &result);
    assert_true(isnan(double_of(result.largest_change)));
    assert_true(isnan(double_of(result.largest_speed)));
    free(previous);
    block_harness_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_change),
                                       cmocka_unit_test(test_nan_is_never_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
