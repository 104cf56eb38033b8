/* How strongly a row of numbers swings, by frequency. */
#ifndef WEIR_SRC_COMMON_SPECTRUM_H
#define WEIR_SRC_COMMON_SPECTRUM_H

#include <stddef.h>

/* Amplitudes of the numbers without their mean, seen through a Hann window: of swings at frequency
 * k / (2 (bins - 1) interval). A swing of amplitude 1 between two of these frequencies shows at least 0.95,
 * as the numbers are padded with zeros to four times their length (Harris, "On the use of windows for
 * harmonic analysis", Proc. IEEE 66 (1978), 51). */
struct weir_spectrum {
    double *amplitude; /* [bins] */
    size_t bins;       /* 0: too few numbers, or one that is not finite */
    double step;       /* between frequencies; per unit of the interval */
    double peak;       /* frequency of the strongest swing, from a parabola through its three largest
                          amplitudes; NaN: nothing swings */
    double height;     /* amplitude there */
};

enum { WEIR_SPECTRUM_LEAST = 16 }; /* numbers */

/* Of `count` numbers that follow each other every `interval`; to be released. Error: -WEIR_FAILED (no
 * memory). */
int weir_spectrum_make(const double *values, size_t count, double interval, struct weir_spectrum *spectrum);
void weir_spectrum_release(struct weir_spectrum *spectrum);

#endif
