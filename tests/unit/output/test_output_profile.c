/* Profiles: the right cells, linear in between, fluid only, in output units, complete or not there. */
#include "graph/base/error.h"
#include "src/case/outputs/profile_line.h"
#include "src/output/output_profile.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/output_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct weir_output profile_output(const double from[3], const double to[3], unsigned quantities) {
    struct weir_output output = {.type = WEIR_OUTPUT_PROFILE, .name = "line", .quantities = quantities};
    memcpy(output.from, from, sizeof output.from);
    memcpy(output.to, to, sizeof output.to);
    return output;
}

/* Writes the profile of step 1000, with boxes of 3 cells per axis, and returns the file's text. */
static char *observed(const char *folder, const struct weir_case *c, const struct weir_output *output) {
    struct weir_output_profile *profile;
    struct weir_writer *disk = start_writer();
    assert_int_equal(weir_output_profile_create(c, output, folder, disk, &profile), 0);
    struct weir_sink sink = weir_output_profile_sink(profile);
    assert_int_equal(observe(disk, &sink, c, 999, 3, false), 0);
    assert_int_equal(count_files(folder), 0);
    assert_int_equal(observe(disk, &sink, c, 1000, 3, true), 0);
    weir_writer_destroy(disk);
    weir_output_profile_destroy(profile);
    assert_int_equal(count_files(folder), 1);
    char *text = read_text(in_folder(folder, "line_000001000.csv"));
    remove(in_folder(folder, "line_000001000.csv"));
    return text;
}

/* Value `column` of line `row` (0: the header). */
static double number_at(const char *text, int row, int column) {
    for (; row > 0; row--)
        text = strchr(text, '\n') + 1;
    for (; column > 0; column--)
        text = strchr(text, ',') + 1;
    return strtod(text, NULL);
}

