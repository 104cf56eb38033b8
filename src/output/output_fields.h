/* Fields for ParaView, VisIt and Python: one HDF5 file NAME_000005000.h5 per observed step, and a table of
 * contents that opens all of them: NAME.xmf (xdmf.h), or NAME.vtkhdf (vtkhdf.h).
 *
 * A file holds one dataset per quantity, [nz][ny][nx] (vectors [nz][ny][nx][3]), float32 in single and
 * float64 in double precision runs, in output units; where the case has solids also the mask "solid" (uint8,
 * 1 in solids), and then solid cells have velocity 0 and the reference density. What step, time and grid it
 * is stands in attributes of the file. Datasets of the whole domain are not contiguous: chunks follow the
 * blocks, so that a block is written in few large pieces, and no two ranks write into one. Those of a part of
 * it, or of every n-th cell (field_grid.h), are contiguous, unless they are compressed.
 *
 * Where ranks share a file, HDF5's metadata are the same on all of them: each makes the same collective calls
 * in the same order, and goes on only when all have come through (weir_agreement). Values are written
 * independently. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_FIELDS_H
#define WEIR_SRC_OUTPUT_OUTPUT_FIELDS_H

#include "graph/ranks/agreement.h"
#include "graph/sink.h"
#include "src/case/case.h"
#include "src/output/writer.h"

struct weir_output_fields;

/* Makes an output of type WEIR_OUTPUT_FIELDS into an existing folder, whose files `writer` brings to the
 * disk. c, output and writer must outlive it. block_cells: the size of blocks as they are really cut; the
 * boxes that put receives are made of whole blocks. *result is the caller's (weir_output_fields_destroy).
 * Error: -WEIR_FAILED (no memory). */
int weir_output_fields_create(const struct weir_case *c, const struct weir_output *output,
                              const char *directory, const int block_cells[3], struct weir_writer *writer,
                              struct weir_output_fields **result);

/* From now on each file is written by all these ranks, which have the same case, output and folder and call
 * the sink's begin and finish together; rank 0 gives the file its name. Needs weir_hdf5_is_parallel. */
void weir_output_fields_share(struct weir_output_fields *fields, const struct weir_agreeing *who);

/* Goes on with step `first` after an earlier part of the run. Errors: -WEIR_FAILED (no memory; an earlier
 * file holds something else). */
int weir_output_fields_continue(struct weir_output_fields *fields, int64_t first);

/* Gives up a step that was begun but not finished; the writer has done its jobs. NULL is allowed. */
void weir_output_fields_destroy(struct weir_output_fields *fields);

/* The sink that writes the fields; called everywhere (sink.h) where they are shared.
 * Usable until the destroy. After a failure the file of that step is gone. Errors, its own and those that the
 * writer meets: -WEIR_FAILED with path, reason (disk full, no permission, ...) and a way out. */
struct weir_sink weir_output_fields_sink(struct weir_output_fields *fields);

/* Cells per axis of a chunk of the file, which divide those of a block: of some 64 per axis where the block
 * has such parts, and never of more than 64 MiB. */
void weir_output_fields_chunk(const int block_cells[3], const int domain_cells[3], int chunk[3]);

#endif
