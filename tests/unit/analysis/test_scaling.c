/* Domains of weak scaling, numbers of several runs, and commands that start ranks. */
#include "src/common/compact_copies.h"
#include "src/common/launcher.h"
#include "src/common/number_list.h"
#include "src/scale/scaling.h"

#include "graph/base/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect_times(int nx, int ny, int nz, int dimensions, int ranks, int tx, int ty, int tz) {
    const int cells[3] = {nx, ny, nz}, expected[3] = {tx, ty, tz};
    int times[3];
    weir_compact_copies(cells, dimensions, ranks, times);
    assert_memory_equal(times, expected, sizeof times);
}

static void cubes_grow_into_cubes(void **state) {
    (void)state;
    expect_times(64, 64, 64, 3, 1, 1, 1, 1);
    expect_times(64, 64, 64, 3, 2, 1, 1, 2);
    expect_times(64, 64, 64, 3, 8, 2, 2, 2);
    expect_times(64, 64, 64, 3, 1000, 10, 10, 10);
}

static void short_axes_grow_first(void **state) {
    (void)state;
    expect_times(256, 64, 64, 3, 16, 1, 4, 4);
    expect_times(256, 128, 128, 3, 4, 1, 2, 2);
    expect_times(10, 100, 100, 3, 7, 7, 1, 1);
}

static void flat_lattices_stay_flat(void **state) {
    (void)state;
    expect_times(100, 100, 1, 2, 4, 2, 2, 1);
    expect_times(100, 200, 1, 2, 6, 3, 2, 1);
}

static void primes_and_products(void **state) {
    (void)state;
    for (int ranks = 1; ranks < 200; ranks++) {
        const int cells[3] = {30, 20, 50};
        int times[3];
        weir_compact_copies(cells, 3, ranks, times);
        assert_int_equal(times[0] * times[1] * times[2], ranks);
    }
}

static struct weir_scaling_run run_of(double mlups, const char *digest) {
    struct weir_scaling_run run = {.mlups = mlups, .step_seconds = 1 / mlups, .waiting = 0.1, .balance = 1};
    snprintf(run.digest, sizeof run.digest, "%s", digest);
    return run;
}

/* Two rounds of 2 and 8 ranks: the machine is half as fast in the second, and 8 ranks 3 times as fast as 2.
 */
static struct weir_scaling two_rounds(bool weak, bool shared) {
    const int cells[3] = {8, 8, 8};
    struct weir_scaling scaling = {.weak = weak, .shared = shared, .repeat = 2};
    assert_int_equal(weir_scaling_add_point(&scaling, 2, cells, 4), 0);
    assert_int_equal(weir_scaling_add_point(&scaling, 8, cells, 4), 0);
    for (int round = 0; round < 2; round++) {
        const double speed = round == 0 ? 100 : 50;
        const struct weir_scaling_run few = run_of(speed, "a"),
                                      many = run_of(round == 0 ? 225 : 150, weak ? "b" : "a");
        assert_int_equal(weir_scaling_add_run(&scaling, 0, &few), 0);
        assert_int_equal(weir_scaling_add_run(&scaling, 1, &many), 0);
    }
    assert_int_equal(weir_scaling_finish(&scaling), 0);
    return scaling;
}

static void efficiency_is_speed_per_rank(void **state) {
    (void)state;
    struct weir_scaling scaling = two_rounds(false, false);
    assert_float_equal(scaling.points[0].efficiency.median, 1, 1e-12);
    assert_float_equal(scaling.points[0].mlups.median, 75, 1e-12);
    /* Against neighbours in time: 225 / 75 and 150 / 50. */
    assert_float_equal(scaling.points[1].speedup.median, 3, 1e-12);
    assert_float_equal(scaling.points[1].efficiency.median, 0.75, 1e-12);
    assert_float_equal(scaling.points[1].efficiency.most, 0.75, 1e-12);
    assert_float_equal(scaling.points[1].waiting.median, 0.1, 1e-12);
    weir_scaling_release(&scaling);
}

static void ranks_that_share_cores_gain_nothing_by_number(void **state) {
    (void)state;
    struct weir_scaling scaling = two_rounds(true, true);
    assert_float_equal(scaling.points[1].efficiency.median, 3, 1e-12);
    weir_scaling_release(&scaling);
}

static void digests_must_agree(void **state) {
    (void)state;
    const int cells[3] = {8, 8, 8};
    struct weir_scaling scaling = {.repeat = 2};
    const struct weir_scaling_run first = run_of(1, "abc"), other = run_of(1, "abd");
    assert_int_equal(weir_scaling_add_point(&scaling, 1, cells, 4), 0);
    assert_int_equal(weir_scaling_add_point(&scaling, 4, cells, 4), 0);
    assert_int_equal(weir_scaling_add_run(&scaling, 0, &first), 0);
    assert_int_equal(weir_scaling_add_run(&scaling, 1, &other), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "abd"));
    scaling.weak = true; /* other domains, other digests; but the same for the same */
    assert_int_equal(weir_scaling_add_run(&scaling, 1, &other), 0);
    assert_int_equal(weir_scaling_add_run(&scaling, 1, &first), -WEIR_FAILED);
    weir_scaling_release(&scaling);
}

static void launchers_are_taken_apart(void **state) {
    (void)state;
    struct weir_launcher launcher;
    assert_int_equal(weir_launcher_create("sh -n {ranks}  --nodes={ranks}/{ranks}", 12, &launcher), 0);
    assert_int_equal(launcher.count, 4);
    assert_int_equal(launcher.words[0][0], '/');
    assert_string_equal(launcher.words[1], "-n");
    assert_string_equal(launcher.words[2], "12");
    assert_string_equal(launcher.words[3], "--nodes=12/12");
    assert_null(launcher.words[4]);
    weir_launcher_release(&launcher);
    assert_int_equal(weir_launcher_create("no_such_program_anywhere {ranks}", 1, &launcher),
                     -WEIR_UNAVAILABLE);
    assert_non_null(strstr(weir_error_text(), "no_such_program_anywhere"));
    weir_launcher_release(&launcher);
    assert_int_equal(weir_launcher_create("  ", 1, &launcher), -WEIR_USAGE);
    weir_launcher_release(&launcher);
}

static void lists_are_sorted(void **state) {
    (void)state;
    int numbers[3], count;
    const int expected[3] = {1, 4, 16};
    assert_int_equal(weir_number_list_read("ranks", "16,1,4", 100, 3, numbers, &count), 0);
    assert_int_equal(count, 3);
    assert_memory_equal(numbers, expected, sizeof numbers);
    static const char *const wrong[] = {"", "1,", "0", "-1", "1,2,1", "1,2,3,4", "101", "two", " 1"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(weir_number_list_read("ranks", wrong[k], 100, 3, numbers, &count), -WEIR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_grow_into_cubes),
        cmocka_unit_test(short_axes_grow_first),
        cmocka_unit_test(flat_lattices_stay_flat),
        cmocka_unit_test(primes_and_products),
        cmocka_unit_test(efficiency_is_speed_per_rank),
        cmocka_unit_test(ranks_that_share_cores_gain_nothing_by_number),
        cmocka_unit_test(digests_must_agree),
        cmocka_unit_test(launchers_are_taken_apart),
        cmocka_unit_test(lists_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
