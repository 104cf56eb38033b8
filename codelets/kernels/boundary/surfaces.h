/* The surfaces of solids that conduct a scalar (conductors.h). To whatever moves populations both sides are
 * fluid, so these links are found for totals alone, by which body each cell is of
 * (weir_block_view.bodies_of). What came out of the fluid along such a link turns round in the solid in the
 * step to come: the force is twice its momentum, as at a wall at rest, where it has turned already. Of the
 * scalar, what left either side arrives at the other: what the body gave is the difference. docs/numerics.md,
 * Conducting solids. */
#ifndef WEIR_KERNELS_SURFACES_H
#define WEIR_KERNELS_SURFACES_H

#include "codelets/kernels/cells/addressing.h"

#if CONDUCTOR_VALUES

/* Of a cell of the block or of the ring around it: 0 where nothing conducts, else its body's number, or
 * WEIR_NO_BODY. The block has such numbers. */
FUNCTION uint8_t body_of(const struct weir_block_view *b, int x, int y, int z) {
    return b->bodies_of[flag_of(b, x, y, z) - b->flags];
}

/* The body whose surface what arrives at a fluid or conducting cell along d came through in the last step;
 * 0: none that has a number. enters (out): into the body. */
FUNCTION int surface_passed(const struct weir_block_view *b, struct direction d, int x, int y, int z,
                            bool *enters) {
    int from[3] = {x - d.c[0], y - d.c[1], z - d.c[2]};
    if (is_wall(*flag_of(b, from[0], from[1], from[2]))) {
        const unsigned turned = mirrored_axes(b, opposite(d), x, y, z);
        if (turned == 0)
            return 0;
        from[0] = turned & 1 ? x : from[0];
        from[1] = turned & 2 ? y : from[1];
        from[2] = turned & 4 ? z : from[2];
    }
    const uint8_t here = body_of(b, x, y, z), there = body_of(b, from[0], from[1], from[2]);
    const int body = here != 0 ? here : there;
    *enters = here != 0;
    return (here != 0) == (there != 0) || body == WEIR_NO_BODY ? 0 : body;
}

/* What a population adds to the force on a body that it enters, by the lattice velocity. */
FUNCTION double surface_exchange(real arriving) {
    return 2.0 * (double)arriving;
}

/* And one of a scalar to what the body gives the fluid. */
FUNCTION double surface_scalar(real arriving, bool enters) {
    return enters ? -(double)arriving : (double)arriving;
}

#endif

#endif
