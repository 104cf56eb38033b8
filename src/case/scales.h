/* Cell sizes and time steps of SI cases that a flow can be computed with: speeds of 0.1 cell widths per step
 * and relaxation times from 0.51 on (docs/user-guide.md, choosing viscosity, velocity and resolution). All
 * are round numbers of two digits. */
#ifndef WEIR_SRC_CASE_SCALES_H
#define WEIR_SRC_CASE_SCALES_H

#include "src/case/units.h"

struct weir_scales {
    double cell_size, time_step; /* m, s */
};

/* The longest time step for a speed in m/s, and the shortest for a viscosity in m^2/s, with these cells. */
double weir_time_step_for_speed(const struct weir_units *units, double speed);
double weir_time_step_for_viscosity(const struct weir_units *units, double viscosity);

/* Scales for both: with these cells where a time step does, else with smaller ones. speed: 0: unknown. */
struct weir_scales weir_scales_for_flow(const struct weir_units *units, double viscosity, double speed);

#endif
