/* Slabs: which block belongs to which, that neighbours are in the same or in the next one, how many steps
 * they take, and that what is said of their speed is what two limits say: nothing is moved, and all is. */
#include "graph/plan/slab_plan.h"
#include "graph/problem/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct weir_block_grid grid_of(int x, int y, int z, const int block[3], bool periodic) {
    struct weir_problem problem;
    struct weir_block_grid grid;
    weir_problem_default(&problem);
    problem.lattice = z > 1 ? WEIR_D3Q19 : WEIR_D2Q9;
    problem.cells[0] = x;
    problem.cells[1] = y;
    problem.cells[2] = z;
    for (int axis = 0; axis < 3; axis++)
        problem.periodic[axis] = periodic;
    assert_int_equal(weir_block_grid_create(&problem, block, &grid), 0);
    return grid;
}

static void assert_neighbours_near(const struct weir_block_grid *grid) {
    for (int block = 0; block < grid->total; block++)
        for (int k = 0; k < 27; k++) {
            const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            const int neighbour = weir_block_grid_neighbour(grid, block, offset);
            if (neighbour >= 0)
                assert_in_range(weir_slab_of(grid, neighbour) - weir_slab_of(grid, block) + 1, 0, 2);
        }
}

static void test_neighbours_are_near(void **state) {
    (void)state;
    static const struct {
        int cells[3], block[3];
        bool periodic;
        int axis, slabs;
    } row[] = {{{8, 8, 20}, {8, 8, 2}, false, 2, 10}, {{8, 8, 20}, {4, 3, 2}, false, 2, 10},
               {{8, 8, 20}, {8, 8, 2}, true, 2, 5},   {{8, 8, 18}, {4, 8, 2}, true, 2, 5},
               {{8, 30, 1}, {8, 4, 1}, false, 1, 8},  {{30, 8, 8}, {5, 8, 8}, false, 0, 6},
               {{8, 8, 8}, {8, 8, 8}, true, 2, 1}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const struct weir_block_grid grid =
            grid_of(row[k].cells[0], row[k].cells[1], row[k].cells[2], row[k].block, row[k].periodic);
        assert_int_equal(weir_slab_axis(&grid), row[k].axis);
        assert_int_equal(weir_slab_count(&grid), row[k].slabs);
        assert_neighbours_near(&grid);
        for (int slab = 0; slab < row[k].slabs; slab++) {
            int blocks = 0;
            for (int block = 0; block < grid.total; block++)
                blocks += weir_slab_of(&grid, block) == slab;
            assert_true(blocks > 0);
        }
    }
}

static void test_steps(void **state) {
    (void)state;
    const struct weir_block_grid grid = grid_of(8, 8, 200, (const int[]){8, 8, 2}, false);
    struct weir_slab_plan plan;
    assert_int_equal(weir_slab_plan_make(&grid, 10, 409, 1, &plan), 0);
    assert_int_equal(plan.count, 100);
    assert_int_equal(plan.places, 40);
    assert_int_equal(plan.steps, 32);
    assert_int_equal(weir_slab_waves(&plan, plan.steps), 131);
    assert_int_equal(weir_slab_plan_make(&grid, 10, 409, 5, &plan), 0);
    assert_int_equal(plan.steps, 6);
    assert_int_equal(weir_slab_plan_make(&grid, 10, 50, 1, &plan), 0); /* as little as does */
    assert_int_equal(plan.steps, 1);
    assert_true(weir_slab_plan_make(&grid, 10, 49, 1, &plan) < 0);
    assert_true(weir_slab_plan_make(&grid, 10, 50, 2, &plan) < 0);
    assert_int_equal(weir_slab_plan_make(&grid, 10, 1e9, 1, &plan), 0); /* all have room */
    assert_int_equal(plan.places, 100);
}

static void test_speed(void **state) {
    (void)state;
    const struct weir_block_grid grid = grid_of(8, 8, 200, (const int[]){8, 8, 2}, false);
    struct weir_slab_plan plan;
    assert_int_equal(weir_slab_plan_make(&grid, 10, 400, 1, &plan), 0);
    assert_float_equal(weir_slab_plan_efficiency(&plan, 1, 1, 0), 1, 1e-12);
    assert_float_equal(weir_slab_plan_efficiency(&plan, 1, 1, plan.steps), 1, 1e-12); /* hidden */
    assert_float_equal(weir_slab_plan_efficiency(&plan, 2, 1, 0), 0.5, 1e-12);
    /* Forty slabs need not be moved, and sixty wait twice as long as their steps take. */
    assert_float_equal(weir_slab_plan_efficiency(&plan, 1, 1, 2 * plan.steps), 1 / 1.6, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours_are_near),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
