/* Reads checkpoints (checkpoint_format.h), and looks whether they are whole: all their checksums are right.
 */
#ifndef WEIR_SRC_OUTPUT_CHECKPOINT_FILE_H
#define WEIR_SRC_OUTPUT_CHECKPOINT_FILE_H

#include "src/case/case.h"
#include "src/output/formats/checkpoint_averages.h"

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

/* Whether its populations are those that a run of the problem keeps: as many sets, of the same names,
 * directions and bytes. Error: -WEIR_USAGE with the path and what is wrong. */
int weir_checkpoint_file_check_sets(const struct weir_checkpoint_file *file,
                                    const struct weir_problem *problem);

/* Whether it has the sums of an output of averages whose samples were taken at the same steps. */
bool weir_checkpoint_file_has_averages(const struct weir_checkpoint_file *file,
                                       const struct weir_output *output, int sums);

/* Read how many samples are in the sums of an output that it has, and the cells of a box of sum `number`
 * (checkpoint_format.h): values[nz][ny][nx]. From any thread. Error: -WEIR_FAILED. */
int weir_checkpoint_file_samples(struct weir_checkpoint_file *file, const char *name, int64_t *samples);
int weir_checkpoint_file_sum(struct weir_checkpoint_file *file, const char *name, int number,
                             const struct weir_box *box, double *values);

/* As weir_restart.read (graph/simulation.h) asks for; context: the file, whose sets are those of the problem.
 * Error: -WEIR_FAILED. */
int weir_checkpoint_file_read(void *context, const int origin[3], const int extent[3], void *populations);

#endif
