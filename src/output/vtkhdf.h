/* A file of fields of all steps, NAME.vtkhdf, as VTK and ParaView from 5.12 on read it: the VTKHDF format,
 * version 2.0, an ImageData whose cell data has one more dimension, the step
 * (https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/vtkhdf_specifications.html).
 *
 *     VTKHDF            attributes Version, Type, WholeExtent, Origin, Spacing, Direction
 *       CellData        the arrays of Weir/fields by the same names; while there is one step, that step of
 *                       them as virtual datasets [nz][ny][nx], as readers want it
 *       Steps           attribute NSteps, Values [steps] (times), CellDataOffsets/NAME [steps] (0, 1, ...)
 *     Weir              attributes as those of other files of fields, steps [steps] (their numbers)
 *       fields          density [steps][nz][ny][nx], velocity [steps][nz][ny][nx][3], ...
 *
 * Values of a step are written behind all there is. What finds them (sizes, indices of chunks) stays in
 * memory until all are written, and goes to the file then; what says that they are there (NSteps, steps)
 * after that: of a run that is killed before, or whose step is not sound, the file keeps the steps that it
 * had. Arrays may then have room for one more. While it goes there, a kill or a disk that fails can leave a
 * file that is damaged: a run that would go on in it says so. */
#ifndef WEIR_SRC_OUTPUT_VTKHDF_H
#define WEIR_SRC_OUTPUT_VTKHDF_H

#include "graph/ranks/agreement.h"
#include "src/case/case.h"
#include "src/output/field_arrays.h"
#include "src/output/writer.h"

#include <hdf5.h>

struct weir_vtkhdf;

/* The file of an output; nothing is written before the first step. c, output and writer must outlive it.
 * chunk: cells of one along z, y, x. *result is the caller's (weir_vtkhdf_destroy). Error: -WEIR_FAILED (no
 * memory). */
int weir_vtkhdf_create(const struct weir_case *c, const struct weir_output *output, const char *directory,
                       const hsize_t chunk[3], struct weir_writer *writer, struct weir_vtkhdf **result);

/* Nothing may be under way. NULL is allowed. */
void weir_vtkhdf_destroy(struct weir_vtkhdf *file);

/* As weir_output_fields_share's. */
void weir_vtkhdf_share(struct weir_vtkhdf *file, const struct weir_agreeing *who);

/* On all ranks: the file that an earlier part of the run has left is gone on with; its steps from `first` on
 * go. */
void weir_vtkhdf_continue(struct weir_vtkhdf *file, int64_t first);

/* The step that is being written. */
struct weir_vtkhdf_frame {
    hsize_t number;                  /* place in the first dimension */
    hid_t arrays[WEIR_FIELD_ARRAYS]; /* negative: not wanted; belong to the file */
    bool own_chunks; /* those of the file are the ones that weir_vtkhdf_create was told; an earlier part of
                        the run may have had others */
};

/* Opens the file with room for one more step. Collective where ranks share it; the same error on all ranks:
 * -WEIR_FAILED with path, reason and a way out, also where the file of an earlier part holds something else.
 * Afterwards nothing is open. */
int weir_vtkhdf_begin(struct weir_vtkhdf *file, struct weir_vtkhdf_frame *frame);

/* Closes the file with the step in it, and has the writer bring it to the disk. Collective, errors as above.
 */
int weir_vtkhdf_commit(struct weir_vtkhdf *file, int64_t step);

/* Gives up the step begun, if any: the file is as it was before. failed: writing has failed. Where it has, or
 * ranks share the file, it stays open as far as the library knows, which nothing brings to the disk any more,
 * for the run ends. */
void weir_vtkhdf_abandon(struct weir_vtkhdf *file, bool failed);

/* As weir_hdf5_fail, for calls that write values. */
int weir_vtkhdf_fail(const struct weir_vtkhdf *file);

#endif
