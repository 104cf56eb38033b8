#include "src/output/quantity.h"

#include "src/case/speed.h"

int weir_quantity_components(enum weir_quantity quantity) {
    return quantity == WEIR_VELOCITY ? 3 : 1;
}

bool weir_quantity_signed(enum weir_quantity quantity) {
    return quantity == WEIR_VELOCITY_X || quantity == WEIR_VELOCITY_Y || quantity == WEIR_VELOCITY_Z ||
           quantity == WEIR_VORTICITY;
}

double weir_quantity_value(enum weir_quantity quantity, int component, double density,
                           const double velocity[3]) {
    switch (quantity) {
    case WEIR_DENSITY:
        return density;
    case WEIR_PRESSURE:
        return density / 3.0;
    case WEIR_SPEED:
        return weir_speed(velocity);
    case WEIR_VELOCITY_X:
        return velocity[0];
    case WEIR_VELOCITY_Y:
        return velocity[1];
    case WEIR_VELOCITY_Z:
        return velocity[2];
    default: /* WEIR_VELOCITY */
        return velocity[component];
    }
}

double weir_quantity_scale(enum weir_quantity quantity, const struct weir_units *units) {
    switch (quantity) {
    case WEIR_DENSITY:
        return units->density;
    case WEIR_PRESSURE:
        return weir_units_pressure(units);
    case WEIR_VORTICITY:
        return 1.0 / units->time;
    default:
        return weir_units_velocity(units);
    }
}

const char *weir_quantity_unit(enum weir_quantity quantity, const struct weir_units *units) {
    if (!units->si)
        return "";
    switch (quantity) {
    case WEIR_DENSITY:
        return "kg/m³";
    case WEIR_PRESSURE:
        return "Pa";
    case WEIR_VORTICITY:
        return "1/s";
    default:
        return "m/s";
    }
}

unsigned weir_quantity_scalars(unsigned quantities) {
    if (!(quantities & 1u << WEIR_VELOCITY))
        return quantities;
    return (quantities & ~(1u << WEIR_VELOCITY)) | 1u << WEIR_VELOCITY_X | 1u << WEIR_VELOCITY_Y |
           1u << WEIR_VELOCITY_Z;
}
