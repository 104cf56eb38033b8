/* A part of the walls of bodies as triangles, with what the flow does to each: the slope of the velocity at
 * the wall, density and pressure, as sums over the fluid cells beside it, whose weights are found once. */
#ifndef WEIR_SRC_SURFACE_SURFACE_PATCH_H
#define WEIR_SRC_SURFACE_SURFACE_PATCH_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"
#include "src/geometry/triangles.h"
#include "src/surface/cell_walls.h"
#include "src/surface/surface_fit.h"
#include "src/surface/surface_samples.h"

struct weir_surface_patch {
    struct weir_triangles triangles; /* in cell widths, turned so that normals point into the fluid */
    uint8_t *walls;                  /* of each triangle */
    int64_t *order;                  /* of each triangle: wall_surface.h */
    double (*normals)[3];            /* of length 1 */

    int64_t *cells;   /* [cell_count], numbers (weir_cell_key) of the fluid cells beside it, ascending */
    int (*places)[3]; /* of these in the domain */
    int32_t cell_count;
    struct weir_box region; /* around these */

    /* What triangles have of cells, most of what a surface takes. Where memory is to be spared it follows,
     * for those with one sample, from this sample's fit when it is asked for; else it is kept. */
    int64_t *first;  /* [triangles + 1] */
    int32_t *beside; /* [first[triangles]], places in `cells` */
    int64_t *kept;   /* of each triangle: where its weights begin; -1 - k: its fit is number k */
    struct weir_surface_weight *weights;
    struct weir_surface_single {
        double place[3]; /* of the sample */
        struct weir_surface_polynomial polynomial;
    } * singles;
    int domain[3];    /* cells along each axis */
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

/* Of so many samples, all of each triangle that they are of; triangles: the list that they number; order: of
 * each of these. Several threads may make patches of the same walls at once. The problem must outlive it.
 * sparing: memory, not time. *patch is the caller's. -WEIR_FAILED when memory is short. */
int weir_surface_patch_create(const struct weir_problem *problem, struct weir_cell_walls *walls,
                              const struct weir_triangles *triangles, const int64_t *order,
                              const struct weir_surface_sample *samples, int64_t count, bool sparing,
                              struct weir_surface_patch **patch);

/* NULL is allowed. */
void weir_surface_patch_destroy(struct weir_surface_patch *patch);

/* What triangle `number` has of its cells, in the order of `beside`: kept, or put into found[WEIR_FIT_CELLS].
 */
const struct weir_surface_weight *weir_surface_patch_weights(const struct weir_surface_patch *patch,
                                                             int64_t number,
                                                             struct weir_surface_weight *found);

/* Of triangle `number`. seen[cell_count]; wall: that behind it, as it moves now. */
void weir_surface_patch_values(const struct weir_surface_patch *patch, int64_t number,
                               const struct weir_surface_cell *seen, const struct weir_wall *wall,
                               struct weir_surface_values *values);

#endif
