/* Which cells are solid, and of what: walls of the domain's faces and bodies, as flag bytes of a block. */
#ifndef WEIR_GRAPH_PROBLEM_GEOMETRY_H
#define WEIR_GRAPH_PROBLEM_GEOMETRY_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"

/* Fills the flags (block_view.h) of a block and the ring around it: flags[nz + 2 ring][ny + 2 ring][nx +
 * 2 ring], owned by the caller. Beyond a face of the domain that is not periodic lies that face's wall; where
 * several faces meet, WEIR_EDGE_WALL, and beyond a part of a face that part's. So it is with cells of a wall
 * that moves or lets fluid pass and that something else covers (numerics.md, Boundaries). Bodies are repeated
 * along periodic axes (nearest image; boxes are not). Returns the number of fluid cells in the block, or
 * -WEIR_FAILED when memory is short. */
int64_t weir_geometry_flags(const struct weir_problem *problem, const struct weir_box *block, uint8_t *flags);

/* The same by that many threads. */
int64_t weir_geometry_flags_shared(const struct weir_problem *problem, const struct weir_box *block,
                                   int threads, uint8_t *flags);

/* Number of fluid cells in a block, as above, without flags. -WEIR_FAILED when memory is short. */
int64_t weir_geometry_count(const struct weir_problem *problem, const struct weir_box *block);

/* How many of some cells of a block are fluid: every so many along each axis, `distance`, from cell `start`
 * of the block on. -WEIR_FAILED when memory is short. */
int64_t weir_geometry_sample(const struct weir_problem *problem, const struct weir_box *block,
                             const int start[3], int distance);

/* Fluid cells of a block that have a wall among the cells around them (block_view.h), by the flags that were
 * filled so. at_ends: those count, too, whose walls all lie beyond faces of the domain. */
int64_t weir_geometry_near_wall(const struct weir_lattice_table *lattice, const int extent[3],
                                const uint8_t *flags, bool at_ends);

/* Of the fluid cells of a block, the share that has a solid among the cells around it; faces of the domain
 * are none. Every so many cells along each axis, `distance`, one is looked at. -WEIR_FAILED when memory is
 * short. */
int weir_geometry_wall_share(const struct weir_problem *problem, const struct weir_box *box, int distance,
                             double *share);

/* Distance along an axis from a body's centre to a point: to the nearest image where the axis is periodic. */
double weir_geometry_distance(const struct weir_problem *problem, int axis, double center, double point);

/* Whether all cells of a box inside the domain belong to the shape. Right for one cell; for more it may say
 * no where rounding decides, or where it takes several images of the shape. */
bool weir_geometry_covers(const struct weir_problem *problem, const struct weir_shape *shape,
                          const struct weir_box *box);

/* Whether a shape is fluid in the solids before it. */
static inline bool weir_shape_is_hollow(const struct weir_shape *shape) {
    return shape->wall == 0;
}

/* Number of the conductor that has a cell of the domain or of the ring around it; 0: it is none's. */
int weir_geometry_conductor(const struct weir_problem *problem, const int cell[3]);

/* The same of the cells of a box, which may reach one cell beyond the domain. numbers: [extent z][y][x], the
 * caller's. -WEIR_FAILED when memory is short. */
int weir_geometry_conductors(const struct weir_problem *problem, const struct weir_box *box,
                             uint8_t *numbers);

/* The body of a cell of the domain that conducts the scalar: its wall's number, WEIR_NO_BODY where it is told
 * of under no name; 0: the cell does not conduct. */
int weir_geometry_conducting_body(const struct weir_problem *problem, const int cell[3]);

/* The same of the cells of a block and of the ring around it, as flags lie. bodies: the caller's.
 * -WEIR_FAILED when memory is short. */
int weir_geometry_conducting_bodies(const struct weir_problem *problem, const struct weir_box *block,
                                    uint8_t *bodies);

/* Cells of its face that a part has. */
int64_t weir_geometry_part_cells(const struct weir_problem *problem, const struct weir_shape *shape);

/* Whether the shape may have cells of a box or around it whose walls decide its flags and those of its ring,
 * beside which there may be what covers them; may say yes where there are none. */
bool weir_geometry_touches(const struct weir_problem *problem, const struct weir_shape *shape,
                           const struct weir_box *box);

/* The shapes of a problem that matter where one looks, in its order. */
struct weir_shapes {
    const struct weir_problem *problem;
    const struct weir_shape **list; /* [count]; NULL: all of the problem's */
    int count;
};

static inline const struct weir_shape *weir_shapes_item(const struct weir_shapes *shapes, int k) {
    return shapes->list ? shapes->list[k] : &shapes->problem->shapes[k];
}

/* Those that may have a cell of a box, or one beside it; near->list is the caller's, to be freed.
 * -WEIR_FAILED when memory is short. */
int weir_geometry_shapes_near(const struct weir_problem *problem, const struct weir_box *box,
                              struct weir_shapes *near);

/* Cells along each axis of the part of a box that the shape's bounding box has, and at least one. */
void weir_geometry_extent(const struct weir_problem *problem, const struct weir_shape *shape,
                          const struct weir_box *box, double cells[3]);

/* The shape's bounding box; what has no end ends with the domain. */
void weir_geometry_bounds(const struct weir_problem *problem, const struct weir_shape *shape, double low[3],
                          double high[3]);

/* Wall number of a cell of the domain or of the ring around it, by the same rules; 0 for fluid.
 */
int weir_geometry_wall(const struct weir_problem *problem, const int cell[3]);

/* The same where solids that conduct are solids, too: those with a name have the number of their wall, others
 * are counted behind the last wall. At most wall_count - 1 + conductor_count. */
int weir_geometry_solid(const struct weir_problem *problem, const int cell[3]);

#endif
