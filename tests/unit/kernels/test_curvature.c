/* The curvature of a surface by the text of the kernels, from how full cells around one are: where planes cut
 * cells; of planes nothing; of circles and spheres, amid the domain and at a wall that they meet at an angle.
 * Compiled once for each lattice and precision. */
#include "codelets/kernels/boundary/curvature.h"

#include "tests/unit/assert_close.h"

enum { PARTS = DIMENSIONS == 3 ? 32 : 128 /* of an axis, that a cell is cut into */ };

/* Liquid: where these are above 0. */
struct liquid {
    double center[3], radius;   /* of a ball from the middle of the cell in question */
    double normal[3], distance; /* else below a plane */
};

static double inside(const struct liquid *liquid, const double at[3]) {
    double square = 0, along = 0;
    for (int axis = 0; axis < DIMENSIONS; axis++) {
        square += (at[axis] - liquid->center[axis]) * (at[axis] - liquid->center[axis]);
        along += at[axis] * liquid->normal[axis];
    }
    return liquid->radius > 0 ? liquid->radius - sqrt(square) : liquid->distance - along;
}

static double share_of(const struct liquid *liquid, const int c[3]) {
    int count = 0, all = 0;
    for (int z = 0; z < (DIMENSIONS == 3 ? PARTS : 1); z++)
        for (int y = 0; y < PARTS; y++)
            for (int x = 0; x < PARTS; x++, all++) {
                const double at[3] = {c[0] - 0.5 + (x + 0.5) / PARTS, c[1] - 0.5 + (y + 0.5) / PARTS,
                                      DIMENSIONS == 3 ? c[2] - 0.5 + (z + 0.5) / PARTS : 0};
                count += inside(liquid, at) > 0;
            }
    return (double)count / all;
}

/* wall: the axis along whose low side there is one, that is met at this angle; -1: none. */
static struct cells_around cells_of(const struct liquid *liquid, int wall, double angle) {
    struct cells_around a = {{0}, 0, 0};
    for (int number = 0; number < CELLS_AROUND; number++) {
        int c[3];
        place_around(number, c);
        if (wall >= 0 && c[wall] < 0) {
            a.fill[number] = (real)cos(angle);
            a.walls |= (uint32_t)1 << number;
            continue;
        }
        const double share = share_of(liquid, c);
        a.fill[number] = (real)share;
        if (share > 0 && share < 1)
            a.crossed |= (uint32_t)1 << number;
    }
    return a;
}

static void in_direction(int k, double direction[3]) {
    const double height = DIMENSIONS == 3 ? -0.95 + 0.19 * (k % 11) : 0, angle = 0.3 + 2.4 * k;
    direction[0] = sqrt(1 - height * height) * cos(angle);
    direction[1] = sqrt(1 - height * height) * sin(angle);
    direction[2] = height;
}

static void test_planes_cut_cells(void **state) {
    (void)state;
    const int here[3] = {0, 0, 0};
    for (int k = 0; k < 40; k++) {
        struct liquid liquid = {.distance = -0.55 + 0.11 * (k % 11)};
        in_direction(k, liquid.normal);
        const double share = share_of(&liquid, here);
        const real normal[3] = {(real)liquid.normal[0], (real)liquid.normal[1], (real)liquid.normal[2]};
        if (share > 0.01 && share < 0.99)
            assert_close((double)plane_at(normal, (real)share), liquid.distance, 4e-3);
    }
}

static void test_planes_are_flat(void **state) {
    (void)state;
    for (int k = 0; k < 40; k++) {
        struct liquid liquid = {.distance = -0.3 + 0.06 * (k % 11)};
        in_direction(k, liquid.normal);
        const struct cells_around a = cells_of(&liquid, -1, 0);
        assert_close((double)curvature_around(&a), 0, 0.02);
    }
}

