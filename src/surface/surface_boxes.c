#include "src/surface/surface_boxes.h"

#include "graph/problem/geometry.h"
#include "src/surface/cell_walls.h"

enum { EDGE = WEIR_SURFACE_BOX_EDGE };

static int count_along(const struct weir_problem *problem, int axis) {
    return (problem->cells[axis] + EDGE - 1) / EDGE;
}

int64_t weir_surface_box_count(const struct weir_problem *problem) {
    return (int64_t)count_along(problem, 0) * count_along(problem, 1) * count_along(problem, 2);
}

struct weir_box weir_surface_box(const struct weir_problem *problem, int64_t number) {
    struct weir_box box;
    for (int axis = 0; axis < 3; axis++) {
        const int count = count_along(problem, axis);
        box.origin[axis] = (int)(number % count) * EDGE;
        const int left = problem->cells[axis] - box.origin[axis];
        box.extent[axis] = left < EDGE ? left : EDGE;
        number /= count;
    }
    return box;
}

int64_t weir_surface_box_of(const struct weir_problem *problem, const int cell[3]) {
    return ((int64_t)(cell[2] / EDGE) * count_along(problem, 1) + cell[1] / EDGE) * count_along(problem, 0) +
           cell[0] / EDGE;
}

bool weir_surface_box_may_have(const struct weir_problem *problem, const bool *wanted,
                               const struct weir_box *box) {
    for (int k = 0; k < problem->shape_count; k++) {
        const struct weir_shape *shape = &problem->shapes[k];
        if (!weir_shape_is_hollow(shape) && wanted[shape->wall] && shape->face == 0 &&
            weir_geometry_touches(problem, shape, box))
            return true;
    }
    return false;
}

static void mark_around(const struct weir_problem *problem, const struct weir_box *box, int reach,
                        bool *near) {
    int begin[3], end[3], cell[3], wrapped[3];
    for (int axis = 0; axis < 3; axis++) {
        begin[axis] = box->origin[axis] - reach;
        end[axis] = box->origin[axis] + box->extent[axis] + reach;
    }
    for (cell[2] = begin[2]; cell[2] < end[2]; cell[2] = weir_cell_next_brick(problem, 2, cell[2], EDGE))
        for (cell[1] = begin[1]; cell[1] < end[1]; cell[1] = weir_cell_next_brick(problem, 1, cell[1], EDGE))
            for (cell[0] = begin[0]; cell[0] < end[0];
                 cell[0] = weir_cell_next_brick(problem, 0, cell[0], EDGE))
                if (weir_cell_wrap(problem, cell, wrapped))
                    near[weir_surface_box_of(problem, wrapped)] = true;
}

void weir_surface_boxes_near(const struct weir_problem *problem, const bool *boxes, int reach, bool *near) {
    for (int64_t number = 0; number < weir_surface_box_count(problem); number++)
        if (boxes[number]) {
            const struct weir_box box = weir_surface_box(problem, number);
            mark_around(problem, &box, reach, near);
        }
}
