/* Strips: `width` neighbouring cells along x, which one GPU thread takes together, so that more bytes are
 * under way at once and memory is read and written in wide, aligned pieces. The threads of a warp take strips
 * that follow each other in memory.
 *
 * A strip is plain when its rows do not touch a y or z face of the block and none of its cells is near a
 * wall, but for a wall beyond the end of the row. Where all strips of a warp are plain, this file finds what
 * arrives and leaves; all others go cell by cell (cells.h).
 *
 * In odd steps populations with c_x != 0 go to, or come from, the cell beside. Within a warp they are handed
 * from thread to thread, and every memory access stays wide and aligned. At the two ends of a row, and of a
 * warp, they are read and written one by one. (A wide read at the end of a warp may fetch a neighbour that
 * another warp is writing; that part is thrown away.) */
#ifndef WEIR_KERNELS_STRIPS_CUH
#define WEIR_KERNELS_STRIPS_CUH

#include "codelets/kernels/addressing.h"

static constexpr unsigned WHOLE_WARP = 0xffffffffu;

struct strip {
    int x, y, z;              /* first cell */
    int cell;                 /* its number */
    bool first, last;         /* in the row */
    bool low, high;           /* the strip before (after) is not with the thread before (after) */
    bool low_wall, high_wall; /* the row ends at a wall */
};

/* Strip number `number` of a block whose rows are multiples of the width. */
template <int width> static __device__ __forceinline__ strip strip_of(const weir_block_view *b, int number) {
    const int per_row = b->extent[0][1] / width, row = number / per_row, lane = (int)threadIdx.x % 32;
    strip s;
    s.cell = number * width;
    s.x = (number - row * per_row) * width;
    s.z = row / b->extent[1][1];
    s.y = row - s.z * b->extent[1][1];
    s.first = s.x == 0;
    s.last = s.x == b->extent[0][1] - width;
    s.low = s.first || lane == 0;
    s.high = s.last || lane == 31;
    return s;
}

template <int width> static __device__ __forceinline__ bool is_plain(const weir_block_view *b, strip *s) {
    const uint8_t *flags = flag_of(b, s->x, s->y, s->z);
    s->low_wall = s->first && flags[0] == WEIR_AT_X_END;
    s->high_wall = s->last && flags[width - 1] == WEIR_AT_X_END;
    bool plain = s->y > 0 && s->y < b->extent[1][1] - 1 &&
                 (DIMENSIONS == 2 || (s->z > 0 && s->z < b->extent[2][1] - 1)) && !(s->low && s->high);
    for (int v = 0; v < width; v++)
        plain =
            plain && (flags[v] == WEIR_FLUID || (v == 0 && s->low_wall) || (v == width - 1 && s->high_wall));
    return plain;
}

template <int width> struct alignas(width * sizeof(real)) wide { real cell[width]; };

template <int width> static __device__ __forceinline__ wide<width> *wide_at(real *p) {
    return (wide<width> *)p;
}

/* Cells from a cell to its neighbour along c. */
static __device__ __forceinline__ int distance(const weir_block_view *b, int cx, int cy, int cz) {
    return (cz * b->extent[1][1] + cy) * b->extent[0][1] + cx;
}

/* Place in a message through an x face. */
static __device__ __forceinline__ ptrdiff_t x_place(const weir_block_view *b, int mx, int y, int z) {
    return ((ptrdiff_t)mx * b->extent[2][1] + z) * b->extent[1][1] + y;
}

enum { LOW_X = 0, HIGH_X = 1, FROM_LOW_X = 12, FROM_HIGH_X = 14 }; /* in outgoing and incoming */

