/* Signs of a flow that is about to diverge. */
#include "src/run/instability.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Whether greatest speeds at one check after the other are a sign, and of which check. */
static int sign_at(const double *speeds, int count, struct weir_warnings *warnings) {
    struct weir_instability instability;
    weir_instability_init(&instability);
    int at = -1;
    for (int k = 0; k < count; k++) {
        weir_instability_note(&instability, &(struct weir_totals){.step = 10 * k, .max_speed = speeds[k]});
        if (weir_instability_tell(&instability, warnings)) {
            assert_int_equal(at, -1); /* once */
            at = k;
        }
    }
    weir_instability_release(&instability);
    return at;
}

#define SIGN_AT(warnings, ...) \
    sign_at((double[]){__VA_ARGS__}, (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)), warnings)

static void signs_are_told_once(void **state) {
    (void)state;
    struct weir_warnings warnings = {.quiet = true};
    assert_int_equal(SIGN_AT(&warnings, 0, 0.1, 0.2, 0.28, 0.3, 0.35), -1);
    assert_int_equal(SIGN_AT(&warnings, 0.32, 0.33), -1); /* fast from the start, and no faster */
    assert_null(warnings.list);
    assert_int_equal(SIGN_AT(&warnings, 0.1, 0.1, 0.3, 0.5), 2);
    assert_int_equal(SIGN_AT(&warnings, 0.3, 0.35, 0.39, 0.42, 0.5), 3);
    assert_int_equal(json_array_size(warnings.list), 2);
    assert_non_null(strstr(json_string_value(json_array_get(warnings.list, 0)),
                           "at step 20 the greatest velocity is Mach 0.52"));
    weir_warnings_release(&warnings);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(signs_are_told_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
