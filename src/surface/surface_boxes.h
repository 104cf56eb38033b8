/* The domain cut into boxes, by which the surface of bodies is divided among ranks. They are numbered as
 * cells are, x running fastest; sets of them are bool[weir_surface_box_count]. */
#ifndef WEIR_SRC_SURFACE_SURFACE_BOXES_H
#define WEIR_SRC_SURFACE_SURFACE_BOXES_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"

enum { WEIR_SURFACE_BOX_EDGE = 32 }; /* cells */

int64_t weir_surface_box_count(const struct weir_problem *problem);

struct weir_box weir_surface_box(const struct weir_problem *problem, int64_t number);

/* The number of the box that has a cell of the domain. */
int64_t weir_surface_box_of(const struct weir_problem *problem, const int cell[3]);

/* Whether one of the bodies wanted[WEIR_WALLS_MAX] may be in a box. */
bool weir_surface_box_may_have(const struct weir_problem *problem, const bool *wanted,
                               const struct weir_box *box);

/* Those that have a cell no more than `reach` cells away from one of these boxes along each axis, around
 * periodic axes: these themselves, too. near: the caller's, all false. */
void weir_surface_boxes_near(const struct weir_problem *problem, const bool *boxes, int reach, bool *near);

#endif
