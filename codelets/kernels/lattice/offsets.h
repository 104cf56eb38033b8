/* How the 27 blocks (or cells) around one, itself included, and the six faces of a block are numbered. */
#ifndef WEIR_KERNELS_OFFSETS_H
#define WEIR_KERNELS_OFFSETS_H

/* Of an offset of -1, 0 or 1 along each axis; x fastest. A constant for constants. */
#define WEIR_OFFSET_NUMBER(ox, oy, oz) ((ox) + 1 + 3 * ((oy) + 1) + 9 * ((oz) + 1))

/* Of the face normal to the axis, at its low end (side < 0) or its high end (side > 0). */
#define WEIR_FACE(axis, side) (2 * (axis) + ((side) > 0))

enum { WEIR_NEIGHBOURS = 27, WEIR_ITSELF = WEIR_OFFSET_NUMBER(0, 0, 0), WEIR_FACES = 6 };

struct weir_offset {
    int along[3]; /* x, y, z */
};

static inline struct weir_offset weir_offset(int number) {
    const struct weir_offset offset = {{number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1}};
    return offset;
}

/* Number of the offset that leads back. */
static inline int weir_offset_number_back(int number) {
    return WEIR_NEIGHBOURS - 1 - number;
}

/* The block beyond a face. */
static inline struct weir_offset weir_offset_beyond(int face) {
    struct weir_offset offset = {{0, 0, 0}};
    offset.along[face / 2] = face % 2 ? 1 : -1;
    return offset;
}

static inline struct weir_offset weir_offset_back(struct weir_offset offset) {
    const struct weir_offset back = {{-offset.along[0], -offset.along[1], -offset.along[2]}};
    return back;
}

/* The face of a block through which something leaves it for the block at an offset other than itself: normal
 * to the first axis along which they differ. */
static inline int weir_offset_face(struct weir_offset offset) {
    const int axis = offset.along[0] ? 0 : offset.along[1] ? 1 : 2;
    return WEIR_FACE(axis, offset.along[axis]);
}

#endif
