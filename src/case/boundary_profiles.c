/* Every call compiles its own formulas, so that calls from several threads share nothing that changes. */
#include "src/case/boundary_profiles.h"

#include "graph/base/error.h"
#include "src/case/density_limits.h"
#include "src/case/expression.h"
#include "src/case/speed.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 256 };

/* The compiled formulas of a face. */
struct evaluator {
    const struct weir_boundary_profiles *profiles;
    int face;
    double position[3]; /* what the formulas read as x, y, z */
    struct weir_expression *expressions[WEIR_BOUNDARY_VALUES];
};

static int value_count(const struct evaluator *e) {
    return weir_rules[e->profiles->rule[e->face]].values;
}

static bool gives_density(const struct evaluator *e) {
    return weir_rules[e->profiles->rule[e->face]].value == WEIR_RULE_DENSITY;
}

static void evaluator_close(struct evaluator *e) {
    for (int k = 0; k < WEIR_BOUNDARY_VALUES; k++)
        weir_expression_destroy(e->expressions[k]);
}

static int evaluator_open(struct evaluator *e, const struct weir_boundary_profiles *profiles, int face) {
    double size[3];
    *e = (struct evaluator){.profiles = profiles, .face = face};
    for (int axis = 0; axis < 3; axis++)
        size[axis] = profiles->cells[axis] * profiles->cell_size;
    for (int k = 0; k < value_count(e); k++) {
        const char *formula = profiles->components[face][k].formula;
        const int error =
            formula ? weir_expression_create(formula, e->position, size, &e->expressions[k]) : 0;
        if (error < 0) {
            evaluator_close(e);
            return error;
        }
    }
    return 0;
}

/* Fails for what component k yields at the evaluator's position. */
static int fail_at(const struct evaluator *e, int k, double value, const char *problem) {
    const struct weir_initial_component *component = &e->profiles->components[e->face][k];
    const double *x = e->position;
    return weir_fail(WEIR_USAGE, "%s: %s: \"%.200s\" gives %g at x = %g, y = %g, z = %g; %s",
                     e->profiles->file, component->label, component->formula, isnan(value) ? NAN : value,
                     x[0], x[1], x[2], problem);
}

static int check_density(const struct evaluator *e, double density, double value) {
    const struct weir_boundary_profiles *p = e->profiles;
    const double scale = p->components[e->face][0].scale;
    char problem[WEIR_DENSITY_TEXT];
    if (density >= p->least_density && density <= p->most_density)
        return 0;
    weir_density_limits_text(p->least_density / scale, p->most_density / scale, problem);
    return fail_at(e, 0, value, problem);
}

/* The values beside a cell, lattice units. */
static int evaluate(struct evaluator *e, const int cell[3], double values[WEIR_BOUNDARY_VALUES]) {
    const struct weir_boundary_profiles *p = e->profiles;
    const int normal = e->face / 2;
    int fastest = -1; /* the formula to name where the speed is too great */
    for (int axis = 0; axis < 3; axis++)
        e->position[axis] = p->cell_size * (axis != normal ? cell[axis] + 0.5
                                            : e->face % 2  ? p->cells[axis]
                                                           : 0);
    for (int k = 0; k < value_count(e); k++) {
        const struct weir_initial_component *component = &p->components[e->face][k];
        values[k] = component->constant;
        if (!e->expressions[k])
            continue;
        const double value = weir_expression_value(e->expressions[k]);
        values[k] = value * component->scale;
        if (!isfinite(values[k]))
            return fail_at(e, k, value, "it must be finite all over the face");
        if (gives_density(e))
            return check_density(e, values[k], value);
        if (fastest < 0 || fabs(values[k]) > fabs(values[fastest]))
            fastest = k;
    }
    if (!gives_density(e) && weir_speed(values) >= WEIR_SPEED_LIMIT && fastest >= 0)
        return fail_at(e, fastest, values[fastest] / p->components[e->face][fastest].scale,
                       p->cell_size == 1
                           ? "the speed must stay below " WEIR_SPEED_LIMIT_TEXT
                           : "the speed must stay below " WEIR_SPEED_LIMIT_TEXT
                             " cell widths per step; a smaller si.time_step allows a faster flow");
    return 0;
}

static int inside(int cell, int cells, bool periodic) {
    if (periodic)
        return ((cell % cells) + cells) % cells;
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

static int fill_box(struct evaluator *e, const int origin[3], const int extent[3],
                    double *const values[WEIR_BOUNDARY_VALUES]) {
    const struct weir_boundary_profiles *p = e->profiles;
    size_t place = 0;
    int cell[3];
    for (int k = 0; k < extent[2]; k++) {
        cell[2] = inside(origin[2] + k, p->cells[2], p->periodic[2]);
        for (int j = 0; j < extent[1]; j++) {
            cell[1] = inside(origin[1] + j, p->cells[1], p->periodic[1]);
            for (int i = 0; i < extent[0]; i++, place++) {
                double here[WEIR_BOUNDARY_VALUES] = {0};
                cell[0] = inside(origin[0] + i, p->cells[0], p->periodic[0]);
                WEIR_TRY(evaluate(e, cell, here));
                for (int value = 0; value < value_count(e); value++)
                    values[value][place] = here[value];
            }
        }
    }
    return 0;
}

int weir_boundary_profiles_fill(void *context, int face, const int origin[3], const int extent[3],
                                double *const values[WEIR_BOUNDARY_VALUES]) {
    struct evaluator e;
    WEIR_TRY(evaluator_open(&e, context, face));
    const int error = fill_box(&e, origin, extent, values);
    evaluator_close(&e);
    return error;
}

static int survey_face(struct evaluator *e, struct weir_profile_survey *survey) {
    const struct weir_boundary_profiles *p = e->profiles;
    const int normal = e->face / 2;
    int samples[3], at[3], cell[3], count = 0;
    double inflow = 0;
    for (int axis = 0; axis < 3; axis++)
        samples[axis] = axis == normal ? 1 : p->cells[axis] < SAMPLES ? p->cells[axis] : SAMPLES;
    survey->greatest_speed = 0;
    for (at[2] = 0; at[2] < samples[2]; at[2]++)
        for (at[1] = 0; at[1] < samples[1]; at[1]++)
            for (at[0] = 0; at[0] < samples[0]; at[0]++, count++) {
                double values[WEIR_BOUNDARY_VALUES] = {0};
                for (int axis = 0; axis < 3; axis++)
                    cell[axis] = samples[axis] > 1
                                     ? (int)((int64_t)at[axis] * (p->cells[axis] - 1) / (samples[axis] - 1))
                                     : 0;
                WEIR_TRY(evaluate(e, cell, values));
                if (gives_density(e))
                    continue;
                survey->greatest_speed = fmax(survey->greatest_speed, weir_speed(values));
                inflow += e->face % 2 ? -values[normal] : values[normal];
            }
    survey->inflow = inflow / count;
    return 0;
}

int weir_boundary_profiles_survey(const struct weir_boundary_profiles *profiles, int face,
                                  struct weir_profile_survey *survey) {
    struct evaluator e;
    WEIR_TRY(evaluator_open(&e, profiles, face));
    const int error = survey_face(&e, survey);
    evaluator_close(&e);
    return error;
}

void weir_boundary_profiles_destroy(struct weir_boundary_profiles *profiles) {
    if (!profiles)
        return;
    for (int face = 0; face < WEIR_FACES; face++)
        for (int k = 0; k < WEIR_BOUNDARY_VALUES; k++)
            free(profiles->components[face][k].formula);
    free(profiles->file);
    free(profiles);
}
