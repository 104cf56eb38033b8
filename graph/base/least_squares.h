/* Least squares with three unknowns that may not be negative. */
#ifndef WEIR_GRAPH_BASE_LEAST_SQUARES_H
#define WEIR_GRAPH_BASE_LEAST_SQUARES_H

enum { WEIR_UNKNOWNS = 3 };

/* The x >= 0 for which the sum of squares of rows[count] * x - 1 is least; returns that sum. An unknown whose
 * column is 0 becomes 0. All sets of unknowns that are not 0 are tried. */
double weir_least_squares(double (*rows)[WEIR_UNKNOWNS], int count, double x[WEIR_UNKNOWNS]);

#endif
