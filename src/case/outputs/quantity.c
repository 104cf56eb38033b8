/* The table of quantities. A new one that is a function of a cell's values (weir_cell_values): a name in enum
 * weir_quantity (case.h), and its row here. */
#include "src/case/outputs/quantity.h"

#include "codelets/kernels/lattice/lattice.h"
#include "src/case/speed.h"

#include <math.h>
#include <stddef.h>

static double scale_density(const struct weir_units *units) {
    return units->density;
}

static double scale_rate(const struct weir_units *units) {
    return 1.0 / units->time;
}

static double density_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return cell->density;
}

static double pressure_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    if (cell->thermal)
        return cell->density * cell->fifth / WEIR_D2Q37_INVERSE_CS2;
    if (!cell->phases)
        return cell->density / 3.0;
    return weir_phases_are_components(cell->phases)
               ? weir_components_pressure(cell->phases, cell->density, cell->fifth)
               : weir_phases_pressure(cell->phases, cell->density);
}

static double velocity_of(int component, const struct weir_cell_values *cell) {
    return cell->velocity[component];
}

static double x_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return cell->velocity[0];
}

static double y_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return cell->velocity[1];
}

static double z_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return cell->velocity[2];
}

static double speed_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return weir_speed(cell->velocity);
}

static double fifth_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return cell->fifth;
}

static double eddy_viscosity_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return cell->eddy_viscosity;
}

static double vorticity_of(int component, const struct weir_cell_values *cell) {
    const int a = (component + 1) % 3, b = (component + 2) % 3;
    return cell->gradient[b][a] - cell->gradient[a][b];
}

const int weir_tensor_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

static double strain_rate_of(int component, const struct weir_cell_values *cell) {
    const int *axes = weir_tensor_axes[component];
    return 0.5 * (cell->gradient[axes[0]][axes[1]] + cell->gradient[axes[1]][axes[0]]);
}

/* The sum of the squares of a symmetric tensor's nine components, of which six are given: S:S. */
static double strain_square(const struct weir_cell_values *cell) {
    double sum = 0.0;
    for (int component = 0; component < 6; component++) {
        const double rate = strain_rate_of(component, cell);
        sum += (component < 3 ? 1.0 : 2.0) * rate * rate;
    }
    return sum;
}

static double shear_rate_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return sqrt(2.0 * strain_square(cell));
}

/* Half of the squares of rotation less those of strain (Hunt, Wray, Moin, Center for Turbulence Research,
 * report CTR-S88 (1988) 193); those of rotation are half of the vorticity's. */
static double q_of(int component, const struct weir_cell_values *cell) {
    double vorticity_square = 0.0;
    (void)component;
    for (int axis = 0; axis < 3; axis++)
        vorticity_square += vorticity_of(axis, cell) * vorticity_of(axis, cell);
    return 0.5 * (0.5 * vorticity_square - strain_square(cell));
}

/* That of a thermal flow is in proportion to its temperature. */
static double dynamic_viscosity_of(const struct weir_cell_values *cell) {
    const double viscosity = cell->density * cell->viscosity;
    if (cell->phases && weir_phases_are_components(cell->phases))
        return cell->density *
               weir_components_viscosity(cell->phases, cell->viscosity, cell->density, cell->fifth);
    return cell->thermal ? viscosity * cell->fifth : viscosity;
}

static double shear_stress_of(int component, const struct weir_cell_values *cell) {
    return 2.0 * dynamic_viscosity_of(cell) * strain_rate_of(component, cell);
}

/* By the slope at the wall of the parabola along its normal that has the wall's velocity there, this cell's
 * velocity here, and the velocity's difference where that stands; and by the velocity's change along the
 * wall, which is that of the wall itself: numerics.md (N19c). A velocity very near a wall says little of the
 * slope: there the difference does. */
