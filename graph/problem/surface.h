/* Where a link meets the surface of a solid. */
#ifndef WEIR_GRAPH_PROBLEM_SURFACE_H
#define WEIR_GRAPH_PROBLEM_SURFACE_H

#include "graph/problem/geometry.h"

/* The distance from a fluid cell's centre along a link to the surface of a body, as a share of the link's
 * length: above 0, at most 1. cell: the solid cell in which the link ends, in the domain; c: the link's
 * direction, which leads there from the fluid cell, across periodic seams as well; wall: the body's number;
 * near: shapes near a box that has the fluid cell. The same wherever it is asked: it depends on the problem
 * alone. */
double weir_surface_share(const struct weir_shapes *near, int wall, const int cell[3], const int c[3]);

#endif
