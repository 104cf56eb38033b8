/* The walls of bodies as triangles, with what the flow does to each, in patches; whole, or as one rank's
 * share of it. */
#ifndef WEIR_SRC_SURFACE_WALL_SURFACE_H
#define WEIR_SRC_SURFACE_WALL_SURFACE_H

#include "src/surface/surface_patch.h"

struct weir_wall_surface {
    struct weir_surface_patch **patches; /* [count] */
    int count;
    int64_t triangles; /* of all */
};

/* That of the bodies wanted[WEIR_WALLS_MAX], as far as fluid touches them. Where meshes are, of the bodies or
 * as hollows in them, it is the meshes' own triangles; elsewhere a net between fluid and solid cells
 * (surface_net.h). In three dimensions. own: the boxes (surface_boxes.h) whose share is made: the triangles
 * of meshes whose middle, and faces of the net whose fluid cell, is in one of them.
 *
 * The surface does not depend on how boxes are shared out. A patch's triangles have numbers, patch->order, by
 * which all shares together are sorted; of those with the same one share has all, in their order there. The
 * problem must outlive it. *surface is the caller's: without a triangle where fluid touches none. By all
 * cores of this process. sparing_from: triangles of a share from which on they take about half the memory,
 * and their values four times as long, to the same bits. -WEIR_FAILED when memory is short. */
int weir_wall_surface_create(const struct weir_problem *problem, const bool *wanted, const bool *own,
                             int64_t sparing_from, struct weir_wall_surface **surface);

/* Where memory begins to matter: that of so many is a gigabyte, or half of it. */
enum { WEIR_SURFACE_SPARING_FROM = 1 << 19 };

/* NULL is allowed. */
void weir_wall_surface_destroy(struct weir_wall_surface *surface);

#endif
