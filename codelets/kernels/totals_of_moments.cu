/* totals.cu for cells that keep moments, from which the collision makes populations. */
#include "codelets/kernels/collision/leave_moments.h"
#include "codelets/kernels/totals.cu"
