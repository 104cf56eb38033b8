/* The surface of bodies as triangles where no file has them: a net through the faces between fluid and solid
 * cells (surface nets: S. Gibson, Constrained elastic surface nets, MICCAI 1998). */
#ifndef WEIR_SRC_SURFACE_SURFACE_NET_H
#define WEIR_SRC_SURFACE_SURFACE_NET_H

#include "src/geometry/triangles.h"
#include "src/surface/cell_walls.h"

/* Which faces of cells are left out: those that other triangles stand for. Asked by several threads. */
struct weir_net_cover {
    const void *context;
    bool (*covers)(const void *context, const double middle[3]);
};

/* How far away, in cells, a box can be that has to do with where the net is in another one: vertices are
 * moved twenty times, each time by those one edge away. */
enum { WEIR_NET_REACH = 22 };

/* Two triangles for each face between a fluid cell and a solid one of the bodies wanted[WEIR_WALLS_MAX], with
 * corners beside those of the cells: in the middle of where lines between the cells' centres meet the wall.
 * That is half-way, but for interpolated walls, which so are where they should be; what is made of steps is
 * smoothed, by no more than half a cell, without becoming smaller (G. Taubin, SIGGRAPH 1995). Of the fluid
 * cells in the boxes `own`, box by box; near: these and all within reach. It is the same, to the last bit,
 * however the domain's boxes are divided into such sets. cover: NULL where nothing else is there.
 * triangles->corners and (*boxes)[triangles->count], in which box each is, are the caller's. By all cores of
 * this process. -WEIR_FAILED when memory is short. */
int weir_surface_net(struct weir_cell_walls *walls, const struct weir_problem *problem, const bool *wanted,
                     const struct weir_net_cover *cover, const bool *own, const bool *near,
                     struct weir_triangles *triangles, int64_t **boxes);

#endif
