/* Strips in rows at a y or z face of the block. What crosses the face is the same for the whole row: either
 * the domain ends there, and what would cross comes back, or there is a block, and it is in a message. In
 * both cases it lies in one row of memory, read and written in the same wide pieces as everything else; the
 * rule of addressing.h says where, asked for the row as if c_x were 0. Only the cells at the ends of the row
 * (or warp) ask for c_x too.
 *
 * These warps may have strips of several rows, and of rows inside the block. */
#ifndef WEIR_KERNELS_FACE_STRIPS_CUH
#define WEIR_KERNELS_FACE_STRIPS_CUH

#include "codelets/kernels/cuda/strips.cuh"

/* Where a step of c along y and z leads from a row. */
struct row_crossing {
    bool leaves; /* the block */
    bool wall;   /* the domain ends there */
};

static __device__ __forceinline__ row_crossing crossing_of_row(const weir_block_view *b, const strip *s,
                                                               int cy, int cz) {
    const int oy = block_offset(b, 1, s->y, cy), oz = block_offset(b, 2, s->z, cz);
    return row_crossing{oy != 0 || oz != 0,
                        (oy != 0 && domain_ends(b, 1, oy)) || (oz != 0 && domain_ends(b, 2, oz))};
}

/* The direction as it is for a row as a whole. */
static __device__ __forceinline__ direction within_row(direction d) {
    d.c[0] = 0;
    return d;
}

/* Whether no cell of the strip is near a wall, but where the domain ends; open: and it may do so with an open
 * end. */
template <int width, bool open>
static __device__ __forceinline__ bool is_plain_at_ends(const weir_block_view *b, const strip *s,
                                                        strip_flags<width> flags) {
    bool row_at_end = false;
    for (int axis = 1; axis < DIMENSIONS; axis++)
        for (int side = -1; side <= 1; side += 2)
            row_at_end = row_at_end || (block_offset(b, axis, axis == 1 ? s->y : s->z, side) != 0 &&
                                        domain_ends(b, axis, side));
    bool plain = true;
    for (int v = 0; v < width; v++) {
        const bool at_end = row_at_end || (v == 0 && s->wall[0]) || (v == width - 1 && s->wall[1]);
        plain = plain & ((flags.cell[v] == (at_end ? WEIR_AT_END : WEIR_FLUID)) |
                         (open && at_end && flags.cell[v] == WEIR_AT_OPEN_END));
    }
    return plain;
}

/* Strip number `number` of a row that may be at ends of the domain along y and z; of threads beyond the end
 * of the block, the last one, of which nothing is written. */
template <int width>
static __device__ __forceinline__ strip strip_at_ends(const weir_block_view *b, divider strips_per_row,
                                                      divider rows_per_layer, int number) {
    const int strips = own_extent(b, 0) / width * own_extent(b, 1) * own_extent(b, 2);
    const bool alive = number < strips;
    strip s = strip_of<width>(b, strips_per_row, rows_per_layer, alive ? number : strips - 1);
    s.left_out[0] = s.left_out[1] = !alive;
    for (int axis = 1; axis < DIMENSIONS; axis++)
        for (int high = 0; high < 2; high++)
            s.ends[axis - 1][high] = block_offset(b, axis, axis == 1 ? s.y : s.z, 2 * high - 1) != 0 &&
                                     domain_ends(b, axis, 2 * high - 1);
    return s;
}

/* Whether its row meets nothing but ends of the domain along y and z. */
static __device__ __forceinline__ bool meets_only_ends(const weir_block_view *b, const strip *s) {
    bool only = true;
    for (int axis = 1; axis < DIMENSIONS; axis++)
        for (int high = 0; high < 2; high++)
            only = only && (block_offset(b, axis, axis == 1 ? s->y : s->z, 2 * high - 1) == 0 ||
                            s->ends[axis - 1][high]);
    return only;
}

/* f[cell][i]: what arrives at a strip that is plain but for ends of the domain. All threads of the warp take
 * part. */
