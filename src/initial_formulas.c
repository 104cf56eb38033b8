/* Evaluates initial-state formulas over boxes of cells. Every call compiles its own formulas (about 0.1 ms),
 * so that calls from several threads share nothing that changes. */
#include "src/initial_formulas.h"

#include "graph/error.h"
#include "src/expression.h"
#include "src/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16 };

/* The compiled formulas of one call. */
struct evaluator {
    const struct weir_initial_formulas *state;
    double position[3]; /* what the formulas read as x, y, z */
    struct weir_expression *expressions[4];
};

static void evaluator_close(struct evaluator *evaluator) {
    for (int i = 0; i < 4; i++)
        weir_expression_destroy(evaluator->expressions[i]);
}

static int evaluator_open(struct evaluator *evaluator, const struct weir_initial_formulas *state) {
    double size[3];
    *evaluator = (struct evaluator){.state = state};
    for (int axis = 0; axis < 3; axis++)
        size[axis] = state->cells[axis] * state->cell_size;
    for (int i = 0; i < 4; i++) {
        const char *formula = state->components[i].formula;
        int error =
            formula ? weir_expression_create(formula, evaluator->position, size, &evaluator->expressions[i])
                    : 0;
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

/* Density and velocity of the cell at `cell` (inside the domain), lattice units. */
static int evaluate(struct evaluator *evaluator, const int cell[3], double result[4]) {
    const struct weir_initial_component *components = evaluator->state->components;
    for (int axis = 0; axis < 3; axis++)
        evaluator->position[axis] = (cell[axis] + 0.5) * evaluator->state->cell_size;

    int fastest = 1; /* the component to name where the speed is too great */
    for (int i = 0; i < 4; i++) {
        result[i] = components[i].constant;
        if (!evaluator->expressions[i])
            continue;
        double value = weir_expression_value(evaluator->expressions[i]);
        result[i] = value * components[i].scale;
        if (!isfinite(result[i]))
            return fail_at(evaluator, i, value, "it must be finite in every cell");
        if (i == 0 && result[i] <= 0)
            return fail_at(evaluator, i, value, "a density must be greater than 0");
        if (i > 1 && (!components[fastest].formula || fabs(result[i]) > fabs(result[fastest])))
            fastest = i;
    }
    double speed = weir_speed(result + 1);
    if (speed >= WEIR_SPEED_LIMIT && components[fastest].formula)
        return fail_at(evaluator, fastest, result[fastest] / components[fastest].scale,
                       "the speed must stay below " WEIR_SPEED_LIMIT_TEXT);
    return 0;
}

static int inside(int cell, int cells, bool periodic) {
    if (periodic)
        return ((cell % cells) + cells) % cells;
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

static int fill_box(struct evaluator *evaluator, const int origin[3], const int extent[3],
                    double *const values[4]) {
    const struct weir_initial_formulas *state = evaluator->state;
    size_t place = 0;
    int cell[3];
    for (int k = 0; k < extent[2]; k++) {
        cell[2] = inside(origin[2] + k, state->cells[2], state->periodic[2]);
        for (int j = 0; j < extent[1]; j++) {
            cell[1] = inside(origin[1] + j, state->cells[1], state->periodic[1]);
            for (int i = 0; i < extent[0]; i++, place++) {
                double result[4];
                cell[0] = inside(origin[0] + i, state->cells[0], state->periodic[0]);
                WEIR_TRY(evaluate(evaluator, cell, result));
                for (int component = 0; component < 4; component++)
                    values[component][place] = result[component];
            }
        }
    }
    return 0;
}

int weir_initial_formulas_fill(void *context, const int origin[3], const int extent[3],
                               double *const values[4]) {
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
                double result[4];
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

void weir_initial_formulas_destroy(struct weir_initial_formulas *state) {
    if (!state)
        return;
    for (int i = 0; i < 4; i++)
        free(state->components[i].formula);
    free(state->file);
    free(state);
}
