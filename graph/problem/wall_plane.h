/* The wall beside a fluid cell, as a plane: for what is said of walls where the fluid is, such as their shear
 * stress. */
#ifndef WEIR_GRAPH_PROBLEM_WALL_PLANE_H
#define WEIR_GRAPH_PROBLEM_WALL_PLANE_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"

#include <stdbool.h>

/* A wall at which fluid does not slip and through which none passes. */
struct weir_wall_plane {
    double normal[3];   /* of length 1, into the fluid */
    double distance;    /* of the cell's centre, in cells */
    double velocity[3]; /* of the surface, per step */
    double rotation[3]; /* angular velocity of the surface, per step */
    double aside;       /* how far from the cell's centre along the normal the velocity's differences of
                           weir_observation_gradient stand: those beside a wall are one-sided */
};

/* Where walls are around the cells of a box. */
struct weir_wall_planes;

/* Looks at a box of the domain; the problem must outlive the result. -WEIR_FAILED when memory is short. */
int weir_wall_planes_create(const struct weir_problem *problem, const struct weir_box *box,
                            struct weir_wall_planes **planes);

/* NULL is allowed. */
void weir_wall_planes_destroy(struct weir_wall_planes *planes);

/* Of the fluid cell at `place`, counted from the box's corner. Its direction is that of the plane nearest to
 * the points in which links of the cell, and of the fluid cells around it, meet walls (least squares with the
 * lattice's weights); its distance that of the cell's own link that is the most along the normal. False: no
 * link of the cell meets a wall, or walls lie on opposite sides. The same for any box that has the cell.
 * numerics.md (N19b). */
bool weir_wall_plane(const struct weir_wall_planes *planes, const int place[3],
                     struct weir_wall_plane *plane);

#endif
