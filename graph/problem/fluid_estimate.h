/* How many cells of a block are fluid, before its geometry is there: counted, or estimated from a sample
 * where the domain is large. The same wherever it is asked. */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_ESTIMATE_H
#define WEIR_GRAPH_PROBLEM_FLUID_ESTIMATE_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"

/* Cells from one that is looked at to the next, along every axis: 1 where the domain has no more than about
 * 16 million cells, so that looking at all of its blocks takes about as long whatever its size. */
int weir_fluid_sample_distance(const struct weir_problem *problem);

/* The same for the share of the whole domain, with some ten thousand cells. */
int weir_fluid_share_distance(const struct weir_problem *problem);

/* How many cells of a block are fluid, of these how many have a solid beside them, and how many are solid. */
struct weir_cell_counts {
    double fluid, wall, solid;
};

/* Of a block with so many fluid cells, where they are known, else (negative) as estimated below. Walls are
 * looked for at about a million cells of the domain. */
struct weir_cell_counts weir_cells_estimate(const struct weir_problem *problem, const struct weir_box *box,
                                            double fluid);

/* Fluid cells of a block; without solids all of them, at no cost. */
double weir_fluid_estimate(const struct weir_problem *problem, const struct weir_box *box, int distance);

#endif
