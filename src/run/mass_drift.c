#include "src/run/mass_drift.h"

#include "codelets/kernels/cells/precisions.h"

#include <math.h>

double weir_mass_drift_limit(enum weir_precision precision, int64_t steps, double density, double speed) {
    /* Some four times what was measured at worst: docs/measured/2026-11-22-mass-drift.md. */
    const double at_once = 10, per_speed = 0.1, per_excess = 4;
    const double per_step = per_speed * speed + per_excess * fabs(density - 1);
    return weir_precision_row(precision)->rounding * (at_once + (double)steps * per_step) / density;
}