static double wall_shear_stress_of(int component, const struct weir_cell_values *cell) {
    const double near = 0.25; /* cells */
    const struct weir_wall_plane *wall = &cell->wall_plane;
    const double *n = wall->normal, d = wall->distance, ahead = fmax(wall->aside, 0.0);
    const int next = (component + 1) % 3, last = (component + 2) % 3;
    double velocity = 0, difference = 0; /* components along the wall */
    if (!cell->beside_wall)
        return 0;
    for (int a = 0; a < 3; a++) {
        const double part = (a == component) - n[a] * n[component];
        velocity += part * (cell->velocity[a] - wall->velocity[a]);
        for (int b = 0; b < 3; b++)
            difference += part * cell->gradient[a][b] * n[b];
    }
    const double parabola = (2 * (d + ahead) * velocity / d - d * difference) / (d + 2 * ahead),
                 trust = fmin(1, d * d / (near * near)), slope = trust * parabola + (1 - trust) * difference,
                 turning = n[next] * wall->rotation[last] - n[last] * wall->rotation[next];
    return dynamic_viscosity_of(cell) * (slope + turning);
}

/* 0 in fluid; else counted from the first body, faces cannot be seen. */
static double type_of(int component, const struct weir_cell_values *cell) {
    (void)component;
    return cell->wall == 0 ? 0 : cell->wall - WEIR_FIRST_BODY + 1;
}

/* Rounding may leave a variance of nothing below 0. */
static double rms_of(int component, const struct weir_cell_values *cell) {
    return sqrt(fmax(cell->covariance[component], 0.0));
}

static double reynolds_stress_of(int component, const struct weir_cell_values *cell) {
    return cell->covariance[component];
}

static double scale_velocity_square(const struct weir_units *units) {
    return weir_units_velocity(units) * weir_units_velocity(units);
}

static double scale_rate_square(const struct weir_units *units) {
    return 1.0 / (units->time * units->time);
}

static double scale_none(const struct weir_units *units) {
    (void)units;
    return 1;
}

enum {
    IMAGES = 1u << WEIR_OUTPUT_IMAGE,
    AVERAGES = 1u << WEIR_OUTPUT_AVERAGES,
    LISTS = 1u << WEIR_OUTPUT_FIELDS | 1u << WEIR_OUTPUT_PROFILE | 1u << WEIR_OUTPUT_PROBES | AVERAGES,
    ALL = IMAGES | LISTS,
    BOXES = 1u << WEIR_OUTPUT_FIELDS | 1u << WEIR_OUTPUT_PROFILE, /* that know a cell's neighbours */
};

