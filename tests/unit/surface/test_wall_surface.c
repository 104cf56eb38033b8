/* The walls of bodies as triangles: nets that close, lie where the walls are and face the fluid; and what
 * flows that are known do to them. */
#include "src/surface/wall_surface.h"

#include "graph/base/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 24 };

static const bool wanted[WEIR_WALLS_MAX] = {[WEIR_FIRST_BODY] = true};
static const double center[3] = {11.7, 12.4, 12.1}, radius = 6.3;

static struct weir_problem domain(struct weir_shape *shape) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    for (int axis = 0; axis < 3; axis++) {
        problem.cells[axis] = N;
        problem.periodic[axis] = true;
    }
    problem.wall_count = WEIR_FIRST_BODY + 1;
    problem.shapes = shape;
    problem.shape_count = 1;
    return problem;
}

static struct weir_shape ball(void) {
    return (struct weir_shape){
        .type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY, .sphere = {{11.7, 12.4, 12.1}, 6.3}};
}

static double area_of(const struct weir_wall_surface *surface, int64_t number) {
    const double(*corner)[3] = surface->triangles.corners[number];
    double cross[3];
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        cross[axis] = (corner[1][p] - corner[0][p]) * (corner[2][q] - corner[0][q]) -
                      (corner[1][q] - corner[0][q]) * (corner[2][p] - corner[0][p]);
    }
    return sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / 2;
}

static void check_net(const struct weir_wall_surface *surface, double farthest, double area,
                      double tolerance) {
    struct weir_triangle_edges edges;
    double all = 0;
    assert_int_equal(weir_triangles_edges(&surface->triangles, &edges), 0);
    assert_int_equal(edges.open, 0);
    assert_true(edges.oriented);
    for (int64_t number = 0; number < surface->triangles.count; number++) {
        double outwards = 0, length = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double middle =
                (surface->triangles.corners[number][0][axis] + surface->triangles.corners[number][1][axis] +
                 surface->triangles.corners[number][2][axis]) /
                3;
            outwards += surface->normals[number][axis] * (middle - center[axis]);
            length += surface->normals[number][axis] * surface->normals[number][axis];
        }
        assert_true(fabs(length - 1) < 1e-12);
        assert_true(outwards > 0);
        assert_int_equal(surface->walls[number], WEIR_FIRST_BODY);
        for (int corner = 0; corner < 3; corner++) {
            const double *at = surface->triangles.corners[number][corner];
            const double away =
                sqrt((at[0] - center[0]) * (at[0] - center[0]) + (at[1] - center[1]) * (at[1] - center[1]) +
                     (at[2] - center[2]) * (at[2] - center[2]));
            assert_true(fabs(away - radius) < farthest);
        }
        all += area_of(surface, number);
    }
    assert_true(fabs(all / area - 1) < tolerance);
}

/* Of a ball in steps, and of one whose walls are interpolated, which is where the ball is. */
static void test_nets_of_a_ball(void **state) {
    (void)state;
    static const double pi = 3.14159265358979;
    struct weir_shape shape = ball();
    struct weir_problem problem = domain(&shape);
    struct weir_wall_surface *surface;
    assert_int_equal(weir_wall_surface_create(&problem, wanted, &surface), 0);
    check_net(surface, 0.8, 4 * pi * radius * radius, 0.05);
    weir_wall_surface_destroy(surface);
    problem.walls[WEIR_FIRST_BODY].rule = WEIR_RULE_INTERPOLATED_WALL;
    problem.walls[WEIR_FIRST_BODY].links = true;
    assert_int_equal(weir_wall_surface_create(&problem, wanted, &surface), 0);
    check_net(surface, 0.15, 4 * pi * radius * radius, 0.02);
    weir_wall_surface_destroy(surface);
}

/* Cells beside it are fluid, ascending, within the region, and weights are of them. */
static void test_cells(void **state) {
    (void)state;
    struct weir_shape shape = ball();
    const struct weir_problem problem = domain(&shape);
    struct weir_wall_surface *surface;
    assert_int_equal(weir_wall_surface_create(&problem, wanted, &surface), 0);
    for (int32_t k = 0; k < surface->cell_count; k++) {
        double square = 0;
        int64_t rest = surface->cells[k];
        assert_true(k == 0 || surface->cells[k - 1] < surface->cells[k]);
        for (int axis = 0; axis < 3; axis++, rest /= N) {
            const int cell = (int)(rest % N);
            square += (cell + 0.5 - center[axis]) * (cell + 0.5 - center[axis]);
            assert_in_range(cell, surface->region.origin[axis],
                            surface->region.origin[axis] + surface->region.extent[axis] - 1);
        }
        assert_true(square > radius * radius && square < (radius + 5) * (radius + 5));
    }
    assert_int_equal(surface->first[0], 0);
    for (int64_t number = 0; number < surface->triangles.count; number++) {
        assert_true(surface->first[number] < surface->first[number + 1]);
        for (int64_t k = surface->first[number]; k < surface->first[number + 1]; k++)
            assert_in_range(surface->weights[k].cell, 0, surface->cell_count - 1);
    }
    weir_wall_surface_destroy(surface);
}

