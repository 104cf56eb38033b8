#include "src/output/colour_range.h"

#include "src/case/outputs/quantity.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Solid cells are not a number, and a flow that diverges becomes infinite: no range can show either. */
static double largest_magnitude(const double *values, size_t count) {
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]) && fabs(values[i]) > largest)
            largest = fabs(values[i]);
    return largest;
}

/* The magnitude that 98 of 100 values stay below, to 1/4096 of the largest. */
static double common_magnitude(const double *values, size_t count) {
    enum { BINS = 4096 };
    size_t in_bin[BINS + 1] = {0}, counted = 0, above = 0;
    double largest = largest_magnitude(values, count);
    for (size_t i = 0; i < count && largest > 0.0; i++)
        if (isfinite(values[i])) {
            in_bin[(int)(fabs(values[i]) / largest * BINS)]++;
            counted++;
        }
    int bin = BINS;
    while (bin > 0 && above + in_bin[bin] <= counted / 50)
        above += in_bin[bin--];
    return largest * fmin(bin + 1, BINS) / BINS;
}

static void extremes(const double *values, size_t count, double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            range[0] = fmin(range[0], values[i]);
            range[1] = fmax(range[1], values[i]);
        }
    if (range[0] > range[1])
        memset(range, 0, 2 * sizeof range[0]);
}

void weir_colour_range_choose(enum weir_quantity quantity, const double *values, size_t count,
                              const double wanted[2], double range[2]) {
    static const double smallest_part = 1e-6; /* of the values; single precision resolves 1e-7 */
    if (weir_quantity_signed(quantity)) {
        range[1] =
            quantity == WEIR_VORTICITY ? common_magnitude(values, count) : largest_magnitude(values, count);
        range[0] = -range[1];
    } else {
        extremes(values, count, range);
        if (quantity == WEIR_SPEED)
            range[0] = 0.0;
    }
    bool given[2] = {!isnan(wanted[0]), !isnan(wanted[1])};
    for (int end = 0; end < 2; end++)
        if (given[end])
            range[end] = wanted[end];
    double magnitude = fmax(fabs(range[0]), fabs(range[1])), middle = 0.5 * range[0] + 0.5 * range[1];
    double least = magnitude > 0.0 ? magnitude * smallest_part : 1.0;
    if (range[1] - range[0] >= least)
        return;
    if (given[1])
        range[0] = range[1] - least;
    else if (given[0] || quantity == WEIR_SPEED)
        range[1] = range[0] + least;
    else {
        range[0] = middle - 0.5 * least;
        range[1] = middle + 0.5 * least;
    }
}
