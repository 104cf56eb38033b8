/* Tables that Weir has written (series, probes, profiles), read back: a row of names, then rows of numbers
 * with commas between them. */
#ifndef WEIR_SRC_OUTPUT_TABLE_FILE_H
#define WEIR_SRC_OUTPUT_TABLE_FILE_H

#include <stddef.h>

struct weir_table {
    char **names; /* [columns] */
    int columns;
    size_t rows;
    double *values; /* [columns][rows]; NaN where the file has "nan" */
};

/* Reads the table at PATH; a last row that is cut short, as a run that was killed leaves it, is left out.
 * *table is to be released. Errors: -WEIR_FAILED with path and reason, and with the line where that is no row
 * of such a table. */
int weir_table_read(const char *path, struct weir_table *table);
void weir_table_release(struct weir_table *table);

/* Values of a column, [rows]. */
const double *weir_table_column(const struct weir_table *table, int column);

/* Number of the column that has a name; -1: none. */
int weir_table_find(const struct weir_table *table, const char *name);

#endif
