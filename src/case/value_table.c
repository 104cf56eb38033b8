#include "src/case/value_table.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const weir_table_axis_names[WEIR_TABLE_AXES] = {"x", "y", "z", "t"};

enum { TIME = WEIR_TABLE_AXES - 1 };

struct weir_value_table {
    bool repeat;
    int count[WEIR_TABLE_AXES];      /* of levels; 1: the table has no such coordinate */
    double *levels[WEIR_TABLE_AXES]; /* [count], ascending */
    double *values;                  /* [t][z][y][x] */
};

/* Where a row is, for messages. */
enum { PLACE = 40 };
static const char *place_of(const struct weir_table *table, size_t row, char text[PLACE]) {
    if (table->lines)
        snprintf(text, PLACE, "line %d", table->lines[row]);
    else
        snprintf(text, PLACE, "row %zu", row + 1);
    return text;
}

static int axis_of(const char *name) {
    for (int axis = 0; axis < WEIR_TABLE_AXES; axis++)
        if (strcmp(name, weir_table_axis_names[axis]) == 0)
            return axis;
    return -1;
}

/* *number: of the column that has the values. */
static int find_column(const struct weir_table *table, const char *name, int *number) {
    *number = -1;
    if (name) {
        *number = weir_table_find(table, name);
        return *number >= 0 && axis_of(name) < 0
                   ? 0
                   : weir_fail(WEIR_USAGE, "there is no column of values \"%s\"", name);
    }
    for (int k = 0; k < table->columns; k++)
        if (axis_of(table->names[k]) < 0) {
            if (*number >= 0)
                return weir_fail(
                    WEIR_USAGE,
                    "columns \"%s\" and \"%s\" both have values; say with \"column\" which is meant",
                    table->names[*number], table->names[k]);
            *number = k;
        }
    return *number >= 0
               ? 0
               : weir_fail(WEIR_USAGE, "there is no column of values beside the coordinates x, y, z and t");
}

static int check_numbers(const struct weir_table *table, int column) {
    char place[PLACE];
    for (size_t row = 0; row < table->rows; row++)
        if (!isfinite(weir_table_column(table, column)[row]))
            return weir_fail(WEIR_USAGE, "%s, column \"%s\": %g is not finite", place_of(table, row, place),
                             table->names[column], weir_table_column(table, column)[row]);
    return 0;
}

static int ascending(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Finds what the coordinate of a column has. */
static int find_levels(const struct weir_table *table, int column, int axis, struct weir_value_table *t) {
    if (t->levels[axis])
        return weir_fail(WEIR_USAGE, "there are two columns \"%s\"", table->names[column]);
    double *levels = t->levels[axis] = malloc(sizeof *levels * table->rows);
    int count = 0;
    if (!levels)
        return weir_fail(WEIR_FAILED, "no memory left for the table");
    memcpy(levels, weir_table_column(table, column), sizeof *levels * table->rows);
    qsort(levels, table->rows, sizeof *levels, ascending);
    for (size_t row = 0; row < table->rows; row++)
        if (count == 0 || levels[row] != levels[count - 1])
            levels[count++] = levels[row];
    t->count[axis] = count;
    return count > 1 ? 0
                     : weir_fail(WEIR_USAGE, "column \"%s\" has the same number in all rows; remove it",
                                 table->names[column]);
}

/* The greatest level that is not above a coordinate, but for the last. */
static int level_below(const struct weir_value_table *t, int axis, double at) {
    int low = 0, high = t->count[axis] - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(t->levels[axis][middle] <= at ? &low : &high) = middle;
    }
    return low;
}

/* Place of a row's value. */
static size_t entry_of(const struct weir_table *table, size_t row, const struct weir_value_table *t) {
    size_t entry = 0;
    for (int axis = WEIR_TABLE_AXES - 1; axis >= 0; axis--) {
        if (t->count[axis] == 1)
            continue;
        const double at = weir_table_column(table, weir_table_find(table, weir_table_axis_names[axis]))[row];
        const int below = level_below(t, axis, at);
        entry = entry * (size_t)t->count[axis] + (size_t)(below + (t->levels[axis][below] < at));
    }
    return entry;
}

static int fail_twice(const struct weir_table *table, size_t first, size_t second) {
    char place[PLACE], other[PLACE];
    return weir_fail(WEIR_USAGE, "%s is at the same place as %s; remove one", place_of(table, second, place),
                     place_of(table, first, other));
}

/* Fails for an entry that no row has. */
static int fail_missing(const struct weir_value_table *t, size_t entry) {
    char at[WEIR_TABLE_AXES * 32] = "";
    for (int axis = 0; axis < WEIR_TABLE_AXES; axis++) {
        const size_t count = (size_t)t->count[axis], used = strlen(at);
        if (count > 1)
            snprintf(at + used, sizeof at - used, "%s%s = %.6g", used ? ", " : "",
                     weir_table_axis_names[axis], t->levels[axis][entry % count]);
        entry /= count;
    }
    return weir_fail(WEIR_USAGE, "there is no row for %s; the rows must be the points of a whole grid", at);
}

