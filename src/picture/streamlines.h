/* Lines along the flow in a plane of cells, evenly spaced: Jobard, Lefer, Creating evenly-spaced streamlines
 * of arbitrary density, Visualization in Scientific Computing '97 (1997) 43. The same lines for the same
 * values, bit by bit: sums, products, divisions and square roots alone, in a fixed order. How they are drawn
 * is picture.c's. */
#ifndef WEIR_SRC_PICTURE_STREAMLINES_H
#define WEIR_SRC_PICTURE_STREAMLINES_H

#include <stddef.h>

/* A flow in a plane; places are in cells from the lower left corner, centres of cells at halves. */
struct weir_plane_flow {
    int width, height;
    const double *across, *up; /* [height][width], components of the velocity; NaN in solids */
};

struct weir_streamline_point {
    double x, y;
};

/* Lines one after the other, each in the direction of the flow: those of line k are points[begin[k]] up to
 * before points[begin[k + 1]]. No line enters a solid cell or leaves the plane. */
struct weir_streamlines {
    int count;
    size_t *begin; /* [count + 1] */
    struct weir_streamline_point *points;
};

/* Finds lines that are `spacing` cells apart where they begin, and nowhere closer than half of that; where
 * nothing flows there is none. *lines is the caller's (weir_streamlines_release). Error: -WEIR_FAILED (no
 * memory). */
int weir_streamlines_find(const struct weir_plane_flow *flow, double spacing, struct weir_streamlines *lines);

void weir_streamlines_release(struct weir_streamlines *lines);

#endif
