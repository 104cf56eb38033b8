#include "src/bench/bench_solids.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Diameter: as many cells, or this part of the shortest edge. In 64^3 cells that is 14, and 60 spheres make
 * 27 % of them solid. */
static const double largest_diameter = 40, diameter_of_edge = 0.22;

/* Uniform in [0, 1): a linear congruential generator (Knuth, The Art of Computer Programming 2,
 * section 3.3.4, line 26), so that all machines have the same spheres. */
static double next_uniform(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static double radius_for(const struct weir_problem *problem, int dimensions) {
    double edge = problem->cells[0];
    for (int axis = 1; axis < dimensions; axis++)
        edge = fmin(edge, problem->cells[axis]);
    return 0.5 * fmin(largest_diameter, diameter_of_edge * edge);
}

/* Spheres of volume v whose centres are independent leave exp(-n v / V) of a volume V free. */
static int count_for(double share, const struct weir_problem *problem, double radius) {
    const double pi = acos(-1);
    const double all = (double)problem->cells[0] * problem->cells[1] * problem->cells[2];
    const double one =
        weir_lattice_dimensions(problem->lattice) == 2 ? pi * radius * radius : 4.0 / 3 * pi * pow(radius, 3);
    return (int)fmax(1, rint(-log1p(-share) * all / one));
}

int weir_bench_solids_create(double share, struct weir_problem *problem) {
    const int dimensions = weir_lattice_dimensions(problem->lattice);
    const double radius = radius_for(problem, dimensions);
    uint64_t state = 1;
    if (share == 0)
        return 0;
    const int count = count_for(share, problem, radius);
    problem->shapes = calloc((size_t)count, sizeof *problem->shapes);
    if (!problem->shapes)
        return weir_fail(WEIR_FAILED, "out of memory for %d spheres", count);
    problem->shape_count = count;
    problem->wall_count = WEIR_FIRST_BODY + 1;
    snprintf(problem->walls[WEIR_FIRST_BODY].name, sizeof problem->walls[0].name, "solids");
    for (int k = 0; k < count; k++) {
        struct weir_shape *shape = &problem->shapes[k];
        *shape = (struct weir_shape){.type = WEIR_SPHERE,
                                     .wall = WEIR_FIRST_BODY,
                                     .sphere = {.center = {0, 0, 0.5}, .radius = radius}};
        for (int axis = 0; axis < dimensions; axis++)
            shape->sphere.center[axis] = problem->cells[axis] * next_uniform(&state);
    }
    return 0;
}

void weir_bench_solids_destroy(struct weir_problem *problem) {
    free(problem->shapes);
    problem->shapes = NULL;
    problem->shape_count = 0;
    problem->wall_count = WEIR_FIRST_BODY;
}
