/* Marks are round, lie between the ends, are as many as fit, and read well. */
#include "src/picture/ticks.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Marks between low and high, as "0.0 0.5 1.0 [unit]". */
static const char *marks(double low, double high, int most, const char *unit) {
    static char line[512];
    struct weir_ticks ticks;
    char label[WEIR_TICK_LABEL];
    weir_ticks_choose(low, high, most, &ticks);
    line[0] = '\0';
    for (int i = 0; i < ticks.count; i++) {
        weir_ticks_label(&ticks, i, label);
        strcat(strcat(line, label), " ");
    }
    weir_ticks_unit(&ticks, unit, label);
    return strcat(line, label);
}

static void marks_are_round(void **state) {
    (void)state;
    assert_string_equal(marks(0, 128, 8, ""), "0 20 40 60 80 100 120 ");
    assert_string_equal(marks(0, 128, 4, ""), "0 50 100 ");
    assert_string_equal(marks(0, 60, 3, ""), "0 50 ");
    assert_string_equal(marks(-0.11, 0.12, 5, "m/s"), "−0.10 −0.05 0.00 0.05 0.10 [m/s]");
    assert_string_equal(marks(0.99997, 1.00003, 4, ""), "0.99998 1.00000 1.00002 ");
    assert_string_equal(marks(0.3, 0.4, 3, ""), "0.30 0.35 0.40 ");
}

static void hard_numbers_share_an_exponent(void **state) {
    (void)state;
    assert_string_equal(marks(0, 4e-4, 5, "m/s"), "0 100 200 300 400 [10⁻⁶ m/s]");
    assert_string_equal(marks(-2e-3, 2e-3, 5, ""), "−2 −1 0 1 2 [10⁻³]");
    assert_string_equal(marks(101300, 101350, 3, "Pa"), "101.30 101.32 101.34 [10³ Pa]");
    assert_string_equal(marks(0, 2e12, 3, "Pa"), "0 1 2 [10¹² Pa]");
}

static void any_range_gets_marks(void **state) {
    (void)state;
    struct weir_ticks ticks;
    for (int most = 3; most <= 8; most++)
        for (double low = -3.7; low < 4.0; low += 0.173)
            for (double width = 1e-5; width < 1e6; width *= 1.7) {
                weir_ticks_choose(low, low + width, most, &ticks);
                assert_true(ticks.count >= 1 && ticks.count <= most);
                assert_true(ticks.values[0] >= low - 1e-5 * width);
                assert_true(ticks.values[ticks.count - 1] <= low + width * (1 + 1e-5));
            }
}

/* Ends of a range come from case files and from flows that diverge. */
static void hopeless_ranges_get_few_marks_or_none(void **state) {
    (void)state;
    static const double ends[][2] = {{0, INFINITY},
                                     {-INFINITY, INFINITY},
                                     {NAN, 1},
                                     {-1e308, 1e308},
                                     {-DBL_MAX, DBL_MAX},
                                     {1e300, 1.0000000000000002e300},
                                     {-4e-324, 4e-324},
                                     {1, 1 + DBL_EPSILON},
                                     {0, DBL_MAX},
                                     {0, 1e-310},
                                     {9007199254740992, 9007199254741000}};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        for (int most = 2; most <= WEIR_TICKS_MAX; most++) {
            struct weir_ticks ticks;
            char label[WEIR_TICK_LABEL];
            weir_ticks_choose(ends[k][0], ends[k][1], most, &ticks);
            assert_true(ticks.count >= 0 && ticks.count <= most);
            for (int i = 0; i < ticks.count; i++) {
                assert_true(isfinite(ticks.values[i]));
                weir_ticks_label(&ticks, i, label);
            }
            weir_ticks_unit(&ticks, "m", label);
        }
    assert_string_equal(marks(-1e308, 1e308, 8, ""), "−100 −50 0 50 100 [10³⁰⁶]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_round),
        cmocka_unit_test(hard_numbers_share_an_exponent),
        cmocka_unit_test(any_range_gets_marks),
        cmocka_unit_test(hopeless_ranges_get_few_marks_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
