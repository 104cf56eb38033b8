#include "graph/base/least_squares.h"

#include <math.h>
#include <stdbool.h>

/* Solves a x = b for the unknowns of the set, the others are 0; false where they are not determined or
 * negative. */
static bool solve(double a[WEIR_UNKNOWNS][WEIR_UNKNOWNS], double b[WEIR_UNKNOWNS], unsigned set,
                  double x[WEIR_UNKNOWNS]) {
    double m[WEIR_UNKNOWNS][WEIR_UNKNOWNS + 1];
    for (int i = 0; i < WEIR_UNKNOWNS; i++) {
        const bool in = set & 1u << i;
        for (int j = 0; j < WEIR_UNKNOWNS; j++)
            m[i][j] = in && set & 1u << j ? a[i][j] : i == j;
        m[i][WEIR_UNKNOWNS] = in ? b[i] : 0;
    }
    /* The columns have length 1, so the diagonal is 1 and a small pivot is a column that the others make up.
     */
    for (int i = 0; i < WEIR_UNKNOWNS; i++) {
        if (!(m[i][i] > 1e-10))
            return false;
        for (int k = i + 1; k < WEIR_UNKNOWNS; k++)
            for (int j = WEIR_UNKNOWNS; j >= i; j--)
                m[k][j] -= m[k][i] / m[i][i] * m[i][j];
    }
    for (int i = WEIR_UNKNOWNS - 1; i >= 0; i--) {
        x[i] = m[i][WEIR_UNKNOWNS];
        for (int j = i + 1; j < WEIR_UNKNOWNS; j++)
            x[i] -= m[i][j] * x[j];
        x[i] /= m[i][i];
        if (x[i] < 0)
            return false;
    }
    return true;
}

double weir_least_squares(double (*rows)[WEIR_UNKNOWNS], int count, double x[WEIR_UNKNOWNS]) {
    double length[WEIR_UNKNOWNS], a[WEIR_UNKNOWNS][WEIR_UNKNOWNS] = {{0}}, b[WEIR_UNKNOWNS] = {0};
    unsigned there = 0;
    for (int i = 0; i < WEIR_UNKNOWNS; i++) {
        double sum = 0;
        for (int r = 0; r < count; r++)
            sum += rows[r][i] * rows[r][i];
        length[i] = sum > 0 ? sqrt(sum) : 1;
        there |= sum > 0 ? 1u << i : 0;
    }
    for (int r = 0; r < count; r++)
        for (int i = 0; i < WEIR_UNKNOWNS; i++) {
            b[i] += rows[r][i] / length[i];
            for (int j = 0; j < WEIR_UNKNOWNS; j++)
                a[i][j] += rows[r][i] / length[i] * rows[r][j] / length[j];
        }
    double least = HUGE_VAL;
    for (unsigned set = 0; set < 1u << WEIR_UNKNOWNS; set++) {
        double y[WEIR_UNKNOWNS], squares = 0;
        if ((set & there) != set || !solve(a, b, set, y))
            continue;
        for (int r = 0; r < count; r++) {
            double off = -1;
            for (int i = 0; i < WEIR_UNKNOWNS; i++)
                off += rows[r][i] / length[i] * y[i];
            squares += off * off;
        }
        if (squares < least) {
            least = squares;
            for (int i = 0; i < WEIR_UNKNOWNS; i++)
                x[i] = y[i] / length[i];
        }
    }
    return least;
}
