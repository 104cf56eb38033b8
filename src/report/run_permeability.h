/* What a run says of permeabilities at its end: of the files as they are then, so that those of a run that
 * went on from a checkpoint are the same. */
#ifndef WEIR_SRC_REPORT_RUN_PERMEABILITY_H
#define WEIR_SRC_REPORT_RUN_PERMEABILITY_H

#include "src/case/case.h"
#include "src/common/warnings.h"

#include <jansson.h>

/* Of the outputs of type permeability, by name: step, permeability (along the force), column (its components:
 * the force's direction times the tensor), darcy_velocity, porosity, imbalance, reynolds, in output units. An
 * object without members where there are none. Warns of what is not steady, and of inertia. *permeability is
 * a new reference. fluid_cells: of all ranks. Errors: -WEIR_FAILED with path and reason. */
int weir_run_permeability(const struct weir_case *c, const char *directory, int64_t fluid_cells,
                          struct weir_warnings *warnings, json_t **permeability);

#endif