/* Puts the values in their places, `count` of them. rows: [count], the row of each; -1: none so far. */
static int place_values(const struct weir_table *table, int column, size_t count, int64_t *rows,
                        struct weir_value_table *t) {
    for (size_t k = 0; k < count; k++)
        rows[k] = -1;
    for (size_t row = 0; row < table->rows; row++) {
        const size_t entry = entry_of(table, row, t);
        if (rows[entry] >= 0)
            return fail_twice(table, (size_t)rows[entry], row);
        rows[entry] = (int64_t)row;
        t->values[entry] = weir_table_column(table, column)[row];
    }
    for (size_t k = 0; k < count; k++)
        if (rows[k] < 0)
            return fail_missing(t, k);
    return 0;
}

static int fill_values(const struct weir_table *table, int column, struct weir_value_table *t) {
    size_t count = 1;
    for (int axis = 0; axis < WEIR_TABLE_AXES; axis++) {
        count *= (size_t)t->count[axis];
        if (count > (size_t)1 << 28) /* far more than there are rows */
            return weir_fail(WEIR_USAGE, "the rows are not the points of a grid");
    }
    int64_t *rows = malloc(sizeof *rows * count);
    t->values = malloc(sizeof *t->values * count);
    const int error = rows && t->values ? place_values(table, column, count, rows, t)
                                        : weir_fail(WEIR_FAILED, "no memory left for the table");
    free(rows);
    return error;
}

static int fill(const struct weir_table *table, const char *name, struct weir_value_table *t) {
    int column;
    bool over_anything = false;
    WEIR_TRY(find_column(table, name, &column));
    if (table->rows == 0)
        return weir_fail(WEIR_USAGE, "there are no rows of numbers");
    WEIR_TRY(check_numbers(table, column));
    for (int k = 0; k < table->columns; k++) {
        const int axis = axis_of(table->names[k]);
        if (axis < 0)
            continue;
        WEIR_TRY(check_numbers(table, k));
        WEIR_TRY(find_levels(table, k, axis, t));
        over_anything = true;
    }
    if (!over_anything)
        return weir_fail(WEIR_USAGE, "there is no column of a coordinate, called x, y, z or t");
    if (t->repeat && t->count[TIME] == 1)
        return weir_fail(WEIR_USAGE, "nothing can repeat: there is no column \"t\"");
    return fill_values(table, column, t);
}

int weir_value_table_create(const struct weir_table *table, const char *column, bool repeat,
                            struct weir_value_table **result) {
    struct weir_value_table *t = calloc(1, sizeof *t);
    if (!t)
        return weir_fail(WEIR_FAILED, "no memory left for the table");
    t->repeat = repeat;
    for (int axis = 0; axis < WEIR_TABLE_AXES; axis++)
        t->count[axis] = 1;
    const int error = fill(table, column, t);
    if (error < 0)
        weir_value_table_destroy(t);
    else
        *result = t;
    return error;
}

void weir_value_table_destroy(struct weir_value_table *table) {
    if (!table)
        return;
    for (int axis = 0; axis < WEIR_TABLE_AXES; axis++)
        free(table->levels[axis]);
    free(table->values);
    free(table);
}

bool weir_value_table_uses(const struct weir_value_table *table, int axis) {
    return table->count[axis] > 1;
}

const double *weir_value_table_levels(const struct weir_value_table *table, int axis, int *count) {
    *count = table->count[axis];
    return table->levels[axis];
}

/* Within the table's time, which it repeats. */
static double repeated(const struct weir_value_table *t, double time) {
    const double first = t->levels[TIME][0], period = t->levels[TIME][t->count[TIME] - 1] - first;
    return time - period * floor((time - first) / period);
}

/* The value at the levels `below` and what of the next ones is taken, of axes `axis` and lower. */
static double interpolated(const struct weir_value_table *t, int axis, size_t entry,
                           const int below[WEIR_TABLE_AXES], const double share[WEIR_TABLE_AXES]) {
    if (axis < 0)
        return t->values[entry];
    const size_t here = entry * (size_t)t->count[axis] + (size_t)below[axis];
    const double low = interpolated(t, axis - 1, here, below, share);
    if (share[axis] == 0)
        return low;
    return fma(share[axis], interpolated(t, axis - 1, here + 1, below, share) - low, low);
}

double weir_value_table_at(const struct weir_value_table *table, const double at[WEIR_TABLE_AXES]) {
    int below[WEIR_TABLE_AXES] = {0};
    double share[WEIR_TABLE_AXES] = {0};
    for (int axis = 0; axis < WEIR_TABLE_AXES; axis++) {
        if (table->count[axis] == 1)
            continue;
        const double *const levels = table->levels[axis];
        const double place = axis == TIME && table->repeat ? repeated(table, at[axis]) : at[axis];
        const int k = below[axis] = level_below(table, axis, place);
        share[axis] = fmin(fmax((place - levels[k]) / (levels[k + 1] - levels[k]), 0), 1);
    }
    return interpolated(table, WEIR_TABLE_AXES - 1, 0, below, share);
}
