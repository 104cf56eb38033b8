/* Calls from several threads share nothing that changes: each takes compiled formulas that are spare, or
 * compiles its own, which takes 0.1 ms. */
#include "src/case/boundary_profiles.h"

#include "graph/base/error.h"
#include "src/case/density_limits.h"
#include "src/case/expression.h"
#include "src/case/speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Along an axis of a face, of one that changes in time, and doublings of the time. */
enum { SAMPLES = 256, SAMPLES_IN_TIME = 32, DOUBLINGS = 20, TIMES_OF_TABLE = 256 };

/* The compiled formulas of a face. */
struct weir_boundary_evaluator {
    const struct weir_boundary_profiles *profiles;
    int face;
    double position[3], time; /* what the formulas read as x, y, z, t */
    struct weir_expression *expressions[WEIR_PROFILE_VALUES];
    bool uses[3]; /* any formula or table has x, y, z in it */
    double share; /* of the rule's values, as a ramp has it now */
    struct weir_boundary_evaluator *next;
};

static int value_count(const struct weir_boundary_evaluator *e) {
    return weir_rules[e->profiles->rule[e->face]].values;
}

static bool gives_density(const struct weir_boundary_evaluator *e) {
    return weir_rules[e->profiles->rule[e->face]].value == WEIR_RULE_DENSITY;
}

static void evaluator_destroy(struct weir_boundary_evaluator *e) {
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
        weir_expression_destroy(e->expressions[k]);
    free(e);
}

static int compile(struct weir_boundary_evaluator *e) {
    const struct weir_boundary_profiles *p = e->profiles;
    struct weir_expression_terms terms = {.position = e->position, .time = &e->time};
    for (int axis = 0; axis < 3; axis++)
        terms.size[axis] = p->cells[axis] * p->cell_size;
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++) {
        const char *formula = p->components[e->face][k].formula;
        const struct weir_value_table *table = p->components[e->face][k].table;
        for (int axis = 0; table && axis < 3; axis++)
            e->uses[axis] = e->uses[axis] || weir_value_table_uses(table, axis);
        if (!formula)
            continue;
        WEIR_TRY(weir_expression_create(formula, &terms, &e->expressions[k]));
        for (int axis = 0; axis < 3; axis++)
            e->uses[axis] = e->uses[axis] || weir_expression_uses(e->expressions[k], axis);
    }
    return 0;
}

static int evaluator_take(struct weir_boundary_profiles *profiles, int face,
                          struct weir_boundary_evaluator **result) {
    pthread_mutex_lock(&profiles->lock);
    struct weir_boundary_evaluator *e = profiles->spare[face];
    if (e)
        profiles->spare[face] = e->next;
    pthread_mutex_unlock(&profiles->lock);
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e)
            return weir_fail(WEIR_FAILED, "no memory left for the formulas of boundaries");
        e->profiles = profiles;
        e->face = face;
        const int error = compile(e);
        if (error < 0) {
            evaluator_destroy(e);
            return error;
        }
    }
    *result = e;
    return 0;
}

static void evaluator_give_back(struct weir_boundary_profiles *profiles, struct weir_boundary_evaluator *e) {
    pthread_mutex_lock(&profiles->lock);
    e->next = profiles->spare[e->face];
    profiles->spare[e->face] = e;
    pthread_mutex_unlock(&profiles->lock);
}

/* time: in steps. */
static void set_time(struct weir_boundary_evaluator *e, double time) {
    const double ramp = e->profiles->ramp[e->face], s = ramp > 0 && time < ramp ? time / ramp : 1;
    e->time = time * e->profiles->time_step;
    e->share = s * s * (3 - 2 * s);
}

/* Fails for what component k yields at the evaluator's position. */
static int fail_at(const struct weir_boundary_evaluator *e, int k, double value, const char *problem) {
    const struct weir_initial_component *component = &e->profiles->components[e->face][k];
    const double *x = e->position;
    char time[40] = "";
    if (component->varies)
        snprintf(time, sizeof time, ", t = %g", e->time);
    const char *quote = component->formula ? "\"" : "";
    return weir_fail(WEIR_USAGE, "%s: %s: %s%.200s%s gives %g at x = %g, y = %g, z = %g%s; %s",
                     e->profiles->file, component->label, quote,
                     component->formula ? component->formula : "the table", quote, isnan(value) ? NAN : value,
                     x[0], x[1], x[2], time, problem);
}

static int check_density(const struct weir_boundary_evaluator *e, double density, double value) {
    const struct weir_boundary_profiles *p = e->profiles;
    const double scale = p->components[e->face][0].scale;
    char problem[WEIR_DENSITY_TEXT];
    if (density >= p->least_density && density <= p->most_density)
        return 0;
    weir_density_limits_text(p->least_density / scale, p->most_density / scale, problem);
    return fail_at(e, 0, value, problem);
}

