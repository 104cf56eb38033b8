/* Where the rows of cells of a domain pass through a surface: a list for each row, which tells what is
 * inside. As large as the surface, not as the domain. */
#ifndef WEIR_SRC_GEOMETRY_CROSSINGS_H
#define WEIR_SRC_GEOMETRY_CROSSINGS_H

#include "src/geometry/triangles.h"

struct weir_crossings;

/* Finds the crossings of all rows along an axis through the centres of cells[3] cells of width 1. Whatever
 * rounding does, a row passes a closed surface as often inwards as outwards: an edge lies on one side of a
 * row for both of its triangles. *crossings is the caller's. Error: -WEIR_FAILED when memory is short. */
int weir_crossings_create(const struct weir_triangles *triangles, int axis, const int cells[3],
                          struct weir_crossings **crossings);
void weir_crossings_destroy(struct weir_crossings *crossings);

/* How often the surface goes around a cell's centre: its winding number, by the crossings before it.
 * Triangles count by the way they face; of a surface that is not oriented only whether the number is odd
 * means anything. */
int weir_crossings_winding(const struct weir_crossings *crossings, const int cell[3]);

/* The same of `count` cells along the axis of the crossings, every `step`-th from a cell on. */
void weir_crossings_windings(const struct weir_crossings *crossings, const int cell[3], int step, int count,
                             int *windings);

#endif
