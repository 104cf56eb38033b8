/* Writes checkpoints: a sink of populations (sink.h) that makes an HDF5 file of each observed step, under a
 * temporary name until it is whole and on the disk. What is in it: checkpoint_format.h. Where ranks share the
 * file, as those of fields do (output_fields.h), each writes the chunks of its own blocks. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_CHECKPOINT_H
#define WEIR_SRC_OUTPUT_OUTPUT_CHECKPOINT_H

#include "graph/ranks/agreement.h"
#include "graph/sink.h"
#include "src/case/case.h"
#include "src/output/formats/checkpoint_averages.h"
#include "src/output/writer.h"

struct weir_output_checkpoint;

/* What else goes into a file, and what follows. */
struct weir_checkpoint_keeper {
    /* The text of "about" for a state with this digest, to be freed; NULL: out of memory. On all ranks that
     * write together, the same on all. */
    char *(*about)(void *context, int64_t step, const char digest[33]);
    /* The file of this step is whole, on the disk and has its name: called by the writer's thread of the rank
     * that finishes it. 0 or a negative error. */
    int (*published)(void *context, int64_t step);
    /* No more is to be done for this step on this rank. From a worker's thread or the writer's. */
    void (*done)(void *context);
    void *context;
};

/* c, directory and writer must outlive it; block_cells: as blocks are really cut. *result is the caller's.
 * Error: -WEIR_FAILED (no memory). */
int weir_output_checkpoint_create(const struct weir_case *c, const char *directory, const int block_cells[3],
                                  struct weir_writer *writer, const struct weir_checkpoint_keeper *keeper,
                                  struct weir_output_checkpoint **result);

/* From now on each file is written by all these ranks. Needs weir_hdf5_is_parallel. */
void weir_output_checkpoint_share(struct weir_output_checkpoint *checkpoint, const struct weir_agreeing *who);

/* To be called before a step is observed: so many outputs of averages of this rank will add their sums.
 * Error: -WEIR_FAILED (no memory). */
int weir_output_checkpoint_expect(struct weir_output_checkpoint *checkpoint, int averages);

/* Adds sums to the step's file, which owns them from now on: the file is ended when all have come. From a
 * worker's thread. Error: -WEIR_FAILED, where the writer has failed. */
int weir_output_checkpoint_add(struct weir_output_checkpoint *checkpoint, struct weir_averages_state *state);

/* Gives up a step that was begun but not finished. NULL is allowed. */
void weir_output_checkpoint_destroy(struct weir_output_checkpoint *checkpoint);

/* The sink; usable until the destroy. at_once: as in sink.h. Errors: -WEIR_FAILED with path, reason and a way
 * out; the file of that step is gone then, and those before stay. */
struct weir_sink weir_output_checkpoint_sink(struct weir_output_checkpoint *checkpoint, int at_once);

#endif
