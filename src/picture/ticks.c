#include "src/picture/ticks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers the multiples of `step` from low to high, with some slack for rounding. */
static void multiples(double low, double high, double step, double *first, double *last) {
    *first = ceil(low / step - 1e-6);
    *last = floor(high / step + 1e-6);
}

/* The least of 1, 2 and 5 times powers of ten that makes at most `most` marks, about `width` apart. */
static double choose_step(double low, double high, int most, double width, double *first, double *last) {
    static const double factors[] = {1.0, 2.0, 5.0};
    const double power = pow(10.0, floor(log10(width)));
    double step;
    int i = 0;
    do {
        step = factors[i % 3] * power * (i < 3 ? 1.0 : 10.0);
        multiples(low, high, step, first, last);
        i++;
    } while (*last - *first >= most);
    return step;
}

void weir_ticks_choose(double low, double high, int most, struct weir_ticks *ticks) {
    /* Not (high - low) / most: the difference may be infinite. */
    const double width = high / most - low / most, largest = fmax(fabs(low), fabs(high));
    double first, last;
    *ticks = (struct weir_ticks){.count = 0};
    if (!isfinite(width) || width < DBL_MIN || width < DBL_EPSILON * largest)
        return;
    const double step = choose_step(low, high, most, width, &first, &last);
    for (double number = first; number <= last; number++) /* 0 times a step beyond all numbers is 0 */
        ticks->values[ticks->count++] = number == 0 ? 0 : number * step;
    ticks->exponent = largest >= 1e5 || largest < 1e-2 ? 3 * (int)floor(log10(largest) / 3.0) : 0;
    ticks->decimals = (int)fmax(0.0, ceil(-log10(step) + ticks->exponent - 1e-6));
}

void weir_ticks_label(const struct weir_ticks *ticks, int i, char label[WEIR_TICK_LABEL]) {
    double value = ticks->values[i] / pow(10.0, ticks->exponent);
    snprintf(label, WEIR_TICK_LABEL, "%s%.*f", value < 0.0 ? "−" : "", ticks->decimals, fabs(value));
}

void weir_ticks_unit(const struct weir_ticks *ticks, const char *unit, char label[WEIR_TICK_LABEL]) {
    static const char *const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char power[20] = "";
    if (ticks->exponent != 0) {
        char digits[16];
        snprintf(digits, sizeof digits, "%d", abs(ticks->exponent) % 1000);
        strcat(power, ticks->exponent < 0 ? "10⁻" : "10");
        for (const char *digit = digits; *digit; digit++)
            strcat(power, superscripts[*digit - '0']);
    }
    if (power[0] || unit[0])
        snprintf(label, WEIR_TICK_LABEL, "[%s%s%s]", power, power[0] && unit[0] ? " " : "", unit);
    else
        label[0] = '\0';
}
