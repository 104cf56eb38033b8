/* How large a block is and what is at its faces, as kernel texts ask for it. An object may be compiled for
 * blocks of one shape (demand/constants.h): what is defined is a constant then, and what follows from it
 * falls away. Else it is the member of the view.
 *
 * WEIR_EXTENT_X, _Y and _Z are lists of three: cells along the axis of the block before, this one, and the
 * one after; 0: the domain ends there; -1: they differ from block to block; -1 - m: m, or the domain ends.
 * WEIR_STRIDE is the view's stride, WEIR_BODIES 0 or 1 as the view's bodies. */
#ifndef WEIR_KERNELS_BLOCK_SHAPE_H
#define WEIR_KERNELS_BLOCK_SHAPE_H

#include "codelets/kernels/variant.h"

#ifdef WEIR_EXTENT_X
#define WEIR_CONSTANT_SHAPE 1
#else
#define WEIR_CONSTANT_SHAPE 0
#endif

#if WEIR_CONSTANT_SHAPE

#define WEIR_BEFORE_(before, own, after) (before)
#define WEIR_OWN_(before, own, after) (own)
#define WEIR_AFTER_(before, own, after) (after)
#define WEIR_PART_(part, ...) part(__VA_ARGS__)
#define WEIR_OF_AXIS_(part, axis)                    \
    ((axis) == 0   ? WEIR_PART_(part, WEIR_EXTENT_X) \
     : (axis) == 1 ? WEIR_PART_(part, WEIR_EXTENT_Y) \
                   : WEIR_PART_(part, WEIR_EXTENT_Z))

/* Cells of the block along an axis. */
FUNCTION int own_extent(const struct weir_block_view *b, int axis) {
    (void)b;
    return WEIR_OF_AXIS_(WEIR_OWN_, axis);
}

/* Whether the domain ends beyond the block's face at this side, -1 or 1, of an axis. */
FUNCTION bool domain_ends(const struct weir_block_view *b, int axis, int side) {
    const int beyond = side < 0 ? WEIR_OF_AXIS_(WEIR_BEFORE_, axis) : WEIR_OF_AXIS_(WEIR_AFTER_, axis);
    return beyond >= 0 ? beyond == 0 : b->extent[axis][side + 1] == 0;
}

/* The extent of a neighbour, if there is one; -1: no constant. Where the domain ends any number will do: the
 * block's own, so that no case need be told from the others. */
#define WEIR_BEYOND_(part, axis)                                       \
    (WEIR_OF_AXIS_(part, axis) > 0    ? WEIR_OF_AXIS_(part, axis)      \
     : WEIR_OF_AXIS_(part, axis) == 0 ? WEIR_OF_AXIS_(WEIR_OWN_, axis) \
     : WEIR_OF_AXIS_(part, axis) < -1 ? -1 - WEIR_OF_AXIS_(part, axis) \
                                      : -1)

/* Cells along an axis of the block at offset -1, 0 (this one) or 1, if there is one. */
FUNCTION int extent_at(const struct weir_block_view *b, int axis, int offset) {
    const int before = WEIR_BEYOND_(WEIR_BEFORE_, axis), after = WEIR_BEYOND_(WEIR_AFTER_, axis);
    if (offset < 0)
        return before < 0 ? b->extent[axis][0] : before;
    if (offset > 0)
        return after < 0 ? b->extent[axis][2] : after;
    return own_extent(b, axis);
}

#else

FUNCTION int own_extent(const struct weir_block_view *b, int axis) {
    return b->extent[axis][1];
}

FUNCTION bool domain_ends(const struct weir_block_view *b, int axis, int side) {
    return b->extent[axis][side + 1] == 0;
}

FUNCTION int extent_at(const struct weir_block_view *b, int axis, int offset) {
    return b->extent[axis][offset + 1];
}

#endif

FUNCTION int own_cells(const struct weir_block_view *b) {
    return own_extent(b, 0) * own_extent(b, 1) * own_extent(b, 2);
}

/* Faces (offsets.h), as bits, at which the domain ends and which a cell with this coordinate along an axis
 * lies at. */
FUNCTION unsigned ends_along(const struct weir_block_view *b, int axis, int at) {
    return (unsigned)(at == 0 && domain_ends(b, axis, -1)) << WEIR_FACE(axis, -1) |
           (unsigned)(at == own_extent(b, axis) - 1 && domain_ends(b, axis, 1)) << WEIR_FACE(axis, 1);
}

/* The same of a row of cells, but for those at its ends, and of a cell. */
FUNCTION unsigned ends_beside_row(const struct weir_block_view *b, int y, int z) {
    return ends_along(b, 1, y) | (DIMENSIONS == 3 ? ends_along(b, 2, z) : 0);
}

FUNCTION unsigned ends_beside(const struct weir_block_view *b, int x, int y, int z) {
    const int at[3] = {x, y, z};
    unsigned ends = 0;
    UNROLL(3)
    for (int axis = 0; axis < DIMENSIONS; axis++)
        ends |= ends_along(b, axis, at[axis]);
    return ends;
}

/* Reals from one direction's array to the next. */
FUNCTION size_t stride_of(const struct weir_block_view *b) {
#ifdef WEIR_STRIDE
    (void)b;
    return WEIR_STRIDE;
#else
    return b->stride;
#endif
}

/* Whether there may be solids in the block or beside it. */
FUNCTION bool has_bodies(const struct weir_block_view *b) {
#ifdef WEIR_BODIES
    (void)b;
    return WEIR_BODIES != 0;
#else
    return b->bodies;
#endif
}

#endif