#define NO_NEIGHBOURS "takes the cells around, which probes and averages do not see"
#define NO_IMAGE "has several components, an image shows one number"

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
    [WEIR_PRESSURE] =
        {.name = "pressure",
         .about =
             "density / 3; of phases by their equation of state, on D2Q37 density · temperature / 1.4328",
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
                              .value = fifth_of},
    [WEIR_TEMPERATURE] = {.name = "temperature",
                          .about = "temperature, where the flow has one: on lattice D2Q37",
                          .components = 1,
                          .outputs = ALL,
                          .elsewhere = "needs a flow with a temperature: lattice D2Q37",
                          .unit = "",
                          .of_temperature = true,
                          .scale = scale_none,
                          .value = fifth_of},
    [WEIR_FILL_LEVEL] = {.name = "fill_level",
                         .about = "share of the cell that is liquid, where the case has a `free_surface`: 0 "
                                  "in gas, 1 in liquid",
                         .components = 1,
                         .outputs = ALL & ~AVERAGES, /* of a cell that is liquid at times only */
                         .elsewhere = "needs a \"free_surface\" in the case, such as {\"liquid\": \"ny/2 - "
                                      "y\"}",
                         .unit = "",
                         .of_surface = true,
                         .scale = scale_none,
                         .value = fifth_of},
    [WEIR_EDDY_VISCOSITY] = {.name = "eddy_viscosity",
                             .about = "what eddies add to the viscosity in the step that follows, where the "
                                      "case has `turbulence`",
                             .components = 1,
                             .outputs = ALL,
                             .elsewhere = "needs a \"turbulence\" in the case, such as {\"model\": "
                                          "\"smagorinsky\"}",
                             .unit = "m²/s",
                             .of_eddies = true,
                             .scale = weir_units_viscosity,
                             .value = eddy_viscosity_of},
    [WEIR_VORTICITY] = {.name = "vorticity",
                        .about =
                            "curl of the velocity, a vector; in images its component normal to the plane",
                        .components = 3,
                        .is_signed = true,
                        .outputs = BOXES | IMAGES,
                        .elsewhere = NO_NEIGHBOURS,
                        .unit = "1/s",
                        .of_gradient = true,
                        .scale = scale_rate,
                        .value = vorticity_of},
    [WEIR_Q_CRITERION] = {.name = "q_criterion",
                          .about =
                              "half of the squares of rotation less those of strain: positive in vortices",
                          .components = 1,
                          .is_signed = true,
                          .outputs = BOXES | IMAGES,
                          .elsewhere = NO_NEIGHBOURS,
                          .unit = "1/s²",
                          .of_gradient = true,
                          .scale = scale_rate_square,
                          .value = q_of},
    [WEIR_STRAIN_RATE] = {.name = "strain_rate",
                          .about = "symmetric part S of the velocity's gradient: xx, yy, zz, xy, yz, xz",
                          .components = 6,
                          .is_signed = true,
                          .outputs = BOXES,
                          .elsewhere = NO_IMAGE
                          ", such as \"shear_rate\"; probes and averages do not see the cells around",
                          .unit = "1/s",
                          .of_gradient = true,
                          .scale = scale_rate,
                          .value = strain_rate_of},
    [WEIR_SHEAR_RATE] = {.name = "shear_rate",
                         .about = "magnitude of the strain rate, √(2 S:S)",
                         .components = 1,
                         .outputs = BOXES | IMAGES,
                         .elsewhere = NO_NEIGHBOURS,
                         .unit = "1/s",
                         .of_gradient = true,
                         .scale = scale_rate,
                         .value = shear_rate_of},
    [WEIR_SHEAR_STRESS] = {.name = "shear_stress",
                           .about = "2 · density · viscosity · strain rate: xx, yy, zz, xy, yz, xz",
                           .components = 6,
                           .is_signed = true,
                           .outputs = BOXES,
                           .elsewhere = NO_IMAGE
                           ", such as \"shear_rate\"; probes and averages do not see the cells around",
                           .unit = "Pa",
                           .of_gradient = true,
                           .scale = weir_units_pressure,
                           .value = shear_stress_of},
    [WEIR_WALL_SHEAR_STRESS] = {.name = "wall_shear_stress",
                                .about = "stress along the wall of the fluid on it, a vector, in the cells "
                                         "beside walls; 0 in all others",
                                .components = 3,
                                .is_signed = true,
                                .outputs = 1u << WEIR_OUTPUT_FIELDS,
                                .elsewhere = "is for outputs of type \"fields\"",
                                .unit = "Pa",
                                .of_gradient = true,
                                .of_wall = true,
                                .scale = weir_units_pressure,
                                .value = wall_shear_stress_of},
    [WEIR_CELL_TYPE] = {.name = "cell_type",
                        .about = "0 in fluid, in solids the number of their boundary: 1 for the first "
                                 "of `solids`; those of one name share it",
                        .components = 1,
                        .outputs = 1u << WEIR_OUTPUT_FIELDS,
                        .elsewhere = "is for outputs of type \"fields\"",
                        .unit = "",
                        .scale = scale_none,
                        .value = type_of},
    [WEIR_VELOCITY_RMS] = {.name = "velocity_rms",
                           .about = "root of the mean square of the velocity's fluctuation, a vector",
                           .components = 3,
                           .outputs = AVERAGES,
                           .elsewhere = "is for outputs of type \"averages\"",
                           .unit = "m/s",
                           .scale = weir_units_velocity,
                           .value = rms_of},
    [WEIR_REYNOLDS_STRESS] = {.name = "reynolds_stress",
                              .about = "mean products of the velocity's fluctuations: xx, yy, zz, xy, yz, xz",
                              .components = 6,
                              .is_signed = true,
                              .outputs = AVERAGES,
                              .elsewhere = "is for outputs of type \"averages\"",
                              .unit = "m²/s²",
                              .scale = scale_velocity_square,
                              .value = reynolds_stress_of},
};

