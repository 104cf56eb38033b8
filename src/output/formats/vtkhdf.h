/* The table of contents that lets VTK and ParaView from 5.12 on open the fields of all steps as one moving
 * picture: NAME.vtkhdf, which shows the datasets of the HDF5 files beside it as arrays with one more
 * dimension, the step. Those are virtual datasets: where a step's file is missing they are NaN. The VTKHDF
 * format, version 2.0, an ImageData
 * (https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/vtkhdf_specifications.html):
 *
 *     VTKHDF            attributes Version, Type, WholeExtent, Origin, Spacing, Direction
 *       CellData        the arrays of Weir/fields by the same names; while there is one step, without the
 *                       dimension of steps, as readers want it
 *       Steps           attribute NSteps, Values [steps] (times), CellDataOffsets/NAME [steps] (0, 1, ...)
 *     Weir              attributes as those of the files of steps, steps [steps] (their numbers)
 *       fields          density [steps][nz][ny][nx], velocity [steps][nz][ny][nx][3], ...
 *
 * It is made in memory and put in place of the one before, as files of steps get their names when they are on
 * the disk: whatever ends a run, and whoever reads meanwhile, finds a whole table of whole files. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_VTKHDF_H
#define WEIR_SRC_OUTPUT_FORMATS_VTKHDF_H

#include "src/case/case.h"

#include <stdint.h>

struct weir_vtkhdf;

/* Starts the table of an output; nothing is written before the first step. c and output must outlive it.
 * *result is the caller's (weir_vtkhdf_destroy). Error: -WEIR_FAILED (no memory). */
int weir_vtkhdf_create(const struct weir_case *c, const struct weir_output *output, const char *directory,
                       struct weir_vtkhdf **result);
void weir_vtkhdf_destroy(struct weir_vtkhdf *table);

/* Has the table begin with the steps before `first` whose files are in the folder. Errors: -WEIR_FAILED with
 * path, reason and a way out, also where one of them holds something else than the output now writes. */
int weir_vtkhdf_continue(struct weir_vtkhdf *table, const char *directory, int64_t first);

/* Adds a step whose file of fields is complete. The table is on the disk then, and was whole at any moment.
 * Error: -WEIR_FAILED with path, reason and a way out. */
int weir_vtkhdf_add(struct weir_vtkhdf *table, int64_t step);

#endif
