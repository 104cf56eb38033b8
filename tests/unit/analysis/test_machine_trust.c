/* When a kept measurement of this machine is not to be trusted any more. */
#include "src/machine/machine_trust.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct weir_tune_quality calm = {0.03, 0.01}, loaded = {0.1, 0.4}, unknown = {NAN, NAN};

static void test_runs(void **state) {
    (void)state;
    struct weir_machine_trust trust = {.quality = calm};
    char text[WEIR_TRUST_TEXT];
    assert_false(weir_machine_trust_judge(&trust, 1.2, 0)); /* nothing to keep */
    assert_false(weir_machine_trust_judge(&trust, 0.76, NAN));

    assert_true(weir_machine_trust_judge(&trust, 5.95, 0.5)); /* others do not make runs faster */
    assert_int_equal(trust.runs_off, 1);
    assert_false(weir_machine_trust_is_lost(&trust));
    weir_machine_trust_text(&trust, text);
    assert_string_equal(text, "");

    assert_false(weir_machine_trust_judge(&trust, 0.5, 0.2)); /* others made it slow */
    assert_true(weir_machine_trust_judge(&trust, 0.5, 0.02));
    assert_true(weir_machine_trust_is_lost(&trust));
    weir_machine_trust_text(&trust, text);
    assert_non_null(strstr(text, "the last 2 runs"));
    assert_non_null(strstr(text, "by -50 %"));

    trust = (struct weir_machine_trust){.quality = calm}; /* twice, but not in a row */
    assert_true(weir_machine_trust_judge(&trust, 2, NAN));
    assert_true(weir_machine_trust_judge(&trust, 1.1, NAN));
    assert_true(weir_machine_trust_judge(&trust, 2, NAN));
    assert_int_equal(trust.runs_off, 1);
    assert_false(weir_machine_trust_is_lost(&trust));
}

static void test_new_measurement(void **state) {
    (void)state;
    const struct weir_machine_trust lost = {.quality = calm, .runs_off = 2, .ratio = 2};
    struct weir_machine_trust trust = lost;
    assert_true(weir_machine_trust_renew(&trust, &calm, 2)); /* it was wrong */
    assert_int_equal(trust.runs_off, 0);
    assert_false(trust.confirmed);

    trust =
        lost; /* it was right: the model leaves something out, and runs are no reason to measure any more */
    assert_true(weir_machine_trust_renew(&trust, &calm, 1.1));
    assert_true(trust.confirmed);
    assert_false(weir_machine_trust_judge(&trust, 2, 0));
    assert_false(weir_machine_trust_judge(&trust, 2, 0));
    assert_false(weir_machine_trust_is_lost(&trust));
    assert_true(weir_machine_trust_judge(&trust, 1, 0)); /* until one agrees */
    assert_false(trust.confirmed);

    trust = lost; /* under load: the old one stays, and two more runs may complain */
    assert_false(weir_machine_trust_renew(&trust, &loaded, 0.5));
    assert_int_equal(trust.runs_off, 0);
    assert_true(trust.quality.lost == calm.lost);

    trust = lost; /* under load, and faster all the same */
    assert_true(weir_machine_trust_renew(&trust, &loaded, 1.5));

    trust = (struct weir_machine_trust){.quality = loaded}; /* measured again because of that */
    assert_true(weir_machine_trust_renew(&trust, &calm, 1.05));
    assert_false(trust.confirmed);
    trust = (struct weir_machine_trust){.quality = unknown, .runs_off = 2, .ratio = 3};
    assert_true(weir_machine_trust_renew(&trust, &loaded, 2));
    assert_true(trust.quality.lost == loaded.lost);
}

static void test_quality(void **state) {
    (void)state;
    const struct weir_tune_quality wide = {0.3, 0}, both = {0.2, 0.4};
    struct weir_machine_trust trust = {.quality = loaded};
    char text[WEIR_TRUST_TEXT];
    assert_false(weir_tune_is_disturbed(&calm));
    assert_false(weir_tune_is_disturbed(&unknown));
    assert_true(weir_tune_is_disturbed(&wide));
    assert_true(weir_tune_is_disturbed(&loaded));
    assert_true(weir_tune_is_calmer(&calm, &wide));
    assert_false(weir_tune_is_calmer(&loaded, &wide));
    weir_machine_trust_text(&trust, text);
    assert_non_null(strstr(text, "others took 40 % of the cores' time"));
    weir_tune_quality_text(&both, text);
    assert_string_equal(text, "repetitions differed by 20 % and others took 40 % of the cores' time");
    weir_tune_quality_text(&calm, text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_new_measurement),
        cmocka_unit_test(test_quality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
