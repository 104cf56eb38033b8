#include "graph/problem/fluid_estimate.h"

#include "graph/problem/geometry.h"

static const double SAMPLE_CELLS = 16 << 20, SHARE_CELLS = 64 << 10, WALL_CELLS = 1 << 20;

/* Cells from one that is looked at to the next, with which no more than so many are. */
static int distance_for(const struct weir_problem *problem, double most) {
    const double cells = (double)problem->cells[0] * problem->cells[1] * problem->cells[2];
    int distance = 1;
    while (cells / distance / distance / (problem->cells[2] > 1 ? distance : 1) > most)
        distance++;
    return distance;
}

int weir_fluid_sample_distance(const struct weir_problem *problem) {
    return distance_for(problem, SAMPLE_CELLS);
}

int weir_fluid_share_distance(const struct weir_problem *problem) {
    return distance_for(problem, SHARE_CELLS);
}

struct weir_cell_counts weir_cells_estimate(const struct weir_problem *problem, const struct weir_box *box,
                                            double fluid) {
    double share = 0;
    if (fluid < 0)
        fluid = weir_fluid_estimate(problem, box, weir_fluid_sample_distance(problem));
    if (problem->shape_count > 0 && fluid > 0)
        (void)weir_geometry_wall_share(problem, box, distance_for(problem, WALL_CELLS), &share);
    return (struct weir_cell_counts){fluid, share * fluid, (double)weir_box_cells(box) - fluid};
}

double weir_fluid_estimate(const struct weir_problem *problem, const struct weir_box *box, int distance) {
    double seen = 1;
    int start[3]; /* the middle of the first sampled brick, so that no side is preferred */
    if (problem->shape_count == 0)
        return (double)weir_box_cells(box);
    for (int axis = 0; axis < 3; axis++) {
        const int n = box->extent[axis];
        start[axis] = (distance < n ? distance : n) / 2;
        seen *= (n - start[axis] + distance - 1) / distance;
    }
    const int64_t fluid = weir_geometry_sample(problem, box, start, distance);
    const double cells = (double)weir_box_cells(box);
    return fluid < 0 ? cells : seen == cells ? (double)fluid : cells * (double)fluid / seen;
}
