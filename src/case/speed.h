/* Speeds of walls and flows in lattice units, for checks. */
#ifndef WEIR_SRC_CASE_SPEED_H
#define WEIR_SRC_CASE_SPEED_H

#include "codelets/kernels/lattice/speed_limit.h"

#include <math.h>

/* Length of a vector of 3. */
static inline double weir_speed(const double velocity[3]) {
    return sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
}

#endif
