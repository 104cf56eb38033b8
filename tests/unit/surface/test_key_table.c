/* Numbers for keys: in the order in which keys come, the same ones again, through all that a table grows. */
#include "src/surface/key_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_empty(void **state) {
    (void)state;
    struct weir_key_table table = {.count = 0};
    assert_int_equal(weir_key_table_find(&table, 0), -1);
    weir_key_table_free(&table);
    assert_int_equal(table.count, 0);
}

/* Near each other, far apart, and as many as make it grow. */
static void test_many(void **state) {
    (void)state;
    static const int64_t strides[] = {1, 3, (int64_t)1 << 20, (int64_t)1 << 40};
    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        enum { KEYS = 5000 };
        struct weir_key_table table = {.count = 0};
        for (int number = 0; number < KEYS; number++) {
            const int64_t key = strides[k] * (number % 2 ? KEYS + number : KEYS - number);
            assert_int_equal(weir_key_table_find(&table, key), -1);
            assert_int_equal(weir_key_table_add(&table, key), number);
            assert_int_equal(weir_key_table_add(&table, key), number);
        }
        assert_int_equal(table.count, KEYS);
        for (int32_t number = 0; number < KEYS; number++)
            assert_int_equal(weir_key_table_find(&table, table.keys[number]), number);
        assert_int_equal(weir_key_table_find(&table, strides[k] * 3 * KEYS), -1);
        weir_key_table_free(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_empty), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
