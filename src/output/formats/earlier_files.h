/* What a run finds in its folder that goes on there from a step: files and rows of the steps before. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_EARLIER_FILES_H
#define WEIR_SRC_OUTPUT_FORMATS_EARLIER_FILES_H

#include <stdint.h>
#include <stdio.h>

/* Steps of the files NAME_STEPSUFFIX in a folder, the newest first; *steps is to be freed. Where the folder
 * cannot be read there are none. -WEIR_FAILED (no memory). */
int weir_earlier_steps(const char *directory, const char *name, const char *suffix, int64_t **steps,
                       int *count);

/* Opens a file of rows that begin with a step, behind a line of headings, to go on with step `first`: rows
 * from that one on, and what is no whole row, go. *stream is NULL where there is no such file, else the
 * caller's. The file is never a link. Error: -WEIR_FAILED with path, reason and a way out. */
int weir_earlier_rows_open(const char *path, int64_t first, FILE **stream);

#endif
