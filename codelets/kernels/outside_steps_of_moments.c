/* outside_steps.c for cells that keep moments, from which the collision makes populations. */
#include "codelets/kernels/cells/moment_cells.h"
#include "codelets/kernels/collision/leave_rows.h"
#include "codelets/kernels/outside_steps.c"