const struct weir_quantity_row *weir_quantity_row(enum weir_quantity quantity) {
    return &rows[quantity];
}

const struct weir_quantity_case weir_quantity_any_case = {
    .dimensions = 3, .scalar = true, .temperature = true, .surface = true, .eddies = true};

struct weir_quantity_case weir_quantity_case_of(const struct weir_problem *problem) {
    return (struct weir_quantity_case){.dimensions = weir_lattice_dimensions(problem->lattice),
                                       .scalar = problem->scalar.present,
                                       .temperature = weir_problem_is_thermal(problem),
                                       .surface = problem->surface.present,
                                       .eddies = problem->turbulence.present};
}

const char *weir_quantity_refusal(enum weir_quantity quantity, enum weir_output_type type,
                                  const struct weir_quantity_case *of) {
    const struct weir_quantity_row *row = &rows[quantity];
    return (row->outputs & 1u << type) && of->dimensions >= row->dimensions &&
                   (of->scalar || !row->of_scalar) && (of->temperature || !row->of_temperature) &&
                   (of->surface || !row->of_surface) && (of->eddies || !row->of_eddies)
               ? NULL
               : row->elsewhere;
}

void weir_quantity_choices(enum weir_output_type type, const struct weir_quantity_case *of,
                           const char *names[WEIR_QUANTITY_COUNT + 1],
                           enum weir_quantity quantities[WEIR_QUANTITY_COUNT]) {
    int count = 0;
    for (enum weir_quantity k = 0; k < WEIR_QUANTITY_COUNT; k++) {
        if (weir_quantity_refusal(k, type, of))
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

const char *weir_quantity_component_name(enum weir_quantity quantity, int component) {
    static const char *const vector[] = {"_x", "_y", "_z"};
    static const char *const tensor[] = {"_xx", "_yy", "_zz", "_xy", "_yz", "_xz"};
    const int components = rows[quantity].components;
    return components == 1 ? "" : components == 3 ? vector[component] : tensor[component];
}

bool weir_quantities_of_gradient(unsigned quantities) {
    for (enum weir_quantity k = 0; k < WEIR_QUANTITY_COUNT; k++)
        if (quantities & 1u << k && rows[k].of_gradient)
            return true;
    return false;
}

bool weir_quantities_of_wall(unsigned quantities) {
    for (enum weir_quantity k = 0; k < WEIR_QUANTITY_COUNT; k++)
        if (quantities & 1u << k && rows[k].of_wall)
            return true;
    return false;
}

double weir_quantity_value(enum weir_quantity quantity, int component, const struct weir_cell_values *cell) {
    return rows[quantity].value(component, cell);
}

double weir_quantity_scale(enum weir_quantity quantity, const struct weir_units *units) {
    return rows[quantity].scale(units);
}

const char *weir_quantity_unit(enum weir_quantity quantity, const struct weir_units *units) {
    return units->si ? rows[quantity].unit : "";
}

unsigned weir_quantities_without_repetition(unsigned quantities) {
    static const unsigned components = 1u << WEIR_VELOCITY_X | 1u << WEIR_VELOCITY_Y | 1u << WEIR_VELOCITY_Z;
    return quantities & 1u << WEIR_VELOCITY ? quantities & ~components : quantities;
}
