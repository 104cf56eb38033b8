/* The walls of bodies as triangles, with what the flow does to each: the slope of the velocity at the wall,
 * density and pressure, as sums over the fluid cells beside it, whose weights are found once. */
#ifndef WEIR_SRC_SURFACE_WALL_SURFACE_H
#define WEIR_SRC_SURFACE_WALL_SURFACE_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"
#include "src/geometry/triangles.h"

struct weir_wall_surface {
    struct weir_triangles triangles; /* in cell widths, turned so that normals point into the fluid */
    uint8_t *walls;                  /* of each triangle */
    double (*normals)[3];            /* of length 1 */

    int64_t *cells; /* [cell_count], numbers (weir_cell_key) of the fluid cells beside it, ascending */
    int32_t cell_count;
    struct weir_box region; /* around these */

    int64_t *first; /* [triangles + 1] */
    struct weir_surface_weight {
        int32_t cell; /* place in `cells` */
        double slope, value;
    } * weights;      /* [first[triangles]] */
    double (*rim)[4]; /* of each triangle: sums of slopes, and of these times the cells' arms from the wall's
                         centre: what a moving wall takes away */
};

/* What is known of a cell, lattice units. */
struct weir_surface_cell {
    double velocity[3], density, pressure;
};

/* What there is at a triangle: means over its area of the derivative of the velocity along the normal,
 * without its part across the wall and as seen from the wall, and of density and pressure; lattice units. */
struct weir_surface_values {
    double slope[3], density, pressure;
};

/* That of the bodies wanted[WEIR_WALLS_MAX], as far as fluid touches them. Where meshes are, of the bodies or
 * as hollows in them, it is the meshes' own triangles; elsewhere a net between fluid and solid cells
 * (surface_net.h). In three dimensions. The problem must outlive it. *surface is the caller's. Errors:
 * -WEIR_USAGE where fluid touches none of them, -WEIR_FAILED when memory is short. */
int weir_wall_surface_create(const struct weir_problem *problem, const bool *wanted,
                             struct weir_wall_surface **surface);
void weir_wall_surface_destroy(struct weir_wall_surface *surface);

/* Of triangle `number`. seen[cell_count]; wall: that behind it, as it moves now. */
void weir_wall_surface_values(const struct weir_wall_surface *surface, int64_t number,
                              const struct weir_surface_cell *seen, const struct weir_wall *wall,
                              struct weir_surface_values *values);

#endif
