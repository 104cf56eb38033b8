/* Round numbers along an axis: where a person would put the marks between two ends, and how to write them. */
#ifndef WEIR_SRC_PICTURE_TICKS_H
#define WEIR_SRC_PICTURE_TICKS_H

enum { WEIR_TICKS_MAX = 16, WEIR_TICK_LABEL = 32 };

struct weir_ticks {
    int count;
    double values[WEIR_TICKS_MAX];
    int exponent; /* labels are written in units of 10^exponent, a multiple of 3; 0 for numbers that are easy
                     to read */
    int decimals;
};

/* Chooses multiples of 1, 2 or 5 times a power of ten between low and high (low < high), at most `most` (2 to
 * WEIR_TICKS_MAX). None where these are not finite, or too near to each other to be told apart. */
void weir_ticks_choose(double low, double high, int most, struct weir_ticks *ticks);

/* Writes the label of mark i, as "−0.05" (UTF-8). */
void weir_ticks_label(const struct weir_ticks *ticks, int i, char label[WEIR_TICK_LABEL]);

/* Writes "[10⁻³ UNIT]", with what of it is needed, or "". unit: UTF-8, may be "". */
void weir_ticks_unit(const struct weir_ticks *ticks, const char *unit, char label[WEIR_TICK_LABEL]);

#endif
