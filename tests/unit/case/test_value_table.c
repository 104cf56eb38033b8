/* Values between the entries of tables, and tables that are none. */
#include "graph/base/error.h"
#include "src/case/value_table.h"
#include "tests/unit/temporary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int make(const char *text, const char *column, bool repeat, struct weir_value_table **result) {
    char path[TEMPORARY_PATH];
    struct weir_table table;
    FILE *file = fdopen(make_temporary_file(path), "w");
    fputs(text, file);
    fclose(file);
    int error = weir_table_read_given(path, &table);
    unlink(path);
    if (error == 0) {
        error = weir_value_table_create(&table, column, repeat, result);
        weir_table_release(&table);
    }
    return error;
}

static double at(const struct weir_value_table *table, double x, double y, double z, double t) {
    return weir_value_table_at(table, (const double[WEIR_TABLE_AXES]){x, y, z, t});
}

static void test_one_coordinate(void **state) {
    (void)state;
    struct weir_value_table *table;
    /* In any order, with a comment, blanks, an empty line and no end of the last line. */
    assert_int_equal(make("# of a measurement\r\n y , v, u\n4,1, 8 \n\n0,1,0\n2 ,1,2", "u", false, &table),
                     0);
    assert_true(at(table, 9, 0, 9, 9) == 0 && at(table, 9, 1, 9, 9) == 1 && at(table, 9, 3, 9, 9) == 5);
    assert_true(at(table, 0, -5, 0, 0) == 0 && at(table, 0, 5, 0, 0) == 8);
    assert_true(weir_value_table_uses(table, 1) && !weir_value_table_uses(table, 0));
    weir_value_table_destroy(table);
}

/* 1 + 2y + 3t + 5yt is linear along each coordinate, so nothing is lost between the entries. */
static void test_two_coordinates(void **state) {
    (void)state;
    struct weir_value_table *table;
    assert_int_equal(make("y,t,u\n0,0,1\n0,2,7\n4,0,9\n4,2,55\n1,2,19\n1,0,3\n", NULL, false, &table), 0);
    for (double y = 0; y <= 4; y += 0.25)
        for (double t = 0; t <= 2; t += 0.125)
            assert_true(fabs(at(table, 0, y, 0, t) - (1 + 2 * y + 3 * t + 5 * y * t)) < 1e-13);
    weir_value_table_destroy(table);
}

static void test_time(void **state) {
    (void)state;
    struct weir_value_table *once, *again;
    const char *text = "t,u\n1,0\n2,1\n5,0\n";
    assert_int_equal(make(text, NULL, false, &once), 0);
    assert_int_equal(make(text, NULL, true, &again), 0);
    assert_true(at(once, 0, 0, 0, 0) == 0 && at(once, 0, 0, 0, 2) == 1 && at(once, 0, 0, 0, 99) == 0);
    for (int round = -2; round < 3; round++)
        assert_true(at(again, 0, 0, 0, 1.5 + 4 * round) == 0.5 && at(again, 0, 0, 0, 3.5 + 4 * round) == 0.5);
    weir_value_table_destroy(once);
    weir_value_table_destroy(again);
}

static void test_mistakes(void **state) {
    (void)state;
    const struct {
        const char *text, *column, *words;
        bool repeat;
    } wrong[] = {
        {"y,u\n0,0\n8,x\n", NULL, "line 3, column \"u\": \"x\" is no number", false},
        {"y,u\n#\n0,0\n8\n", NULL, "line 4 is no row of 2 numbers", false},
        {"y,u\n0,0\n8,1,2\n", NULL, "line 3 is no row of 2 numbers", false},
        {"y,u\n0,0\n8,nan\n", NULL, "line 3, column \"u\": nan is not finite", false},
        {"y,u\n0,0\ninf,1\n", NULL, "line 3, column \"y\": inf is not finite", false},
        {"y,u\n0,0\n4,1\n0,2\n", NULL, "line 4 is at the same place as line 2", false},
        {"y,t,u\n0,0,0\n4,0,1\n0,1,2\n", NULL, "no row for y = 4, t = 1", false},
        {"y,u\n4,0\n", NULL, "\"y\" has the same number", false},
        {"y,y,u\n4,0,1\n5,1,2\n", NULL, "two columns \"y\"", false},
        {"u\n1\n", NULL, "no column of a coordinate", false},
        {"y,z\n0,0\n1,1\n", NULL, "no column of values", false},
        {"y,u,v\n0,0,0\n1,1,1\n", NULL, "\"u\" and \"v\" both have values", false},
        {"y,u\n0,0\n1,1\n", "w", "no column of values \"w\"", false},
        {"y,u\n0,0\n1,1\n", "y", "no column of values \"y\"", false},
        {"y,u\n0,0\n1,1\n", NULL, "no column \"t\"", true},
        {"y,u\n", NULL, "no rows", false},
        {"", NULL, "no column of values", false},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct weir_value_table *table;
        assert_true(make(wrong[k].text, wrong[k].column, wrong[k].repeat, &table) < 0);
        if (!strstr(weir_error_text(), wrong[k].words))
            fail_msg("\"%s\" does not have \"%s\"", weir_error_text(), wrong[k].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_coordinate),
                                       cmocka_unit_test(test_two_coordinates), cmocka_unit_test(test_time),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
