/* Sums of averages over time (output_averages.h) in checkpoints: datasets of their own beside the
 * populations, see checkpoint_format.h. */
#ifndef WEIR_SRC_OUTPUT_CHECKPOINT_AVERAGES_H
#define WEIR_SRC_OUTPUT_CHECKPOINT_AVERAGES_H

#include "src/case/case.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* What an output has added up when it comes to a step. */
struct weir_averages_state {
    const char *name; /* of the output */
    int cells[3];
    double *sums; /* [WEIR_SUMS_OF_AVERAGES][nz][ny][nx] */
    int64_t samples;
};

/* Bytes of the sums in a domain of these cells. */
double weir_checkpoint_averages_bytes(const int cells[3]);

/* Writes a state into an open file. Whoever calls these functions holds HDF5's lock (hdf5_access.h). False:
 * the library could not. */
bool weir_checkpoint_averages_write(hid_t file, const struct weir_averages_state *state);

/* Reads the sums of state->name, of state->cells, and looks at their checksums. sums == NULL: looks only.
 * False: they are not there, of another size, or damaged. */
bool weir_checkpoint_averages_read(hid_t file, struct weir_averages_state *state);

#endif
