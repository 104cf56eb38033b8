/* Evaluates initial-state formulas over boxes of cells. Every call compiles its own formulas (about 0.1 ms),
 * so that calls from several threads share nothing that changes. */
#include "src/case/initial_formulas.h"

#include "graph/base/error.h"
#include "src/case/density_limits.h"
#include "src/case/expression.h"
#include "src/case/speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16 };

/* The compiled formulas of one call. */
struct evaluator {
    const struct weir_initial_formulas *state;
    double position[3]; /* what the formulas read as x, y, z */
    struct weir_expression *expressions[WEIR_INITIAL_MAX];
};

/* How many components there are. */
static int count_of(const struct weir_initial_formulas *state) {
    return WEIR_MACROSCOPIC_MAX - !state->fifth + state->sources;
}

static void evaluator_close(struct evaluator *evaluator) {
    for (int i = 0; i < WEIR_INITIAL_MAX; i++)
        weir_expression_destroy(evaluator->expressions[i]);
}

static int evaluator_open(struct evaluator *evaluator, const struct weir_initial_formulas *state) {
    struct weir_expression_terms terms = {.position = evaluator->position};
    *evaluator = (struct evaluator){.state = state};
    for (int axis = 0; axis < 3; axis++)
        terms.size[axis] = state->cells[axis] * state->cell_size;
    for (int i = 0; i < count_of(state); i++) {
        const char *formula = state->components[i].formula;
        int error = formula ? weir_expression_create(formula, &terms, &evaluator->expressions[i]) : 0;
        if (error < 0) {
            evaluator_close(evaluator);
            return error;
        }
    }
    return 0;
}

/* Fails for what component i yields at the evaluator's current position. */
static int fail_at(const struct evaluator *evaluator, int i, double value, const char *problem) {
    const struct weir_initial_formulas *state = evaluator->state;
    const struct weir_initial_component *component = &state->components[i];
    const double *x = evaluator->position;
    return weir_fail(
        WEIR_USAGE, "%s: %s: \"%.200s\" gives %g at x = %g, y = %g, z = %g; %s%s", state->file,
        component->label, component->formula, isnan(value) ? NAN : value, x[0], x[1], x[2], problem,
        state->has_solids ? ", inside solids too: \"CONDITION ? A : B\" tells places apart" : "");
}

/* The limit in the units of the formula. */
static int fail_speed(const struct evaluator *evaluator, int i, double value) {
    const double scale = evaluator->state->components[i].scale;
    char problem[160];
    if (scale == 1)
        return fail_at(evaluator, i, value, "the speed must stay below " WEIR_SPEED_LIMIT_TEXT);
    snprintf(problem, sizeof problem,
             "the speed must stay below %.4g m/s, which is " WEIR_SPEED_LIMIT_TEXT
             "; a smaller si.time_step raises it",
             WEIR_SPEED_LIMIT / scale);
    return fail_at(evaluator, i, value, problem);
}

static int fail_density(const struct evaluator *evaluator, double value) {
    const struct weir_initial_formulas *state = evaluator->state;
    const double scale = state->components[0].scale;
    char problem[WEIR_DENSITY_TEXT];
    weir_density_limits_text(state->least_density / scale, state->most_density / scale, problem);
    return fail_at(evaluator, 0, value, problem);
}

/* What the fill level's formula gives some way from the middle of the evaluator's cell, in cells. */
static double value_aside(struct evaluator *evaluator, const double middle[3], const double aside[3]) {
    for (int axis = 0; axis < 3; axis++)
        evaluator->position[axis] = middle[axis] + aside[axis] * evaluator->state->cell_size;
    const double value = weir_expression_value(evaluator->expressions[WEIR_MACROSCOPIC_MAX - 1]);
    for (int axis = 0; axis < 3; axis++)
        evaluator->position[axis] = middle[axis];
    return value;
}

/* Whether all corners of the cell are as its middle. */
static bool is_alike(struct evaluator *evaluator, const double middle[3], bool liquid, int dimensions) {
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        double aside[3];
        for (int axis = 0; axis < 3; axis++)
            aside[axis] = axis >= dimensions ? 0 : corner >> axis & 1 ? 0.5 : -0.5;
        if ((value_aside(evaluator, middle, aside) > 0) != liquid)
            return false;
    }
    return true;
}

