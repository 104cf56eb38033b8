#include "src/picture/resample.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>

/* The cells that a pixel draws on along one axis, with their weights. */
struct footprint {
    int first, count;  /* cells */
    double weights[2]; /* of first and last; those between count fully */
    int own;           /* the cell that the pixel's centre lies in */
};

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static struct footprint footprint(int pixel, int pixels, int cells) {
    double cells_per_pixel = (double)cells / pixels, centre = (pixel + 0.5) * cells_per_pixel;
    struct footprint f = {.own = clamp((int)centre, 0, cells - 1)};
    if (cells_per_pixel <= 1.0) {
        int low = (int)floor(centre - 0.5);
        f.first = clamp(low, 0, cells - 1);
        f.count = clamp(low + 1, 0, cells - 1) - f.first + 1;
        f.weights[1] = centre - 0.5 - low;
        f.weights[0] = 1.0 - f.weights[1];
    } else {
        double from = pixel * cells_per_pixel, to = from + cells_per_pixel;
        f.first = clamp((int)from, 0, cells - 1);
        int last = clamp((int)ceil(to) - 1, f.first, cells - 1);
        f.count = last - f.first + 1;
        f.weights[0] = f.first + 1 - from;
        f.weights[1] = to - last;
    }
    if (f.count == 1)
        f.weights[0] = 1.0;
    return f;
}

static double weight(const struct footprint *f, int i) {
    return i == 0 ? f->weights[0] : i == f->count - 1 ? f->weights[1] : 1.0;
}

static double mix(const double *values, int width, const struct footprint *x, const struct footprint *y) {
    if (isnan(values[(size_t)y->own * (size_t)width + (size_t)x->own]))
        return NAN;
    double sum = 0.0, weights = 0.0;
    for (int j = 0; j < y->count; j++)
        for (int i = 0; i < x->count; i++) {
            double value = values[(size_t)(y->first + j) * (size_t)width + (size_t)(x->first + i)];
            if (isnan(value))
                continue;
            double part = weight(x, i) * weight(y, j);
            sum += part * value;
            weights += part;
        }
    return sum / weights;
}

struct weir_resampling {
    const double *values;
    int width, height, columns, rows;
    struct footprint *across; /* of each column */
};

int weir_resampling_create(const double *values, int width, int height, int columns, int rows,
                           struct weir_resampling **result) {
    struct weir_resampling *resampling = malloc(sizeof *resampling);
    struct footprint *across = malloc((size_t)columns * sizeof *across);
    if (!resampling || !across) {
        free(resampling);
        free(across);
        return weir_fail(WEIR_FAILED, "no memory left for a picture of %d x %d pixels", columns, rows);
    }
    for (int column = 0; column < columns; column++)
        across[column] = footprint(column, columns, width);
    *resampling = (struct weir_resampling){values, width, height, columns, rows, across};
    *result = resampling;
    return 0;
}

void weir_resampling_destroy(struct weir_resampling *resampling) {
    free(resampling->across);
    free(resampling);
}

void weir_resampling_row(const struct weir_resampling *resampling, int row, double *pixels) {
    const struct footprint y = footprint(row, resampling->rows, resampling->height);
    for (int column = 0; column < resampling->columns; column++)
        pixels[column] = mix(resampling->values, resampling->width, &resampling->across[column], &y);
}
