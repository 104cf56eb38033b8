/* Time series: a header, a row per step that can be read at once, in output units. */
#include "graph/base/error.h"
#include "src/output/output_series.h"
#include "tests/unit/output_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct weir_output output = {.type = WEIR_OUTPUT_SERIES, .name = "series"};

static void expect_text(const char *folder, const char *expected) {
    char *text = read_text(in_folder(folder, "series.csv"));
    assert_string_equal(text, expected);
    free(text);
}

static void rows_can_be_read_at_once(void **state) {
    struct weir_case c;
    struct weir_output_series *series;
    fill_case(&c, 8, 8, 8, false);
    assert_int_equal(weir_output_series_create(&c, &output, *state, &series), 0);
    expect_text(*state, "step,time,mass,momentum_x,momentum_y,momentum_z,kinetic_energy,max_speed\n");
    struct weir_totals totals = {.step = 0, .mass = 512.0, .momentum = {1.0, 0.5, -0.25}};
    assert_int_equal(weir_output_series_append(series, &totals), 0);
    totals.step = 100;
    totals.kinetic_energy = 0.125;
    totals.max_speed = 0.0625;
    assert_int_equal(weir_output_series_append(series, &totals), 0);
    expect_text(*state, "step,time,mass,momentum_x,momentum_y,momentum_z,kinetic_energy,max_speed\n"
                        "0,0,512,1,0.5,-0.25,0,0\n"
                        "100,100,512,1,0.5,-0.25,0.125,0.0625\n");
    weir_output_series_destroy(series);
}

static void bodies_have_forces(void **state) {
    struct weir_case c;
    struct weir_output_series *series;
    fill_case(&c, 8, 8, 8, true);
    strcpy(c.problem.walls[WEIR_FIRST_BODY + 1].name, "a \"b\", c");
    c.problem.wall_count++;
    c.units = (struct weir_units){.si = true, .length = 0.5, .time = 0.25, .density = 1024.0};
    assert_int_equal(weir_output_series_create(&c, &output, *state, &series), 0);
    struct weir_totals totals = {
        .step = 8, .mass = 2.0, .momentum = {1.0}, .kinetic_energy = 1.0, .max_speed = 0.5};
    totals.force[1][0] = 99.0; /* of a face: not asked for */
    totals.force[WEIR_FIRST_BODY][0] = 1.0;
    totals.force[WEIR_FIRST_BODY + 1][2] = -2.0;
    assert_int_equal(weir_output_series_append(series, &totals), 0);
    weir_output_series_destroy(series);
    /* one lattice unit: mass 128 kg, velocity 2 m/s, force 1024 N */
    expect_text(*state,
                "step,time,mass,momentum_x,momentum_y,momentum_z,kinetic_energy,max_speed,force_x(ball),"
                "force_y(ball),force_z(ball),\"force_x(a \"\"b\"\", c)\",\"force_y(a \"\"b\"\", c)\","
                "\"force_z(a \"\"b\"\", c)\"\n"
                "8,2,256,256,0,0,512,1,1024,0,0,0,0,-2048\n");
}

/* Of boundaries that let fluid pass, at the end: faces and bodies. */
static void open_boundaries_have_flows(void **state) {
    struct weir_case c;
    struct weir_output_series *series;
    fill_case(&c, 8, 8, 8, true);
    c.problem.walls[2].rule = WEIR_RULE_PRESSURE;
    c.problem.walls[WEIR_FIRST_BODY].rule = WEIR_RULE_VELOCITY;
    c.units = (struct weir_units){.si = true, .length = 0.5, .time = 0.25, .density = 1024.0};
    assert_int_equal(weir_output_series_create(&c, &output, *state, &series), 0);
    struct weir_totals totals = {.step = 1};
    totals.mass_flow[2] = -0.5;
    totals.mass_flow[WEIR_FIRST_BODY] = 2;
    assert_int_equal(weir_output_series_append(series, &totals), 0);
    weir_output_series_destroy(series);
    /* one lattice unit: 128 kg in 0.25 s */
    expect_text(*state,
                "step,time,mass,momentum_x,momentum_y,momentum_z,kinetic_energy,max_speed,force_x(ball),"
                "force_y(ball),force_z(ball),mass_flow(x+),mass_flow(ball)\n"
                "1,0.25,0,0,0,0,0,0,0,0,0,-256,1024\n");
}

