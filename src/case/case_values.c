/* Units and checks shared by all parts of the case reader. */
#include "src/case/case_values.h"

#include "graph/base/error.h"
#include "src/case/scales.h"
#include "src/case/speed.h"

#include <stdio.h>

double weir_case_unit(const struct weir_units *units, enum weir_dimension dimension) {
    switch (dimension) {
    case WEIR_DIMENSION_LENGTH:
        return units->length;
    case WEIR_DIMENSION_AREA:
        return units->length * units->length;
    case WEIR_DIMENSION_VELOCITY:
        return weir_units_velocity(units);
    case WEIR_DIMENSION_VISCOSITY:
        return weir_units_viscosity(units);
    case WEIR_DIMENSION_DENSITY:
        return units->density;
    case WEIR_DIMENSION_FORCE_DENSITY:
        return weir_units_force_density(units);
    case WEIR_DIMENSION_ACCELERATION:
        return weir_units_velocity(units) / units->time;
    case WEIR_DIMENSION_TENSION:
        return weir_units_force_density(units) * units->length * units->length;
    case WEIR_DIMENSION_TIME:
        return units->time;
    case WEIR_DIMENSION_RATE:
    case WEIR_DIMENSION_PER_TIME:
        return 1 / units->time;
    case WEIR_DIMENSION_NONE:
        return 1.0;
    }
    return 1.0;
}

static const char *unit_name(const struct weir_units *units, enum weir_dimension dimension) {
    static const char *const si_names[] = {
        [WEIR_DIMENSION_LENGTH] = "m",       [WEIR_DIMENSION_AREA] = "m^2",
        [WEIR_DIMENSION_VELOCITY] = "m/s",   [WEIR_DIMENSION_VISCOSITY] = "m^2/s",
        [WEIR_DIMENSION_DENSITY] = "kg/m^3", [WEIR_DIMENSION_FORCE_DENSITY] = "N/m^3",
        [WEIR_DIMENSION_TIME] = "s",         [WEIR_DIMENSION_RATE] = "rad/s",
        [WEIR_DIMENSION_NONE] = "any unit",  [WEIR_DIMENSION_ACCELERATION] = "m/s^2",
        [WEIR_DIMENSION_TENSION] = "N/m",    [WEIR_DIMENSION_PER_TIME] = "1/s",
    };
    if (units->si)
        return si_names[dimension];
    return dimension == WEIR_DIMENSION_LENGTH ? "cell widths"
           : dimension == WEIR_DIMENSION_AREA ? "squares of a cell's width"
           : dimension == WEIR_DIMENSION_TIME ? "steps"
           : dimension == WEIR_DIMENSION_RATE ? "radians per step"
           : dimension == WEIR_DIMENSION_NONE ? "any unit"
                                              : "lattice units";
}

void weir_case_wanted(const struct weir_units *units, const struct weir_case_quantity *quantity,
                      char text[WEIR_WANTED]) {
    const char *unit = unit_name(units, quantity->dimension);
    if (units->si)
        snprintf(text, WEIR_WANTED, "%s in %s", quantity->what, unit);
    else
        snprintf(text, WEIR_WANTED, "%s in %s, such as %s", quantity->what, unit, quantity->example);
}

int weir_case_read_number(const struct weir_json *json, const struct weir_units *units,
                          const struct weir_case_quantity *quantity, double *result) {
    char wanted[WEIR_WANTED];
    weir_case_wanted(units, quantity, wanted);
    if (!weir_json_present(json))
        return weir_json_fail_missing(json, wanted);
    WEIR_TRY(weir_json_number(json, wanted, result));
    *result /= weir_case_unit(units, quantity->dimension);
    if (!isfinite(*result))
        return weir_json_fail_type(json, "a size that can be computed with", wanted);
    return 0;
}

int weir_case_read_positive(const struct weir_json *json, const struct weir_units *units,
                            const struct weir_case_quantity *quantity, double *result) {
    WEIR_TRY(weir_case_read_number(json, units, quantity, result));
    if (*result > 0)
        return 0;
    char wanted[WEIR_WANTED];
    weir_case_wanted(units, quantity, wanted);
    return weir_json_fail_type(json, "greater than 0", wanted);
}

int weir_case_fail_flat(const struct weir_json *json, const struct weir_case *c) {
    char kind[64];
    snprintf(kind, sizeof kind, "0, but %s has only x and y", weir_lattice_names[c->problem.lattice]);
    return weir_json_fail_type(json, kind, "0 or leave it off");
}

int weir_case_read_vector(const struct weir_json *json, const struct weir_case *c,
                          const struct weir_case_quantity *quantity, double result[3]) {
    int dimensions = weir_lattice_dimensions(c->problem.lattice), count;
    char wanted[WEIR_WANTED], list[WEIR_WANTED + 32];

    weir_case_wanted(&c->units, quantity, wanted);
    snprintf(list, sizeof list, "%d numbers: %s", dimensions, wanted);
    if (!weir_json_present(json))
        return weir_json_fail_missing(json, list);
    WEIR_TRY(weir_json_array(json, list, dimensions, 3, &count));
    for (int axis = 0; axis < count; axis++) {
        struct weir_json item = weir_json_item(json, axis);
        WEIR_TRY(weir_case_read_number(&item, &c->units, quantity, &result[axis]));
        if (axis >= dimensions && quantity->dimension != WEIR_DIMENSION_LENGTH && result[axis] != 0)
            return weir_case_fail_flat(&item, c);
    }
    return 0;
}

int weir_case_check_speed(const struct weir_json *json, const struct weir_units *units, double speed) {
    if (speed < WEIR_SPEED_LIMIT)
        return 0;
    if (units->si)
        return weir_json_fail(
            json,
            "a speed of %g m/s is %.4g cell widths per step; it must stay below %s: make "
            "si.time_step smaller (%.2g for 0.1 cell widths per step) or si.cell_size larger",
            speed * weir_units_velocity(units), speed, WEIR_SPEED_LIMIT_TEXT,
            weir_time_step_for_speed(units, speed * weir_units_velocity(units)));
    return weir_json_fail(
        json, "a speed of %g is too fast; it must stay below %s, and below about 0.1 to be accurate", speed,
        WEIR_SPEED_LIMIT_TEXT);
}

int weir_case_read_velocity(const struct weir_json *json, struct weir_case *c,
                            const struct weir_case_quantity *quantity, double result[3]) {
    for (int axis = 0; axis < 3; axis++)
        result[axis] = 0;
    if (!weir_json_present(json))
        return 0;
    WEIR_TRY(weir_case_read_vector(json, c, quantity, result));
    double speed = weir_speed(result);
    WEIR_TRY(weir_case_check_speed(json, &c->units, speed));
    c->characteristic_velocity = fmax(c->characteristic_velocity, speed);
    return 0;
}
