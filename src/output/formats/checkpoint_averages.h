/* Sums of averages over time (output_averages.h) in checkpoints: datasets of their own beside the
 * populations, see checkpoint_format.h. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_CHECKPOINT_AVERAGES_H
#define WEIR_SRC_OUTPUT_FORMATS_CHECKPOINT_AVERAGES_H

#include "src/case/case.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* What an output has added up when it comes to a step. */
struct weir_averages_state {
    const char *name; /* of the output */
    int cells[3];
    int count;    /* of its sums, at most WEIR_SUMS_OF_AVERAGES */
    double *sums; /* [count][nz][ny][nx] */
    int64_t samples;
};

/* Bytes of so many sums in a domain of these cells. */
double weir_checkpoint_averages_bytes(int count, const int cells[3]);

/* How many sums a file has of the output of this name; 0: it has none that could be read. */
int weir_checkpoint_averages_count(hid_t file, const char *name);

/* Writes a state into an open file. Whoever calls these functions holds HDF5's lock (hdf5_access.h). False:
 * the library could not. */
bool weir_checkpoint_averages_write(hid_t file, const struct weir_averages_state *state);

/* Whether the sums of state->name are there, of state->cells and state->count, with their checksums. */
bool weir_checkpoint_averages_verify(hid_t file, const struct weir_averages_state *state);

/* Read the cells of a box of a sum that is there, [nz][ny][nx], and the number of samples. False: the library
 * could not. */
bool weir_checkpoint_averages_read(hid_t file, const char *name, int number, const struct weir_box *box,
                                   double *values);
bool weir_checkpoint_averages_samples(hid_t file, const char *name, int64_t *samples);

#endif
