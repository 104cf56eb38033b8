/* The walls of bodies as triangles: nets that close, lie where the walls are and face the fluid; what flows
 * that are known do to them; and that shares of a surface are, to the last bit, parts of it. */
#include "src/surface/wall_surface.h"

#include "graph/base/error.h"
#include "src/geometry/mesh_region.h"
#include "src/surface/surface_boxes.h"

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

/* All of a surface that is small enough for one patch. */
static struct weir_wall_surface *small_surface(const struct weir_problem *problem) {
    static const bool own[] = {true};
    struct weir_wall_surface *surface;
    assert_int_equal(weir_surface_box_count(problem), 1);
    assert_int_equal(weir_wall_surface_create(problem, wanted, own, 0, &surface), 0);
    assert_int_equal(surface->count, 1);
    assert_int_equal(surface->triangles, surface->patches[0]->triangles.count);
    return surface;
}

static double area_of(const struct weir_surface_patch *patch, int64_t number) {
    const double(*corner)[3] = patch->triangles.corners[number];
    double cross[3];
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        cross[axis] = (corner[1][p] - corner[0][p]) * (corner[2][q] - corner[0][q]) -
                      (corner[1][q] - corner[0][q]) * (corner[2][p] - corner[0][p]);
    }
    return sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / 2;
}

static void check_net(const struct weir_surface_patch *patch, double farthest, double area,
                      double tolerance) {
    struct weir_triangle_edges edges;
    double all = 0;
    assert_int_equal(weir_triangles_edges(&patch->triangles, &edges), 0);
    assert_int_equal(edges.open, 0);
    assert_true(edges.oriented);
    for (int64_t number = 0; number < patch->triangles.count; number++) {
        double outwards = 0, length = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double middle =
                (patch->triangles.corners[number][0][axis] + patch->triangles.corners[number][1][axis] +
                 patch->triangles.corners[number][2][axis]) /
                3;
            outwards += patch->normals[number][axis] * (middle - center[axis]);
            length += patch->normals[number][axis] * patch->normals[number][axis];
        }
        assert_true(fabs(length - 1) < 1e-12);
        assert_true(outwards > 0);
        assert_int_equal(patch->walls[number], WEIR_FIRST_BODY);
        for (int corner = 0; corner < 3; corner++) {
            const double *at = patch->triangles.corners[number][corner];
            const double away =
                sqrt((at[0] - center[0]) * (at[0] - center[0]) + (at[1] - center[1]) * (at[1] - center[1]) +
                     (at[2] - center[2]) * (at[2] - center[2]));
            assert_true(fabs(away - radius) < farthest);
        }
        all += area_of(patch, number);
    }
    assert_true(fabs(all / area - 1) < tolerance);
}

/* Of a ball in steps, and of one whose walls are interpolated, which is where the ball is. */
static void test_nets_of_a_ball(void **state) {
    (void)state;
    static const double pi = 3.14159265358979;
    struct weir_shape shape = ball();
    struct weir_problem problem = domain(&shape);
    struct weir_wall_surface *surface = small_surface(&problem);
    check_net(surface->patches[0], 0.8, 4 * pi * radius * radius, 0.05);
    weir_wall_surface_destroy(surface);
    problem.walls[WEIR_FIRST_BODY].rule = WEIR_RULE_INTERPOLATED_WALL;
    problem.walls[WEIR_FIRST_BODY].links = true;
    surface = small_surface(&problem);
    check_net(surface->patches[0], 0.15, 4 * pi * radius * radius, 0.02);
    weir_wall_surface_destroy(surface);
}