/* Those that are walls, behind the bodies; and the edges, where faces meet. */
static void faces_have_forces_when_asked(void **state) {
    struct weir_output wanted = output;
    wanted.faces = true;
    for (int periodic_axes = 3; periodic_axes >= 1; periodic_axes--) {
        struct weir_case c;
        struct weir_output_series *series;
        fill_case(&c, 8, 8, 8, true);
        for (int axis = 0; axis < 3; axis++)
            c.problem.periodic[axis] = axis < periodic_axes;
        assert_int_equal(weir_output_series_create(&c, &wanted, *state, &series), 0);
        struct weir_totals totals = {.step = 1};
        for (int wall = 1; wall < c.problem.wall_count; wall++)
            totals.force[wall][0] = wall;
        assert_int_equal(weir_output_series_append(series, &totals), 0);
        weir_output_series_destroy(series);
        static const char begin[] =
            "step,time,mass,momentum_x,momentum_y,momentum_z,kinetic_energy,max_speed,"
            "force_x(ball),force_y(ball),force_z(ball)";
        static const char *const rest[] = {
            [3] = "\n1,1,0,0,0,0,0,0,8,0,0\n",
            [2] = ",force_x(z-),force_y(z-),force_z(z-),force_x(z+),force_y(z+),force_z(z+)\n"
                  "1,1,0,0,0,0,0,0,8,0,0,5,0,0,6,0,0\n",
            [1] = ",force_x(y-),force_y(y-),force_z(y-),force_x(y+),force_y(y+),force_z(y+),"
                  "force_x(z-),force_y(z-),force_z(z-),force_x(z+),force_y(z+),force_z(z+),"
                  "force_x(edge),force_y(edge),force_z(edge)\n"
                  "1,1,0,0,0,0,0,0,8,0,0,3,0,0,4,0,0,5,0,0,6,0,0,7,0,0\n"};
        char expected[1024];
        snprintf(expected, sizeof expected, "%s%s", begin, rest[periodic_axes]);
        expect_text(*state, expected);
    }
}

static void tells_missing_folder(void **state) {
    struct weir_case c;
    struct weir_output_series *series;
    fill_case(&c, 8, 8, 8, false);
    assert_int_equal(weir_output_series_create(&c, &output, in_folder(*state, "missing"), &series),
                     -WEIR_FAILED);
    assert_non_null(
        strstr(weir_error_text(), "missing/series.csv': No such file or directory: create the folder"));
}

static void tells_full_disk(void **state) {
    struct weir_case c;
    struct weir_output_series *series;
    struct weir_totals totals = {0};
    if (!mount_small(*state, 64 << 10))
        skip();
    fill_case(&c, 8, 8, 8, false);
    assert_int_equal(weir_output_series_create(&c, &output, *state, &series), 0);
    int result = 0;
    for (; totals.step < 100000 && result == 0; totals.step++)
        result = weir_output_series_append(series, &totals);
    assert_int_equal(result, -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "series.csv': No space left on device: free some space"));
    weir_output_series_destroy(series);
}

/* F / (rho U² A / 2) in lattice units: 2 / (0.5 * 1.25 * 0.1² * 64) = 5; behind the forces, which stay what
 * they are. */
static void forces_have_coefficients(void **state) {
    struct weir_case c;
    struct weir_output_series *series;
    struct weir_output with = output;
    with.reference_velocity = 0.1;
    with.reference_area = 64.0;
    fill_case(&c, 8, 8, 8, true);
    c.units = (struct weir_units){.si = true, .length = 0.5, .time = 0.25, .density = 1024.0};
    assert_int_equal(weir_output_series_create(&c, &with, *state, &series), 0);
    struct weir_totals totals = {.step = 8};
    totals.force[WEIR_FIRST_BODY][0] = 2.0;
    totals.force[WEIR_FIRST_BODY][2] = -1.0;
    assert_int_equal(weir_output_series_append(series, &totals), 0);
    weir_output_series_destroy(series);
    char *text = read_text(in_folder(*state, "series.csv"));
    assert_non_null(strstr(text, ",force_z(ball),c_x(ball),c_y(ball),c_z(ball)\n"));
    double numbers[6];
    const char *forces = strrchr(text, '\n');
    for (int commas = 0; commas < 6; commas += *forces == ',')
        forces--;
    assert_int_equal(sscanf(forces, ",%lf,%lf,%lf,%lf,%lf,%lf", numbers, numbers + 1, numbers + 2,
                            numbers + 3, numbers + 4, numbers + 5),
                     6);
    free(text);
    assert_true(fabs(numbers[0] - 2048.0) < 1e-9 && fabs(numbers[3] - 5.0) < 1e-12);
    assert_true(numbers[4] == 0.0 && fabs(numbers[5] + 2.5) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_can_be_read_at_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(bodies_have_forces, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(forces_have_coefficients, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(open_boundaries_have_flows, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(faces_have_forces_when_asked, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_missing_folder, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_full_disk, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
