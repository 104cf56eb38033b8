/* What has been counted of boxes is found again, and nothing else is. */
#include "graph/problem/known_counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BOXES = 5000 };

static struct weir_counted_box box_of(int k) {
    return (struct weir_counted_box){.what = (enum weir_counted)(k % 3),
                                     .lattice = k / 3 % 2,
                                     .box = {{k / 6 % 50, 7, -k}, {1 + k % 11, 5, 6}},
                                     .start = {k % 2, 0, 1},
                                     .distance = 1 + k % 5};
}

static void test_many(void **state) {
    (void)state;
    struct weir_known_counts *known = weir_known_counts_create();
    assert_non_null(known);
    for (int k = 0; k < BOXES; k++) {
        const struct weir_counted_box box = box_of(k);
        struct weir_counted_numbers numbers = {{k, -INT64_C(10000000000) * k}};
        assert_false(weir_known_counts_find(known, &box, &numbers));
        weir_known_counts_add(known, &box, &numbers);
    }
    for (int k = 0; k < BOXES; k++) {
        struct weir_counted_box box = box_of(k);
        struct weir_counted_numbers numbers;
        assert_true(weir_known_counts_find(known, &box, &numbers));
        assert_int_equal(numbers.of[0], k);
        assert_true(numbers.of[1] == -INT64_C(10000000000) * k);
        int *const parts[] = {&box.lattice,       &box.box.origin[0], &box.box.origin[1], &box.box.origin[2],
                              &box.box.extent[0], &box.box.extent[1], &box.box.extent[2], &box.start[0],
                              &box.start[1],      &box.start[2],      &box.distance};
        int *const part = parts[(size_t)k % (sizeof parts / sizeof *parts)];
        *part += 1000000; /* of which none is like */
        assert_false(weir_known_counts_find(known, &box, &numbers));
    }
    weir_known_counts_destroy(known);
}

static void test_nothing(void **state) {
    (void)state;
    const struct weir_counted_box box = box_of(1);
    struct weir_counted_numbers numbers = {{1, 2}};
    weir_known_counts_add(NULL, &box, &numbers);
    assert_false(weir_known_counts_find(NULL, &box, &numbers));
    weir_known_counts_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many), cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
