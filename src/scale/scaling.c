#include "src/scale/scaling.h"

#include "graph/base/error.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int weir_scaling_add_point(struct weir_scaling *scaling, int ranks, const int cells[3], int blocks) {
    struct weir_scaling_point *point = &scaling->points[scaling->count];
    *point = (struct weir_scaling_point){.ranks = ranks, .blocks = blocks};
    memcpy(point->cells, cells, sizeof point->cells);
    point->runs = calloc((size_t)scaling->repeat, sizeof *point->runs);
    if (!point->runs)
        return weir_fail(WEIR_FAILED, "out of memory for %d runs", scaling->repeat);
    scaling->count++;
    return 0;
}

/* The run that this one must agree with, and the ranks it had; NULL: it is the first. */
static const struct weir_scaling_run *earlier(const struct weir_scaling *scaling, int point, int *ranks) {
    const int from = scaling->weak ? point : 0;
    *ranks = scaling->points[from].ranks;
    return scaling->points[from].count > 0 ? &scaling->points[from].runs[0] : NULL;
}

int weir_scaling_add_run(struct weir_scaling *scaling, int point, const struct weir_scaling_run *run) {
    struct weir_scaling_point *here = &scaling->points[point];
    int ranks;
    const struct weir_scaling_run *before = earlier(scaling, point, &ranks);
    if (before && strcmp(before->digest, run->digest) != 0)
        return weir_fail(WEIR_FAILED,
                         "%d ranks computed something else than %d (digest %s, before %s): this is an "
                         "error in Weir, or a machine that computes wrongly; please report it",
                         here->ranks, ranks, run->digest, before->digest);
    here->runs[here->count++] = *run;
    return 0;
}

/* Spread of one number of a point's runs, which lies `offset` bytes into them. */
static int spread_of(const struct weir_scaling_point *point, size_t offset, double *values,
                     struct weir_spread *spread) {
    for (int k = 0; k < point->count; k++)
        memcpy(&values[k], (const char *)&point->runs[k] + offset, sizeof values[k]);
    return weir_spread_of(values, point->count, spread);
}

static int finish_point(const struct weir_scaling *scaling, struct weir_scaling_point *point, double *values,
                        double *reference) {
    const struct weir_scaling_point *first = &scaling->points[0];
    const double more = scaling->shared ? 1 : (double)point->ranks / first->ranks;
    const struct {
        size_t offset;
        struct weir_spread *spread;
    } members[] = {
        {offsetof(struct weir_scaling_run, step_seconds), &point->step_seconds},
        {offsetof(struct weir_scaling_run, waiting), &point->waiting},
        {offsetof(struct weir_scaling_run, longest_waiting), &point->longest_waiting},
        {offsetof(struct weir_scaling_run, balance), &point->balance},
        {offsetof(struct weir_scaling_run, mlups), &point->mlups},
    };
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        WEIR_TRY(spread_of(point, members[k].offset, values, members[k].spread));
    for (int k = 0; k < point->count; k++) {
        reference[k] = first->runs[k].mlups;
        values[k] = point->runs[k].mlups;
    }
    if (point == first) {
        for (int k = 0; k < point->count; k++)
            values[k] = 1;
        WEIR_TRY(weir_spread_of(values, point->count, &point->speedup));
        return weir_spread_of(values, point->count, &point->efficiency);
    }
    WEIR_TRY(weir_spread_of_ratios(values, reference, point->count, &point->speedup));
    for (int k = 0; k < point->count; k++)
        values[k] /= more;
    return weir_spread_of_ratios(values, reference, point->count, &point->efficiency);
}

int weir_scaling_finish(struct weir_scaling *scaling) {
    double *values = malloc(2 * sizeof *values * (size_t)scaling->repeat);
    if (!values)
        return weir_fail(WEIR_FAILED, "out of memory for %d runs", scaling->repeat);
    int error = 0;
    for (int k = 0; error == 0 && k < scaling->count; k++)
        error = finish_point(scaling, &scaling->points[k], values, values + scaling->repeat);
    free(values);
    return error;
}

void weir_scaling_release(struct weir_scaling *scaling) {
    for (int k = 0; k < scaling->count; k++)
        free(scaling->points[k].runs);
    scaling->count = 0;
}
