/* Reads checkpoints (checkpoint_format.h), and looks whether they are whole: all their checksums are right.
 */
#ifndef WEIR_SRC_OUTPUT_CHECKPOINT_FILE_H
#define WEIR_SRC_OUTPUT_CHECKPOINT_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct weir_checkpoint_file;

/* Opens a checkpoint and reads what it says of itself. *file is the caller's. Errors: -WEIR_USAGE, with the
 * path and what is wrong: it is not there, is no checkpoint, of another version, or damaged. */
int weir_checkpoint_file_open(const char *path, struct weir_checkpoint_file **file);

/* NULL is allowed. */
void weir_checkpoint_file_close(struct weir_checkpoint_file *file);

/* Belongs to the file. */
const char *weir_checkpoint_file_path(const struct weir_checkpoint_file *file);

/* What it says of itself: a JSON object, which belongs to the file. */
const json_t *weir_checkpoint_file_about(const struct weir_checkpoint_file *file);

/* Step that is taken next. */
int64_t weir_checkpoint_file_step(const struct weir_checkpoint_file *file);

/* Looks at the checksums of every `of`th chunk, from number `first` on: all of them with 0 and 1. Error:
 * -WEIR_USAGE with the path and what is wrong. */
int weir_checkpoint_file_verify(struct weir_checkpoint_file *file, int64_t first, int64_t of);

/* As weir_restart.read (graph/simulation.h) asks for; context: the file. Error: -WEIR_FAILED. */
int weir_checkpoint_file_read(void *context, const int origin[3], const int extent[3], void *populations);

#endif
