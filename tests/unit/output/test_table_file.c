/* Tables read back, and the stretch of them that statistics are made of. */
#include "src/output/table_stretch.h"
#include "tests/unit/temporary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static int read_text(const char *text, struct weir_table *table) {
    char path[TEMPORARY_PATH];
    const int descriptor = make_temporary_file(path);
    FILE *file = fdopen(descriptor, "w");
    fputs(text, file);
    fclose(file);
    const int error = weir_table_read(path, table);
    unlink(path);
    return error;
}

static void names_may_be_quoted(void **state) {
    (void)state;
    struct weir_table table;
    assert_int_equal(read_text("step,time,\"force_x(a, \"\"b\"\")\",max\n0,0,1.5,nan\n10,2,-3,4\n", &table),
                     0);
    assert_int_equal(table.columns, 4);
    assert_int_equal(table.rows, 2);
    assert_int_equal(weir_table_find(&table, "force_x(a, \"b\")"), 2);
    assert_int_equal(weir_table_find(&table, "force"), -1);
    assert_true(weir_table_column(&table, 2)[0] == 1.5 && weir_table_column(&table, 2)[1] == -3);
    assert_true(isnan(weir_table_column(&table, 3)[0]));
    weir_table_release(&table);
}

static void last_row_may_be_cut(void **state) {
    (void)state;
    struct weir_table table;
    assert_int_equal(read_text("step,time\n0,0\n10,1", &table), 0);
    assert_int_equal(table.rows, 1);
    weir_table_release(&table);
    assert_int_equal(read_text("", &table), 0);
    assert_int_equal(table.columns, 0);
    weir_table_release(&table);
}

static void other_files_are_refused(void **state) {
    (void)state;
    struct weir_table table;
    assert_true(read_text("step,time\n0\n", &table) < 0);
    assert_true(read_text("step,time\n0,1,2\n", &table) < 0);
    assert_true(read_text("step,time\n0,one\n", &table) < 0);
    assert_true(weir_table_read("/nowhere/series.csv", &table) < 0);
}

static void stretch_is_even(void **state) {
    (void)state;
    struct weir_table table;
    struct weir_column_statistics s;
    assert_int_equal(read_text("step,time,a\n0,0,9\n10,1,1\n20,2,3\n30,3,1\n40,4,3\n43,4.3,99\n", &table), 0);
    assert_true(weir_table_is_over_time(&table));
    const struct weir_table_stretch stretch = weir_table_stretch(&table, 5);
    assert_int_equal(stretch.rows, 4);
    assert_int_equal(stretch.from, 10);
    assert_int_equal(stretch.to, 40);
    assert_true(stretch.interval == 1);
    assert_int_equal(weir_table_statistics(&table, &stretch, 2, &s), 0);
    assert_true(s.mean == 2 && s.rms == 1 && s.least == 1 && s.greatest == 3);
    assert_int_equal(weir_table_stretch(&table, 44).rows, 0);
    weir_table_release(&table);
}

static void profiles_are_of_one_step(void **state) {
    (void)state;
    struct weir_table table;
    assert_int_equal(read_text("step,time,x,y,z,density\n5,5,0,0,0,1\n", &table), 0);
    assert_false(weir_table_is_over_time(&table));
    weir_table_release(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_may_be_quoted),      cmocka_unit_test(last_row_may_be_cut),
        cmocka_unit_test(other_files_are_refused),  cmocka_unit_test(stretch_is_even),
        cmocka_unit_test(profiles_are_of_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
