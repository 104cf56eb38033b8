#include "src/common/table_file.h"

#include "graph/base/error.h"

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

/* Without the blanks around it. */
static char *trimmed(char *text) {
    text += strspn(text, " \t");
    for (size_t length = strlen(text); length > 0 && strchr(" \t", text[length - 1]); length--)
        text[length - 1] = '\0';
    return text;
}

static int read_names(char *line, const char *path, struct weir_table *table) {
    for (char *field; (field = next_field(&line)); table->columns++) {
        char **longer = realloc(table->names, sizeof *longer * (size_t)(table->columns + 1));
        if (!longer)
            return fail_memory(path);
        table->names = longer;
        if (!(table->names[table->columns] = strdup(trimmed(field))))
            return fail_memory(path);
    }
    return 0;
}

/* values: of a row. number: of its line in the file. */
static int read_numbers(const char *line, int number, const char *path, const struct weir_table *table,
                        double *values) {
    for (int k = 0; k < table->columns; k++) {
        char *end;
        values[k] = strtod(line, &end);
        const bool is_number = end != line;
        end += strspn(end, " \t");
        if (!is_number || (*end != ',' && *end != '\0'))
            return weir_fail(WEIR_FAILED, "%s: line %d, column \"%s\": \"%.*s\" is no number", path, number,
                             table->names[k], (int)strcspn(line, ","), line);
        if ((*end == ',') != (k < table->columns - 1))
            return weir_fail(WEIR_FAILED, "%s: line %d is no row of %d numbers, as many as there are names",
                             path, number, table->columns);
        line = end + 1;
    }
    return 0;
}

/* Where a file is read. */
struct reader {
    FILE *stream;
    const char *path;
    bool cut; /* a last line without an end is left out */
    int number;
    char *line;
    size_t size;
};

/* Turns to the next line that is neither empty nor a comment, without its end; false: there is none. */
static bool next_line(struct reader *r) {
    for (ssize_t length; (length = getline(&r->line, &r->size, r->stream)) > 0;) {
        if (r->cut && r->line[length - 1] != '\n')
            return false;
        r->line[strcspn(r->line, "\r\n")] = '\0';
        r->number++;
        if (r->line[strspn(r->line, " \t")] != '\0' && r->line[0] != '#')
            return true;
    }
    return false;
}

/* Makes room for a row more. */
static int add_row(const char *path, struct weir_table *table, size_t *room, double **rows) {
    if (table->rows++ < *room)
        return 0;
    *room = *room ? 2 * *room : 1024;
    double *longer = realloc(*rows, sizeof *longer * *room * (size_t)table->columns);
    *rows = longer ? longer : *rows;
    int *lines = longer ? realloc(table->lines, sizeof *lines * *room) : NULL;
    table->lines = lines ? lines : table->lines;
    return lines ? 0 : fail_memory(path);
}

/* *rows: [rows][columns], as they are in the file. */
static int read_rows(struct reader *r, struct weir_table *table, double **rows) {
    size_t room = 0;
    if (next_line(r))
        WEIR_TRY(read_names(r->line, r->path, table));
    while (next_line(r)) {
        WEIR_TRY(add_row(r->path, table, &room, rows));
        table->lines[table->rows - 1] = r->number;
        WEIR_TRY(read_numbers(r->line, r->number, r->path, table,
                              *rows + (table->rows - 1) * (size_t)table->columns));
    }
    return 0;
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

static int read_file(const char *path, bool cut, struct weir_table *table) {
    double *rows = NULL;
    *table = (struct weir_table){.rows = 0};
    FILE *stream = fopen(path, "re");
    if (!stream)
        return weir_fail(WEIR_FAILED, "cannot read '%s': %s", path, strerror(errno));
    struct reader reader = {.stream = stream, .path = path, .cut = cut};
    int error = read_rows(&reader, table, &rows);
    free(reader.line);
    fclose(stream);
    if (error == 0)
        error = transpose(rows, path, table);
    free(rows);
    if (error != 0)
        weir_table_release(table);
    return error;
}

int weir_table_read(const char *path, struct weir_table *table) {
    return read_file(path, true, table);
}

int weir_table_read_given(const char *path, struct weir_table *table) {
    return read_file(path, false, table);
}

void weir_table_release(struct weir_table *table) {
    for (int k = 0; k < table->columns; k++)
        free(table->names[k]);
    free(table->names);
    free(table->values);
    free(table->lines);
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
