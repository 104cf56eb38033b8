/* Tables of numbers, as runs write them and as cases name them: read, and interpolated in. */
#include "src/case/value_table.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>

static void interpolate(const struct weir_table *table, bool repeat) {
    static const double places[] = {0, 0.5, -1e9, 1e300, INFINITY, NAN};
    struct weir_value_table *values;
    if (!fuzz_judge(weir_value_table_create(table, NULL, repeat, &values)))
        return;
    for (int axis = 0; axis < WEIR_TABLE_AXES; axis++) {
        int count = 0;
        if (weir_value_table_uses(values, axis))
            (void)weir_value_table_levels(values, axis, &count);
    }
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        (void)weir_value_table_at(values, (double[WEIR_TABLE_AXES]){places[k], places[k], 0, places[k]});
    weir_value_table_destroy(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[FUZZ_PATH];
    struct weir_table table;
    fuzz_write("table.csv", data, size, path);
    if (fuzz_judge(weir_table_read(path, &table)))
        weir_table_release(&table);
    if (!fuzz_judge(weir_table_read_given(path, &table)))
        return 0;
    interpolate(&table, false);
    interpolate(&table, true);
    weir_table_release(&table);
    return 0;
}