static void test_nothing_is_known(void **state) {
    (void)state;
    const struct liquid liquid = {.radius = 8, .center = {-8, 0.2, 0.1}};
    struct cells_around a = cells_of(&liquid, -1, 0);
    a.crossed = (uint32_t)1 << MIDDLE_CELL | (uint32_t)1 << (MIDDLE_CELL + 3);
    assert_true(curvature_around(&a) == 0);
    for (int number = 0; number < CELLS_AROUND; number++)
        a.fill[number] = (real)0.5;
    assert_true(curvature_around(&a) == 0);
}

/* Of balls that lie in many ways: how far the curvature is off, in its own, in the mean and the mean square.
 */
static void assert_balls(double radius, int wall, double degrees, double mean, double square) {
    const double angle = degrees * acos(-1) / 180;
    double sum = 0, squares = 0;
    int count = 0;
    for (int k = 0; k < 40; k++) {
        struct liquid liquid = {.radius = radius};
        double direction[3] = {1, 0, 0}, out = radius;
        if (wall < 0) {
            in_direction(k, direction);
        } else { /* so that the surface is in the cell at this angle to the wall, half a cell below its middle
                  */
            const double up = -cos(angle) * radius;
            out = sqrt(radius * radius - (0.5 - up) * (0.5 - up));
            direction[0] = DIMENSIONS == 3 ? cos(0.26 * k) : 1;
            direction[2] = DIMENSIONS == 3 ? sin(0.26 * k) : 0;
            liquid.center[1] = up - 0.5;
        }
        for (int axis = 0; axis < DIMENSIONS; axis++)
            if (wall < 0 || axis != 1)
                liquid.center[axis] = -(out + 0.3 - 0.06 * (k % 11)) * direction[axis];
        const struct cells_around a = cells_of(&liquid, wall, angle);
        if (a.fill[MIDDLE_CELL] < (real)0.02 || a.fill[MIDDLE_CELL] > (real)0.98)
            continue;
        const double off = (double)curvature_around(&a) * radius / (DIMENSIONS - 1) - 1;
        sum += off;
        squares += off * off;
        count++;
    }
    print_message("radius %g, wall %d at %g: mean %+.4f, square %.4f\n", radius, wall, degrees, sum / count,
                  sqrt(squares / count));
    assert_true(count > 20);
    assert_close(sum / count, 0, mean);
    assert_close(sqrt(squares / count), 0, square);
}

static void test_balls(void **state) {
    (void)state;
    assert_balls(4, -1, 90, 0.05, 0.08);
    assert_balls(8, -1, 90, 0.02, 0.04);
    assert_balls(16, -1, 90, 0.01, 0.02);
}

static void test_balls_on_walls(void **state) {
    (void)state;
    assert_balls(12, 1, 90, 0.02, 0.03);
    for (double degrees = 45; degrees < 140; degrees += 15)
        assert_balls(12, 1, degrees, 0.05, 0.06);
}

/* Each cell of a wall may be met at an angle of its own, which matters where the surface meets that one. */
static void test_angle_of_each_wall(void **state) {
    (void)state;
    const double angle = acos(-1) / 3, height = 0.5 + 12 * cos(angle);
    const struct liquid liquid = {.radius = 12,
                                  .center = {-sqrt(144 - height * height), -0.5 - 12 * cos(angle), 0}};
    const struct cells_around all = cells_of(&liquid, 1, angle);
    const double curvature = (double)curvature_around(&all);
    int met = 0;
    for (int number = 0; number < CELLS_AROUND; number++) {
        if (!has_bit(all.walls, number))
            continue;
        struct cells_around other = all;
        other.fill[number] = -other.fill[number];
        const bool is_met = has_bit(all.crossed, number + stride_around(1));
        met += is_met;
        if (is_met)
            assert_true(fabs((double)curvature_around(&other) - curvature) > 0.01);
        else
            assert_true((double)curvature_around(&other) == curvature);
    }
    assert_in_range(met, 1, DIMENSIONS == 3 ? 8 : 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planes_cut_cells), cmocka_unit_test(test_planes_are_flat),
        cmocka_unit_test(test_nothing_is_known), cmocka_unit_test(test_balls),
        cmocka_unit_test(test_balls_on_walls),   cmocka_unit_test(test_angle_of_each_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
