#include "src/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers the multiples of `step` from low to high, with some slack for rounding. */
static void multiples(double low, double high, double step, double *first, double *last) {
    *first = ceil(low / step - 1e-6);
    *last = floor(high / step + 1e-6);
}

void weir_ticks_choose(double low, double high, int most, struct weir_ticks *ticks) {
    static const double factors[] = {1.0, 2.0, 5.0};
    double power = pow(10.0, floor(log10((high - low) / most))), step, first, last;
    int i = 0;
    do {
        step = factors[i % 3] * power * (i < 3 ? 1.0 : 10.0);
        multiples(low, high, step, &first, &last);
        i++;
    } while (last - first >= most);
    ticks->count = 0;
    for (double number = first; number <= last; number++)
        ticks->values[ticks->count++] = number * step;
    double largest = fmax(fabs(low), fabs(high));
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