/* Cells beside it are fluid, ascending, within the region, and weights are of them. */
static void test_cells(void **state) {
    (void)state;
    struct weir_shape shape = ball();
    const struct weir_problem problem = domain(&shape);
    struct weir_wall_surface *surface = small_surface(&problem);
    const struct weir_surface_patch *patch = surface->patches[0];
    for (int32_t k = 0; k < patch->cell_count; k++) {
        double square = 0;
        int64_t rest = patch->cells[k];
        assert_true(k == 0 || patch->cells[k - 1] < patch->cells[k]);
        for (int axis = 0; axis < 3; axis++, rest /= N) {
            const int cell = (int)(rest % N);
            square += (cell + 0.5 - center[axis]) * (cell + 0.5 - center[axis]);
            assert_in_range(cell, patch->region.origin[axis],
                            patch->region.origin[axis] + patch->region.extent[axis] - 1);
        }
        assert_true(square > radius * radius && square < (radius + 5) * (radius + 5));
    }
    assert_int_equal(patch->first[0], 0);
    for (int64_t number = 0; number < patch->triangles.count; number++) {
        assert_true(patch->first[number] < patch->first[number + 1]);
        for (int64_t k = patch->first[number]; k < patch->first[number + 1]; k++)
            assert_in_range(patch->beside[k], 0, patch->cell_count - 1);
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
    struct weir_wall_surface *surface = small_surface(&problem);
    const struct weir_surface_patch *patch = surface->patches[0];
    struct weir_surface_cell *seen = calloc((size_t)patch->cell_count, sizeof *seen);
    assert_non_null(seen);
    for (int moves = 0; moves < 2; moves++) {
        struct weir_wall wall = problem.walls[WEIR_FIRST_BODY];
        wall.velocity[0] = 0.03 * moves;
        wall.velocity[2] = -0.02 * moves;
        for (int32_t k = 0; k < patch->cell_count; k++) {
            const int64_t key = patch->cells[k];
            const double y = (double)(key / N % N) + 0.5 - height;
            for (int axis = 0; axis < 3; axis++)
                seen[k].velocity[axis] = wall.velocity[axis] + shear[axis] * y + bend * y * y;
            seen[k].density = 1 + 0.001 * y;
            seen[k].pressure = seen[k].density / 3;
        }
        for (int64_t number = 0; number < patch->triangles.count; number++) {
            struct weir_surface_values values;
            weir_surface_patch_values(patch, number, seen, &wall, &values);
            assert_true(fabs(patch->normals[number][1] - 1) < 1e-12);
            assert_true(fabs(values.slope[0] - shear[0]) < 1e-6);
            assert_true(fabs(values.slope[1]) < 1e-12);
            assert_true(fabs(values.slope[2] - shear[2]) < 1e-6);
            assert_true(fabs(values.density - 1) < 1e-6);
            assert_true(fabs(values.pressure - 1. / 3) < 1e-6);
        }
    }
    assert_int_equal(patch->triangles.count, 2 * N * N);
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
    memcpy(wall->rotation, turn, sizeof turn);
    memcpy(wall->center, center, sizeof wall->center);
    struct weir_wall_surface *surface = small_surface(&problem);
    const struct weir_surface_patch *patch = surface->patches[0];
    struct weir_surface_cell *seen = calloc((size_t)patch->cell_count, sizeof *seen);
    assert_non_null(seen);
    for (int32_t k = 0; k < patch->cell_count; k++) {
        double arm[3];
        int64_t rest = patch->cells[k];
        for (int axis = 0; axis < 3; axis++, rest /= N)
            arm[axis] = (double)(rest % N) + 0.5 - center[axis];
        for (int axis = 0; axis < 3; axis++)
            seen[k].velocity[axis] =
                turn[(axis + 1) % 3] * arm[(axis + 2) % 3] - turn[(axis + 2) % 3] * arm[(axis + 1) % 3];
    }
    for (int64_t number = 0; number < patch->triangles.count; number++) {
        struct weir_surface_values values;
        weir_surface_patch_values(patch, number, seen, wall, &values);
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(values.slope[axis]) < 1e-9);
    }
    free(seen);
    weir_wall_surface_destroy(surface);
}

/* A share without any of it is empty: whether fluid touches them somewhere is for all shares together. */
static void test_nothing_touched(void **state) {
    (void)state;
    static const bool own[] = {true};
    struct weir_shape shape = {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {N, N, N}}};
    const struct weir_problem problem = domain(&shape);
    struct weir_wall_surface *surface;
    assert_int_equal(weir_wall_surface_create(&problem, wanted, own, INT64_MAX, &surface), 0);
    assert_int_equal(surface->count, 0);
    assert_int_equal(surface->triangles, 0);
    weir_wall_surface_destroy(surface);
}

/* A tetrahedron whose triangles are as large as the domain, and a ball that passes its seams and has a corner
 * of it. */
static const double tetrahedron[4][3][3] = {{{10.3, 12.2, 9.1}, {30.1, 50.6, 14.7}, {80.4, 15.3, 20.2}},
                                            {{10.3, 12.2, 9.1}, {35.2, 30.9, 60.3}, {30.1, 50.6, 14.7}},
                                            {{30.1, 50.6, 14.7}, {35.2, 30.9, 60.3}, {80.4, 15.3, 20.2}},
                                            {{80.4, 15.3, 20.2}, {35.2, 30.9, 60.3}, {10.3, 12.2, 9.1}}};

/* Where a triangle is in a surface. */
struct place {
    const struct weir_surface_patch *patch;
    int64_t number;
};

static struct place *places_of(const struct weir_wall_surface *surface) {
    struct place *places = calloc((size_t)surface->triangles + 1, sizeof *places);
    int64_t next = 0;
    assert_non_null(places);
    for (int p = 0; p < surface->count; p++)
        for (int64_t k = 0; k < surface->patches[p]->triangles.count; k++)
            places[next++] = (struct place){surface->patches[p], k};
    assert_int_equal(next, surface->triangles);
    return places;
}

static int64_t order_of(const struct place *place) {
    return place->patch->order[place->number];
}

