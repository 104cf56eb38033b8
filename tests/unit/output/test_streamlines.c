/* Streamlines follow the flow, keep their distance, leave no room empty, and end at solids. */
#include "src/picture/streamlines.h"
#include "tests/unit/assert_close.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 90, HEIGHT = 60, CELLS = WIDTH * HEIGHT };

typedef void field(double x, double y, double u[2]);

static void uniform(double x, double y, double u[2]) {
    (void)x, (void)y;
    u[0] = 0.03;
    u[1] = 0;
}

/* About (45, 30). */
static void rotation(double x, double y, double u[2]) {
    u[0] = -0.001 * (y - 30);
    u[1] = 0.001 * (x - 45);
}

/* The same, drawn inwards. */
static void spiral(double x, double y, double u[2]) {
    rotation(x, y, u);
    u[0] -= 0.0002 * (x - 45);
    u[1] -= 0.0002 * (y - 30);
}

/* Vortices that turn one way and the other. */
static void vortices(double x, double y, double u[2]) {
    const double k = 3.14159265358979 / 30;
    u[0] = 0.02 * sin(k * x) * cos(k * y) + 0.004;
    u[1] = -0.02 * cos(k * x) * sin(k * y);
}

static void rest(double x, double y, double u[2]) {
    (void)x, (void)y;
    u[0] = u[1] = 0;
}

static double across[CELLS], up[CELLS];

static bool is_solid(int x, int y) {
    const double dx = x + 0.5 - 30, dy = y + 0.5 - 25;
    return dx * dx + dy * dy < 80 || (x > 70 && y < 20);
}

static struct weir_plane_flow flow_of(field *f, bool solids) {
    for (int k = 0; k < CELLS; k++) {
        double u[2];
        f(k % WIDTH + 0.5, k / WIDTH + 0.5, u);
        const bool solid = solids && is_solid(k % WIDTH, k / WIDTH);
        across[k] = solid ? NAN : u[0];
        up[k] = solid ? NAN : u[1];
    }
    return (struct weir_plane_flow){WIDTH, HEIGHT, across, up};
}

static struct weir_streamlines lines_of(const struct weir_plane_flow *flow, double spacing) {
    struct weir_streamlines lines;
    assert_int_equal(weir_streamlines_find(flow, spacing, &lines), 0);
    return lines;
}

static double distance(struct weir_streamline_point a, struct weir_streamline_point b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static void straight_lines_at_their_distance(void **state) {
    (void)state;
    const struct weir_plane_flow flow = flow_of(uniform, false);
    struct weir_streamlines lines = lines_of(&flow, 6);
    assert_int_equal(lines.count, 10);
    for (int line = 0; line < lines.count; line++) {
        const struct weir_streamline_point *first = &lines.points[lines.begin[line]],
                                           *last = &lines.points[lines.begin[line + 1] - 1];
        assert_true(first->x < 1 && last->x > WIDTH - 1); /* along the flow */
        for (size_t k = lines.begin[line]; k < lines.begin[line + 1]; k++)
            assert_close(lines.points[k].y, first->y, 1e-12);
    }
    weir_streamlines_release(&lines);
}

static void circles_close(void **state) {
    (void)state;
    const struct weir_plane_flow flow = flow_of(rotation, false);
    const struct weir_streamline_point middle = {45, 30};
    struct weir_streamlines lines = lines_of(&flow, 5);
    int closed = 0;
    for (int line = 0; line < lines.count; line++) {
        const struct weir_streamline_point first = lines.points[lines.begin[line]],
                                           last = lines.points[lines.begin[line + 1] - 1];
        for (size_t k = lines.begin[line]; k < lines.begin[line + 1]; k++)
            if (distance(middle, first) < 29)
                assert_close(distance(middle, lines.points[k]), distance(middle, first), 0.05);
        closed += distance(first, last) == 0;
    }
    assert_true(closed >= 4 && closed <= 7);
    weir_streamlines_release(&lines);
}

/* Points of different lines, or far apart on one. */
static void check_distances(const struct weir_streamlines *lines, double spacing) {
    for (int one = 0; one < lines->count; one++)
        for (int other = one + 1; other < lines->count; other++)
            for (size_t k = lines->begin[one]; k < lines->begin[one + 1]; k++)
                for (size_t j = lines->begin[other]; j < lines->begin[other + 1]; j++)
                    assert_true(distance(lines->points[k], lines->points[j]) > 0.499 * spacing);
}

/* But at the edges, where velocities are those of the outermost cells, and where the flow stands nearly still
 * and turns within a step. */
static void check_direction(const struct weir_streamlines *lines, field *f) {
    for (int line = 0; line < lines->count; line++)
        for (size_t k = lines->begin[line]; k + 2 < lines->begin[line + 1]; k++) {
            const struct weir_streamline_point from = lines->points[k], to = lines->points[k + 1];
            const double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy);
            double u[2];
            f(0.5 * (from.x + to.x), 0.5 * (from.y + to.y), u);
            const double speed = sqrt(u[0] * u[0] + u[1] * u[1]);
            const bool in_the_middle = from.x > 1 && from.x < WIDTH - 1 && from.y > 1 && from.y < HEIGHT - 1;
            if (speed > 4e-3 && in_the_middle)
                assert_true((dx * u[0] + dy * u[1]) / (length * speed) > 0.98);
        }
}

