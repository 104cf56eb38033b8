/* Median and spread of repeated measurements: on machines that others use too, a mean says little. */
#ifndef WEIR_SRC_COMMON_STATISTICS_H
#define WEIR_SRC_COMMON_STATISTICS_H

struct weir_spread {
    int count;        /* of values; all else is NaN where it is 0 */
    double low, high; /* quartiles: half of the values lie between them */
    double median;
    double least, most;
};

/* Of `count` values, which are left as they are; -WEIR_FAILED when memory is short. Quartiles between values
 * are interpolated (Hyndman and Fan, Am. Stat. 50 (1996) 361, definition 7). */
int weir_spread_of(const double *values, int count, struct weir_spread *spread);

/* Of the ratios a[k] / b, where b is the mean of what was measured just before and just after a[k]: b[k] and
 * b[k + 1], the latter where there is one. So drift that is slow against a round cancels. */
int weir_spread_of_ratios(const double *a, const double *b, int count, struct weir_spread *spread);

/* Distance of the quartiles in percent of the median. */
double weir_spread_percent(const struct weir_spread *spread);

#endif
