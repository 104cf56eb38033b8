/* The table of quantities. A new one that is a function of a cell's density, velocity and scalar: a name in
 * enum weir_quantity (case.h), and its row here. */
#include "src/case/quantity.h"

#include "src/case/speed.h"

#include <stddef.h>

static double scale_density(const struct weir_units *units) {
    return units->density;
}

static double scale_rate(const struct weir_units *units) {
    return 1.0 / units->time;
}

static double density_of(int component, double density, const double *velocity, double scalar) {
    (void)component, (void)velocity, (void)scalar;
    return density;
}

static double pressure_of(int component, double density, const double *velocity, double scalar) {
    (void)component, (void)velocity, (void)scalar;
    return density / 3.0;
}

static double velocity_of(int component, double density, const double *velocity, double scalar) {
    (void)density, (void)scalar;
    return velocity[component];
}

static double x_of(int component, double density, const double *velocity, double scalar) {
    (void)component;
    return velocity_of(0, density, velocity, scalar);
}

static double y_of(int component, double density, const double *velocity, double scalar) {
    (void)component;
    return velocity_of(1, density, velocity, scalar);
}

static double z_of(int component, double density, const double *velocity, double scalar) {
    (void)component;
    return velocity_of(2, density, velocity, scalar);
}

static double speed_of(int component, double density, const double *velocity, double scalar) {
    (void)component, (void)density, (void)scalar;
    return weir_speed(velocity);
}

static double scalar_of(int component, double density, const double *velocity, double scalar) {
    (void)component, (void)density, (void)velocity;
    return scalar;
}

static double scale_none(const struct weir_units *units) {
    (void)units;
    return 1;
}

enum {
    IMAGES = 1u << WEIR_OUTPUT_IMAGE,
    LISTS = 1u << WEIR_OUTPUT_FIELDS | 1u << WEIR_OUTPUT_PROFILE | 1u << WEIR_OUTPUT_PROBES,
    ALL = IMAGES | LISTS,
};

#define COMPONENT(axis, count, function, why)                                                          \
    {                                                                                                  \
        .name = "velocity_" axis, .about = "velocity along " axis, .components = 1, .is_signed = true, \
        .dimensions = (count), .outputs = ALL, .elsewhere = (why), .unit = "m/s",                      \
        .scale = weir_units_velocity, .value = (function)                                              \
    }

static const struct weir_quantity_row rows[WEIR_QUANTITY_COUNT] = {
    [WEIR_DENSITY] = {.name = "density",
                      .about = "density",
                      .components = 1,
                      .outputs = ALL,
                      .unit = "kg/m³",
                      .scale = scale_density,
                      .value = density_of},
    [WEIR_PRESSURE] = {.name = "pressure",
                       .about = "density / 3",
                       .components = 1,
                       .outputs = ALL,
                       .unit = "Pa",
                       .scale = weir_units_pressure,
                       .value = pressure_of},
    [WEIR_VELOCITY] = {.name = "velocity",
                       .about = "velocity, a vector",
                       .components = 3,
                       .outputs = LISTS,
                       .elsewhere = "has several components, an image shows one number",
                       .unit = "m/s",
                       .scale = weir_units_velocity,
                       .value = velocity_of},
    [WEIR_VELOCITY_X] = COMPONENT("x", 1, x_of, NULL),
    [WEIR_VELOCITY_Y] = COMPONENT("y", 2, y_of, NULL),
    [WEIR_VELOCITY_Z] = COMPONENT("z", 3, z_of, "does not exist on a flat lattice such as D2Q9"),
    [WEIR_SPEED] = {.name = "speed",
                    .about = "magnitude of the velocity",
                    .components = 1,
                    .outputs = ALL,
                    .unit = "m/s",
                    .scale = weir_units_velocity,
                    .value = speed_of},
    [WEIR_SCALAR_QUANTITY] = {.name = "scalar",
                              .about = "what the flow carries along, where the case has a `scalar`",
                              .components = 1,
                              .outputs = ALL,
                              .elsewhere = "needs a \"scalar\" in the case, such as {\"diffusivity\": 0.01}",
                              .unit = "",
                              .of_scalar = true,
                              .scale = scale_none,
                              .value = scalar_of},
    [WEIR_VORTICITY] = {.name = "vorticity",
                        .about = "curl of the velocity: its component normal to the plane",
                        .components = 1,
                        .is_signed = true,
                        .outputs = IMAGES,
                        .elsewhere =
                            "is normal to a plane, so it is for outputs of type \"image\" only, and can be "
                            "derived from \"velocity\"",
                        .unit = "1/s",
                        .scale = scale_rate},
};

const struct weir_quantity_row *weir_quantity_row(enum weir_quantity quantity) {
    return &rows[quantity];
}

const char *weir_quantity_refusal(enum weir_quantity quantity, enum weir_output_type type, int dimensions,
                                  bool scalar) {
    const struct weir_quantity_row *row = &rows[quantity];
    return (row->outputs & 1u << type) && dimensions >= row->dimensions && (scalar || !row->of_scalar)
               ? NULL
               : row->elsewhere;
}

void weir_quantity_choices(enum weir_output_type type, int dimensions, bool scalar,
                           const char *names[WEIR_QUANTITY_COUNT + 1],
                           enum weir_quantity quantities[WEIR_QUANTITY_COUNT]) {
    int count = 0;
    for (enum weir_quantity k = 0; k < WEIR_QUANTITY_COUNT; k++) {
        if (weir_quantity_refusal(k, type, dimensions, scalar))
            continue;
        names[count] = rows[k].name;
        quantities[count++] = k;
    }
    names[count] = NULL;
}

int weir_quantity_components(enum weir_quantity quantity) {
    return rows[quantity].components;
}

bool weir_quantity_signed(enum weir_quantity quantity) {
    return rows[quantity].is_signed;
}

double weir_quantity_value(enum weir_quantity quantity, int component, double density,
                           const double velocity[3], double scalar) {
    return rows[quantity].value(component, density, velocity, scalar);
}

double weir_quantity_scale(enum weir_quantity quantity, const struct weir_units *units) {
    return rows[quantity].scale(units);
}

const char *weir_quantity_unit(enum weir_quantity quantity, const struct weir_units *units) {
    return units->si ? rows[quantity].unit : "";
}

unsigned weir_quantity_scalars(unsigned quantities) {
    if (!(quantities & 1u << WEIR_VELOCITY))
        return quantities;
    return (quantities & ~(1u << WEIR_VELOCITY)) | 1u << WEIR_VELOCITY_X | 1u << WEIR_VELOCITY_Y |
           1u << WEIR_VELOCITY_Z;
}
