/* What is inside of a surface of triangles as a solid. */
#ifndef WEIR_SRC_GEOMETRY_MESH_REGION_H
#define WEIR_SRC_GEOMETRY_MESH_REGION_H

#include "graph/problem/region.h"
#include "src/geometry/triangles.h"

/* How a mesh comes into the domain: turned about the axes of its file, x first, then y, then z; then scaled
 * and moved, or fitted into a box. */
struct weir_mesh_placement {
    double degrees[3];
    double scale;                  /* cell widths per unit of the file */
    double move[3];                /* cell widths */
    bool fit;                      /* instead of scale and move: as large as the box allows, in its middle */
    double fit_from[3], fit_to[3]; /* cell widths */
};

/* Places a mesh. Error: -WEIR_USAGE where a mesh without extent is to be fitted. */
int weir_mesh_place(struct weir_triangles *triangles, const struct weir_mesh_placement *placement);

/* The region of the cells of a domain of cells[3] cells whose centres the surface goes around: where its
 * triangles face one way, those of a winding number other than 0, so that parts may overlap; else those with
 * an odd number of crossings before them. A surface with open edges is refused, with their number, unless
 * vote is true: then two of the three axes decide. The triangles stay the caller's. *region is, too. Errors:
 * -WEIR_USAGE, or -WEIR_FAILED when memory is short. */
int weir_mesh_region_create(const struct weir_triangles *triangles, const int cells[3], bool vote,
                            struct weir_region **region);

#endif