/* The share of the evaluator's cell in which there is liquid: of the parts that it is cut into, where not all
 * of its corners are alike. */
static double share_of_liquid(struct evaluator *evaluator, double value) {
    enum { PARTS = 8 };
    const double middle[3] = {evaluator->position[0], evaluator->position[1], evaluator->position[2]};
    const int dimensions = evaluator->state->cells[2] > 1 ? 3 : 2;
    const int all = dimensions == 3 ? PARTS * PARTS * PARTS : PARTS * PARTS;
    int liquid = 0;
    if (!evaluator->expressions[WEIR_MACROSCOPIC_MAX - 1] ||
        is_alike(evaluator, middle, value > 0, dimensions))
        return value > 0;
    for (int part = 0; part < all; part++) {
        const int place[3] = {part % PARTS, part / PARTS % PARTS, part / (PARTS * PARTS)};
        double aside[3] = {0, 0, 0};
        for (int axis = 0; axis < dimensions; axis++)
            aside[axis] = (place[axis] + 0.5) / PARTS - 0.5;
        liquid += value_aside(evaluator, middle, aside) > 0;
    }
    return (double)liquid / all;
}

/* Density, velocity, scalar with its source, temperature or fill level of the cell at `cell` (inside the
 * domain), lattice units. */
static int evaluate(struct evaluator *evaluator, const int cell[3], double result[WEIR_INITIAL_MAX]) {
    const struct weir_initial_component *components = evaluator->state->components;
    for (int axis = 0; axis < 3; axis++)
        evaluator->position[axis] = (cell[axis] + 0.5) * evaluator->state->cell_size;

    int fastest = 1; /* the component to name where the speed is too great */
    for (int i = 0; i < count_of(evaluator->state); i++) {
        result[i] = components[i].constant;
        if (!evaluator->expressions[i])
            continue;
        double value = weir_expression_value(evaluator->expressions[i]);
        result[i] = value * components[i].scale;
        if (!isfinite(result[i]))
            return fail_at(evaluator, i, value, "it must be finite in every cell");
        if (i == 0 && result[i] <= 0)
            return fail_at(evaluator, i, value, "a density must be greater than 0");
        if (i == 0 &&
            !(result[i] >= evaluator->state->least_density && result[i] <= evaluator->state->most_density))
            return fail_density(evaluator, value);
        if (i == 4 && evaluator->state->thermal && result[i] <= 0)
            return fail_at(evaluator, i, value, "a temperature must be greater than 0");
        if (i > 1 && i < 4 && (!components[fastest].formula || fabs(result[i]) > fabs(result[fastest])))
            fastest = i;
    }
    if (evaluator->state->filling)
        result[WEIR_MACROSCOPIC_MAX - 1] = share_of_liquid(evaluator, result[WEIR_MACROSCOPIC_MAX - 1]);
    double speed = weir_speed(result + 1);
    if (speed >= WEIR_SPEED_LIMIT && components[fastest].formula)
        return fail_speed(evaluator, fastest, result[fastest] / components[fastest].scale);
    return 0;
}

