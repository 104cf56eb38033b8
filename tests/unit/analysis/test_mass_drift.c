/* What rounding explains of a change of the mass, beside what was measured (docs/measured). */
#include "src/run/mass_drift.h"
#include "tests/unit/assert_close.h"

static void covers_what_rounding_did(void **state) {
    (void)state;
    /* precision, steps, density, greatest speed, greatest drift measured */
    static const struct {
        enum weir_precision precision;
        int64_t steps;
        double density, speed, measured;
    } runs[] = {
        {WEIR_SINGLE, 200000, 1, 0.089, 2.95e-6},  {WEIR_SINGLE, 1000, 1, 0.11, 1.63e-7},
        {WEIR_SINGLE, 40000, 1.3, 0.091, 4.44e-5}, {WEIR_SINGLE, 10000, 1, 0.1, 4.14e-7},
        {WEIR_HALF, 5000, 1, 0.079, 2.01e-4},      {WEIR_HALF, 20000, 1.3, 0.091, 5.69e-4},
        {WEIR_DOUBLE, 20000, 1, 0.089, 1.11e-15},  {WEIR_DOUBLE, 20000, 1.3, 0.091, 6.07e-13},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
        assert_true(weir_mass_drift_limit(runs[k].precision, runs[k].steps, runs[k].density, runs[k].speed) >
                    2 * runs[k].measured);
}

/* A cavity of 128^2 cells with a box in a corner gained 8.4 % in 20,000 steps before covered walls rested; a
 * lid of 0.1 over 1024^2 cells and one link too many is the smallest leak worth telling. */
static void tells_leaks(void **state) {
    (void)state;
    const double link = 6.0 / 36 * 0.1;
    assert_true(weir_mass_drift_limit(WEIR_HALF, 20000, 1, 0.1) < 0.084);
    assert_true(weir_mass_drift_limit(WEIR_SINGLE, 20000, 1, 0.1) < 20000 * link / (1024 * 1024));
    assert_true(weir_mass_drift_limit(WEIR_DOUBLE, 20000, 1, 0.1) < 1e-8 * 20000 * link / (1024 * 1024));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_what_rounding_did),
        cmocka_unit_test(tells_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