static int line_count(const char *text) {
    int count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

static void interpolates_between_centres(void **state) {
    struct weir_case c;
    fill_case(&c, 9, 12, 7, false);
    c.problem.precision = WEIR_DOUBLE;
    struct weir_output output =
        profile_output((double[3]){4.2, 2.5, 3.75}, (double[3]){4.2, 8.0, 3.75},
                       1u << WEIR_DENSITY | 1u << WEIR_VELOCITY | 1u << WEIR_VELOCITY_X);
    char *text = observed(*state, &c, &output);
    static const char header[] =
        "step,time,x,y,z,density,velocity_x,velocity_y,velocity_z\n1000,1000,4.2,2.5,3.75,";
    assert_memory_equal(text, header, sizeof header - 1);
    assert_int_equal(line_count(text), 1 + 6); /* 2.5 to 7.5 */
    for (int row = 1; row <= 6; row++) {
        double y = 1.5 + row;
        assert_close(number_at(text, row, 3), y, 1e-12);
        assert_close(number_at(text, row, 5), 1.0 + 0.001 * 4.2 - 0.002 * y + 0.003 * 3.75, 1e-14);
        assert_close(number_at(text, row, 8), 0.03 + 0.0001 * 4.2 + 0.0006 * y - 0.0003 * 3.75, 1e-14);
    }
    free(text);
}

/* The edge of the domain gets the value of the last centre; whole cell numbers lie between two cells. */
static void stays_inside_the_domain(void **state) {
    struct weir_case c;
    fill_case(&c, 9, 12, 1, false);
    c.problem.precision = WEIR_DOUBLE;
    struct weir_output output =
        profile_output((double[3]){0.0, 12.0, 0.5}, (double[3]){9.0, 12.0, 0.5}, 1u << WEIR_DENSITY);
    char *text = observed(*state, &c, &output);
    assert_int_equal(line_count(text), 1 + 9);
    assert_close(number_at(text, 1, 5), density_at(0, 11, 0), 1e-14);
    assert_close(number_at(text, 9, 5), density_at(8, 11, 0), 1e-14);
    free(text);
    output.from[1] = output.to[1] = 6.0;
    text = observed(*state, &c, &output);
    assert_close(number_at(text, 4, 5), 0.5 * (density_at(3, 5, 0) + density_at(3, 6, 0)), 1e-14);
    free(text);
}

static void leaves_solids_out(void **state) {
    struct weir_case c;
    fill_case(&c, 20, 20, 20, true); /* a ball of radius 6 around (10, 10, 10) */
    struct weir_output output = profile_output((double[3]){0.0, 10.0, 10.0}, (double[3]){20.0, 10.0, 10.0},
                                               1u << WEIR_DENSITY | 1u << WEIR_SPEED);
    char *text = observed(*state, &c, &output);
    for (int row = 1; row <= 20; row++) {
        bool solid = solid_at(&c, row - 1, 9, 9);
        assert_true(isnan(number_at(text, row, 5)) == solid);
        assert_true(isnan(number_at(text, row, 6)) == solid);
    }
    assert_null(strstr(text, "-nan"));
    free(text);
    /* The line runs between a fluid and a solid row of cells, nearer to the solid one. */
    output = profile_output((double[3]){9.5, 9.5, 4.3}, (double[3]){10.5, 9.5, 4.3}, 1u << WEIR_DENSITY);
    assert_false(solid_at(&c, 9, 9, 3));
    assert_true(solid_at(&c, 9, 9, 4));
    text = observed(*state, &c, &output);
    assert_close(number_at(text, 1, 5), density_at(9, 9, 3), 1e-7);
    free(text);
}

static void is_in_output_units(void **state) {
    struct weir_case c;
    fill_case(&c, 5, 5, 5, false);
    c.units = (struct weir_units){.si = true, .length = 0.01, .time = 0.001, .density = 1000.0};
    struct weir_output output = profile_output((double[3]){2.5, 2.5, 2.5}, (double[3]){2.5, 2.5, 4.5},
                                               1u << WEIR_PRESSURE | 1u << WEIR_VELOCITY_Z);
    char *text = observed(*state, &c, &output);
    assert_int_equal(line_count(text), 1 + 3);
    assert_close(number_at(text, 3, 1), 1.0, 1e-12);
    assert_close(number_at(text, 3, 2), 0.025, 1e-12);
    assert_close(number_at(text, 3, 4), 0.045, 1e-12);
    assert_close(number_at(text, 3, 5), density_at(2, 2, 4) / 3.0 * 1e5, 1e-3);
    assert_close(number_at(text, 3, 6), velocity_at(2, 2, 2, 4) * 10.0, 1e-7);
    free(text);
}

static void shows_cells_whose_centres_are_on_its_line(void **state) {
    (void)state;
    struct weir_case c;
    fill_case(&c, 5, 6, 7, false);
    static const struct {
        double from, to;
        int first, last;
    } lines[] = {{0, 6, 0, 5},     {0.5, 5.5, 0, 5}, {0.6, 5.4, 1, 4},
                 {2.4, 2.6, 2, 2}, {2.6, 3.4, 3, 2}, {0, 0.4, 0, -1}};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const struct weir_output output = profile_output(
            (double[3]){2.5, lines[k].from, 2.5}, (double[3]){2.5, lines[k].to, 2.5}, 1u << WEIR_DENSITY);
        const struct weir_profile_line line = weir_profile_line(&c.problem, &output);
        assert_int_equal(line.axis, 1);
        assert_int_equal(line.first, lines[k].first);
        assert_int_equal(line.last, lines[k].last);
    }
}

static void tells_missing_folder(void **state) {
    struct weir_case c;
    struct weir_output_profile *profile;
    struct weir_writer *disk = start_writer();
    fill_case(&c, 5, 5, 5, false);
    struct weir_output output =
        profile_output((double[3]){0.0, 2.5, 2.5}, (double[3]){5.0, 2.5, 2.5}, 1u << WEIR_DENSITY);
    assert_int_equal(weir_output_profile_create(&c, &output, in_folder(*state, "missing"), disk, &profile),
                     0);
    struct weir_sink sink = weir_output_profile_sink(profile);
    assert_int_equal(observe(disk, &sink, &c, 1, 5, true), -WEIR_FAILED);
    assert_non_null(
        strstr(weir_error_text(), "missing/line_000000001.csv.weir.part': No such file or directory"));
    weir_writer_destroy(disk);
    weir_output_profile_destroy(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(interpolates_between_centres, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(stays_inside_the_domain, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leaves_solids_out, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(is_in_output_units, make_folder, remove_folder),
        cmocka_unit_test(shows_cells_whose_centres_are_on_its_line),
        cmocka_unit_test_setup_teardown(tells_missing_folder, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
