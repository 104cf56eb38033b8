/* Whether a domain has any fluid, and which blocks have, against a look at every cell. */
#include "graph/base/error.h"
#include "graph/problem/fluid_search.h"
#include "graph/problem/geometry.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPES = 12 };

static struct weir_problem problem_of(int nx, int ny, int nz, struct weir_shape *shapes, int count) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){nx, ny, nz}, sizeof problem.cells);
    problem.shapes = shapes;
    problem.shape_count = count;
    return problem;
}

static bool any_fluid(const struct weir_problem *problem) {
    for (int z = 0; z < problem->cells[2]; z++)
        for (int y = 0; y < problem->cells[1]; y++)
            for (int x = 0; x < problem->cells[0]; x++)
                if (weir_geometry_wall(problem, (const int[3]){x, y, z}) == 0)
                    return true;
    return false;
}

static double between(double low, double high) {
    return low + (high - low) * rand() / RAND_MAX;
}

static struct weir_shape any_shape(const int cells[3]) {
    struct weir_shape shape = {.type = (enum weir_shape_type)(rand() % 3), .wall = WEIR_FIRST_BODY};
    for (int axis = 0; axis < 3; axis++) {
        const double place = between(0, cells[axis]);
        if (shape.type == WEIR_BOX) {
            shape.box.from[axis] = place - between(0, 7);
            shape.box.to[axis] = place + between(0, 7);
        } else if (shape.type == WEIR_SPHERE) {
            shape.sphere.center[axis] = place;
            shape.sphere.radius = between(2, 8);
        } else {
            shape.cylinder.center[axis] = place;
            shape.cylinder.axis = rand() % 3;
            shape.cylinder.radius = between(2, 6);
            shape.cylinder.length = rand() % 2 ? HUGE_VAL : between(2, 12);
        }
    }
    return shape;
}

/* About half of these are full. */
static void test_random_domains(void **state) {
    (void)state;
    int full = 0, tried = 2000;
    srand(12);
    for (int trial = 0; trial < tried; trial++) {
        struct weir_shape shapes[SHAPES];
        struct weir_problem problem =
            problem_of(1 + rand() % 9, 1 + rand() % 9, 1 + rand() % 9, shapes, 1 + rand() % SHAPES);
        for (int axis = 0; axis < 3; axis++)
            problem.periodic[axis] = rand() % 2;
        for (int k = 0; k < problem.shape_count; k++)
            shapes[k] = any_shape(problem.cells);
        const bool fluid = any_fluid(&problem);
        assert_int_equal(weir_fluid_search(&problem), fluid ? 0 : -WEIR_USAGE);
        full += !fluid;
    }
    assert_true(full > tried / 8 && full < 7 * tried / 8);
}

/* 10^12 cells: none of them can be looked at one by one. */
static void test_large_domains(void **state) {
    (void)state;
    struct weir_shape shapes[3] = {
        {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {5000, 10000, 10000}}},
        {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY, .sphere = {{10000, 5000, 5000}, 8700}},
        {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{1e4, 1e4, 1e4}, {1e4, 1e4, 1e4}}},
    };
    const struct weir_problem problem = problem_of(10000, 10000, 10000, shapes, 3);
    assert_int_equal(weir_fluid_search(&problem), -WEIR_USAGE);
    shapes[1].sphere.center[0] = 9999.5; /* all but one cell, in a corner */
    shapes[1].sphere.center[1] = shapes[1].sphere.center[2] = 9999.5;
    shapes[1].sphere.radius = sqrt(3) * 9999 - 1e-3;
    shapes[0].box.to[0] = 0.25;
    assert_int_equal(weir_fluid_search(&problem), 0);
    shapes[1].sphere.radius += 2e-3;
    assert_int_equal(weir_fluid_search(&problem), -WEIR_USAGE);
}

/* Which blocks are solid, by any number of lookers, against a look at every cell. */
static void test_blocks(void **state) {
    (void)state;
    int solid_blocks = 0, all_blocks = 0;
    srand(31);
    for (int trial = 0; trial < 500; trial++) {
        struct weir_shape shapes[SHAPES];
        struct weir_problem problem =
            problem_of(1 + rand() % 19, 1 + rand() % 19, 1 + rand() % 19, shapes, 1 + rand() % SHAPES);
        struct weir_block_grid grid;
        for (int axis = 0; axis < 3; axis++)
            problem.periodic[axis] = rand() % 2;
        for (int k = 0; k < problem.shape_count; k++)
            shapes[k] = any_shape(problem.cells);
        assert_int_equal(
            weir_block_grid_create(&problem, (int[3]){1 + rand() % 6, 1 + rand() % 6, 1 + rand() % 6}, &grid),
            0);
        const int parts = 1 + rand() % 3;
        bool *solid[3];
        for (int part = 0; part < parts; part++) {
            solid[part] = malloc(sizeof **solid * (size_t)grid.total);
            assert_int_equal(weir_fluid_search_blocks(&problem, &grid, part, parts, solid[part]), 0);
        }
        for (int block = 0; block < grid.total; block++) {
            const struct weir_box box = weir_block_grid_box(&grid, block);
            const bool is_solid = weir_geometry_count(&problem, &box) == 0;
            for (int part = 0; part < parts; part++)
                assert_int_equal(solid[part][block], is_solid && block % parts == part);
            solid_blocks += is_solid;
        }
        all_blocks += grid.total;
        for (int part = 0; part < parts; part++)
            free(solid[part]);
    }
    assert_true(solid_blocks > all_blocks / 8 && solid_blocks < 7 * all_blocks / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_domains),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_large_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
