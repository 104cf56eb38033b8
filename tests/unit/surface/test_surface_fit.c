/* What follows from the cells around a point of a wall: polynomials of the order that is fitted are found as
 * they are, whatever way the wall faces, at edges of the domain and around periodic ones. */
#include "src/surface/surface_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 20 };

/* A slab that begins at one end of an axis; the other axes are periodic. */
static struct weir_problem slab(struct weir_shape *shape, int axis, bool high, int thick) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    *shape = (struct weir_shape){.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {N, N, N}}};
    for (int k = 0; k < 3; k++) {
        problem.cells[k] = N;
        problem.periodic[k] = k != axis;
    }
    shape->box.from[axis] = high ? N - thick : 0;
    shape->box.to[axis] = high ? N : thick;
    problem.wall_count = WEIR_FIRST_BODY + 1;
    problem.shapes = shape;
    problem.shape_count = 1;
    return problem;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Sums over the cells of what is `value` plus its gradient, and of a polynomial of second order without a
 * constant whose gradient is the same. */
static void check(const struct weir_problem *problem, const struct weir_surface_sample *sample) {
    static const double gradient[3] = {0.3, -0.7, 1.1}, value = 2.5;
    static const double curved[3][3] = {{0.2, -0.1, 0.05}, {-0.1, 0.3, 0.15}, {0.05, 0.15, -0.25}};
    struct weir_cell_walls *walls;
    struct weir_surface_fit fit;
    double linear = 0, slope = 0;
    assert_int_equal(weir_cell_walls_create(problem, &walls), 0);
    assert_int_equal(weir_surface_fit(problem, walls, sample, &fit), 0);
    assert_in_range(fit.count, 60, WEIR_FIT_CELLS);
    for (int k = 0; k < fit.count; k++) {
        const double *way = fit.cells[k].way;
        double square = 0;
        for (int a = 0; a < 3; a++)
            square += way[a] * dot(curved[a], way);
        assert_true(dot(way, sample->normal) > 0);
        assert_true(fit.cells[k].key >= 0 && fit.cells[k].key < (int64_t)N * N * N);
        linear += fit.cells[k].value * (value + dot(gradient, way));
        slope += fit.cells[k].slope * (dot(gradient, way) + square);
    }
    assert_true(fabs(linear - value) < 1e-6);
    assert_true(fabs(slope - dot(gradient, sample->normal)) < 3e-5);
    weir_cell_walls_destroy(walls);
}

/* Above slabs across every axis, at either end, in the domain's middle and around its periodic edges. */
static void test_slabs(void **state) {
    (void)state;
    static const double places[][2] = {{10.2, 9.7}, {0.4, 19.6}, {5.5, 0}};
    for (int turn = 0; turn < 6; turn++) {
        const int axis = turn / 2, p = (axis + 1) % 3, q = (axis + 2) % 3, thick = 4;
        const bool high = turn % 2;
        struct weir_shape shape;
        const struct weir_problem problem = slab(&shape, axis, high, thick);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            struct weir_surface_sample sample = {.wall = WEIR_FIRST_BODY};
            sample.place[axis] = high ? N - thick : thick;
            sample.place[p] = places[k][0];
            sample.place[q] = places[k][1];
            sample.normal[axis] = high ? -1 : 1;
            check(&problem, &sample);
        }
    }
}

/* A ball, at points of it in all directions. */
static void test_ball(void **state) {
    (void)state;
    static const double center[3] = {10.1, 9.8, 10.3}, radius = 4.4;
    struct weir_shape shape;
    const struct weir_problem problem = slab(&shape, 0, false, 4);
    shape =
        (struct weir_shape){.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY, .sphere = {{10.1, 9.8, 10.3}, 4.4}};
    for (int k = 0; k < 30; k++) {
        const double z = (k + 0.5) / 15 - 1, angle = 2.4 * k, r = sqrt(1 - z * z);
        struct weir_surface_sample sample = {.wall = WEIR_FIRST_BODY,
                                             .normal = {r * cos(angle), r * sin(angle), z}};
        for (int axis = 0; axis < 3; axis++)
            sample.place[axis] = center[axis] + radius * sample.normal[axis];
        check(&problem, &sample);
    }
}

/* Without fluid in front there is nothing. */
static void test_no_fluid(void **state) {
    (void)state;
    struct weir_shape shape;
    const struct weir_problem problem = slab(&shape, 1, false, N);
    const struct weir_surface_sample sample = {
        .place = {10, 10, 10}, .normal = {0, 1, 0}, .wall = WEIR_FIRST_BODY};
    struct weir_cell_walls *walls;
    struct weir_surface_fit fit;
    assert_int_equal(weir_cell_walls_create(&problem, &walls), 0);
    assert_int_equal(weir_surface_fit(&problem, walls, &sample, &fit), 0);
    assert_int_equal(fit.count, 0);
    weir_cell_walls_destroy(walls);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slabs), cmocka_unit_test(test_ball),
                                       cmocka_unit_test(test_no_fluid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
