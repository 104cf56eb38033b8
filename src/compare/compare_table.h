/* A comparison as a table on the terminal. */
#ifndef WEIR_SRC_COMPARE_COMPARE_TABLE_H
#define WEIR_SRC_COMPARE_COMPARE_TABLE_H

#include "src/compare/comparison.h"

/* Prints to standard output. */
void weir_compare_table(const struct weir_comparison *comparison);

#endif