/* What component k, a table, has at the evaluator's position, which it must reach to. */
static int look_up(const struct weir_boundary_evaluator *e, int k, double *value) {
    const struct weir_initial_component *component = &e->profiles->components[e->face][k];
    const double at[WEIR_TABLE_AXES] = {e->position[0], e->position[1], e->position[2], e->time};
    for (int axis = 0; axis < 3; axis++) {
        int count;
        const double *const levels = weir_value_table_levels(component->table, axis, &count);
        if (count > 1 && (at[axis] < levels[0] || at[axis] > levels[count - 1]))
            return weir_fail(
                WEIR_USAGE,
                "%s: %s: the table has %s from %g to %g, and the face has a cell at %s = %g; add "
                "rows, as far as the walls, say",
                e->profiles->file, component->label, weir_table_axis_names[axis], levels[0],
                levels[count - 1], weir_table_axis_names[axis], at[axis]);
    }
    *value = weir_value_table_at(component->table, at);
    return 0;
}

/* Value k, which must be finite; in the units of the case where it is a formula's or table's, for messages:
 * *value. */
static int evaluate_one(const struct weir_boundary_evaluator *e, int k, double *result, double *value) {
    const struct weir_initial_component *component = &e->profiles->components[e->face][k];
    *result = component->constant;
    if (!weir_component_differs(component))
        return 0;
    if (component->table)
        WEIR_TRY(look_up(e, k, value));
    else
        *value = weir_expression_value(e->expressions[k]);
    *result = *value * component->scale;
    return isfinite(*result) ? 0 : fail_at(e, k, *value, "it must be finite all over the face");
}

static int check_speed(const struct weir_boundary_evaluator *e, const double velocity[3]) {
    const struct weir_boundary_profiles *p = e->profiles;
    int fastest = -1; /* the formula or table to name where the speed is too great */
    for (int k = 0; k < WEIR_BOUNDARY_VALUES; k++)
        if (weir_component_differs(&p->components[e->face][k]) &&
            (fastest < 0 || fabs(velocity[k]) > fabs(velocity[fastest])))
            fastest = k;
    if (weir_speed(velocity) < WEIR_SPEED_LIMIT || fastest < 0)
        return 0;
    return fail_at(e, fastest, velocity[fastest] / p->components[e->face][fastest].scale,
                   p->cell_size == 1 ? "the speed must stay below " WEIR_SPEED_LIMIT_TEXT
                                     : "the speed must stay below " WEIR_SPEED_LIMIT_TEXT
                                       " cell widths per step; a smaller si.time_step allows a faster flow");
}

/* The values beside a cell, lattice units. */
static int evaluate(struct weir_boundary_evaluator *e, const int cell[3],
                    double values[WEIR_PROFILE_VALUES]) {
    const struct weir_boundary_profiles *p = e->profiles;
    const int normal = e->face / 2;
    const double from = gives_density(e) ? *p->reference_density : 0;
    double value = 0;
    for (int axis = 0; axis < 3; axis++)
        e->position[axis] = p->cell_size * (axis != normal ? cell[axis] + 0.5
                                            : e->face % 2  ? p->cells[axis]
                                                           : 0);
    for (int k = 0; k < value_count(e); k++) {
        WEIR_TRY(evaluate_one(e, k, &values[k], &value));
        if (gives_density(e) && weir_component_differs(&p->components[e->face][k]))
            WEIR_TRY(check_density(e, values[k], value));
        if (e->share != 1)
            values[k] = from + e->share * (values[k] - from);
    }
    WEIR_TRY(evaluate_one(e, WEIR_PROFILE_SCALAR, &values[WEIR_PROFILE_SCALAR], &value));
    return gives_density(e) ? 0 : check_speed(e, values);
}

static int inside(int cell, int cells, bool periodic) {
    if (periodic)
        return ((cell % cells) + cells) % cells;
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

/* How far back in an array of a box the values of cell (i, j, k) of it are, because no formula asks what the
 * two differ in; 0: nowhere. */
static size_t same_before(const struct weir_boundary_evaluator *e, const int extent[3], const int at[3]) {
    size_t back = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] > 0 && !e->uses[axis])
            return back;
        back *= (size_t)extent[axis];
    }
    return 0;
}

static int fill_cell(struct weir_boundary_evaluator *e, const struct weir_profile_place *box, const int at[3],
                     size_t place, double *const values[WEIR_PROFILE_VALUES]) {
    const struct weir_boundary_profiles *p = e->profiles;
    const size_t back = same_before(e, box->extent, at);
    double here[WEIR_PROFILE_VALUES] = {0};
    int cell[3];
    for (int axis = 0; axis < 3; axis++)
        cell[axis] = inside(box->origin[axis] + at[axis], p->cells[axis], p->periodic[axis]);
    if (back == 0)
        WEIR_TRY(evaluate(e, cell, here));
    for (int value = 0; value < WEIR_PROFILE_VALUES; value++)
        if (value < value_count(e) || value == WEIR_PROFILE_SCALAR)
            values[value][place] = back == 0 ? here[value] : values[value][place - back];
    return 0;
}

