/* The triangles of a surface by the rows of cells that they touch, to find where a short way meets the
 * surface. As large as the surface and one side of the domain. */
#ifndef WEIR_SRC_GEOMETRY_SURFACE_ROWS_H
#define WEIR_SRC_GEOMETRY_SURFACE_ROWS_H

#include "src/geometry/triangles.h"

struct weir_surface_rows;

/* Sorts the triangles, which are copied, by the rows along z of a domain of cells[3] cells of width 1; what
 * is beyond the domain counts to its outermost rows. *rows is the caller's. Error: -WEIR_FAILED when memory
 * is short. */
int weir_surface_rows_create(const struct weir_triangles *triangles, const int cells[3],
                             struct weir_surface_rows **rows);
void weir_surface_rows_destroy(struct weir_surface_rows *rows);

/* The triangles, [corner][axis] each, in the order in which they came; the rows' own. */
const double (*weir_surface_rows_triangles(const struct weir_surface_rows *rows))[3][3];

/* The share of the straight way from one point to another, 0 to 1, after which the surface is first met;
 * HUGE_VAL where it is not. The points are few cells apart. The same bits whatever the order of the
 * triangles. */
double weir_surface_rows_meet(const struct weir_surface_rows *rows, const double from[3], const double to[3]);

#endif