template <int parity, int width>
static __device__ __forceinline__ void arriving_at_face_strip(const weir_block_view *b, const strip *s,
                                                              real f[width][POPULATIONS]) {
    wide<width> w[POPULATIONS];
    stored beyond[POPULATIONS];
    w[0] = *wide_at<width>(slot(b, 0) + s->cell);
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                 \
    w[i] = *wide_at<width>((stored *)source_of(b, parity, crossing_of_row(b, s, -(cy), -(cz)).wall, \
                                               within_row(d), s->x, s->y, s->z));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#pragma unroll
    for (int side = 0; side < 2; side++) {
        if (!(side == 0 ? s->low : s->high))
            continue;
        const int x = s->x + (side == 0 ? 0 : width - 1);
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                        \
    if (side == 0 ? (cx) > 0 : (cx) < 0)                                                                   \
        beyond[i] = *source_of(b, parity, s->wall[side] || crossing_of_row(b, s, -(cy), -(cz)).wall, d, x, \
                               s->y, s->z);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                             \
    {                                                                     \
        if ((cx) != 0) {                                                  \
            const row_crossing row = crossing_of_row(b, s, -(cy), -(cz)); \
            const wide<width> moved = shifted<width>(w[i], (cx) > 0);     \
            w[i] = !row.wall && (parity || row.leaves) ? moved : w[i];    \
            if ((cx) > 0 ? s->low : s->high)                              \
                w[i].cell[(cx) > 0 ? 0 : width - 1] = beyond[i];          \
        }                                                                 \
        for (int v = 0; v < width; v++)                                   \
            f[v][i] = real_of(w[i].cell[v]);                              \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Reflects what meets moving walls beyond faces of the block. What crosses two ends of the domain at once
 * meets an edge, and edges are at rest. */
template <int width>
static __device__ __forceinline__ void reflect_at_faces(const weir_block_view *b, const strip *s,
                                                        unsigned moving_faces, real f[width][POPULATIONS]) {
#pragma unroll
    for (int face = 0; face < 2 * DIMENSIONS; face++) {
        const int axis = face / 2, side = 2 * (face % 2) - 1;
        const bool here = axis == 0 ? s->wall[face % 2] && !s->open[face % 2]
                                    : domain_ends(b, axis, side) &&
                                          block_offset(b, axis, axis == 1 ? s->y : s->z, side) != 0;
        if (!(moving_faces >> face & 1) || !here)
            continue;
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                  \
    if ((axis == 0 ? cx : axis == 1 ? cy : cz) == side)                                              \
        for (int v = 0; v < width; v++) {                                                            \
            const bool at_end = v == ((cx) < 0 ? 0 : width - 1);                                     \
            const bool meets_x = axis != 0 && (cx) != 0 && at_end && s->wall[(cx) > 0];              \
            const bool only = axis == 0   ? at_end && !crossing_of_row(b, s, cy, cz).wall            \
                              : axis == 1 ? !meets_x && !crossing_of_row(b, s, 0, cz).wall           \
                                          : !meets_x && !crossing_of_row(b, s, cy, 0).wall;          \
            if (only)                                                                                \
                f[v][i] = reflected_by_wall(b, WEIR_WALL_OF_FACE(face), d, (real)(weight), f[v][i]); \
        }
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* What such a strip sends on after collision. All threads of the warp take part; only those that are `alive`
 * write. */
template <int parity, int width>
static __device__ __forceinline__ void leaving_face_strip(const weir_block_view *b, const strip *s,
                                                          bool alive, real f[width][POPULATIONS]) {
    wide<width> w[POPULATIONS];
    store_wide<width>(w, f);
#pragma unroll
    for (int side = 0; side < 2; side++) {
        if (!alive || !(side == 0 ? s->low : s->high))
            continue;
        const int at = side == 0 ? 0 : width - 1;
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                    \
    if (side == 0 ? (cx) < 0 : (cx) > 0)                                                               \
        *target_of(b, parity, s->wall[side] || crossing_of_row(b, s, cy, cz).wall, d, s->x + at, s->y, \
                   s->z) = w[i].cell[at];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                     \
    if (parity && (cx) != 0) {                                    \
        const row_crossing row = crossing_of_row(b, s, cy, cz);   \
        const wide<width> moved = shifted<width>(w[i], (cx) > 0); \
        w[i] = row.leaves || row.wall ? w[i] : moved;             \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (!alive)
        return;
    *wide_at<width>(slot(b, 0) + s->cell) = w[0];
    /* Of a shifted piece the cell that comes from another warp, or from nowhere, is not written. */
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                         \
    {                                                                                       \
        const row_crossing row = crossing_of_row(b, s, cy, cz);                             \
        stored *const to = target_of(b, parity, row.wall, within_row(d), s->x, s->y, s->z); \
        if (parity && (cx) != 0 && !row.leaves && ((cx) > 0 ? s->low : s->high))            \
            for (int v = (cx) > 0; v < width - ((cx) < 0); v++)                             \
                to[v] = w[i].cell[v];                                                       \
        else                                                                                \
            *wide_at<width>(to) = w[i];                                                     \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