static int fill_box(struct weir_boundary_evaluator *e, const struct weir_profile_place *box,
                    double *const values[WEIR_PROFILE_VALUES]) {
    size_t place = 0;
    int at[3];
    for (at[2] = 0; at[2] < box->extent[2]; at[2]++)
        for (at[1] = 0; at[1] < box->extent[1]; at[1]++)
            for (at[0] = 0; at[0] < box->extent[0]; at[0]++, place++)
                WEIR_TRY(fill_cell(e, box, at, place, values));
    return 0;
}

int weir_boundary_profiles_fill(void *context, const struct weir_profile_place *place,
                                double *const values[WEIR_PROFILE_VALUES]) {
    struct weir_boundary_evaluator *e;
    WEIR_TRY(evaluator_take(context, place->face, &e));
    set_time(e, place->time);
    const int error = fill_box(e, place, values);
    evaluator_give_back(context, e);
    return error;
}

/* At one time. most: samples along an axis. */
static int survey_face(struct weir_boundary_evaluator *e, int most, struct weir_profile_survey *survey) {
    const struct weir_boundary_profiles *p = e->profiles;
    const int normal = e->face / 2;
    int samples[3], at[3], cell[3], count = 0;
    double inflow = 0;
    for (int axis = 0; axis < 3; axis++)
        samples[axis] = axis == normal ? 1 : p->cells[axis] < most ? p->cells[axis] : most;
    for (at[2] = 0; at[2] < samples[2]; at[2]++)
        for (at[1] = 0; at[1] < samples[1]; at[1]++)
            for (at[0] = 0; at[0] < samples[0]; at[0]++, count++) {
                double values[WEIR_PROFILE_VALUES] = {0};
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

bool weir_boundary_profiles_vary(const struct weir_boundary_profiles *profiles, int face) {
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
        if (profiles->components[face][k].varies)
            return true;
    return false;
}

/* At times that a table has, spread evenly over it. */
static int survey_table(struct weir_boundary_evaluator *e, const struct weir_value_table *table,
                        struct weir_profile_survey *survey) {
    int count;
    const double *const times = weir_value_table_levels(table, WEIR_TIME, &count);
    const int looks = count < TIMES_OF_TABLE ? count : TIMES_OF_TABLE;
    for (int k = 0; count > 1 && k < looks; k++) {
        set_time(e, times[(int64_t)k * (count - 1) / (looks - 1)] / e->profiles->time_step);
        e->share = 1;
        WEIR_TRY(survey_face(e, SAMPLES_IN_TIME, survey));
    }
    return 0;
}

/* At all times that are looked at. */
static int survey_times(struct weir_boundary_evaluator *e, struct weir_profile_survey *survey) {
    set_time(e, 0);
    if (!weir_boundary_profiles_vary(e->profiles, e->face)) {
        e->share = 1;
        return survey_face(e, SAMPLES, survey);
    }
    WEIR_TRY(survey_face(e, SAMPLES_IN_TIME, survey));
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
        if (e->profiles->components[e->face][k].table)
            WEIR_TRY(survey_table(e, e->profiles->components[e->face][k].table, survey));
    for (int k = 0; k <= DOUBLINGS; k++) {
        set_time(e, 1 << k);
        e->share = 1;
        WEIR_TRY(survey_face(e, SAMPLES_IN_TIME, survey));
    }
    return 0;
}

int weir_boundary_profiles_survey(struct weir_boundary_profiles *profiles, int face,
                                  struct weir_profile_survey *survey) {
    struct weir_boundary_evaluator *e;
    WEIR_TRY(evaluator_take(profiles, face, &e));
    *survey = (struct weir_profile_survey){0};
    const int error = survey_times(e, survey);
    evaluator_give_back(profiles, e);
    return error;
}

struct weir_boundary_profiles *weir_boundary_profiles_create(const struct weir_problem *problem,
                                                             const struct weir_units *units,
                                                             const char *file) {
    struct weir_boundary_profiles *profiles = calloc(1, sizeof *profiles);
    if (!profiles)
        return NULL;
    profiles->file = strdup(file);
    profiles->cell_size = units->length;
    profiles->time_step = units->time;
    profiles->reference_density = &problem->reference_density;
    memcpy(profiles->cells, problem->cells, sizeof profiles->cells);
    memcpy(profiles->periodic, problem->periodic, sizeof profiles->periodic);
    weir_density_limits(problem, &profiles->least_density, &profiles->most_density);
    pthread_mutex_init(&profiles->lock, NULL);
    for (int face = 0; face < WEIR_FACES; face++)
        for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
            profiles->components[face][k].in_time = true;
    return profiles;
}

void weir_boundary_profiles_destroy(struct weir_boundary_profiles *profiles) {
    if (!profiles)
        return;
    for (int face = 0; face < WEIR_FACES; face++) {
        while (profiles->spare[face]) {
            struct weir_boundary_evaluator *e = profiles->spare[face];
            profiles->spare[face] = e->next;
            evaluator_destroy(e);
        }
        for (int k = 0; k < WEIR_PROFILE_VALUES; k++) {
            free(profiles->components[face][k].formula);
            weir_value_table_destroy(profiles->components[face][k].table);
        }
    }
    pthread_mutex_destroy(&profiles->lock);
    free(profiles->file);
    free(profiles);
}
