/* Averages over time: mean density, velocity, scalar and eddy viscosity of every cell, and the covariances of
 * its velocity's components, of which rms values and Reynolds stresses are made.
 *
 * Blocks keep the sums, in double precision (graph/time_sums.h), and take them along when they move. At the
 * end of the run averages are made of them, block by block, and written as fields are (output_fields.h).
 * Checkpoints have the sums, so that a run goes on with them. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_AVERAGES_H
#define WEIR_SRC_OUTPUT_OUTPUT_AVERAGES_H

#include "graph/simulation.h"
#include "src/case/case.h"
#include "src/output/checkpoint_file.h"
#include "src/output/formats/checkpoint_averages.h"
#include "src/output/writer.h"

struct weir_output_averages;

/* Makes an output of type WEIR_OUTPUT_AVERAGES into an existing folder; c, output, writer and simulation must
 * outlive it. number: of its sums, from 0: how many outputs of this type come before it. On all ranks, of
 * which rank 0 writes. *result is the caller's. Error: -WEIR_FAILED (no memory). */
int weir_output_averages_create(const struct weir_case *c, const struct weir_output *output, int number,
                                struct weir_simulation *simulation, const char *directory,
                                struct weir_writer *writer, struct weir_output_averages **result);

/* Waits for its tasks, or until all for them has been sent; to be called before the writer goes. */
void weir_output_averages_unwatch(struct weir_output_averages *averages);

/* NULL is allowed; when it is watched no more. */
void weir_output_averages_destroy(struct weir_output_averages *averages);

/* Goes on with the sums of a checkpoint that has some (weir_checkpoint_file_has_averages), on all ranks,
 * before the first step. Errors: -WEIR_FAILED. */
int weir_output_averages_continue(struct weir_output_averages *averages,
                                  struct weir_checkpoint_file *checkpoint);

/* Adds the simulation's state now to the sums, where that is a sample. */
int weir_output_averages_add(struct weir_output_averages *averages);

/* Whether there is any sample yet. */
bool weir_output_averages_begun(const struct weir_output_averages *averages);

/* Submits that the averages so far are written as those of the step now. */
int weir_output_averages_write(struct weir_output_averages *averages);

/* Who gets a copy of the sums for a checkpoint: from a worker's thread; state->sums is to be freed. */
struct weir_averages_taker {
    int (*take)(void *context, struct weir_averages_state *state);
    void *context;
};

/* Submits that a copy of the sums so far goes to `taker`, which is copied. Before the next call it has been
 * called, or the run has failed. */
int weir_output_averages_hand_over(struct weir_output_averages *averages,
                                   const struct weir_averages_taker *taker);

/* Once the simulation has failed: as weir_simulation_abandon. */
void weir_output_averages_abandon(struct weir_output_averages *averages, const struct timespec *until);

#endif
