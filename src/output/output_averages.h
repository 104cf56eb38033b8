/* Averages over time: mean density, velocity, scalar and eddy viscosity of every cell, and the covariances of
 * its velocity's components, of which rms values and Reynolds stresses are made.
 *
 * Sums are kept in double precision by the rank that writes, and each cell's are added in the order of steps:
 * the same bits however the domain is cut, and nothing is lost when blocks move. At the end of the run they
 * are written as fields are (output_fields.h). Checkpoints have the sums, so that a run goes on with them. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_AVERAGES_H
#define WEIR_SRC_OUTPUT_OUTPUT_AVERAGES_H

#include "graph/sink.h"
#include "src/case/case.h"
#include "src/output/checkpoint_averages.h"
#include "src/output/checkpoint_file.h"
#include "src/output/writer.h"

struct weir_output_averages;

/* Makes an output of type WEIR_OUTPUT_AVERAGES into an existing folder; c, output and writer must outlive it.
 * accumulates: whether this rank's sink is called; others keep no sums. *result is the caller's. Error:
 * -WEIR_FAILED (no memory). */
int weir_output_averages_create(const struct weir_case *c, const struct weir_output *output,
                                const char *directory, const int block_cells[3], bool accumulates,
                                struct weir_writer *writer, struct weir_output_averages **result);

/* NULL is allowed. */
void weir_output_averages_destroy(struct weir_output_averages *averages);

/* To be called before the last observation is submitted, of the state before step `step`: with it the
 * averages are written, where there is any sample. */
void weir_output_averages_end(struct weir_output_averages *averages, int64_t step);

/* Who gets a copy of the sums for a checkpoint: from a worker's thread; state->sums is to be freed. */
struct weir_averages_taker {
    int (*take)(void *context, struct weir_averages_state *state);
    void *context;
};

/* To be called before the observation of the state before step `step` is submitted: with it a copy of the
 * sums goes to `taker`, which is copied. */
void weir_output_averages_keep(struct weir_output_averages *averages, int64_t step,
                               const struct weir_averages_taker *taker);

/* Goes on with the sums of a checkpoint that has some (weir_checkpoint_file_has_averages). Errors:
 * -WEIR_FAILED. */
int weir_output_averages_continue(struct weir_output_averages *averages,
                                  struct weir_checkpoint_file *checkpoint);

/* The sink of the whole domain. Usable until the destroy. */
struct weir_sink weir_output_averages_sink(struct weir_output_averages *averages);

#endif
