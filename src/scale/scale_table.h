/* A scaling as a table on the terminal. */
#ifndef WEIR_SRC_SCALE_SCALE_TABLE_H
#define WEIR_SRC_SCALE_SCALE_TABLE_H

#include "src/scale/scale_plan.h"

/* Prints to standard output, with the lines that do the same on a cluster. */
void weir_scale_table(const struct weir_scale_plan *plan, const struct weir_scaling *scaling);

#endif