static void check_same(const struct place *a, const struct place *b) {
    const struct weir_surface_patch *one = a->patch, *other = b->patch;
    const int64_t first = one->first[a->number], behind = other->first[b->number],
                  count = one->first[a->number + 1] - first;
    assert_memory_equal(one->triangles.corners[a->number], other->triangles.corners[b->number],
                        sizeof *one->triangles.corners);
    assert_memory_equal(one->normals[a->number], other->normals[b->number], sizeof *one->normals);
    assert_memory_equal(one->rim[a->number], other->rim[b->number], sizeof *one->rim);
    assert_int_equal(one->walls[a->number], other->walls[b->number]);
    assert_int_equal(other->first[b->number + 1] - behind, count);
    struct weir_surface_weight found[2][WEIR_FIT_CELLS];
    const struct weir_surface_weight *weight = weir_surface_patch_weights(one, a->number, found[0]),
                                     *same = weir_surface_patch_weights(other, b->number, found[1]);
    for (int64_t k = 0; k < count; k++, weight++, same++) {
        assert_int_equal(one->cells[one->beside[first + k]], other->cells[other->beside[behind + k]]);
        assert_memory_equal(&weight->slope, &same->slope, sizeof weight->slope);
        assert_memory_equal(&weight->value, &same->value, sizeof weight->value);
    }
}

/* Whether triangles of a share are those of the whole with the same order, one after the other. */
static void check_share(const struct weir_wall_surface *share, const struct place *whole, int64_t count) {
    struct place *places = places_of(share);
    int64_t at = 0;
    for (int64_t k = 0; k < share->triangles; k++, at++) {
        if (k == 0 || order_of(&places[k]) != order_of(&places[k - 1]))
            for (at = 0; at < count && order_of(&whole[at]) < order_of(&places[k]);)
                at++;
        assert_in_range(at, 0, count - 1);
        assert_int_equal(order_of(&whole[at]), order_of(&places[k]));
        check_same(&places[k], &whole[at]);
    }
    free(places);
}

/* Boxes shared out in slabs along y, the last of them thin, and in four ranges of their numbers; with steps
 * and with interpolated walls. Some shares spare memory, the whole does not. */
static void test_shares(void **state) {
    (void)state;
    enum { BOXES = 36, SHARES = 4 };
    static const bool both[WEIR_WALLS_MAX] = {[WEIR_FIRST_BODY] = true, [WEIR_FIRST_BODY + 1] = true};
    static const int cells[3] = {96, 102, 80};
    const struct weir_triangles triangles = {(double(*)[3][3])tetrahedron, 4};
    struct weir_region *region;
    assert_int_equal(weir_mesh_region_create(&triangles, cells, false, &region), 0);
    struct weir_shape shapes[] = {
        {.type = WEIR_REGION, .wall = WEIR_FIRST_BODY, .region = region},
        {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY + 1, .sphere = {{88.1, 8.2, 24.4}, 18.6}}};
    struct weir_problem problem = domain(shapes);
    memcpy(problem.cells, cells, sizeof cells);
    problem.periodic[2] = false;
    problem.shape_count = 2;
    problem.wall_count++;
    assert_int_equal(weir_surface_box_count(&problem), BOXES);
    for (int variant = 0; variant < 4; variant++) {
        struct weir_wall_surface *whole, *share;
        bool own[BOXES];
        int64_t all = 0;
        int with_some = 0;
        problem.walls[WEIR_FIRST_BODY + 1].rule = variant / 2 ? WEIR_RULE_INTERPOLATED_WALL : WEIR_RULE_WALL;
        problem.walls[WEIR_FIRST_BODY + 1].links = variant / 2;
        memset(own, true, sizeof own);
        assert_int_equal(weir_wall_surface_create(&problem, both, own, INT64_MAX, &whole), 0);
        assert_true(whole->count > 2);
        struct place *places = places_of(whole);
        for (int64_t k = 1; k < whole->triangles; k++)
            assert_true(order_of(&places[k - 1]) <= order_of(&places[k]));
        for (int k = 0; k < SHARES; k++) {
            for (int box = 0; box < BOXES; box++)
                own[box] = (variant % 2 ? box * SHARES / BOXES : box / 3 % SHARES) == k;
            assert_int_equal(weir_wall_surface_create(&problem, both, own, k % 2 ? INT64_MAX : 0, &share), 0);
            with_some += share->triangles > 0;
            check_share(share, places, whole->triangles);
            all += share->triangles;
            weir_wall_surface_destroy(share);
        }
        assert_int_equal(all, whole->triangles);
        assert_in_range(with_some, 2, SHARES);
        free(places);
        weir_wall_surface_destroy(whole);
    }
    region->destroy(region);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nets_of_a_ball),  cmocka_unit_test(test_cells),
        cmocka_unit_test(test_plate),           cmocka_unit_test(test_turning_as_one),
        cmocka_unit_test(test_nothing_touched), cmocka_unit_test(test_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