/* Of cells that lie in the fluid, and not at its edges. */
static void check_coverage(const struct weir_streamlines *lines, double spacing, bool solids) {
    for (int y = 2; y < HEIGHT - 2; y++)
        for (int x = 2; x < WIDTH - 2; x++) {
            double least = INFINITY;
            if (solids && is_solid(x, y))
                continue;
            for (size_t k = 0; k < lines->begin[lines->count]; k++)
                least =
                    fmin(least, distance((struct weir_streamline_point){x + 0.5, y + 0.5}, lines->points[k]));
            assert_true(least < 1.6 * spacing);
        }
}

static void evenly_spaced_along_the_flow(void **state) {
    (void)state;
    static const double spacings[] = {2.5, 4, 9};
    for (size_t s = 0; s < sizeof spacings / sizeof *spacings; s++) {
        const struct weir_plane_flow flow = flow_of(vortices, false);
        struct weir_streamlines lines = lines_of(&flow, spacings[s]);
        check_distances(&lines, spacings[s]);
        check_direction(&lines, vortices);
        check_coverage(&lines, spacings[s], false);
        weir_streamlines_release(&lines);
    }
}

static void end_at_solids(void **state) {
    (void)state;
    const struct weir_plane_flow flow = flow_of(vortices, true);
    struct weir_streamlines lines = lines_of(&flow, 4), again = lines_of(&flow, 4);
    assert_true(lines.count > 10);
    for (size_t k = 0; k < lines.begin[lines.count]; k++) {
        const struct weir_streamline_point p = lines.points[k];
        assert_true(p.x >= 0 && p.y >= 0 && p.x < WIDTH && p.y < HEIGHT);
        assert_false(is_solid((int)p.x, (int)p.y));
    }
    check_distances(&lines, 4);
    check_coverage(&lines, 4, true);
    assert_int_equal(lines.count, again.count);
    assert_memory_equal(lines.points, again.points, lines.begin[lines.count] * sizeof *lines.points);
    weir_streamlines_release(&again);
    weir_streamlines_release(&lines);
}

/* No line winds closer and closer beside itself. */
static void spirals_end(void **state) {
    (void)state;
    const struct weir_plane_flow flow = flow_of(spiral, false);
    struct weir_streamlines lines = lines_of(&flow, 6);
    double length = 0;
    for (int line = 0; line < lines.count; line++)
        for (size_t k = lines.begin[line]; k + 1 < lines.begin[line + 1]; k++)
            length += distance(lines.points[k], lines.points[k + 1]);
    assert_true(length < 2.0 * CELLS / 6); /* as if all were twice as close as asked */
    check_distances(&lines, 6);
    weir_streamlines_release(&lines);
}

static void nothing_at_rest(void **state) {
    (void)state;
    const struct weir_plane_flow flow = flow_of(rest, true);
    struct weir_streamlines lines = lines_of(&flow, 3);
    assert_int_equal(lines.count, 0);
    weir_streamlines_release(&lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_lines_at_their_distance),
        cmocka_unit_test(circles_close),
        cmocka_unit_test(evenly_spaced_along_the_flow),
        cmocka_unit_test(end_at_solids),
        cmocka_unit_test(spirals_end),
        cmocka_unit_test(nothing_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