static int inside(int cell, int cells, bool periodic) {
    if (periodic)
        return ((cell % cells) + cells) % cells;
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

static int fill_box(struct evaluator *evaluator, const int origin[3], const int extent[3],
                    double *const values[]) {
    const struct weir_initial_formulas *state = evaluator->state;
    size_t place = 0;
    int cell[3];
    for (int k = 0; k < extent[2]; k++) {
        cell[2] = inside(origin[2] + k, state->cells[2], state->periodic[2]);
        for (int j = 0; j < extent[1]; j++) {
            cell[1] = inside(origin[1] + j, state->cells[1], state->periodic[1]);
            for (int i = 0; i < extent[0]; i++, place++) {
                double result[WEIR_INITIAL_MAX];
                cell[0] = inside(origin[0] + i, state->cells[0], state->periodic[0]);
                WEIR_TRY(evaluate(evaluator, cell, result));
                for (int component = 0; component < count_of(state); component++)
                    values[component][place] = result[component];
            }
        }
    }
    return 0;
}

int weir_initial_formulas_fill(void *context, const int origin[3], const int extent[3],
                               double *const values[]) {
    struct evaluator evaluator;
    WEIR_TRY(evaluator_open(&evaluator, context));
    int error = fill_box(&evaluator, origin, extent, values);
    evaluator_close(&evaluator);
    return error;
}

static int survey_cells(struct evaluator *evaluator, struct weir_initial_survey *survey) {
    const int *cells = evaluator->state->cells;
    int samples[3], count = 0, sample[3], cell[3];
    double total = 0;
    for (int axis = 0; axis < 3; axis++)
        samples[axis] = cells[axis] < SAMPLES ? cells[axis] : SAMPLES;

    survey->greatest_speed = 0;
    for (sample[2] = 0; sample[2] < samples[2]; sample[2]++)
        for (sample[1] = 0; sample[1] < samples[1]; sample[1]++)
            for (sample[0] = 0; sample[0] < samples[0]; sample[0]++, count++) {
                double result[WEIR_INITIAL_MAX];
                for (int axis = 0; axis < 3; axis++)
                    cell[axis] = (2 * sample[axis] + 1) * cells[axis] / (2 * samples[axis]);
                WEIR_TRY(evaluate(evaluator, cell, result));
                total += result[0];
                survey->greatest_speed = fmax(survey->greatest_speed, weir_speed(result + 1));
            }
    survey->mean_density = total / count;
    return 0;
}

int weir_initial_formulas_survey(const struct weir_initial_formulas *state,
                                 struct weir_initial_survey *survey) {
    struct evaluator evaluator;
    WEIR_TRY(evaluator_open(&evaluator, state));
    int error = survey_cells(&evaluator, survey);
    evaluator_close(&evaluator);
    return error;
}

/* Cells to evaluate along each axis: all where some formula uses it, thinned out evenly where these are too
 * many. */
static void choose_cells(const struct evaluator *evaluator, int64_t most, int count[3]) {
    const int *cells = evaluator->state->cells;
    int64_t total = 1;
    for (int axis = 0; axis < 3; axis++) {
        bool used = false;
        for (int i = 0; i < count_of(evaluator->state); i++)
            used =
                used || (evaluator->expressions[i] && weir_expression_uses(evaluator->expressions[i], axis));
        count[axis] = used ? cells[axis] : 1;
        total *= count[axis];
    }
    while (total > most) { /* halve the longest */
        int longest = 0;
        for (int axis = 1; axis < 3; axis++)
            if (count[axis] > count[longest])
                longest = axis;
        total /= count[longest];
        count[longest] = (count[longest] + 1) / 2;
        total *= count[longest];
    }
}

static int check_cells(struct evaluator *evaluator, const int count[3]) {
    const int *cells = evaluator->state->cells;
    int k[3], cell[3];
    for (k[2] = 0; k[2] < count[2]; k[2]++)
        for (k[1] = 0; k[1] < count[1]; k[1]++)
            for (k[0] = 0; k[0] < count[0]; k[0]++) {
                double result[WEIR_INITIAL_MAX];
                for (int axis = 0; axis < 3; axis++)
                    cell[axis] =
                        count[axis] > 1 ? (int)((int64_t)k[axis] * (cells[axis] - 1) / (count[axis] - 1)) : 0;
                WEIR_TRY(evaluate(evaluator, cell, result));
            }
    return 0;
}

int weir_initial_formulas_check(const struct weir_initial_formulas *state, int64_t *looked, int64_t *all) {
    const int64_t most = INT64_C(1) << 21; /* some 0.2 s each million */
    struct evaluator evaluator;
    int count[3], whole[3];
    WEIR_TRY(evaluator_open(&evaluator, state));
    choose_cells(&evaluator, most, count);
    choose_cells(&evaluator, INT64_MAX, whole);
    *looked = (int64_t)count[0] * count[1] * count[2];
    *all = (int64_t)whole[0] * whole[1] * whole[2];
    const int error = check_cells(&evaluator, count);
    evaluator_close(&evaluator);
    return error;
}

void weir_initial_formulas_destroy(struct weir_initial_formulas *state) {
    if (!state)
        return;
    for (int i = 0; i < WEIR_INITIAL_MAX; i++)
        free(state->components[i].formula);
    free(state->file);
    free(state);
}
