/* Spectra of swings that are known. */
#include "src/common/spectrum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { COUNT = 1000 };

static void make(double (*value)(double time), double interval, struct weir_spectrum *s) {
    double values[COUNT];
    for (int k = 0; k < COUNT; k++)
        values[k] = value(k * interval);
    assert_int_equal(weir_spectrum_make(values, COUNT, interval, s), 0);
}

static double swing(double time) {
    return 7 + 0.3 * sin(2 * M_PI * 0.01234 * time + 0.4) + 0.05 * sin(2 * M_PI * 0.05 * time);
}

static void the_strongest_swing_is_found(void **state) {
    (void)state;
    struct weir_spectrum s;
    make(swing, 2, &s);
    assert_true(fabs(s.peak - 0.01234) < 1e-3 * 0.01234);
    assert_true(fabs(s.height - 0.3) < 0.01 * 0.3);
    weir_spectrum_release(&s);
}

static void amplitudes_are_at_their_frequencies(void **state) {
    (void)state;
    struct weir_spectrum s;
    make(swing, 2, &s);
    const double weaker = s.amplitude[(size_t)lround(0.05 / s.step)],
                 between = s.amplitude[(size_t)lround(0.03 / s.step)];
    assert_true(fabs((double)(s.bins - 1) * s.step - 0.25) < 1e-12);
    assert_true(weaker > 0.95 * 0.05 && weaker < 1.01 * 0.05);
    assert_true(between < 1e-4);
    weir_spectrum_release(&s);
}

static double still(double time) {
    (void)time;
    return 0.1;
}

static double not_a_number(double time) {
    return time == 500 ? NAN : time;
}

static void what_does_not_swing_has_no_peak(void **state) {
    (void)state;
    struct weir_spectrum s;
    make(still, 1, &s);
    assert_true(isnan(s.peak));
    weir_spectrum_release(&s);
    make(not_a_number, 1, &s);
    assert_true(isnan(s.peak) && s.bins == 0);
    assert_int_equal(weir_spectrum_make((double[]){1, -1}, 2, 1, &s), 0);
    assert_true(isnan(s.peak) && s.bins == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strongest_swing_is_found),
        cmocka_unit_test(amplitudes_are_at_their_frequencies),
        cmocka_unit_test(what_does_not_swing_has_no_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
