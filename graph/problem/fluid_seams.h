/* Pieces of fluid that go on from one part of the domain to another. Pieces are numbered through all parts,
 * in the order of their first stretches; those that are joined have the lowest of their numbers. */
#ifndef WEIR_GRAPH_PROBLEM_FLUID_SEAMS_H
#define WEIR_GRAPH_PROBLEM_FLUID_SEAMS_H

#include "graph/problem/fluid_part.h"

/* The first slice of the part that comes next. */
struct weir_fluid_slice {
    const int64_t *first; /* of each row, and past the last: its stretches */
    const struct weir_stretch *stretches;
    const int64_t *pieces; /* [stretches]: the numbers of their pieces */
};

/* A piece of one part, and one of another that it touches. */
struct weir_fluid_link {
    int64_t pieces[2];
};

struct weir_fluid_links {
    struct weir_fluid_link *list; /* the owner's (free) */
    size_t count, room;
};

/* Which pieces of parts go on beyond them, and what is known of each: all of its numbers. */
struct weir_fluid_seams {
    int64_t count;
    int64_t *number; /* [count] rising */
    int64_t *joined; /* [count]: place here of the lowest number of the same piece */
    int64_t *values; /* [2 * count]: cells, and bits of openings; of joined ones at the lowest number */
};

/* The numbers of the pieces of a part's first slice, for each of its stretches: numbers[part->first[rows]].
 */
void weir_fluid_slice_number(const struct weir_fluid_part *part, int64_t *numbers);

/* Finds what of a part's last slice touches the next part's first, each pair of pieces once. links->list is
 * the caller's, also on failure. -WEIR_FAILED when memory is short. */
int weir_fluid_links_find(const struct weir_fluid_part *part, const struct weir_fluid_slice *next,
                          struct weir_fluid_links *links);

/* Lists the pieces of all links, with no values yet. *seams is the caller's, also on failure
 * (weir_fluid_seams_release). -WEIR_FAILED when memory is short. */
int weir_fluid_seams_create(const struct weir_fluid_link *links, size_t count,
                            struct weir_fluid_seams *seams);
void weir_fluid_seams_release(struct weir_fluid_seams *seams);

/* Adds the values of a part's pieces. */
void weir_fluid_seams_add(struct weir_fluid_seams *seams, const struct weir_fluid_part *part);

/* Joins what the links say, when all parts have added theirs. */
void weir_fluid_seams_join(struct weir_fluid_seams *seams, const struct weir_fluid_link *links, size_t count);

#endif
