#include "src/output/vorticity.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The slope at cell i of a row of n values, `stride` apart. */
static double slope(const double *row, int i, int n, size_t stride) {
    const double *here = row + (size_t)i * stride;
    bool before = i > 0 && !isnan(here[-(ptrdiff_t)stride]), after = i + 1 < n && !isnan(here[stride]);
    double low = before ? here[-(ptrdiff_t)stride] : here[0], high = after ? here[stride] : here[0];
    return before || after ? (high - low) / (before + after) : 0.0;
}

void weir_vorticity(const double *across, const double *up, int width, int height, double sign,
                    double *vorticity) {
    size_t w = (size_t)width;
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            size_t cell = (size_t)j * w + (size_t)i;
            vorticity[cell] =
                isnan(across[cell])
                    ? NAN
                    : sign * (slope(up + (size_t)j * w, i, width, 1) - slope(across + i, j, height, w));
        }
}
