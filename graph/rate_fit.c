/* (T3) has a maximum and a minimum in it, but is linear where one knows which of the two, computing or
 * handing out tasks, is the larger one of each sample. So that is guessed, the linear problem solved, and
 * guessed again from the solution. Three unknowns that may not be negative: all eight sets of unknowns that
 * are not 0 are tried. */
#include "graph/rate_fit.h"

#include "graph/error.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = 3, ROUNDS = 8, SAMPLES_MAX = 64 };

/* Solves a x = b for the unknowns of the set, the others are 0; false where they are not determined or
 * negative. */
static bool solve(double a[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS], unsigned set, double x[UNKNOWNS]) {
    double m[UNKNOWNS][UNKNOWNS + 1];
    for (int i = 0; i < UNKNOWNS; i++) {
        const bool in = set & 1u << i;
        for (int j = 0; j < UNKNOWNS; j++)
            m[i][j] = in && set & 1u << j ? a[i][j] : i == j;
        m[i][UNKNOWNS] = in ? b[i] : 0;
    }
    /* The columns have length 1, so the diagonal is 1 and a small pivot is a column that the others make up.
     */
    for (int i = 0; i < UNKNOWNS; i++) {
        if (!(m[i][i] > 1e-10))
            return false;
        for (int k = i + 1; k < UNKNOWNS; k++)
            for (int j = UNKNOWNS; j >= i; j--)
                m[k][j] -= m[k][i] / m[i][i] * m[i][j];
    }
    for (int i = UNKNOWNS - 1; i >= 0; i--) {
        x[i] = m[i][UNKNOWNS];
        for (int j = i + 1; j < UNKNOWNS; j++)
            x[i] -= m[i][j] * x[j];
        x[i] /= m[i][i];
        if (x[i] < 0)
            return false;
    }
    return true;
}

/* Least squares of rows[count] * x = 1 with x >= 0; returns the sum of squares. */
static double least_squares(double rows[][UNKNOWNS], int count, double x[UNKNOWNS]) {
    double length[UNKNOWNS], a[UNKNOWNS][UNKNOWNS] = {{0}}, b[UNKNOWNS] = {0};
    unsigned there = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
        double sum = 0;
        for (int r = 0; r < count; r++)
            sum += rows[r][i] * rows[r][i];
        length[i] = sum > 0 ? sqrt(sum) : 1;
        there |= sum > 0 ? 1u << i : 0;
    }
    for (int r = 0; r < count; r++)
        for (int i = 0; i < UNKNOWNS; i++) {
            b[i] += rows[r][i] / length[i];
            for (int j = 0; j < UNKNOWNS; j++)
                a[i][j] += rows[r][i] / length[i] * rows[r][j] / length[j];
        }
    double least = HUGE_VAL;
    for (unsigned set = 0; set < 1u << UNKNOWNS; set++) {
        double y[UNKNOWNS], squares = 0;
        if ((set & there) != set || !solve(a, b, set, y))
            continue;
        for (int r = 0; r < count; r++) {
            double off = -1;
            for (int i = 0; i < UNKNOWNS; i++)
                off += rows[r][i] / length[i] * y[i];
            squares += off * off;
        }
        if (squares < least) {
            least = squares;
            for (int i = 0; i < UNKNOWNS; i++)
                x[i] = y[i] / length[i];
        }
    }
    return least;
}

/* Coefficients of the sample's relative time where work (or else handing out) is the larger of the two. */
static void row_of(const struct weir_rate_sample *s, int tasks_at_once, bool work_larger,
                   double row[UNKNOWNS]) {
    const double hidden = 1 / fmax(1, fmin(tasks_at_once, s->tasks));
    const double of_work = work_larger ? 1 : hidden, of_tasks = work_larger ? hidden : 1;
    row[0] = s->fluid_cells * of_work / s->seconds;
    row[1] = s->solid_cells * of_work / s->seconds;
    row[2] = s->tasks * of_tasks / s->seconds;
}

int weir_rate_fit(const struct weir_rate_sample *samples, int count, int tasks_at_once,
                  struct weir_rates *rates, double *error) {
    if (count > SAMPLES_MAX)
        count = SAMPLES_MAX;
    for (int r = 0; r < count; r++)
        if (!(samples[r].seconds > 0))
            return weir_fail(WEIR_FAILED, "a measured time of %g s is none; measure again",
                             samples[r].seconds);
    if (count < 1)
        return weir_fail(WEIR_FAILED, "nothing was measured; measure again");
    double rows[SAMPLES_MAX][UNKNOWNS], best = HUGE_VAL;
    bool work_larger[SAMPLES_MAX];
    for (int r = 0; r < count; r++)
        work_larger[r] = true;
    for (int round = 0; round < ROUNDS; round++) {
        double x[UNKNOWNS] = {0};
        for (int r = 0; r < count; r++)
            row_of(&samples[r], tasks_at_once, work_larger[r], rows[r]);
        least_squares(rows, count, x);
        /* What counts is how well the formula itself does, with the larger of the two as it turns out to be.
         */
        const struct weir_machine_kind kind = {.tasks_at_once = tasks_at_once, .rates = {x[0], x[1], x[2]}};
        double squares = 0;
        bool same = true;
        for (int r = 0; r < count; r++) {
            const struct weir_rate_sample *s = &samples[r];
            const double work = weir_time_model_work(&kind.rates, s->fluid_cells, s->solid_cells);
            const double off = weir_time_model_part(&kind, work, s->tasks) / s->seconds - 1;
            const bool larger = work >= s->tasks * kind.rates.task_seconds;
            squares += off * off;
            same = same && larger == work_larger[r];
            work_larger[r] = larger;
        }
        if (squares < best) {
            best = squares;
            *rates = kind.rates;
        }
        if (same)
            break;
    }
    if (error)
        *error = sqrt(best / count);
    return 0;
}
