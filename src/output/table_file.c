#include "src/output/table_file.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail_memory(const char *path) {
    return weir_fail(WEIR_FAILED, "out of memory for the table '%s'", path);
}

/* Cuts the field that begins at *text out of its line, without its quotes, and moves *text behind it; NULL:
 * there is none any more. */
static char *next_field(char **text) {
    char *field = *text, *to = field;
    bool quoted = false;
    if (!field)
        return NULL;
    for (char *from = field;; from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else if (*from == '\0' || (*from == ',' && !quoted)) {
            *text = *from ? from + 1 : NULL;
            *to = '\0';
            return field;
        } else
            *to++ = *from;
    }
}

static int read_names(char *line, const char *path, struct weir_table *table) {
    for (char *field; (field = next_field(&line)); table->columns++) {
        char **longer = realloc(table->names, sizeof *longer * (size_t)(table->columns + 1));
        if (!longer)
            return fail_memory(path);
        table->names = longer;
        if (!(table->names[table->columns] = strdup(field)))
            return fail_memory(path);
    }
    return 0;
}

static bool read_numbers(const char *line, int columns, double *values) {
    for (int k = 0; k < columns; k++) {
        char *end;
        values[k] = strtod(line, &end);
        if (end == line || *end != (k < columns - 1 ? ',' : '\0'))
            return false;
        line = end + 1;
    }
    return true;
}

/* The line without its end; false: there is none that is whole. */
static bool next_line(FILE *stream, char **line, size_t *size) {
    const ssize_t length = getline(line, size, stream);
    if (length <= 0 || (*line)[length - 1] != '\n')
        return false;
    (*line)[length - 1] = '\0';
    return true;
}

/* *rows: [rows][columns], as they are in the file. */
static int read_rows(FILE *stream, const char *path, struct weir_table *table, double **rows) {
    char *line = NULL;
    size_t size = 0, room = 0;
    int error = 0;
    if (next_line(stream, &line, &size))
        error = read_names(line, path, table);
    while (error == 0 && next_line(stream, &line, &size)) {
        if (table->rows == room) {
            room = room ? 2 * room : 1024;
            double *longer = realloc(*rows, sizeof *longer * room * (size_t)table->columns);
            if (!longer) {
                error = fail_memory(path);
                break;
            }
            *rows = longer;
        }
        if (!read_numbers(line, table->columns, *rows + table->rows * (size_t)table->columns))
            error = weir_fail(WEIR_FAILED, "%s: line %zu is no row of %d numbers; was the file changed?",
                              path, table->rows + 2, table->columns);
        table->rows++;
    }
    free(line);
    return error;
}

static int transpose(const double *rows, const char *path, struct weir_table *table) {
    const size_t columns = (size_t)table->columns;
    if (!(table->values = malloc(sizeof *table->values * (table->rows * columns + 1))))
        return fail_memory(path);
    for (size_t row = 0; row < table->rows; row++)
        for (size_t column = 0; column < columns; column++)
            table->values[column * table->rows + row] = rows[row * columns + column];
    return 0;
}

int weir_table_read(const char *path, struct weir_table *table) {
    double *rows = NULL;
    *table = (struct weir_table){.rows = 0};
    FILE *stream = fopen(path, "re");
    if (!stream)
        return weir_output_error("read", path, errno);
    int error = read_rows(stream, path, table, &rows);
    fclose(stream);
    if (error == 0)
        error = transpose(rows, path, table);
    free(rows);
    if (error != 0)
        weir_table_release(table);
    return error;
}

void weir_table_release(struct weir_table *table) {
    for (int k = 0; k < table->columns; k++)
        free(table->names[k]);
    free(table->names);
    free(table->values);
    *table = (struct weir_table){.rows = 0};
}

const double *weir_table_column(const struct weir_table *table, int column) {
    return table->values + (size_t)column * table->rows;
}

int weir_table_find(const struct weir_table *table, const char *name) {
    for (int k = 0; k < table->columns; k++)
        if (strcmp(table->names[k], name) == 0)
            return k;
    return -1;
}
