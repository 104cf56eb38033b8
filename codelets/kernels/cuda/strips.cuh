/* Strips: `width` neighbouring cells along x, which one GPU thread takes together, so that more bytes are
 * under way at once and memory is read and written in wide, aligned pieces. Here those of rows that do not
 * touch a y or z face of the block; at such faces: face_strips.cuh.
 *
 * A strip is plain when none of its cells is near a wall, but for one at which the domain ends along x. Warps
 * of plain strips do nothing else. Others take strips in even steps (walled_strips.cuh), and single cells in
 * odd ones (cells.h). Where boundaries let fluid pass at such an end, what leaves the cell there is replaced
 * by what comes back (open_ends.cuh), or the cell is left to others (open_cells.cuh): it is read and computed
 * with its strip, and nothing of it is written.
 *
 * In odd steps populations with c_x != 0 come from, or go to, the cell beside. The threads of a warp take
 * strips that follow each other in memory and hand these populations on; only at the ends of a warp or of a
 * row they are read and written on their own. (A wide read at the end of a warp may fetch a neighbour that
 * another warp is writing; that part is thrown away.) */
#ifndef WEIR_KERNELS_STRIPS_CUH
#define WEIR_KERNELS_STRIPS_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/divider.cuh"
#include "codelets/kernels/cuda/warp.cuh"

struct strip {
    int x, y, z;      /* first cell */
    int cell;         /* its number */
    bool first, last; /* in the row */
    bool low, high;   /* the strip before (after) is in another row, or not with this warp */
    bool wall[2];     /* the domain ends at the strip's low, high end */
    bool open[2];     /* the cell there is at an open end of its row */
    bool left_out[2]; /* it is left to others */
    bool ends[2][2];  /* the domain ends beyond the low, high face along y and z: where rows are at ends */
};

/* Whether a step of c along y and z leads from the row of a strip beyond an end of the domain. at_ends: there
 * may be some; others know no other end than those along x. */
template <bool at_ends> static __device__ __forceinline__ bool row_meets_end(const strip *s, int cy, int cz) {
    return at_ends && ((cy != 0 && s->ends[0][cy > 0]) || (cz != 0 && s->ends[1][cz > 0]));
}

/* Strip number `number`, in order of memory, of a block whose rows are multiples of the width. */
template <int width>
static __device__ __forceinline__ strip strip_of(const weir_block_view *b, divider strips_per_row,
                                                 divider rows_per_layer, int number) {
    const int row = divided_by_extent(number, strips_per_row, own_extent(b, 0) / width);
    strip s;
    s.cell = number * width;
    s.x = s.cell - row * own_extent(b, 0);
    s.z = divided_by_extent(row, rows_per_layer, own_extent(b, 1));
    s.y = row - s.z * own_extent(b, 1);
    s.first = s.x == 0;
    s.last = s.x == own_extent(b, 0) - width;
    s.low = s.first || threadIdx.x % WARP == 0;
    s.high = s.last || threadIdx.x % WARP == WARP - 1;
    s.wall[0] = s.first && domain_ends(b, 0, -1);
    s.wall[1] = s.last && domain_ends(b, 0, 1);
    s.open[0] = s.open[1] = false;
    s.left_out[0] = s.left_out[1] = false;
    return s;
}

template <int width> struct strip_flags { uint8_t cell[width]; };

template <int width>
static __device__ __forceinline__ strip_flags<width> flags_at_strip(const weir_block_view *b,
                                                                    const strip *s) {
    const uint8_t *flags = flag_of(b, s->x, s->y, s->z);
    strip_flags<width> f;
    for (int v = 0; v < width; v++)
        f.cell[v] = flags[v];
    return f;
}

/* Whether no cell of the strip is near a wall, but for those at which the domain ends along x, whatever
 * boundary is there. */
template <int width, bool open>
static __device__ __forceinline__ bool is_plain(const strip *s, strip_flags<width> flags) {
    bool plain = true;
    for (int v = 0; v < width; v++) {
        const bool at_end = (v == 0 && s->wall[0]) || (v == width - 1 && s->wall[1]);
        plain = plain & ((flags.cell[v] == (at_end ? WEIR_AT_END : WEIR_FLUID)) |
                         (open && at_end && /* none waits for another */
                          (flags.cell[v] == WEIR_AT_OPEN_END || flags.cell[v] == WEIR_NEAR_OPEN)));
    }
    return plain;
}

