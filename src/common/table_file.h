/* Tables of numbers as text (CSV): those that Weir has written (series, probes, profiles), and those that
 * cases name. A row of names, then rows of numbers with commas between them; empty lines and lines that begin
 * with # are left out. */
#ifndef WEIR_SRC_COMMON_TABLE_FILE_H
#define WEIR_SRC_COMMON_TABLE_FILE_H

#include <stddef.h>

struct weir_table {
    char **names; /* [columns] */
    int columns;
    size_t rows;
    double *values; /* [columns][rows]; NaN where the file has "nan" */
    int *lines;     /* [rows]: where in the file, from 1 on */
};

/* Reads the table at PATH; a last row that is cut short, as a run that was killed leaves it, is left out.
 * *table is to be released. Errors: -WEIR_FAILED with path and reason, and with line and column where that is
 * no row of such a table. */
int weir_table_read(const char *path, struct weir_table *table);

/* The same for a table that somebody has written, whose last line may lack its end. */
int weir_table_read_given(const char *path, struct weir_table *table);

void weir_table_release(struct weir_table *table);

/* Values of a column, [rows]. */
const double *weir_table_column(const struct weir_table *table, int column);

/* Number of the column that has a name; -1: none. */
int weir_table_find(const struct weir_table *table, const char *name);

#endif
