/* Pieces of fluid that solids keep apart: pores without a way out, and whether the fluid leads from one
 * opening to another. */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_PIECES_H
#define WEIR_GRAPH_PROBLEM_FLUID_PIECES_H

#include "graph/problem/problem.h"

struct weir_fluid_pieces {
    int64_t fluid;   /* cells */
    int64_t pieces;  /* cells of one piece touch each other across their faces, periodic seams included */
    int64_t pockets; /* of these, all but the largest that no open face touches */
    int64_t pocket_cells; /* and their cells */
    int open_faces;       /* of the domain, that fluid may pass */
    bool leads_through;   /* some piece touches two of them */
};

/* Finds them slice by slice: besides some slices it takes memory for each stretch of fluid in a row, not for
 * each cell. Error: -WEIR_FAILED when memory is short. */
int weir_fluid_pieces_find(const struct weir_problem *problem, struct weir_fluid_pieces *pieces);

#endif
