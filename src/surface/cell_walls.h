/* Which wall the cells near a surface belong to: looked up once, tile by tile, where somebody wants to know.
 * Several threads may use one. */
#ifndef WEIR_SRC_SURFACE_CELL_WALLS_H
#define WEIR_SRC_SURFACE_CELL_WALLS_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"

enum { WEIR_CELL_BEYOND = -1 }; /* what a cell outside the domain is said to belong to */

struct weir_cell_walls;

/* The problem must outlive the result, which is the caller's. -WEIR_FAILED when memory is short. */
int weir_cell_walls_create(const struct weir_problem *problem, struct weir_cell_walls **walls);
void weir_cell_walls_destroy(struct weir_cell_walls *walls);

/* Looks up the cells of a box, which may reach beyond the domain and wraps around periodic axes.
 * -WEIR_FAILED when memory is short. */
int weir_cell_walls_load(struct weir_cell_walls *walls, const struct weir_box *box);

/* Wall number of a cell that was loaded; 0 for fluid, WEIR_CELL_BEYOND outside the domain. */
int weir_cell_walls_at(const struct weir_cell_walls *walls, const int cell[3]);

/* The same of a cell of the domain. */
int weir_cell_walls_inside(const struct weir_cell_walls *walls, const int cell[3]);

/* The cell of the domain that is there, around periodic axes; false: none is. */
bool weir_cell_wrap(const struct weir_problem *problem, const int cell[3], int wrapped[3]);

/* Where the domain is cut into bricks with edges of so many cells: from a cell to the first one of the next
 * brick along an axis, the domain's ends being cuts too, around which it goes on. */
static inline int weir_cell_next_brick(const struct weir_problem *problem, int axis, int cell, int edge) {
    const int n = problem->cells[axis], wrapped = (cell % n + n) % n,
              end = wrapped / edge * edge + edge < n ? wrapped / edge * edge + edge : n;
    return cell + end - wrapped;
}

/* A cell's number in the domain, x running fastest. */
static inline int64_t weir_cell_key(const struct weir_problem *problem, const int cell[3]) {
    return ((int64_t)cell[2] * problem->cells[1] + cell[1]) * problem->cells[0] + cell[0];
}

#endif
