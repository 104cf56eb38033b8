#include "graph/problem/inside.h"

#include "graph/problem/geometry.h"
#include "graph/problem/region.h"

#include <math.h>
#include <string.h>

bool weir_shape_has(const struct weir_problem *problem, const struct weir_shape *shape,
                    const double point[3]) {
    double square = 0;
    switch (shape->type) {
    case WEIR_SPHERE:
        for (int axis = 0; axis < 3; axis++) {
            const double d = weir_geometry_distance(problem, axis, shape->sphere.center[axis], point[axis]);
            square += d * d;
        }
        return square <= shape->sphere.radius * shape->sphere.radius;
    case WEIR_BOX:
        for (int axis = 0; axis < 3; axis++)
            if (point[axis] < shape->box.from[axis] || point[axis] > shape->box.to[axis])
                return false;
        return true;
    case WEIR_CYLINDER:
        for (int axis = 0; axis < 3; axis++) {
            const double d = weir_geometry_distance(problem, axis, shape->cylinder.center[axis], point[axis]);
            if (axis != shape->cylinder.axis)
                square += d * d;
            else if (fabs(d) > 0.5 * shape->cylinder.length)
                return false;
        }
        return square <= shape->cylinder.radius * shape->cylinder.radius;
    case WEIR_REGION:
        return shape->region->contains(shape->region, point);
    }
    return false;
}

/* Whether a row along x is so far from the middle of something round that none of it can be inside; rounding
 * does not decide. */
static bool passes_by(const struct weir_problem *problem, int along, const double center[3], double radius,
                      const double first[3]) {
    static const double margin = 1 + 1e-9;
    double square = 0;
    for (int axis = 1; axis < 3; axis++) {
        const double d = weir_geometry_distance(problem, axis, center[axis], first[axis]);
        square += axis == along ? 0 : d * d;
    }
    return square > radius * radius * margin;
}

/* Whether no cell of a row is inside, as far as that is seen at once. */
static bool misses(const struct weir_problem *problem, const struct weir_shape *shape,
                   const double first[3]) {
    switch (shape->type) {
    case WEIR_SPHERE:
        return passes_by(problem, 0, shape->sphere.center, shape->sphere.radius, first);
    case WEIR_BOX:
        return first[1] < shape->box.from[1] || first[1] > shape->box.to[1] ||
               first[2] < shape->box.from[2] || first[2] > shape->box.to[2];
    case WEIR_CYLINDER:
        return passes_by(problem, shape->cylinder.axis, shape->cylinder.center, shape->cylinder.radius,
                         first);
    case WEIR_REGION:
        break;
    }
    return false;
}

/* Of cells in a row. */
static void look_at_row(const struct weir_problem *problem, const struct weir_shape *shape,
                        const double first[3], int step, int count, bool *inside) {
    double point[3] = {first[0], first[1], first[2]};
    if (misses(problem, shape, first)) {
        memset(inside, 0, sizeof *inside * (size_t)count);
        return;
    }
    for (int k = 0; k < count; k++) {
        point[0] = first[0] + (double)k * step;
        inside[k] = weir_shape_has(problem, shape, point);
    }
}

void weir_shape_has_box(const struct weir_problem *problem, const struct weir_shape *shape,
                        const double first[3], int step, const int count[3], bool *inside) {
    if (shape->type == WEIR_REGION && shape->region->contains_box) {
        shape->region->contains_box(shape->region, first, step, count, inside);
        return;
    }
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++, inside += count[0])
            look_at_row(problem, shape,
                        (const double[3]){first[0], first[1] + (double)y * step, first[2] + (double)z * step},
                        step, count[0], inside);
}