/* Which cells of a plain strip are near open boundaries. */
template <int width>
static __device__ __forceinline__ void find_open_ends(strip *s, strip_flags<width> flags) {
#pragma unroll
    for (int side = 0; side < 2; side++) {
        const uint8_t flag = flags.cell[side == 0 ? 0 : width - 1];
        s->open[side] = s->wall[side] && flag == WEIR_AT_OPEN_END;
        s->left_out[side] = flag == WEIR_NEAR_OPEN;
    }
}

template <int width> struct alignas(width * sizeof(stored)) wide { stored cell[width]; };

/* The cells one before, or one after, those of a strip; the one that belongs to another thread comes from
 * there. */
template <int width> static __device__ __forceinline__ wide<width> shifted(const wide<width> w, bool up) {
    wide<width> s;
    s.cell[up ? 0 : width - 1] =
        up ? __shfl_up_sync(WHOLE_WARP, w.cell[width - 1], 1) : __shfl_down_sync(WHOLE_WARP, w.cell[0], 1);
    for (int v = 1; v < width; v++)
        s.cell[up ? v : v - 1] = w.cell[up ? v - 1 : v];
    return s;
}

/* Whether what crosses the low (side 0) or high (side 1) end of a strip is not handed on between threads, nor
 * where the wide piece has it: it is read or written on its own. */
static __device__ __forceinline__ bool crosses_alone(const strip *s, int parity, int side) {
    if (parity)
        return side == 0 ? s->low : s->high;
    return (side == 0 ? s->first : s->last) && !s->wall[side];
}

template <int width> static __device__ __forceinline__ wide<width> *wide_at(stored *p) {
    return (wide<width> *)p;
}

/* The populations f[cell][i] of a strip as they are stored. */
template <int width>
static __device__ __forceinline__ void store_wide(wide<width> w[POPULATIONS],
                                                  const real f[width][POPULATIONS]) {
    for (int i = 0; i < SLOTS; i++)
        for (int v = 0; v < width; v++)
            w[i].cell[v] = stored_of(f[v][i]);
}

/* f[cell][i]: what arrives at a plain strip. All threads of the warp take part. at_ends: in a row from which
 * nothing but ends of the domain is met along y and z, where what comes back lies in the strip's own slots,
 * as all does before even steps. */
