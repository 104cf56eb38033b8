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

/* Fluid cells of a block; without solids all of them, at no cost. */
double weir_fluid_estimate(const struct weir_problem *problem, const struct weir_box *box, int distance);

#endif
