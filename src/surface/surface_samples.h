/* Points spread over triangles, as far as fluid touches them there and a body is behind them. */
#ifndef WEIR_SRC_SURFACE_SURFACE_SAMPLES_H
#define WEIR_SRC_SURFACE_SURFACE_SAMPLES_H

#include "src/geometry/triangles.h"
#include "src/surface/cell_walls.h"
#include "src/surface/key_table.h"

struct weir_surface_sample {
    double place[3];
    double normal[3]; /* of its triangle, of length 1, into the fluid */
    double area;      /* that it stands for */
    int64_t triangle;
    int wall; /* that is behind it */
};

struct weir_surface_samples {
    struct weir_surface_sample *list; /* [count], in the order of their triangles */
    int64_t count;

    /* Those of each cell that has some: order[first[number] ... first[number + 1]]. */
    struct weir_key_table cells;
    int64_t *first, *order;
};

/* Adds the samples of triangles, `before` being the number of the first: a triangle is divided as its edges
 * are, into parts no longer than one and a half cells. Left out are those without a fluid cell in front, with
 * another solid behind than the bodies wanted[WEIR_WALLS_MAX], or outside of the boxes given
 * (surface_boxes.h; NULL: none). By all cores of this process. -WEIR_FAILED when memory is short. */
int weir_surface_samples_add(struct weir_surface_samples *samples, const struct weir_triangles *triangles,
                             int64_t before, const struct weir_problem *problem,
                             struct weir_cell_walls *walls, const bool *wanted, const bool *boxes);

/* Sorts them by cells, for weir_surface_samples_in, which knows no later ones; once. -WEIR_FAILED when memory
 * is short. */
int weir_surface_samples_sort(struct weir_surface_samples *samples, const struct weir_problem *problem);

/* Numbers of the samples in a cell of the domain; *count: how many. */
const int64_t *weir_surface_samples_in(const struct weir_surface_samples *samples,
                                       const struct weir_problem *problem, const int cell[3], int64_t *count);

void weir_surface_samples_free(struct weir_surface_samples *samples);

#endif