template <int parity, int width, bool at_ends>
static __device__ __forceinline__ void arriving_at_strip(const weir_block_view *b, const strip *s,
                                                         real f[width][POPULATIONS]) {
    /* First everything is asked for, then it is waited for. One branch for all directions at an end: with
     * one for each, the compiler waits for some before it asks for others. */
    wide<width> w[POPULATIONS];
    stored beyond[POPULATIONS]; /* arriving at the end cell of a row or warp */
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                         \
    w[i] = *wide_at<width>(parity && !row_meets_end<at_ends>(s, -(cy), -(cz))         \
                               ? slot(b, o) + (s->cell - cell_distance(b, 0, cy, cz)) \
                               : slot(b, i) + s->cell);
    WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#pragma unroll
    for (int side = 0; side < 2; side++) {
        if (!crosses_alone(s, parity, side))
            continue;
        const int end = s->cell + (side == 0 ? 0 : width - 1);
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                    \
    if (side == 0 ? (cx) > 0 : (cx) < 0) {                                                             \
        const stored *from = slot(b, o) + (end - cell_distance(b, cx, cy, cz));                        \
        if (side == 0 ? s->first : s->last)                                                            \
            from = s->wall[side] ? slot(b, i) + end                                                    \
                                 : (const stored *)b->incoming[side == 0 ? FROM_LOW_X : FROM_HIGH_X] + \
                                       x_place(b, (d).layer[0], s->y - (cy), s->z - (cz));             \
        if (row_meets_end<at_ends>(s, -(cy), -(cz)))                                                   \
            from = slot(b, i) + end;                                                                   \
        beyond[i] = *from;                                                                             \
    }
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                              \
    {                                                                      \
        if (parity && (cx) != 0) {                                         \
            const wide<width> moved = shifted<width>(w[i], (cx) > 0);      \
            w[i] = row_meets_end<at_ends>(s, -(cy), -(cz)) ? w[i] : moved; \
        }                                                                  \
        if ((cx) != 0 && crosses_alone(s, parity, (cx) < 0))               \
            w[i].cell[(cx) > 0 ? 0 : width - 1] = beyond[i];               \
        for (int v = 0; v < width; v++)                                    \
            f[v][i] = real_of(w[i].cell[v]);                               \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What a plain strip sends on after collision, or after what it makes of its open ends, but for cells that
 * are left out; open: there may be some. All threads of the warp take part. moving_faces: as in struct
 * weir_fluid. */
template <int parity, int width, bool open, bool at_ends>
static __device__ __forceinline__ void leaving_strip(const weir_block_view *b, const strip *s,
                                                     unsigned moving_faces, real f[width][POPULATIONS]) {
    for (int side = 0; side < 2; side++) {
        if (!s->wall[side] || !(moving_faces >> side & 1) || s->open[side])
            continue;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if (side == 0 ? cx < 0 : cx > 0)           \
        f[side == 0 ? 0 : width - 1][i] =      \
            reflected_by_wall(b, WEIR_WALL_OF_FACE(side), d, (real)(w), f[side == 0 ? 0 : width - 1][i]);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    wide<width> w[POPULATIONS];
    store_wide<width>(w, f);
#pragma unroll
    for (int side = 0; side < 2; side++) { /* what no other thread takes over */
        if (!crosses_alone(s, parity, side) || s->left_out[side])
            continue;
        const int end = s->cell + (side == 0 ? 0 : width - 1);
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                  \
    if (side == 0 ? (cx) < 0 : (cx) > 0) {                                           \
        stored *to = slot(b, i) + (end + cell_distance(b, cx, cy, cz));              \
        if (side == 0 ? s->first : s->last)                                          \
            to = s->wall[side] ? slot(b, o) + end                                    \
                               : (stored *)b->outgoing[side == 0 ? LOW_X : HIGH_X] + \
                                     x_place(b, (d).layer[0], s->y, s->z);           \
        if (row_meets_end<at_ends>(s, cy, cz))                                       \
            to = slot(b, o) + end;                                                   \
        *to = w[i].cell[side == 0 ? 0 : width - 1];                                  \
    }
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    /* Where the piece goes. */
#define TARGET_OF_PIECE(i, o, cy, cz)                                                                    \
    (parity && !row_meets_end<at_ends>(s, cy, cz) ? slot(b, i) + (s->cell + cell_distance(b, 0, cy, cz)) \
                                                  : slot(b, o) + s->cell)
    if (s->left_out[0] || s->left_out[1]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    if (!parity || (cx) == 0)                 \
        for (int v = 0; v < width; v++)       \
            if (!s->left_out[v > 0])          \
                TARGET_OF_PIECE(i, o, cy, cz)[v] = w[i].cell[v];
        WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    } else {
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    if (!parity || (cx) == 0)                 \
        *wide_at<width>(TARGET_OF_PIECE(i, o, cy, cz)) = w[i];
        WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    if (!parity)
        return;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                     \
    if ((cx) != 0) {                                              \
        const wide<width> moved = shifted<width>(w[i], (cx) > 0); \
        w[i] = row_meets_end<at_ends>(s, cy, cz) ? w[i] : moved;  \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    /* Whether the one cell whose population such a piece would take to another is left out. */
    static_assert(width <= 2, "a cell at the end of a strip has one beside it in the strip, or none");
    bool from_left_out[2] = {s->left_out[0], s->left_out[1]};
    if (open && width == 1) {
        from_left_out[0] = __shfl_up_sync(WHOLE_WARP, s->left_out[0], 1);
        from_left_out[1] = __shfl_down_sync(WHOLE_WARP, s->left_out[0], 1);
    }
#pragma unroll
    for (int side = 0; side < 2; side++) {
        /* Up from the low end, down from the high one. */
        const bool whole = side == 0 ? !s->low : !s->high;
        if (from_left_out[side])
            continue;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    if (side == 0 ? (cx) > 0 : (cx) < 0)      \
        *wide_at<width>(TARGET_OF_PIECE(i, o, cy, cz)) = w[i];
        if (whole) {
            FOR_DIRECTIONS
        }
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                          \
    if (side == 0 ? (cx) > 0 : (cx) < 0)                                               \
        for (int v = 0; v < width; v++)                                                \
            if (row_meets_end<at_ends>(s, cy, cz) || v != (side == 0 ? 0 : width - 1)) \
                TARGET_OF_PIECE(i, o, cy, cz)[v] = w[i].cell[v];
        if (!whole) {
            FOR_DIRECTIONS
        }
#undef WEIR_DIRECTION
    }
#undef TARGET_OF_PIECE
}

#endif
