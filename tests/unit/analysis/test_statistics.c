/* Medians, quartiles, and ratios of neighbours in time. */
#include "src/common/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void same(double value, double expected) {
    assert_true(fabs(value - expected) <= 1e-12 * fabs(expected));
}

static struct weir_spread spread_of(const double *values, int count) {
    struct weir_spread spread;
    assert_int_equal(weir_spread_of(values, count, &spread), 0);
    assert_int_equal(spread.count, count);
    return spread;
}

static void nothing_has_no_median(void **state) {
    (void)state;
    const struct weir_spread spread = spread_of(NULL, 0);
    assert_true(isnan(spread.median) && isnan(spread.low) && isnan(spread.high) && isnan(spread.least) &&
                isnan(spread.most));
}

static void one_value_is_everything(void **state) {
    (void)state;
    const struct weir_spread spread = spread_of((double[]){7}, 1);
    same(spread.median, 7);
    same(spread.low, 7);
    same(spread.high, 7);
    same(spread.least, 7);
    same(spread.most, 7);
    same(weir_spread_percent(&spread), 0);
}

static void order_does_not_matter(void **state) {
    (void)state;
    const double values[] = {5, 1, 4, 2, 3};
    const struct weir_spread spread = spread_of(values, 5);
    same(spread.median, 3);
    same(spread.low, 2);
    same(spread.high, 4);
    same(spread.least, 1);
    same(spread.most, 5);
    same(weir_spread_percent(&spread), 200.0 / 3);
    same(values[0], 5); /* left as they were */
}

/* By definition 7 of Hyndman and Fan, as R and NumPy compute them. */
static void values_between_are_interpolated(void **state) {
    (void)state;
    const struct weir_spread spread = spread_of((double[]){40, 10, 30, 20}, 4);
    same(spread.median, 25);
    same(spread.low, 17.5);
    same(spread.high, 32.5);
    const struct weir_spread two = spread_of((double[]){1, 2}, 2);
    same(two.median, 1.5);
    same(two.low, 1.25);
    same(two.high, 1.75);
}

static void one_outlier_does_not_move_the_median(void **state) {
    (void)state;
    const struct weir_spread spread = spread_of((double[]){10, 10.1, 9.9, 10, 1e6}, 5);
    same(spread.median, 10);
    same(spread.high, 10.1);
}

/* b is measured before each a, and once more before the next. */
static void ratios_are_of_neighbours_in_time(void **state) {
    (void)state;
    struct weir_spread spread;
    assert_int_equal(weir_spread_of_ratios((double[]){3, 10, 6}, (double[]){2, 4, 6}, 3, &spread), 0);
    same(spread.least, 1); /* 3 / ((2 + 4) / 2), and 6 / 6 */
    same(spread.median, 1);
    same(spread.most, 2); /* 10 / ((4 + 6) / 2) */
}

/* A machine that slows down steadily slows both down: their ratio stays. */
static void drift_cancels(void **state) {
    (void)state;
    enum { COUNT = 9 };
    double a[COUNT], b[COUNT];
    for (int k = 0; k < COUNT; k++) {
        b[k] = 100 - 4 * (2 * k);
        a[k] = 0.8 * (100 - 4 * (2 * k + 1));
    }
    struct weir_spread spread;
    assert_int_equal(weir_spread_of_ratios(a, b, COUNT, &spread), 0);
    same(spread.median, 0.8);
    same(spread.low, 0.8);
    same(spread.high, 0.8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_no_median),
        cmocka_unit_test(one_value_is_everything),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(values_between_are_interpolated),
        cmocka_unit_test(one_outlier_does_not_move_the_median),
        cmocka_unit_test(ratios_are_of_neighbours_in_time),
        cmocka_unit_test(drift_cancels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
