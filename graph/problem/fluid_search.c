/* Boxes of cells are halved until a single shape covers one, which settles it, or its middle is fluid, which
 * settles all. Each box looks only at the shapes that its parent found near. */
#include "graph/problem/fluid_search.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"

#include <stdlib.h>
#include <string.h>

/* Halvings that take a domain of 65536 cells along each axis to one cell. */
enum { DEPTH_MAX = 3 * 16 + 1 };

struct search {
    const struct weir_problem *problem;
    int *shapes; /* [DEPTH_MAX][shape_count]: those near the box at each depth */
};

static bool is_solid(const struct search *search, const int *near, int count, const struct weir_box *box) {
    for (int k = 0; k < count; k++)
        if (weir_geometry_covers(search->problem, &search->problem->shapes[near[k]], box))
            return true;
    return false;
}

static struct weir_box middle_cell(const struct weir_box *box) {
    struct weir_box cell = {.extent = {1, 1, 1}};
    for (int axis = 0; axis < 3; axis++)
        cell.origin[axis] = box->origin[axis] + box->extent[axis] / 2;
    return cell;
}

/* Whether the box has fluid; near[count]: the shapes near its parent. */
static bool has_fluid(const struct search *search, int depth, const int *near, int count,
                      const struct weir_box *box) {
    int *here = search->shapes + (size_t)depth * (size_t)search->problem->shape_count, found = 0;
    for (int k = 0; k < count; k++)
        if (weir_geometry_touches(search->problem, &search->problem->shapes[near[k]], box))
            here[found++] = near[k];
    if (is_solid(search, here, found, box))
        return false;
    const struct weir_box middle = middle_cell(box);
    if (weir_box_cells(box) == 1 || !is_solid(search, here, found, &middle))
        return true;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->extent[k] > box->extent[axis])
            axis = k;
    struct weir_box low = *box, high = *box;
    low.extent[axis] = box->extent[axis] / 2;
    high.origin[axis] += low.extent[axis];
    high.extent[axis] -= low.extent[axis];
    return has_fluid(search, depth + 1, here, found, &low) ||
           has_fluid(search, depth + 1, here, found, &high);
}

int weir_fluid_search(const struct weir_problem *problem) {
    const size_t shapes = (size_t)problem->shape_count;
    if (shapes == 0)
        return 0;
    struct search search = {problem, malloc(sizeof *search.shapes * (DEPTH_MAX + 2) * shapes)};
    if (!search.shapes)
        return weir_fail(WEIR_FAILED, "out of memory while looking for fluid among %zu solids", shapes);
    int *all = search.shapes + (DEPTH_MAX + 1) * shapes;
    for (int k = 0; k < problem->shape_count; k++)
        all[k] = k;
    const struct weir_box domain = {.extent = {problem->cells[0], problem->cells[1], problem->cells[2]}};
    const bool found = has_fluid(&search, 0, all, problem->shape_count, &domain);
    free(search.shapes);
    return found ? 0
                 : weir_fail(WEIR_USAGE,
                             "solids: no fluid cell is left in the domain; make the solids smaller");
}
