/* Tables of a run as a page draws them. */
#ifndef WEIR_SRC_SHOW_SHOWN_TABLES_H
#define WEIR_SRC_SHOW_SHOWN_TABLES_H

#include <jansson.h>

/* A table: file, names, columns (each every row_step-th of `rows` rows), over_time, and spectra of columns of
 * places and bodies (name, peak, height, step between frequencies, amplitude), from the step on that the
 * summary's statistics (NULL: none) of an output of this name begin with; else of the second half. *shown is
 * a new reference. Errors: -WEIR_FAILED with path and reason. */
int weir_shown_table(const char *path, const json_t *statistics, const char *name, json_t **shown);

#endif
