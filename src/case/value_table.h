/* A value given as a table over places, time or both, between whose entries it is interpolated linearly. */
#ifndef WEIR_SRC_CASE_VALUE_TABLE_H
#define WEIR_SRC_CASE_VALUE_TABLE_H

#include "src/common/table_file.h"

#include <stdbool.h>

/* Coordinates that a table may have, by the names of their columns: x, y, z, t (WEIR_TIME of expression.h is
 * the last). */
enum { WEIR_TABLE_AXES = 4 };
extern const char *const weir_table_axis_names[WEIR_TABLE_AXES];

struct weir_value_table;

/* Makes one of a table with columns of coordinates and one of values, `column`, which may be NULL where there
 * is no other. Its rows are the points of a grid, each once, in any order; what they are measured in is the
 * caller's matter. repeat: what it has over time comes again and again. *result is the caller's. Errors:
 * -WEIR_USAGE with line (or row, where the table is of no file), column and reason; -WEIR_FAILED when memory
 * is short. */
int weir_value_table_create(const struct weir_table *table, const char *column, bool repeat,
                            struct weir_value_table **result);
void weir_value_table_destroy(struct weir_value_table *table);

/* Whether the table has a coordinate. */
bool weir_value_table_uses(const struct weir_value_table *table, int axis);

/* What a coordinate has in the table: [count], ascending. */
const double *weir_value_table_levels(const struct weir_value_table *table, int axis, int *count);

/* The value at x, y, z, t. Beyond the ends of the table it is that at the ends; over time too, unless it is
 * repeated. Several threads may ask at once. */
double weir_value_table_at(const struct weir_value_table *table, const double at[WEIR_TABLE_AXES]);

#endif
