/* The outputs of a case, put together: one sink or series for each, and when each is due. */
#ifndef WEIR_SRC_OUTPUT_OUTPUTS_H
#define WEIR_SRC_OUTPUT_OUTPUTS_H

#include "graph/simulation.h"
#include "src/case/case.h"
#include "src/common/results_folder.h"
#include "src/output/output_averages.h"

struct weir_outputs;

/* Makes the writers of all outputs of a case into a folder, and watches for them. c, simulation and folder
 * must outlive them. writes: false on ranks that leave the writing to rank 0, which then have no files.
 * origin: the checkpoint that the run goes on from: files of earlier steps go on without a gap or a double
 * row, averages with their sums; NULL: it begins with step 0. *result is the caller's. Errors: those of the
 * writers. */
int weir_outputs_create(const struct weir_case *c, struct weir_simulation *simulation,
                        struct weir_results_folder *folder, bool writes, struct weir_checkpoint_file *origin,
                        struct weir_outputs **result);

/* The thread that finishes its files; belongs to the outputs. */
struct weir_writer *weir_outputs_writer(struct weir_outputs *outputs);

/* Call when all tasks have ended. What was handed over is written first, unless it was abandoned. NULL is
 * allowed. */
void weir_outputs_destroy(struct weir_outputs *outputs);

/* When all tasks have ended: waits until everything is written and on the disk. Errors: those of the writers.
 */
int weir_outputs_finish(struct weir_outputs *outputs);

/* After the simulation has failed, and where its tasks may never end: nothing is written any more. The last
 * good outputs stay; what was half-written is left as it is (weir_results_folder_sweep). From any thread.
 * Waits for what is being written now, but a few seconds at most. */
void weir_outputs_abandon(struct weir_outputs *outputs);

/* Whether the totals of this step go into a series or a permeability. last: no step follows. */
bool weir_outputs_want_totals(const struct weir_outputs *outputs, int64_t step, bool last);

/* Hands totals to those that are due. */
int weir_outputs_totals(struct weir_outputs *outputs, const struct weir_totals *totals, bool last);

/* The first step after `step` at which one of them is due, INT64_MAX: none is before the last. */
int64_t weir_outputs_next(const struct weir_outputs *outputs, int64_t step);

/* To be called on all ranks before the observations of a step of which a checkpoint is taken: `taker` gets
 * the sums of averages that have begun. Returns of how many outputs that will be on this rank. */
int weir_outputs_keep_averages(struct weir_outputs *outputs, const struct weir_averages_taker *taker);

/* Submits the observations that are due at the simulation's present step. */
int weir_outputs_observe(struct weir_outputs *outputs, bool last);

#endif
