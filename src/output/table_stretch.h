/* The stretch of a table over time that statistics and spectra are made of, and what can be said of it. */
#ifndef WEIR_SRC_OUTPUT_TABLE_STRETCH_H
#define WEIR_SRC_OUTPUT_TABLE_STRETCH_H

#include "src/common/table_file.h"

#include <stdbool.h>
#include <stdint.h>

/* Rows that follow each other at equal intervals. */
struct weir_table_stretch {
    size_t first, rows;
    int64_t from, to; /* steps of the first and the last row; -1: there are none */
    double interval;  /* time between rows, in the table's units; 0: fewer than two rows */
};

/* Whether a table has a row for each of several steps: a series or probes, no profile. */
bool weir_table_is_over_time(const struct weir_table *table);

/* Rows from step `from` on; the row of a run's last step is left out where it follows closer than the others.
 */
struct weir_table_stretch weir_table_stretch(const struct weir_table *table, int64_t from);

struct weir_column_statistics {
    double mean, rms; /* root mean square of what differs from the mean */
    double least, greatest;
    double frequency; /* of the strongest swing, see spectrum.h; NaN: none */
};

/* Of a column in a stretch of one row at least. Error: -WEIR_FAILED (no memory). */
int weir_table_statistics(const struct weir_table *table, const struct weir_table_stretch *stretch,
                          int column, struct weir_column_statistics *statistics);

#endif
