#include "src/case/scales.h"

#include <math.h>

static const double speed_wanted = 0.1, tau_excess_wanted = 0.01; /* lattice units; tau - 1/2 */

/* To two digits. */
static double round_down(double number) {
    const double unit = pow(10, floor(log10(number)) - 1);
    return floor(number / unit + 1e-9) * unit;
}

static double round_up(double number) {
    const double unit = pow(10, floor(log10(number)) - 1);
    return ceil(number / unit - 1e-9) * unit;
}

/* tau - 1/2 = 3 viscosity time_step / cell_size^2 */
static double least_step(const struct weir_units *units, double viscosity) {
    return tau_excess_wanted * units->length * units->length / (3 * viscosity);
}

double weir_time_step_for_speed(const struct weir_units *units, double speed) {
    return round_down(speed_wanted * units->length / speed);
}

double weir_time_step_for_viscosity(const struct weir_units *units, double viscosity) {
    return round_up(least_step(units, viscosity));
}

struct weir_scales weir_scales_for_flow(const struct weir_units *units, double viscosity, double speed) {
    const double margin = 0.9; /* that rounding the time step may take */
    const double most = speed > 0 ? speed_wanted * units->length / speed : HUGE_VAL;
    struct weir_scales scales = {.cell_size = units->length};
    if (least_step(units, viscosity) <= margin * most) {
        scales.time_step = units->time > most ? weir_time_step_for_speed(units, speed)
                                              : weir_time_step_for_viscosity(units, viscosity);
        return scales;
    }
    /* At the speed wanted, tau - 1/2 is 3 viscosity speed_wanted / (speed cell_size). */
    scales.cell_size = round_down(margin * 3 * viscosity * speed_wanted / (speed * tau_excess_wanted));
    const struct weir_units finer = {.length = scales.cell_size};
    scales.time_step = weir_time_step_for_speed(&finer, speed);
    return scales;
}
