/* A brick of cells: low cell and number of cells per axis (x, y, z). */
#ifndef WEIR_GRAPH_PROBLEM_BOX_H
#define WEIR_GRAPH_PROBLEM_BOX_H

#include <stdbool.h>
#include <stdint.h>

struct weir_box {
    int origin[3];
    int extent[3];
};

static inline int64_t weir_box_cells(const struct weir_box *box) {
    return (int64_t)box->extent[0] * box->extent[1] * box->extent[2];
}

/* Part that two boxes have in common; false, with *common untouched, where there is none. */
static inline bool weir_box_intersect(const struct weir_box *a, const struct weir_box *b,
                                      struct weir_box *common) {
    struct weir_box c;
    for (int axis = 0; axis < 3; axis++) {
        const int a_end = a->origin[axis] + a->extent[axis], b_end = b->origin[axis] + b->extent[axis];
        c.origin[axis] = a->origin[axis] > b->origin[axis] ? a->origin[axis] : b->origin[axis];
        c.extent[axis] = (a_end < b_end ? a_end : b_end) - c.origin[axis];
        if (c.extent[axis] <= 0)
            return false;
    }
    *common = c;
    return true;
}

#endif
