#include "src/case/body_values.h"

#include "graph/base/error.h"
#include "src/case/density_limits.h"
#include "src/case/expression.h"
#include "src/case/speed.h"
#include "src/case/value_table.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Doublings of the time that is looked at; of a table at most so many of its times. */
enum { DOUBLINGS = 20, TIMES_OF_TABLE = 256 };

struct body {
    struct weir_initial_component components[WEIR_PROFILE_VALUES];
    struct weir_expression *expressions[WEIR_PROFILE_VALUES];
    double ramp;
};

struct weir_body_values {
    const struct weir_problem *problem;
    char *file;
    double cell_size, time_step; /* what formulas measure with, per cell width and step */
    bool si;
    double position[3], time;        /* what formulas read */
    struct body *of[WEIR_WALLS_MAX]; /* by number of the wall; NULL: its values are constants */
    pthread_mutex_t lock;            /* of what formulas read */
};

struct weir_body_values *weir_body_values_create(const struct weir_problem *problem,
                                                 const struct weir_units *units, const char *file) {
    struct weir_body_values *values = calloc(1, sizeof *values);
    if (!values)
        return NULL;
    values->problem = problem;
    values->file = strdup(file);
    values->cell_size = units->length;
    values->time_step = units->time;
    values->si = units->si;
    pthread_mutex_init(&values->lock, NULL);
    if (values->file)
        return values;
    weir_body_values_destroy(values);
    return NULL;
}

static void body_destroy(struct body *body) {
    if (!body)
        return;
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++) {
        weir_expression_destroy(body->expressions[k]);
        free(body->components[k].formula);
        weir_value_table_destroy(body->components[k].table);
    }
    free(body);
}

void weir_body_values_destroy(struct weir_body_values *values) {
    if (!values)
        return;
    for (int number = 0; number < WEIR_WALLS_MAX; number++)
        body_destroy(values->of[number]);
    pthread_mutex_destroy(&values->lock);
    free(values->file);
    free(values);
}

static int fail_for_place(const struct weir_body_values *values,
                          const struct weir_initial_component *component) {
    return weir_fail(
        WEIR_USAGE,
        "%s: %s: is one all over a solid or a part, so it may change in time alone; give a formula of "
        "t, or a table over t: x, y and z are for whole faces of the domain",
        values->file, component->label);
}

/* Compiles what is a formula. */
static int compile(struct weir_body_values *values, struct body *body) {
    struct weir_expression_terms terms = {.position = values->position, .time = &values->time};
    for (int axis = 0; axis < 3; axis++)
        terms.size[axis] = values->problem->cells[axis] * values->cell_size;
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++) {
        const struct weir_initial_component *component = &body->components[k];
        if (component->formula)
            WEIR_TRY(weir_expression_create(component->formula, &terms, &body->expressions[k]));
        for (int axis = 0; axis < 3; axis++)
            if ((component->formula && weir_expression_uses(body->expressions[k], axis)) ||
                (component->table && weir_value_table_uses(component->table, axis)))
                return fail_for_place(values, component);
    }
    return 0;
}

int weir_body_values_take(struct weir_body_values *values, int number, double ramp,
                          struct weir_initial_component components[WEIR_PROFILE_VALUES]) {
    struct body *body = calloc(1, sizeof *body);
    if (!body)
        return weir_fail(WEIR_FAILED, "no memory left for the values of solids");
    memcpy(body->components, components, sizeof body->components);
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++) {
        components[k].formula = NULL;
        components[k].table = NULL;
    }
    body->ramp = ramp;
    values->of[number] = body;
    return compile(values, body);
}

static bool same_component(const struct weir_initial_component *one,
                           const struct weir_initial_component *other) {
    if (one->table || other->table || !one->formula != !other->formula)
        return false;
    return one->formula ? strcmp(one->formula, other->formula) == 0 : one->constant == other->constant;
}

bool weir_body_values_same(const struct weir_body_values *values, int number, double ramp,
                           const struct weir_initial_component components[WEIR_PROFILE_VALUES]) {
    const struct body *body = values->of[number];
    bool same = body->ramp == ramp;
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++)
        same = same && same_component(&body->components[k], &components[k]);
    return same;
}

