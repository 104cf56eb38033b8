#include "src/common/spectrum.h"

#include "graph/base/error.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Sorts by reversed bits: the order in which the transform below takes its numbers. */
static void reverse(double complex *x, size_t size) {
    for (size_t i = 1, j = 0; i < size; i++) {
        size_t bit = size >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const double complex kept = x[i];
            x[i] = x[j];
            x[j] = kept;
        }
    }
}

/* Fourier transform in place; size: a power of two (Cooley & Tukey, Math. Comp. 19 (1965), 297). */
static void transform(double complex *x, size_t size) {
    reverse(x, size);
    for (size_t length = 2; length <= size; length *= 2) {
        const double angle = -2 * M_PI / (double)length;
        for (size_t k = 0; k < length / 2; k++) {
            const double complex turn = cexp(I * angle * (double)k);
            for (size_t i = k; i < size; i += length) {
                const double complex even = x[i], odd = turn * x[i + length / 2];
                x[i] = even + odd;
                x[i + length / 2] = even - odd;
            }
        }
    }
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* Numbers less their mean under the window; false: they do not differ by more than rounding does. */
static bool fill(const double *values, size_t count, double complex *x) {
    const double mean = mean_of(values, count);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i] - mean));
        x[i] = (values[i] - mean) * (0.5 - 0.5 * cos(2 * M_PI * (double)i / (double)count));
    }
    return most > 64 * DBL_EPSILON * fabs(mean);
}

static void find_peak(struct weir_spectrum *s) {
    size_t top = 1;
    for (size_t k = 1; k + 1 < s->bins; k++)
        if (s->amplitude[k] > s->amplitude[top])
            top = k;
    const double left = s->amplitude[top - 1], centre = s->amplitude[top], right = s->amplitude[top + 1],
                 bend = left - 2 * centre + right, shift = bend < 0 ? 0.5 * (left - right) / bend : 0;
    s->peak = ((double)top + shift) * s->step;
    s->height = centre - 0.25 * (left - right) * shift;
}

int weir_spectrum_make(const double *values, size_t count, double interval, struct weir_spectrum *s) {
    *s = (struct weir_spectrum){.peak = NAN, .height = NAN};
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    if (count < WEIR_SPECTRUM_LEAST || !(interval > 0))
        return 0;
    size_t size = 1;
    while (size < 4 * count)
        size *= 2;
    double complex *x = calloc(size, sizeof *x);
    s->amplitude = calloc(size / 2 + 1, sizeof *s->amplitude);
    if (!x || !s->amplitude) {
        free(x);
        weir_spectrum_release(s);
        return weir_fail(WEIR_FAILED, "out of memory for the spectrum of %zu numbers", count);
    }
    s->bins = size / 2 + 1;
    s->step = 1 / (interval * (double)size);
    const bool swings = fill(values, count, x);
    transform(x, size);
    for (size_t k = 0; k < s->bins; k++)
        s->amplitude[k] = 4 * cabs(x[k]) / (double)count; /* 2 for both signs, 2 for the window's mean */
    if (swings)
        find_peak(s);
    free(x);
    return 0;
}

void weir_spectrum_release(struct weir_spectrum *spectrum) {
    free(spectrum->amplitude);
    *spectrum = (struct weir_spectrum){.peak = NAN, .height = NAN};
}
