#include "src/compare/vessel_workload.h"

#include "graph/base/error.h"

#include <math.h>
#include <string.h>

enum { GENERATIONS_MOST = 4 };

/* Stems are tried from the widest to the narrowest that still has some cells, in cell widths. */
static const double widest = 1.0 / 8, narrowest = 3, narrower = 0.5;

static int longest_open_axis(const struct weir_problem *problem, int dimensions) {
    int longest = -1;
    for (int axis = 0; axis < dimensions; axis++)
        if (!problem->periodic[axis] && (longest < 0 || problem->cells[axis] > problem->cells[longest]))
            longest = axis;
    return longest;
}

static int longest_across(const struct weir_vessel_tree_options *tree) {
    int longest = 0;
    for (int axis = 0; axis < tree->dimensions; axis++)
        if (axis != tree->axis && tree->cells[axis] > longest)
            longest = tree->cells[axis];
    return longest;
}

/* -WEIR_USAGE where it has no room; the region itself is not wanted. */
static int try_tree(const struct weir_vessel_tree_options *tree) {
    struct weir_vessel_tree_options wider = *tree;
    struct weir_region *region;
    wider.radius *= 1 + 1e-6; /* the case may have it in metres, rounded */
    WEIR_TRY(weir_vessel_tree_create(&wider, &region));
    region->destroy(region);
    return 0;
}

int weir_vessel_workload(const struct weir_problem *problem, struct weir_vessel_tree_options *tree) {
    const int dimensions = weir_lattice_dimensions(problem->lattice);
    *tree = (struct weir_vessel_tree_options){.dimensions = dimensions,
                                              .axis = longest_open_axis(problem, dimensions),
                                              .exponent = 3,
                                              .asymmetry = 0.5,
                                              .irregularity = 0.3,
                                              .seed = 1};
    memcpy(tree->cells, problem->cells, sizeof tree->cells);
    if (tree->axis < 0)
        return weir_fail(WEIR_USAGE, "--workloads: vessels lead from one face of the domain to the opposite "
                                     "one, and it is periodic along all axes; give --set "
                                     "domain.periodic=... with one that is not, or other workloads");
    for (tree->generations = GENERATIONS_MOST; tree->generations > 0; tree->generations--)
        for (tree->radius = floor(widest * longest_across(tree)); tree->radius >= narrowest;
             tree->radius -= narrower)
            for (int planar = 0; planar < 2; planar++) {
                tree->planar = planar;
                const int error = try_tree(tree);
                if (error != -WEIR_USAGE)
                    return error;
            }
    return weir_fail(WEIR_USAGE, "--workloads: no tree of vessels has room in this domain; give more "
                                 "domain.cells, or other workloads");
}
