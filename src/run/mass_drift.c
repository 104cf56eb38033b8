#include "src/run/mass_drift.h"

#include <math.h>

/* What is stored is rounded by at most this share of it. */
static double rounding_unit(enum weir_precision precision) {
    return precision == WEIR_DOUBLE ? 0x1p-53 : precision == WEIR_HALF ? 0x1p-12 : 0x1p-24;
}

double weir_mass_drift_limit(enum weir_precision precision, int64_t steps, double density, double speed) {
    /* Some four times what was measured at worst: docs/measured/2026-11-22-mass-drift.md. */
    const double at_once = 10, per_speed = 0.1, per_excess = 4;
    const double per_step = per_speed * speed + per_excess * fabs(density - 1);
    return rounding_unit(precision) * (at_once + (double)steps * per_step) / density;
}