/* Value k, lattice units, at values->time. */
static int evaluate(const struct weir_body_values *values, const struct body *body, int k, double *value) {
    const struct weir_initial_component *component = &body->components[k];
    const double at[WEIR_TABLE_AXES] = {0, 0, 0, values->time};
    *value = component->constant;
    if (component->table)
        *value = component->scale * weir_value_table_at(component->table, at);
    else if (component->formula)
        *value = component->scale * weir_expression_value(body->expressions[k]);
    return isfinite(*value) ? 0
                            : weir_fail(WEIR_USAGE, "%s: %s: is not finite at t = %g", values->file,
                                        component->label, values->time);
}

static int check_density(const struct weir_body_values *values, const struct body *body, double density) {
    const struct weir_initial_component *component = &body->components[0];
    const double scale = weir_component_differs(component) ? component->scale : 1;
    double least, most;
    char problem[WEIR_DENSITY_TEXT];
    weir_density_limits(values->problem, &least, &most);
    if (density >= least && density <= most)
        return 0;
    weir_density_limits_text(least / scale, most / scale, problem);
    return weir_fail(WEIR_USAGE, "%s: %s: is %g at t = %g; %s", values->file, component->label,
                     density / scale, values->time, problem);
}

static int check_speed(const struct weir_body_values *values, const struct body *body,
                       const double velocity[3]) {
    int differs = 0;
    while (differs < 2 && !weir_component_differs(&body->components[differs]))
        differs++;
    return weir_speed(velocity) < WEIR_SPEED_LIMIT
               ? 0
               : weir_fail(WEIR_USAGE,
                           "%s: %s: gives a speed of %g cell widths per step at t = %g; the speed must stay "
                           "below " WEIR_SPEED_LIMIT_TEXT "%s",
                           values->file, body->components[differs].label, weir_speed(velocity), values->time,
                           values->si ? "; a smaller si.time_step allows a faster flow" : "");
}

/* time: in steps. */
static int evaluate_all(struct weir_body_values *values, const struct body *body, double time,
                        struct weir_wall *wall) {
    const double s = body->ramp > 0 && time < body->ramp ? time / body->ramp : 1, share = s * s * (3 - 2 * s);
    const double rest = values->problem->reference_density;
    values->time = time * values->time_step;
    WEIR_TRY(evaluate(values, body, WEIR_PROFILE_SCALAR, &wall->scalar));
    if (weir_rules[wall->rule].value == WEIR_RULE_DENSITY) {
        WEIR_TRY(evaluate(values, body, 0, &wall->density));
        WEIR_TRY(check_density(values, body, wall->density));
        wall->density = share == 1 ? wall->density : rest + share * (wall->density - rest);
        return 0;
    }
    for (int axis = 0; axis < 3; axis++)
        WEIR_TRY(evaluate(values, body, axis, &wall->velocity[axis]));
    WEIR_TRY(check_speed(values, body, wall->velocity));
    for (int axis = 0; axis < 3 && share != 1; axis++)
        wall->velocity[axis] *= share;
    return 0;
}

int weir_body_values_at(void *context, int number, double time, struct weir_wall *wall) {
    struct weir_body_values *values = context;
    pthread_mutex_lock(&values->lock);
    const int error = evaluate_all(values, values->of[number], time, wall);
    pthread_mutex_unlock(&values->lock);
    return error;
}

/* At a time in steps; the ramp is over. */
static int look(struct weir_body_values *values, int number, double time, double *greatest_speed) {
    struct body whole = *values->of[number];
    struct weir_wall wall = values->problem->walls[number];
    whole.ramp = 0;
    WEIR_TRY(evaluate_all(values, &whole, time, &wall));
    if (weir_rules[wall.rule].value != WEIR_RULE_DENSITY)
        *greatest_speed = fmax(*greatest_speed, weir_speed(wall.velocity));
    return 0;
}

int weir_body_values_survey(struct weir_body_values *values, int number, double *greatest_speed) {
    *greatest_speed = 0;
    WEIR_TRY(look(values, number, 0, greatest_speed));
    for (int k = 0; k <= DOUBLINGS; k++)
        WEIR_TRY(look(values, number, 1 << k, greatest_speed));
    for (int k = 0; k < WEIR_PROFILE_VALUES; k++) {
        const struct weir_value_table *table = values->of[number]->components[k].table;
        int count = 0;
        const double *const times = table ? weir_value_table_levels(table, WEIR_TIME, &count) : NULL;
        const int looks = count < TIMES_OF_TABLE ? count : TIMES_OF_TABLE;
        for (int t = 0; count > 1 && t < looks; t++)
            WEIR_TRY(look(values, number, times[(int64_t)t * (count - 1) / (looks - 1)] / values->time_step,
                          greatest_speed));
    }
    return 0;
}
