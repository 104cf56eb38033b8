/* What one lattice unit is worth, from the three base scales. */
#include "src/case/units.h"

struct weir_units weir_units_lattice(void) {
    return (struct weir_units){.si = false, .length = 1.0, .time = 1.0, .density = 1.0};
}

double weir_units_mass(const struct weir_units *units) {
    return units->density * units->length * units->length * units->length;
}

double weir_units_velocity(const struct weir_units *units) {
    return units->length / units->time;
}

double weir_units_pressure(const struct weir_units *units) {
    double velocity = weir_units_velocity(units);
    return units->density * velocity * velocity;
}

double weir_units_viscosity(const struct weir_units *units) {
    return units->length * units->length / units->time;
}

double weir_units_force_density(const struct weir_units *units) {
    return units->density * units->length / (units->time * units->time);
}

double weir_units_force(const struct weir_units *units) {
    double area = units->length * units->length;
    return weir_units_pressure(units) * area;
}
