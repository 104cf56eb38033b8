/* Whether a domain has any fluid: exact, and quick whatever its size. */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_SEARCH_H
#define WEIR_GRAPH_PROBLEM_FLUID_SEARCH_H

#include "graph/problem/problem.h"

/* 0 where some cell of the domain is fluid; -WEIR_USAGE where solids fill all of them, -WEIR_FAILED when
 * memory is short. Most domains answer with the first cell that is looked at; one that is full takes as long
 * as cells lie at the surfaces of its solids. */
int weir_fluid_search(const struct weir_problem *problem);

#endif
