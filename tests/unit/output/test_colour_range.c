/* The ends of the colour bar: sensible for each kind of quantity, and never empty. */
#include "src/output/colour_range.h"
#include "tests/unit/assert_close.h"

static const double open[2] = {NAN, NAN};

static void assert_range(enum weir_quantity quantity, const double *values, size_t count,
                         const double wanted[2], double low, double high) {
    double range[2];
    weir_colour_range_choose(quantity, values, count, wanted, range);
    assert_close(range[0], low, 1e-12);
    assert_close(range[1], high, 1e-12);
}

static void fits_the_quantity(void **state) {
    (void)state;
    static const double values[] = {0.3, NAN, -0.2, 0.1};
    assert_range(WEIR_PRESSURE, values, 4, open, -0.2, 0.3);
    assert_range(WEIR_VELOCITY_X, values, 4, open, -0.3, 0.3);
    assert_range(WEIR_SPEED, values, 1, open, 0.0, 0.3);
}

static void keeps_what_is_given(void **state) {
    (void)state;
    static const double values[] = {0.3, -0.2};
    assert_range(WEIR_VELOCITY_X, values, 2, (double[2]){-1.0, 0.5}, -1.0, 0.5);
    assert_range(WEIR_PRESSURE, values, 2, (double[2]){NAN, 0.5}, -0.2, 0.5);
    assert_range(WEIR_PRESSURE, values, 2, (double[2]){-0.5, NAN}, -0.5, 0.3);
}

static void leaves_out_singular_vorticity(void **state) {
    (void)state;
    double values[1000], range[2];
    for (int i = 0; i < 1000; i++)
        values[i] = (i % 2 ? 1.0 : -1.0) * (i < 10 ? 1000.0 : 1.0 + 0.001 * i);
    weir_colour_range_choose(WEIR_VORTICITY, values, 1000, open, range);
    assert_true(range[1] >= 2.0 && range[1] < 2.3);
    assert_true(range[0] == -range[1]);
}

static void is_never_empty(void **state) {
    (void)state;
    static const double zeros[] = {0.0, 0.0}, ones[] = {1.0, 1.0 + 1e-9}, solid[] = {NAN, NAN};
    assert_range(WEIR_SPEED, zeros, 2, open, 0.0, 1.0);
    assert_range(WEIR_VELOCITY_Y, zeros, 2, open, -0.5, 0.5);
    assert_range(WEIR_VORTICITY, zeros, 2, open, -0.5, 0.5);
    assert_range(WEIR_DENSITY, ones, 2, open, 1.0 - 5e-7 + 5e-10, 1.0 + 5e-7 + 5e-10);
    assert_range(WEIR_DENSITY, solid, 2, open, -0.5, 0.5);
    assert_range(WEIR_SPEED, solid, 2, (double[2]){NAN, 0.2}, 0.0, 0.2);
    assert_range(WEIR_DENSITY, ones, 2, (double[2]){2.0, NAN}, 2.0, 2.000002);
    assert_range(WEIR_DENSITY, ones, 2, (double[2]){NAN, 0.5}, 0.5 - 1.000000001e-6, 0.5);
}

static void ignores_what_is_infinite(void **state) {
    (void)state;
    static const double values[] = {0.3, INFINITY, -0.2, -INFINITY};
    assert_range(WEIR_PRESSURE, values, 4, open, -0.2, 0.3);
    assert_range(WEIR_SPEED, values, 4, open, 0.0, 0.3);
    assert_range(WEIR_VELOCITY_X, values, 4, open, -0.3, 0.3);
    double range[2];
    weir_colour_range_choose(WEIR_VORTICITY, values, 4, open, range);
    assert_true(range[1] >= 0.3 && range[1] < 0.301);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_the_quantity),
        cmocka_unit_test(keeps_what_is_given),
        cmocka_unit_test(leaves_out_singular_vorticity),
        cmocka_unit_test(is_never_empty),
        cmocka_unit_test(ignores_what_is_infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
