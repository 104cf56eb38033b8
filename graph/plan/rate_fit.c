/* (T3) has a maximum and a minimum in it, but is linear where one knows which of the two, computing or
 * handing out tasks, is the larger one of each sample. So that is guessed, the linear problem solved, and
 * guessed again from the solution. */
#include "graph/plan/rate_fit.h"

#include "graph/base/error.h"
#include "graph/base/least_squares.h"

#include <math.h>

enum { ROUNDS = 8, WALL_ROUNDS = 6, SAMPLES_MAX = 64 };

/* Coefficients of the sample's relative time where work (or else handing out) is the larger of the two. */
static void row_of(const struct weir_rate_sample *s, int tasks_at_once, bool work_larger,
                   double row[WEIR_UNKNOWNS]) {
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
    double rows[SAMPLES_MAX][WEIR_UNKNOWNS], best = HUGE_VAL;
    bool work_larger[SAMPLES_MAX];
    for (int r = 0; r < count; r++)
        work_larger[r] = true;
    for (int round = 0; round < ROUNDS; round++) {
        double x[WEIR_UNKNOWNS] = {0};
        for (int r = 0; r < count; r++)
            row_of(&samples[r], tasks_at_once, work_larger[r], rows[r]);
        weir_least_squares(rows, count, x);
        /* What counts is how well the formula itself does, with the larger of the two as it turns out to be.
         */
        const struct weir_machine_kind kind = {
            .tasks_at_once = tasks_at_once,
            .rates = {.fluid_cell_seconds = x[0], .solid_cell_seconds = x[1], .task_seconds = x[2]}};
        double squares = 0;
        bool same = true;
        for (int r = 0; r < count; r++) {
            const struct weir_rate_sample *s = &samples[r];
            const double work = kind.rates.fluid_cell_seconds * s->fluid_cells +
                                kind.rates.solid_cell_seconds * s->solid_cells;
            const double off = weir_time_model_worker_group(&kind, work, s->tasks) / s->seconds - 1;
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

int weir_rate_fit_with_walls(const struct weir_rate_sample *samples, int count,
                             const struct weir_rate_sample *walled, int tasks_at_once,
                             struct weir_rates *rates) {
    double wall = 0;
    if (count > SAMPLES_MAX)
        count = SAMPLES_MAX;
    for (int round = 0; round < WALL_ROUNDS; round++) {
        struct weir_rate_sample plain[SAMPLES_MAX];
        for (int k = 0; k < count; k++) {
            plain[k] = samples[k];
            plain[k].seconds =
                fmax(samples[k].seconds - wall * samples[k].wall_cells, 0.1 * samples[k].seconds);
        }
        WEIR_TRY(weir_rate_fit(plain, count, tasks_at_once, rates, NULL));
        const struct weir_machine_kind kind = {.tasks_at_once = tasks_at_once, .rates = *rates};
        const double work =
            rates->fluid_cell_seconds * walled->fluid_cells + rates->solid_cell_seconds * walled->solid_cells;
        const double rest = walled->seconds - weir_time_model_worker_group(&kind, work, walled->tasks);
        wall = walled->wall_cells > 0 ? fmax(rest / walled->wall_cells, 0) : 0;
    }
    rates->wall_cell_seconds = wall;
    return 0;
}
