/* initialise.cu for cells that keep moments, from which the collision makes populations. */
#include "codelets/kernels/cells/moment_cells.h"
#include "codelets/kernels/initialise.cu"
