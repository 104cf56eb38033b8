/* Pieces of fluid that solids keep apart: pores without a way out, and whether the fluid leads from one
 * opening to another. */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_PIECES_H
#define WEIR_GRAPH_PROBLEM_FLUID_PIECES_H

#include "graph/problem/problem.h"

struct weir_fluid_pieces {
    int64_t fluid;   /* cells */
    int64_t pieces;  /* cells of one piece touch each other across their faces, periodic seams included */
    int64_t pockets; /* of these, all but the largest that no opening touches */
    int64_t pocket_cells; /* and their cells */
    int openings;         /* walls that fluid may pass: faces of the domain, parts of them, bodies */
    bool leads_through;   /* some piece touches two of them */
    int dead_end; /* number of the wall of an opening, the first, from which no fluid leads to another; 0: of
                     none */
    int dead_ends;
};

/* Finds them slice by slice, with as many threads, each with a part of the domain: besides some slices it
 * takes memory for each stretch of fluid in a row, not for each cell. Of more than 64 openings the last count
 * as one. The same whatever the number of threads. Error: -WEIR_FAILED when memory is short. */
int weir_fluid_pieces_find(const struct weir_problem *problem, int threads, struct weir_fluid_pieces *pieces);

/* The cells of the pockets as a region, which is the caller's; NULL where there are none. */
int weir_fluid_pieces_pockets(const struct weir_problem *problem, int threads, struct weir_region **region,
                              struct weir_fluid_pieces *pieces);

#endif