/* f[cell][i]: what arrives at a plain strip. All threads of the warp take part. */
template <int parity, int width>
static __device__ __forceinline__ void arriving_at_strip(const weir_block_view *b, const strip *s,
                                                         real f[width][POPULATIONS]) {
    /* What arrives along x from beyond the low or the high end; asked for first, used last. */
    real beyond[POPULATIONS];
    const int end = s->cell + width - 1;
    if (parity ? s->low : s->first && !s->low_wall) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                     \
    if (cx > 0)                                                                                             \
        beyond[i] = s->low_wall ? slot(b, i)[s->cell]                                                       \
                    : s->first                                                                              \
                        ? ((const real *)b->incoming[FROM_LOW_X])[x_place(b, mx, s->y - (cy), s->z - (cz))] \
                        : slot(b, o)[s->cell - distance(b, cx, cy, cz)];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    if (parity ? s->high : s->last && !s->high_wall) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                      \
    if (cx < 0)                                                                                              \
        beyond[o] = s->high_wall ? slot(b, i)[end]                                                           \
                    : s->last                                                                                \
                        ? ((const real *)b->incoming[FROM_HIGH_X])[x_place(b, mx, s->y - (cy), s->z - (cz))] \
                        : slot(b, o)[end - distance(b, cx, cy, cz)];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                          \
    {                                                                                                  \
        const wide<width> r = *wide_at<width>(parity ? slot(b, o) + (s->cell - distance(b, 0, cy, cz)) \
                                                     : slot(b, i) + s->cell);                          \
        for (int v = 0; v < width; v++)                                                                \
            f[v][i] = r.cell[v];                                                                       \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, o, cx, ...)                                             \
    if (cx > 0 && parity) {                                                       \
        const real before = __shfl_up_sync(WHOLE_WARP, f[width - 1][i], 1);       \
        for (int v = width - 1; v > 0; v--)                                       \
            f[v][i] = f[v - 1][i];                                                \
        f[0][i] = s->low ? beyond[i] : before;                                    \
    } else if (cx < 0 && parity) {                                                \
        const real after = __shfl_down_sync(WHOLE_WARP, f[0][i], 1);              \
        for (int v = 0; v < width - 1; v++)                                       \
            f[v][i] = f[v + 1][i];                                                \
        f[width - 1][i] = s->high ? beyond[o] : after;                            \
    } else if (cx > 0) {                                                          \
        f[0][i] = s->first && !s->low_wall ? beyond[i] : f[0][i];                 \
    } else if (cx < 0) {                                                          \
        f[width - 1][i] = s->last && !s->high_wall ? beyond[o] : f[width - 1][i]; \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What a plain strip sends on after collision. All threads of the warp take part. */
template <int parity, int width>
static __device__ __forceinline__ void leaving_strip(const weir_block_view *b, const strip *s,
                                                     real f[width][POPULATIONS]) {
    const int end = s->cell + width - 1;
    if (s->low_wall) {
        const uint8_t wall = *flag_of(b, -1, s->y, s->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, ...) \
    if (cx < 0)                                  \
        f[0][i] -= wall_momentum(b, wall, (real)(w), cx, cy, cz);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    if (s->high_wall) {
        const uint8_t wall = *flag_of(b, b->extent[0][1], s->y, s->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, ...) \
    if (cx > 0)                                  \
        f[width - 1][i] -= wall_momentum(b, wall, (real)(w), cx, cy, cz);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    /* What leaves the strip where no thread takes it over. */
    if (parity ? s->low : s->first && !s->low_wall) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                         \
    if (cx < 0)                                                                 \
        *(s->low_wall ? slot(b, o) + s->cell                                    \
          : s->first  ? (real *)b->outgoing[LOW_X] + x_place(b, mx, s->y, s->z) \
                      : slot(b, i) + (s->cell + distance(b, cx, cy, cz))) = f[0][i];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    if (parity ? s->high : s->last && !s->high_wall) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                           \
    if (cx > 0)                                                                   \
        *(s->high_wall ? slot(b, o) + end                                         \
          : s->last    ? (real *)b->outgoing[HIGH_X] + x_place(b, mx, s->y, s->z) \
                       : slot(b, i) + (end + distance(b, cx, cy, cz))) = f[width - 1][i];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                              \
    {                                                                                                      \
        wide<width> r;                                                                                     \
        real *const row = parity ? slot(b, i) + (s->cell + distance(b, 0, cy, cz)) : slot(b, o) + s->cell; \
        bool whole = true;                                                                                 \
        for (int v = 0; v < width; v++)                                                                    \
            r.cell[v] = f[v][i];                                                                           \
        if (cx > 0 && parity) {                                                                            \
            for (int v = width - 1; v > 0; v--)                                                            \
                r.cell[v] = f[v - 1][i];                                                                   \
            r.cell[0] = __shfl_up_sync(WHOLE_WARP, f[width - 1][i], 1);                                    \
            whole = !s->low;                                                                               \
        } else if (cx < 0 && parity) {                                                                     \
            for (int v = 0; v < width - 1; v++)                                                            \
                r.cell[v] = f[v + 1][i];                                                                   \
            r.cell[width - 1] = __shfl_down_sync(WHOLE_WARP, f[0][i], 1);                                  \
            whole = !s->high;                                                                              \
        }                                                                                                  \
        if (whole)                                                                                         \
            *wide_at<width>(row) = r;                                                                      \
        else                                                                                               \
            for (int v = cx > 0 ? 1 : 0; v < (cx > 0 ? width : width - 1); v++)                            \
                row[v] = r.cell[v];                                                                        \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
