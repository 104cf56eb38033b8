#include "src/case/case_tables.h"

#include "graph/base/error.h"
#include "graph/problem/problem.h"
#include "src/common/path_beside.h"

#include <stdlib.h>
#include <string.h>

/* Of a table: what a case file may hold, as it is kept with each checkpoint. */
enum { ROWS_MOST = 100000 };

static const char *const members[] = {"table", "column", "repeat", NULL};

static int check_members(const struct weir_json *json) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json->value, key, value) {
        const struct weir_json member = weir_json_member(json, key);
        int k = 0;
        while (members[k] && strcmp(members[k], key) != 0)
            k++;
        if (!members[k])
            return weir_json_fail(&member, "unknown key; a table has \"table\", \"column\" and \"repeat\"");
    }
    return 0;
}

/* What is said beside the table. *column: borrowed, NULL: not given. */
static int read_members(const struct weir_json *json, const char **column, bool *repeat) {
    const struct weir_json name = weir_json_member(json, "column"), again = weir_json_member(json, "repeat");
    *column = NULL;
    *repeat = false;
    WEIR_TRY(check_members(json));
    if (weir_json_present(&name))
        WEIR_TRY(weir_json_string(&name, "the name of the table's column that has the values", column));
    if (weir_json_present(&again))
        WEIR_TRY(weir_json_boolean(&again, "true where the table's time comes again and again", repeat));
    return 0;
}

/* ---- files ------------------------------------------------------------------------------------------- */

/* The columns that are needed, by name; a new reference. */
static json_t *columns_of(const struct weir_table *table, const char *column) {
    json_t *columns = json_object();
    for (int k = 0; k < table->columns; k++) {
        bool needed = !column || strcmp(table->names[k], column) == 0;
        for (int axis = 0; axis < WEIR_TABLE_AXES; axis++)
            needed = needed || strcmp(table->names[k], weir_table_axis_names[axis]) == 0;
        if (!needed)
            continue;
        json_t *numbers = json_array();
        for (size_t row = 0; row < table->rows; row++)
            json_array_append_new(numbers, json_real(weir_table_column(table, k)[row]));
        json_object_set_new(columns, table->names[k], numbers);
    }
    return columns;
}

/* Reads a file, and makes a value of it so that mistakes are told with their lines. */
static int load_file(const struct weir_json *json, const struct weir_json *file, const char *path) {
    struct weir_table table;
    struct weir_value_table *value = NULL;
    const char *column;
    bool repeat;
    WEIR_TRY(read_members(json, &column, &repeat));
    if (weir_table_read_given(path, &table) < 0)
        return weir_json_fail(file, "%s; give a CSV file of numbers under a row of names", weir_error_text());
    int error = table.rows > ROWS_MOST
                    ? weir_json_fail(file, "%s has %zu rows; give %d at most", path, table.rows, ROWS_MOST)
                    : 0;
    if (error == 0 && weir_value_table_create(&table, column, repeat, &value) < 0)
        error = weir_json_fail(file, "%s: %s", path, weir_error_text());
    if (error == 0)
        json_object_set_new((json_t *)json->value, "table", columns_of(&table, column));
    weir_value_table_destroy(value);
    weir_table_release(&table);
    return error;
}

/* Where the value is a table in a file. */
static int load_value(const struct weir_json *json) {
    const struct weir_json file = weir_json_member(json, "table");
    if (!json_is_object(json->value) || !json_is_string(file.value))
        return 0;
    char *path = weir_path_beside(json->source->file, json_string_value(file.value));
    if (!path)
        return weir_fail(WEIR_FAILED, "no memory left for the tables of boundaries");
    const int error = load_file(json, &file, path);
    free(path);
    return error;
}

/* Those of a face, a part or a solid. */
static int load_values_of(const struct weir_json *boundary) {
    static const char *const keys[] = {"velocity", "density", "scalar", "scalar_flux"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const struct weir_json value = weir_json_member(boundary, keys[k]);
        WEIR_TRY(load_value(&value));
        for (size_t axis = 0; axis < json_array_size(value.value); axis++) {
            const struct weir_json item = weir_json_item(&value, (int)axis);
            WEIR_TRY(load_value(&item));
        }
    }
    return 0;
}

static int load_values_in(const struct weir_json *list) {
    for (size_t k = 0; k < json_array_size(list->value); k++) {
        const struct weir_json item = weir_json_item(list, (int)k);
        WEIR_TRY(load_values_of(&item));
    }
    return 0;
}

int weir_case_load_tables(json_t *root, const struct weir_json_source *source) {
    const struct weir_json whole = weir_json_root(source, root),
                           boundaries = weir_json_member(&whole, "boundaries"),
                           solids = weir_json_member(&whole, "solids");
    for (int face = 0; face < WEIR_FACES; face++) {
        const struct weir_json of_face = weir_json_member(&boundaries, weir_face_names[face]),
                               parts = weir_json_member(&of_face, "parts");
        WEIR_TRY(load_values_of(&of_face));
        WEIR_TRY(load_values_in(&parts));
    }
    return load_values_in(&solids);
}

/* ---- columns in a case ------------------------------------------------------------------------------- */

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the tables of boundaries");
}

/* Column `number` of a table, whose rows are as many as the first column's. */
static int read_column(const struct weir_json *columns, const char *name, int number,
                       struct weir_table *table) {
    const struct weir_json numbers = weir_json_member(columns, name);
    const char *wanted = "a list of numbers, as many as the other columns have";
    int count;
    WEIR_TRY(weir_json_array(&numbers, wanted, 1, ROWS_MOST, &count));
    if (number == 0) {
        const size_t all = json_object_size(columns->value);
        table->rows = (size_t)count;
        table->names = calloc(all, sizeof *table->names);
        table->values = malloc(sizeof *table->values * all * table->rows);
    }
    if ((size_t)count != table->rows)
        return weir_json_fail(&numbers, "has %d numbers, and the first column %zu; give %s", count,
                              table->rows, wanted);
    if (!table->names || !table->values || !(table->names[number] = strdup(name)))
        return fail_memory();
    table->columns = number + 1;
    for (int row = 0; row < count; row++) {
        const struct weir_json item = weir_json_item(&numbers, row);
        WEIR_TRY(weir_json_number(&item, "a number", table->values + (size_t)number * table->rows + row));
    }
    return 0;
}

static int read_columns(const struct weir_json *columns, struct weir_table *table) {
    const char *name;
    json_t *value;
    int number = 0;
    if (!json_is_object(columns->value) || json_object_size(columns->value) == 0)
        return weir_json_fail_type(
            columns, "a table",
            "the path of a CSV file, as seen from the case file, or its columns, such as "
            "{\"y\": [0, 8, 16], \"u\": [0, 0.05, 0]}");
    json_object_foreach((json_t *)columns->value, name, value)
        WEIR_TRY(read_column(columns, name, number++, table));
    return 0;
}

int weir_case_read_table(const struct weir_json *json, struct weir_value_table **result) {
    const struct weir_json columns = weir_json_member(json, "table");
    struct weir_table table = {.rows = 0};
    const char *column;
    bool repeat;
    WEIR_TRY(read_members(json, &column, &repeat));
    if (!weir_json_present(&columns))
        return weir_json_fail_missing(&columns, "the path of a CSV file, as seen from the case file");
    int error = read_columns(&columns, &table);
    if (error == 0 && (error = weir_value_table_create(&table, column, repeat, result)) == -WEIR_USAGE)
        error = weir_json_fail(&columns, "%s", weir_error_text());
    weir_table_release(&table);
    return error;
}
