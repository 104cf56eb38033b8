/* The operations of an update, as the table of collisions has them for benchmarks, against those that the
 * text of each asks for (count_operations.cpp). */
#include "tests/unit/assert_close.h"

#include "codelets/kernels/collision/collisions.h"

#define COUNT(collision) weir_count_operations_##collision
#define DECLARE(collision, number) int COUNT(collision)(int forced);
FOR_COLLISIONS(DECLARE)

static const struct {
    enum weir_collision collision;
    int (*count)(int forced);
} counts[] = {
#define ROW(collision, number) {number, COUNT(collision)},
    FOR_COLLISIONS(ROW)
#undef ROW
};
enum { COUNTS = sizeof counts / sizeof *counts };

static void test_operations(void **state) {
    (void)state;
    for (int k = 0; k < COUNTS; k++)
        for (int forced = 0; forced < 2; forced++)
            assert_int_equal(weir_collision_row(counts[k].collision)->operations[forced],
                             counts[k].count(forced));
}

/* Numbers without a count have not been written down, and the lattice need not be said. */
static void test_others_have_none(void **state) {
    int found = 0;
    (void)state;
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++) {
        const struct weir_collision_row *const row = weir_collision_row((enum weir_collision)collision);
        found += row->operations[0] > 0;
        assert_int_equal(row->operations[0] > 0, row->operations[1] > 0);
        if (row->operations[0] > 0)
            assert_int_equal(row->lattices & (row->lattices - 1), 0);
    }
    assert_int_equal(found, COUNTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations),
                                       cmocka_unit_test(test_others_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
