/* How the slope of the velocity at a wall, and what else is there, follow from the cells around a point of
 * it. */
#ifndef WEIR_SRC_SURFACE_SURFACE_FIT_H
#define WEIR_SRC_SURFACE_SURFACE_FIT_H

#include "src/surface/cell_walls.h"
#include "src/surface/surface_samples.h"

enum { WEIR_FIT_CELLS = 729 }; /* at most */

/* What the slope and the value at the wall have of a cell. */
struct weir_surface_weight {
    double slope, value;
};

/* From which follows what a cell has of them (weir_surface_fit_weights). */
struct weir_surface_polynomial {
    double slope[10], value[4];
};

struct weir_surface_fit {
    struct weir_surface_polynomial polynomial;
    int count; /* 0: there is no fluid */
    struct weir_fit_cell {
        int64_t key;
        double way[3]; /* from the sample to the cell's centre */
        double slope;  /* sum of slope * velocity: its derivative along the normal */
        double value;  /* sum of value * q: what q is at the wall */
    } cells[WEIR_FIT_CELLS];
};

/* Of the fluid cells in front of the wall around a sample. The slope is that of the quadratic polynomial
 * nearest (least squares) to the velocity in these, what is there that of the linear one. Cells are in the
 * order of their places, so that the same comes of them wherever it is computed. numerics.md (N19d).
 * -WEIR_FAILED when memory is short. */
int weir_surface_fit(const struct weir_problem *problem, struct weir_cell_walls *walls,
                     const struct weir_surface_sample *sample, struct weir_surface_fit *fit);

/* The box of cells that a fit at a place may have. */
struct weir_box weir_surface_fit_box(const double place[3]);

/* What these cells had of a fit, to the last bit: it takes less memory than they do. ways[count]: as in its
 * cells; normal: the sample's. */
void weir_surface_fit_weights(const struct weir_surface_polynomial *polynomial, const double normal[3],
                              const double (*ways)[3], int count, struct weir_surface_weight *weights);

#endif
