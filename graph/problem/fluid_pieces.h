/* Pieces of fluid that solids keep apart: pores without a way out, and whether the fluid leads from one
 * opening to another. What is said of them, once all parts of the domain have found theirs (fluid_part.h),
 * and those that go on from part to part are joined (fluid_seams.h). */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_PIECES_H
#define WEIR_GRAPH_PROBLEM_FLUID_PIECES_H

#include "graph/problem/fluid_seams.h"

struct weir_region;

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

/* The largest piece; of several the one with the lowest number. */
struct weir_largest_piece {
    int64_t cells, number;
};

/* Of those that a part has some of, or two of them. */
struct weir_largest_piece weir_fluid_largest(const struct weir_fluid_part *part,
                                             const struct weir_fluid_seams *seams);
struct weir_largest_piece weir_fluid_larger(struct weir_largest_piece one, struct weir_largest_piece other);

/* Counts the pieces that begin in a part, `largest` being the largest of all: fluid, pieces, pockets,
 * pocket_cells, 0 in what else there is. *connected: bits of openings from which one of them leads to
 * another.
 */
void weir_fluid_count(const struct weir_fluid_part *part, const struct weir_fluid_seams *seams,
                      int64_t largest, struct weir_fluid_pieces *counts, uint64_t *connected);

/* What is left to say when the counts of all parts are added up. */
void weir_fluid_judge(const struct weir_problem *problem, const struct weir_fluid_openings *openings,
                      uint64_t connected, struct weir_fluid_pieces *pieces);

/* Cells begin..end - 1 of a row that are a pocket's: row z * ny + y. */
struct weir_hole {
    int64_t row;
    int begin, end;
};

/* The pockets' cells in a part, in rising order: *holes is the caller's (free). -WEIR_FAILED when memory is
 * short. */
int weir_fluid_holes(const struct weir_fluid_part *part, const struct weir_fluid_seams *seams,
                     int64_t largest, struct weir_hole **holes, int64_t *count);

/* Of all parts, as a region, which is the caller's. holes: it keeps a copy. -WEIR_FAILED when memory is
 * short.
 */
int weir_pocket_region_create(const struct weir_problem *problem, const struct weir_hole *holes,
                              int64_t count, struct weir_region **region);

#endif
