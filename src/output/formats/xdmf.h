/* The table of contents that lets ParaView and VisIt open the fields of all steps as one moving picture: an
 * XDMF 2 file NAME.xmf that names the HDF5 files beside it. It holds no field values itself. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_XDMF_H
#define WEIR_SRC_OUTPUT_FORMATS_XDMF_H

#include "src/case/case.h"

#include <stdint.h>

struct weir_xdmf;

/* Starts the table of an output; nothing is written before the first step. c and output must outlive it.
 * *result is the caller's (weir_xdmf_destroy). Error: -WEIR_FAILED (no memory). */
int weir_xdmf_create(const struct weir_case *c, const struct weir_output *output, const char *directory,
                     struct weir_xdmf **result);
void weir_xdmf_destroy(struct weir_xdmf *xdmf);

/* Has the table begin with the steps before `first` whose files are in the folder. Error: -WEIR_FAILED (no
 * memory). */
int weir_xdmf_continue(struct weir_xdmf *xdmf, const char *directory, int64_t first);

/* Adds a step whose file of fields is complete. The table is on the disk then, and was valid at any moment.
 * Error: -WEIR_FAILED with path, reason and a way out. */
int weir_xdmf_add(struct weir_xdmf *xdmf, int64_t step);

#endif
