#include "src/case/case_formulas.h"

#include "graph/base/error.h"
#include "src/case/case_tables.h"
#include "src/case/density_limits.h"
#include "src/case/expression.h"
#include "src/case/speed.h"

#include <stdio.h>
#include <string.h>

/* Notes whether it varies in time. */
static int check_formula(const struct weir_json *json, const char *formula,
                         struct weir_initial_component *component) {
    double position[3] = {0.5, 0.5, 0.5}, time = 0;
    const struct weir_expression_terms terms = {
        .position = position, .time = component->in_time ? &time : NULL, .size = {1, 1, 1}};
    struct weir_expression *expression;
    int error = weir_expression_create(formula, &terms, &expression);
    if (error < 0)
        return weir_json_fail(
            json,
            "%s; give a number or a formula of x, y, z%s, nx, ny, nz and pi with functions such as "
            "sin, exp and sqrt",
            weir_error_text(), component->in_time ? ", t" : "");
    component->varies = weir_expression_uses(expression, WEIR_TIME);
    weir_expression_destroy(expression);
    return 0;
}

static int read_table(const struct weir_json *json, const struct weir_units *units,
                      const struct weir_case_quantity *quantity, struct weir_initial_component *component) {
    WEIR_TRY(weir_case_read_table(json, &component->table));
    component->varies = weir_value_table_uses(component->table, WEIR_TIME);
    component->scale = 1 / weir_case_unit(units, quantity->dimension);
    return 0;
}

int weir_case_read_formula(const struct weir_json *json, const struct weir_units *units,
                           const struct weir_case_quantity *quantity,
                           struct weir_initial_component *component) {
    snprintf(component->label, sizeof component->label, "%.63s", json->path);
    if (json_is_object(json->value) && component->in_time)
        return read_table(json, units, quantity, component);
    if (!json_is_string(json->value))
        return weir_case_read_number(json, units, quantity, &component->constant);
    const char *formula = json_string_value(json->value);
    WEIR_TRY(check_formula(json, formula, component));
    component->formula = strdup(formula);
    component->scale = 1 / weir_case_unit(units, quantity->dimension);
    return component->formula ? 0 : weir_fail(WEIR_FAILED, "no memory left for the formulas of the case");
}

int weir_case_read_velocity_formulas(const struct weir_json *json, const struct weir_case *c,
                                     const struct weir_case_quantity *quantity,
                                     struct weir_initial_component components[3]) {
    const int dimensions = weir_lattice_dimensions(c->problem.lattice);
    int count;
    WEIR_TRY(weir_json_array(json, dimensions == 2 ? "2 numbers or formulas" : "3 numbers or formulas",
                             dimensions, 3, &count));
    for (int axis = 0; axis < count; axis++) {
        const struct weir_json item = weir_json_item(json, axis);
        WEIR_TRY(weir_case_read_formula(&item, &c->units, quantity, &components[axis]));
        if (axis >= dimensions &&
            (weir_component_differs(&components[axis]) || components[axis].constant != 0))
            return weir_case_fail_flat(&item, c);
    }
    const double constant[3] = {components[0].constant, components[1].constant, components[2].constant};
    return weir_case_check_speed(json, &c->units, weir_speed(constant));
}

int weir_case_read_density_formula(const struct weir_json *json, const struct weir_case *c,
                                   const struct weir_case_quantity *quantity, const char *purpose,
                                   struct weir_initial_component *component) {
    const double unit = weir_case_unit(&c->units, WEIR_DIMENSION_DENSITY);
    double least, most;
    char limits[WEIR_DENSITY_TEXT];
    if (json_is_string(json->value) || (json_is_object(json->value) && component->in_time))
        return weir_case_read_formula(json, &c->units, quantity, component);
    snprintf(component->label, sizeof component->label, "%.63s", json->path);
    WEIR_TRY(weir_case_read_positive(json, &c->units, quantity, &component->constant));
    weir_density_limits(&c->problem, &least, &most);
    if (component->constant >= least && component->constant <= most)
        return 0;
    weir_density_limits_text(least * unit, most * unit, limits);
    return weir_json_fail(json, "%g is no density %s; %s", component->constant * unit, purpose, limits);
}