/* A plate on which fluid shears, and which moves along with it: the slope is what the fluid has beyond the
 * plate, along the wall only; density and pressure are those at the wall. */
static void test_plate(void **state) {
    (void)state;
    static const double shear[3] = {0.01, 0.004, -0.02}, bend = 0.0005, height = 5;
    struct weir_shape shape = {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {N, 5, N}}};
    struct weir_problem problem = domain(&shape);
    problem.periodic[1] = false;
    struct weir_wall_surface *surface;
    assert_int_equal(weir_wall_surface_create(&problem, wanted, &surface), 0);
    struct weir_surface_cell *seen = calloc((size_t)surface->cell_count, sizeof *seen);
    assert_non_null(seen);
    for (int moves = 0; moves < 2; moves++) {
        struct weir_wall wall = problem.walls[WEIR_FIRST_BODY];
        wall.velocity[0] = 0.03 * moves;
        wall.velocity[2] = -0.02 * moves;
        for (int32_t k = 0; k < surface->cell_count; k++) {
            const int64_t key = surface->cells[k];
            const double y = (double)(key / N % N) + 0.5 - height;
            for (int axis = 0; axis < 3; axis++)
                seen[k].velocity[axis] = wall.velocity[axis] + shear[axis] * y + bend * y * y;
            seen[k].density = 1 + 0.001 * y;
            seen[k].pressure = seen[k].density / 3;
        }
        for (int64_t number = 0; number < surface->triangles.count; number++) {
            struct weir_surface_values values;
            weir_wall_surface_values(surface, number, seen, &wall, &values);
            assert_true(fabs(surface->normals[number][1] - 1) < 1e-12);
            assert_true(fabs(values.slope[0] - shear[0]) < 1e-6);
            assert_true(fabs(values.slope[1]) < 1e-12);
            assert_true(fabs(values.slope[2] - shear[2]) < 1e-6);
            assert_true(fabs(values.density - 1) < 1e-6);
            assert_true(fabs(values.pressure - 1. / 3) < 1e-6);
        }
    }
    assert_int_equal(surface->triangles.count, 2 * N * N);
    free(seen);
    weir_wall_surface_destroy(surface);
}

/* A ball that turns in fluid that turns as one with it has no stress. */
static void test_turning_as_one(void **state) {
    (void)state;
    static const double turn[3] = {0.002, -0.001, 0.003};
    struct weir_shape shape = ball();
    struct weir_problem problem = domain(&shape);
    struct weir_wall *const wall = &problem.walls[WEIR_FIRST_BODY];
    struct weir_wall_surface *surface;
    memcpy(wall->rotation, turn, sizeof turn);
    memcpy(wall->center, center, sizeof wall->center);
    assert_int_equal(weir_wall_surface_create(&problem, wanted, &surface), 0);
    struct weir_surface_cell *seen = calloc((size_t)surface->cell_count, sizeof *seen);
    assert_non_null(seen);
    for (int32_t k = 0; k < surface->cell_count; k++) {
        double arm[3];
        int64_t rest = surface->cells[k];
        for (int axis = 0; axis < 3; axis++, rest /= N)
            arm[axis] = (double)(rest % N) + 0.5 - center[axis];
        for (int axis = 0; axis < 3; axis++)
            seen[k].velocity[axis] =
                turn[(axis + 1) % 3] * arm[(axis + 2) % 3] - turn[(axis + 2) % 3] * arm[(axis + 1) % 3];
    }
    for (int64_t number = 0; number < surface->triangles.count; number++) {
        struct weir_surface_values values;
        weir_wall_surface_values(surface, number, seen, wall, &values);
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(values.slope[axis]) < 1e-9);
    }
    free(seen);
    weir_wall_surface_destroy(surface);
}

static void test_nothing_touched(void **state) {
    (void)state;
    struct weir_shape shape = {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {N, N, N}}};
    const struct weir_problem problem = domain(&shape);
    struct weir_wall_surface *surface;
    assert_int_equal(weir_wall_surface_create(&problem, wanted, &surface), -WEIR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nets_of_a_ball), cmocka_unit_test(test_cells),
                                       cmocka_unit_test(test_plate), cmocka_unit_test(test_turning_as_one),
                                       cmocka_unit_test(test_nothing_touched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
