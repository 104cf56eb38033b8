/* Dense beds of balls that do not overlap: balls at any places are moved apart. */
#ifndef WEIR_SRC_GEOMETRY_BALL_PACKING_H
#define WEIR_SRC_GEOMETRY_BALL_PACKING_H

#include <stdbool.h>
#include <stdint.h>

/* Where centres may be. */
struct weir_ball_space {
    int dimensions;
    double from[3], to[3];
    bool wraps[3]; /* from..to is one period, and what leaves it comes in at the other side */
};

/* Moves pairs that are closer than `diameter` apart by what they lack, half of it each, sweep after sweep in
 * the order of their numbers, until none is (Jodrey and Tory, Phys. Rev. A 32 (1985) 2347, with balls of one
 * size that do not shrink). The same places for the same first ones on any machine: all is done by additions,
 * products, quotients and square roots. centers[count]: within `space`. *apart: whether that came to an end;
 * random places do below about 0.62 of the volume (2-D: 0.82). -WEIR_FAILED when memory is short. */
int weir_ball_packing_separate(const struct weir_ball_space *space, double diameter, int32_t count,
                               double (*centers)[3], bool *apart);

#endif
