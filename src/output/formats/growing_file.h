/* A text file of an output that grows row by row while a run goes on. A row is in it as a whole or not at
 * all.
 */
#ifndef WEIR_SRC_OUTPUT_FORMATS_GROWING_FILE_H
#define WEIR_SRC_OUTPUT_FORMATS_GROWING_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct weir_growing_file;

/* Makes DIRECTORY/NAME.csv, in place of an older one and never through a link. Where `first` is not 0, an
 * older one whose rows begin with their steps goes on with the row of that step (earlier_files.h). *file is
 * the caller's. Error: -WEIR_FAILED with path, reason and a way out. */
int weir_growing_file_create(const char *directory, const char *name, int64_t first,
                             struct weir_growing_file **file);

/* Whether nothing is in it yet. */
bool weir_growing_file_is_new(const struct weir_growing_file *file);

/* Where rows are printed. */
FILE *weir_growing_file_stream(struct weir_growing_file *file);

/* Hands the rows printed since the last call to the system; where they do not fit, they leave no part of
 * themselves: -WEIR_FAILED. */
int weir_growing_file_flush(struct weir_growing_file *file);

/* Removes it again. */
void weir_growing_file_remove(struct weir_growing_file *file);

/* Closes it. NULL is allowed. */
void weir_growing_file_destroy(struct weir_growing_file *file);

#endif
