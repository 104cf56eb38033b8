/* The fluid in some slices of a domain, in pieces: stretches of fluid in rows, and which of them touch each
 * other within these slices. Slices are cut along the last axis that has more than one cell. */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_PART_H
#define WEIR_GRAPH_PROBLEM_FLUID_PART_H

#include "graph/problem/problem.h"

/* Walls that fluid may pass: faces of the domain, parts of them, bodies. */
struct weir_fluid_openings {
    uint64_t bit[WEIR_WALLS_MAX]; /* of each wall; 0: it is none. Of more than 64 the last share one */
    int count;
};

/* Cells begin..end - 1 of a row. */
struct weir_stretch {
    int begin, end;
};

/* What is known of a piece, by the number of its first stretch; of the other stretches, where they belong. */
struct weir_fluid_piece {
    int64_t joined; /* number of the piece's first stretch in this part */
    int64_t cells;
    uint64_t openings; /* that it touches, by their bits */
};

struct weir_fluid_part {
    int axis, rows; /* across the slices; rows of each */
    int begin, end; /* slices; begin == end: it has none */
    int64_t count;  /* stretches, row by row, slice by slice */
    struct weir_stretch *stretches;
    int64_t *first; /* of each row, and past the last */
    struct weir_fluid_piece *pieces;
    int64_t fluid;  /* cells */
    int64_t offset; /* number of the first stretch among those of all parts: whoever has several sets it */
};

void weir_fluid_openings_find(const struct weir_problem *problem, struct weir_fluid_openings *openings);

/* Where the share of one ends of whom `done` of `all` come before, the next's included: as many slices for
 * each. */
int weir_fluid_part_cut(const struct weir_problem *problem, int64_t done, int64_t all);

/* Looks at slices begin..end - 1, with as many threads. It takes memory for each stretch, not for each cell,
 * besides some slices for each thread. The same whatever the number of threads. *part is the caller's, also
 * on failure (weir_fluid_part_release). Error: -WEIR_FAILED when memory is short. */
int weir_fluid_part_find(const struct weir_problem *problem, const struct weir_fluid_openings *openings,
                         int begin, int end, int threads, struct weir_fluid_part *part);
void weir_fluid_part_release(struct weir_fluid_part *part);

static inline bool weir_fluid_is_first(const struct weir_fluid_part *part, int64_t stretch) {
    return part->pieces[stretch].joined == stretch;
}

/* Stretches at[k]..end[k] - 1 of lists[k] are two rows. */
struct weir_row_pair {
    const struct weir_stretch *lists[2];
    int64_t at[2], end[2];
};

/* Finds the next two that have a cell in common, and their numbers; false: there are none left. */
bool weir_row_pair_touch(struct weir_row_pair *rows, int64_t touching[2]);

#endif
