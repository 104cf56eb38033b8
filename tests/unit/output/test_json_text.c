/* Texts of files' names in JSON: whatever bytes they have, they are there. */
#include "src/common/json_text.h"
#include "src/report/described.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define UNKNOWN "\xef\xbf\xbd"

static void check(const char *bytes, const char *expected) {
    json_t *text = weir_json_text(bytes);
    assert_string_equal(json_string_value(text), expected);
    json_decref(text);
}

static void test_utf8_is_kept(void **state) {
    (void)state;
    check("", "");
    check("cases/cavity.json", "cases/cavity.json");
    check("Kan\xc3\xa4le/\xe6\xb5\x81.json", "Kan\xc3\xa4le/\xe6\xb5\x81.json");
}

static void test_other_bytes_are_marked(void **state) {
    (void)state;
    check("Kan\xe4le.json", "Kan" UNKNOWN "le.json");
    check("\xff", UNKNOWN);
    check("\xc3\xa4\xc3", "\xc3\xa4" UNKNOWN);
    check("\xe6\xb5x", UNKNOWN UNKNOWN "x");
}

static void test_nothing_is_null(void **state) {
    (void)state;
    json_t *text = weir_json_text(NULL);
    assert_true(json_is_null(text));
    json_decref(text);
}

static void test_a_case_of_any_file_is_described(void **state) {
    (void)state;
    static char name[] = "flow", file[] = "Kan\xe4le.json";
    struct weir_case c = {.name = name, .file = file};
    weir_problem_default(&c.problem);
    json_t *described = weir_describe_case(&c, (const int[3]){1, 1, 1}, 1);
    assert_string_equal(json_string_value(json_object_get(described, "file")), "Kan" UNKNOWN "le.json");
    json_decref(described);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8_is_kept),
        cmocka_unit_test(test_other_bytes_are_marked),
        cmocka_unit_test(test_nothing_is_null),
        cmocka_unit_test(test_a_case_of_any_file_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
