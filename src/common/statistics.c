#include "src/common/statistics.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Value below which the given part of the sorted values lies. */
static double quantile(const double *sorted, int count, double part) {
    const double place = part * (count - 1);
    const int below = (int)place;
    const int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

int weir_spread_of(const double *values, int count, struct weir_spread *spread) {
    *spread = (struct weir_spread){0, NAN, NAN, NAN, NAN, NAN};
    if (count <= 0)
        return 0;
    double *sorted = malloc(sizeof *sorted * (size_t)count);
    if (!sorted)
        return weir_fail(WEIR_FAILED, "out of memory for %d measurements", count);
    memcpy(sorted, values, sizeof *sorted * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    *spread = (struct weir_spread){.count = count,
                                   .low = quantile(sorted, count, 0.25),
                                   .median = quantile(sorted, count, 0.5),
                                   .high = quantile(sorted, count, 0.75),
                                   .least = sorted[0],
                                   .most = sorted[count - 1]};
    free(sorted);
    return 0;
}

int weir_spread_of_ratios(const double *a, const double *b, int count, struct weir_spread *spread) {
    double *ratios = malloc(sizeof *ratios * (size_t)(count > 0 ? count : 1));
    if (!ratios)
        return weir_fail(WEIR_FAILED, "out of memory for %d measurements", count);
    for (int k = 0; k < count; k++)
        ratios[k] = a[k] / (k + 1 < count ? 0.5 * (b[k] + b[k + 1]) : b[k]);
    const int error = weir_spread_of(ratios, count, spread);
    free(ratios);
    return error;
}

double weir_spread_percent(const struct weir_spread *spread) {
    return 100 * (spread->high - spread->low) / spread->median;
}
