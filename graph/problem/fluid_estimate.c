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
    int64_t seen = 0, fluid = 0;
    if (problem->shape_count == 0)
        return (double)weir_box_cells(box);
    if (distance == 1 && (fluid = weir_geometry_count(problem, box)) >= 0)
        return (double)fluid;
    fluid = 0;
    int start[3]; /* the middle of the first sampled brick, so that no side is preferred */
    for (int axis = 0; axis < 3; axis++)
        start[axis] = (distance < box->extent[axis] ? distance : box->extent[axis]) / 2;
    for (int z = start[2]; z < box->extent[2]; z += distance)
        for (int y = start[1]; y < box->extent[1]; y += distance)
            for (int x = start[0]; x < box->extent[0]; x += distance, seen++)
                fluid += weir_geometry_wall(problem, (const int[3]){box->origin[0] + x, box->origin[1] + y,
                                                                    box->origin[2] + z}) == 0;
    return (double)weir_box_cells(box) * (double)fluid / (double)seen;
}
