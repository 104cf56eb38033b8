/* By how much rounding may change the mass in a run. What exceeds that is told (numerics.md, Rounding of the
 * mass). */
#ifndef WEIR_SRC_RUN_MASS_DRIFT_H
#define WEIR_SRC_RUN_MASS_DRIFT_H

#include "codelets/kernels/variants.h"

#include <stdint.h>

/* Greatest change of the mass, relative to what it was at step 0, that rounding explains after so many steps.
 * density: mean density at step 0, or at the end where that is farther from 1; speed: greatest in the run,
 * lattice units. (N18) */
double weir_mass_drift_limit(enum weir_precision precision, int64_t steps, double density, double speed);

#endif
