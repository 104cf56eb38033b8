#include "graph/problem/materials.h"

#include "graph/problem/inside.h"
#include "graph/problem/region.h"

#include <math.h>
#include <stdlib.h>

double weir_geometry_distance(const struct weir_problem *problem, int axis, double center, double point) {
    double d = point - center;
    if (problem->periodic[axis])
        d -= problem->cells[axis] * round(d / problem->cells[axis]);
    return d;
}

/* Whether the images of the shape beyond periodic faces are found by its distance from a cell. Boxes are not
 * repeated, and regions repeat themselves. */
static bool is_repeated(const struct weir_shape *shape) {
    return shape->type == WEIR_SPHERE || shape->type == WEIR_CYLINDER;
}

/* Half the size of the shape's bounding box along an axis, about its centre. */
static void bounds(const struct weir_shape *shape, int axis, double *center, double *half) {
    switch (shape->type) {
    case WEIR_SPHERE:
        *center = shape->sphere.center[axis];
        *half = shape->sphere.radius;
        break;
    case WEIR_BOX:
        *center = 0.5 * (shape->box.from[axis] + shape->box.to[axis]);
        *half = 0.5 * (shape->box.to[axis] - shape->box.from[axis]);
        break;
    case WEIR_CYLINDER:
        *center = shape->cylinder.center[axis];
        *half = axis == shape->cylinder.axis ? 0.5 * shape->cylinder.length : shape->cylinder.radius;
        break;
    case WEIR_REGION:
        *center = 0.5 * (shape->region->low[axis] + shape->region->high[axis]);
        *half = 0.5 * (shape->region->high[axis] - shape->region->low[axis]);
        break;
    }
}

bool weir_geometry_touches(const struct weir_problem *problem, const struct weir_shape *shape,
                           const struct weir_box *block) {
    const int reach = weir_lattice_table((int)problem->lattice)->reach + 1;
    for (int axis = 0; axis < 3; axis++) {
        double center = 0, half = 0;
        bounds(shape, axis, &center, &half);
        const double middle = block->origin[axis] + 0.5 * block->extent[axis];
        const bool at_seam = problem->periodic[axis] &&
                             (block->origin[axis] < reach ||
                              block->origin[axis] + block->extent[axis] > problem->cells[axis] - reach);
        const double d =
            is_repeated(shape) ? weir_geometry_distance(problem, axis, center, middle) : middle - center;
        /* Around a block at the seam are cells of the other end, to which such a shape is not repeated. */
        if (!is_repeated(shape) && at_seam)
            continue;
        if (fabs(d) > half + 0.5 * block->extent[axis] + reach)
            return false;
    }
    return true;
}

void weir_shapes_pick(const struct weir_shapes *from, const struct weir_box *box, struct weir_shapes *near) {
    near->count = 0;
    for (int k = 0; k < from->count; k++) {
        const struct weir_shape *shape = weir_shapes_item(from, k);
        if (weir_geometry_touches(from->problem, shape, box))
            near->list[near->count++] = shape;
    }
}

int weir_geometry_shapes_near(const struct weir_problem *problem, const struct weir_box *box,
                              struct weir_shapes *near) {
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    *near = (struct weir_shapes){.problem = problem,
                                 .list = malloc(sizeof *near->list * (size_t)(problem->shape_count + 1))};
    if (!near->list)
        return weir_geometry_fail_memory(problem);
    weir_shapes_pick(&all, box, near);
    return 0;
}

/* Distances of a box's cell centres along an axis from the image of the shape's centre that is nearest to the
 * box's middle: the greatest, either way. */
static double farthest(const struct weir_problem *problem, int axis, double center,
                       const struct weir_box *box) {
    const double half = 0.5 * (box->extent[axis] - 1), middle = box->origin[axis] + 0.5 + half;
    return fabs(weir_geometry_distance(problem, axis, center, middle)) + half;
}

/* Whether all cells of a box belong to a region. Says no for boxes that are too large to look at each. */
static bool region_covers(const struct weir_region *region, const struct weir_box *box) {
    enum { LOOKED_AT = 4096 };
    if (weir_box_cells(box) > LOOKED_AT)
        return false;
    for (int z = box->origin[2]; z < box->origin[2] + box->extent[2]; z++)
        for (int y = box->origin[1]; y < box->origin[1] + box->extent[1]; y++)
            for (int x = box->origin[0]; x < box->origin[0] + box->extent[0]; x++)
                if (!region->contains(region, (const double[3]){x + 0.5, y + 0.5, z + 0.5}))
                    return false;
    return true;
}

bool weir_geometry_covers(const struct weir_problem *problem, const struct weir_shape *shape,
                          const struct weir_box *box) {
    static const double margin = 1 - 1e-9; /* far more than rounding */
    const double low[3] = {box->origin[0] + 0.5, box->origin[1] + 0.5, box->origin[2] + 0.5};
    double square = 0, high[3], radius = 0;
    if (shape->face != 0)
        return false;
    if (weir_box_cells(box) == 1)
        return weir_shape_has(problem, shape, low);
    switch (shape->type) {
    case WEIR_SPHERE:
        radius = shape->sphere.radius;
        for (int axis = 0; axis < 3; axis++)
            square += pow(farthest(problem, axis, shape->sphere.center[axis], box), 2);
        break;
    case WEIR_BOX:
        for (int axis = 0; axis < 3; axis++)
            high[axis] = low[axis] + box->extent[axis] - 1;
        return weir_shape_has(problem, shape, low) && weir_shape_has(problem, shape, high);
    case WEIR_CYLINDER:
        radius = shape->cylinder.radius;
        for (int axis = 0; axis < 3; axis++) {
            const double d = farthest(problem, axis, shape->cylinder.center[axis], box);
            if (axis != shape->cylinder.axis)
                square += d * d;
            else if (d > 0.5 * shape->cylinder.length * margin)
                return false;
        }
        break;
    case WEIR_REGION:
        return region_covers(shape->region, box);
    }
    return square <= radius * radius * margin;
}

void weir_geometry_extent(const struct weir_problem *problem, const struct weir_shape *shape,
                          const struct weir_box *box, double cells[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const double side = 0.5 * box->extent[axis];
        double center = 0, half = 0;
        bounds(shape, axis, &center, &half);
        double middle = box->origin[axis] + side - center;
        if (is_repeated(shape))
            middle = weir_geometry_distance(problem, axis, 0, middle);
        cells[axis] = fmax(fmin(middle + side, half) - fmax(middle - side, -half), 1);
    }
}

void weir_geometry_bounds(const struct weir_problem *problem, const struct weir_shape *shape, double low[3],
                          double high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        double center = 0, half = 0;
        bounds(shape, axis, &center, &half);
        low[axis] = isfinite(half) ? center - half : 0;
        high[axis] = isfinite(half) ? center + half : problem->cells[axis];
    }
}
