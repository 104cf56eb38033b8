/* What cells are made of, by boxes of them: what the files behind geometry.h know of each other (geometry.c,
 * cell_flags.c, cell_counts.c, shape_bounds.c). */
#ifndef WEIR_GRAPH_PROBLEM_MATERIALS_H
#define WEIR_GRAPH_PROBLEM_MATERIALS_H

#include "graph/problem/geometry.h"

/* Sides of the boxes of a block for which the shapes nearby are picked out once: short enough that few are,
 * long enough that picking costs little. */
enum { WEIR_LOOK_SIDE = 16, WEIR_LOOK_CELLS = WEIR_LOOK_SIDE * WEIR_LOOK_SIDE * WEIR_LOOK_SIDE };

/* Says that memory is short; returns -WEIR_FAILED. */
int weir_geometry_fail_memory(const struct weir_problem *problem);

/* The shapes of `from` that may touch a box, into `near`, whose list has room for all of them. */
void weir_shapes_pick(const struct weir_shapes *from, const struct weir_box *box, struct weir_shapes *near);

/* The wall of a cell of the domain by the solids alone, whatever is beyond its faces; WEIR_FLUID: none. */
uint8_t weir_wall_of_shapes(const struct weir_shapes *shapes, const int cell[3]);

/* The same of many cells of the domain, as of weir_shape_has_box, and at most WEIR_LOOK_CELLS.
 * walls[count z][y][x].
 */
void weir_walls_of_box(const struct weir_shapes *shapes, const int first[3], int step, const int count[3],
                       uint8_t *walls);

/* Turns to the cell of the domain that it is, along periodic axes. */
void weir_wrap_cell(const struct weir_problem *problem, int cell[3]);

/* The face beyond which a wrapped cell lies, WEIR_EDGE_WALL where faces meet, WEIR_FLUID in the domain. */
uint8_t weir_face_beyond(const struct weir_problem *problem, const int cell[3]);

/* Materials of a box of cells: of[z][y][x], from the low cell on, rows and slices being so far apart. */
struct weir_materials {
    uint8_t *of;
    ptrdiff_t row, slice;
};

/* Fills those of a box of up to WEIR_LOOK_CELLS that lies anywhere, also across seams and faces of the
 * domain. */
void weir_materials_of_box(const struct weir_shapes *shapes, const struct weir_box *box,
                           const struct weir_materials *materials);

/* Whether a cell of a moving or open wall is covered by another wall: it has no fluid beside it along an
 * axis, but something that does otherwise. Fluid meets it across its edges and corners only (numerics.md,
 * Boundaries). beside[2 * dimensions]: what the cells across its faces are made of. */
bool weir_wall_is_covered(const struct weir_problem *problem, uint8_t wall, const uint8_t beside[6]);

/* Whether cells of a wall may be covered. */
bool weir_wall_may_be_covered(const struct weir_wall *wall);

/* The wall of a cell, WEIR_FLUID for none; wraps the cell around periodic axes. */
uint8_t weir_wall_of_cell(const struct weir_shapes *shapes, int cell[3]);

#endif
