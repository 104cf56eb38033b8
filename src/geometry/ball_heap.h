/* Balls of one size at random places: a porous medium, or a bed of particles. */
#ifndef WEIR_SRC_GEOMETRY_BALL_HEAP_H
#define WEIR_SRC_GEOMETRY_BALL_HEAP_H

#include "graph/problem/region.h"

#include <stdint.h>

struct weir_ball_heap_options {
    int dimensions;        /* 2: discs */
    int cells[3];          /* the domain */
    bool periodic[3];      /* balls continue on the other side */
    double from[3], to[3]; /* where centres may be, cell widths */
    double radius;         /* cell widths */
    bool overlap;          /* balls may */
    int64_t count;         /* 0: as many as `porosity` asks for */
    double porosity;       /* share of the volume that is in no ball, far from the ends of from..to */
    uint64_t seed;         /* the same balls for the same seed, on any machine */
};

/* The balls of a heap, and what their number makes of the volume of from..to. */
struct weir_ball_heap_facts {
    int64_t count;
    double porosity;
};

/* Places the balls: centres evenly distributed, one after the other, those that would overlap drawn anew
 * where they may not (random sequential addition); where that finds no room, which is so from about 0.38 of
 * the volume on (2-D: 0.54), all at once, moved apart until none overlap (ball_packing.h). Balls that may
 * overlap leave exp(-n v / V) of a volume V free, n being their number and v the volume of each. *region is
 * the caller's, to be destroyed by its own function; facts may be NULL. Errors: -WEIR_USAGE where the balls
 * find no place or are too many; -WEIR_FAILED when memory is short. */
int weir_ball_heap_create(const struct weir_ball_heap_options *options, struct weir_region **region,
                          struct weir_ball_heap_facts *facts);

#endif
