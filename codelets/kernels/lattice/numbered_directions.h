/* The directions of this object's flow by their numbers and by their velocities, for loops on a CPU over what
 * is known at run time only. */
#ifndef WEIR_KERNELS_NUMBERED_DIRECTIONS_H
#define WEIR_KERNELS_NUMBERED_DIRECTIONS_H

#include "codelets/kernels/lattice/directions.h"

/* All directions of the flow, by number. */
#define DIRECTION_NUMBERED(i, o, cx, cy, cz) \
    [i] = {i, o, {cx, cy, cz}, {LAYER_X_##i, LAYER_Y_##i, LAYER_Z_##i}},
#define PAIR_NUMBERED(i, o, cx, cy, cz, w) \
    DIRECTION_NUMBERED(i, o, cx, cy, cz) DIRECTION_NUMBERED(o, i, -(cx), -(cy), -(cz))
static const struct direction numbered[FLOW_POPULATIONS] = {FOR_FLOW_PAIRS(PAIR_NUMBERED)};
#undef PAIR_NUMBERED
#undef DIRECTION_NUMBERED

/* Their numbers, by velocity. */
#define BY_VELOCITY(cx, cy, cz) (((cz) + 1) * 9 + ((cy) + 1) * 3 + (cx) + 1)
#define AT_PLACE(place, number) [place] = number,
#define PAIR_BY_VELOCITY(i, o, cx, cy, cz, w) \
    AT_PLACE(BY_VELOCITY(cx, cy, cz), i) AT_PLACE(BY_VELOCITY(-(cx), -(cy), -(cz)), o)
static const uint8_t number_by_velocity[27] = {FOR_FLOW_PAIRS(PAIR_BY_VELOCITY)};
#undef PAIR_BY_VELOCITY
#undef AT_PLACE

/* The direction with the velocity of d, turned round along some axes (as `turned` in addressing.h),
 * by a table. */
FUNCTION struct direction turned_by_table(struct direction d, unsigned axes) {
    const int x = axes & 1 ? -d.c[0] : d.c[0], y = axes & 2 ? -d.c[1] : d.c[1],
              z = axes & 4 ? -d.c[2] : d.c[2];
    return numbered[number_by_velocity[BY_VELOCITY(x, y, z)]];
}

#endif
