/* Strips: `width` neighbouring cells along x, which one GPU thread takes together, so that more bytes are
 * under way at once and memory is read and written in wide, aligned pieces. Only in rows that do not touch a
 * y or z face of the block; all other cells are taken one by one (cells.h).
 *
 * A strip is plain when none of its cells is near a wall, but for one at which the domain ends along x. Warps
 * of plain strips do nothing else. Other warps read the same pieces, but those of which no cell is wanted,
 * then read what came back from walls (S7), and write the pieces of which all cells are right whole.
 *
 * In odd steps populations with c_x != 0 come from, or go to, the cell beside. The threads of a warp take
 * strips that follow each other in memory and hand these populations on; only at the ends of a warp or of a
 * row they are read and written on their own. (A wide read at the end of a warp may fetch a neighbour that
 * another warp is writing; that part is thrown away.) */
#ifndef WEIR_KERNELS_STRIPS_CUH
#define WEIR_KERNELS_STRIPS_CUH

#include "codelets/kernels/cells.h"
#include "codelets/kernels/divider.cuh"

enum { WARP = 32 };

static constexpr unsigned WHOLE_WARP = 0xffffffffu;

struct strip {
    int x, y, z;      /* first cell */
    int cell;         /* its number */
    bool first, last; /* in the row */
    bool low, high;   /* the strip before (after) is in another row, or not with this warp */
    bool wall[2];     /* the domain ends at the strip's low, high end */
};

/* Strip number `number`, in order of memory, of a block whose rows are multiples of the width. */
template <int width>
static __device__ __forceinline__ strip strip_of(const weir_block_view *b, divider strips_per_row,
                                                 divider rows_per_layer, int number) {
    const int row = divided(number, strips_per_row);
    strip s;
    s.cell = number * width;
    s.x = s.cell - row * b->extent[0][1];
    s.z = divided(row, rows_per_layer);
    s.y = row - s.z * b->extent[1][1];
    s.first = s.x == 0;
    s.last = s.x == b->extent[0][1] - width;
    s.low = s.first || threadIdx.x % WARP == 0;
    s.high = s.last || threadIdx.x % WARP == WARP - 1;
    s.wall[0] = s.first && b->extent[0][0] == 0;
    s.wall[1] = s.last && b->extent[0][2] == 0;
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

/* Whether no cell of the strip is near a wall, but for those at which the domain ends along x. */
template <int width>
static __device__ __forceinline__ bool is_plain(const strip *s, strip_flags<width> flags) {
    bool plain = true;
    for (int v = 0; v < width; v++) {
        const bool at_end = (v == 0 && s->wall[0]) || (v == width - 1 && s->wall[1]);
        plain = plain & (flags.cell[v] == (at_end ? WEIR_AT_X_END : WEIR_FLUID)); /* none waits for another */
    }
    return plain;
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

/* f[cell][i]: what arrives at a plain strip. All threads of the warp take part. */
template <int parity, int width>
static __device__ __forceinline__ void arriving_at_strip(const weir_block_view *b, const strip *s,
                                                         real f[width][POPULATIONS]) {
    /* First everything is asked for, then it is waited for. One branch for all directions at an end: with
     * one for each, the compiler waits for some before it asks for others. */
    wide<width> w[POPULATIONS];
    stored beyond[POPULATIONS]; /* arriving at the end cell of a row or warp */
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                            \
    w[i] = *wide_at<width>(parity ? slot(b, o) + (s->cell - cell_distance(b, 0, cy, cz)) \
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
        beyond[i] = *from;                                                                             \
    }
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#define WEIR_DIRECTION(i, o, cx, ...)                      \
    {                                                      \
        if (parity && (cx) != 0)                           \
            w[i] = shifted<width>(w[i], cx > 0);           \
        if ((cx) != 0 && crosses_alone(s, parity, cx < 0)) \
            w[i].cell[cx > 0 ? 0 : width - 1] = beyond[i]; \
        for (int v = 0; v < width; v++)                    \
            f[v][i] = real_of(w[i].cell[v]);               \
    }
    WEIR_DIRECTION(0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What a plain strip sends on after collision. All threads of the warp take part. */
template <int parity, int width>
static __device__ __forceinline__ void leaving_strip(const weir_block_view *b, const strip *s,
                                                     real f[width][POPULATIONS]) {
    for (int side = 0; side < 2; side++) {
        if (!s->wall[side])
            continue;
        const uint8_t wall = *flag_of(b, side == 0 ? -1 : b->extent[0][1], s->y, s->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, ...) \
    if (side == 0 ? cx < 0 : cx > 0)             \
        f[side == 0 ? 0 : width - 1][i] =        \
            reflected_by_wall(b, wall, f[side == 0 ? 0 : width - 1][i], (real)(w), cx, cy, cz);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    wide<width> w[POPULATIONS];
    for (int i = 0; i < POPULATIONS; i++) {
        for (int v = 0; v < width; v++)
            w[i].cell[v] = stored_of(f[v][i]);
    }
#pragma unroll
    for (int side = 0; side < 2; side++) { /* what no other thread takes over */
        if (!crosses_alone(s, parity, side))
            continue;
        const int end = s->cell + (side == 0 ? 0 : width - 1);
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                  \
    if (side == 0 ? (cx) < 0 : (cx) > 0) {                                           \
        stored *to = slot(b, i) + (end + cell_distance(b, cx, cy, cz));              \
        if (side == 0 ? s->first : s->last)                                          \
            to = s->wall[side] ? slot(b, o) + end                                    \
                               : (stored *)b->outgoing[side == 0 ? LOW_X : HIGH_X] + \
                                     x_place(b, (d).layer[0], s->y, s->z);           \
        *to = w[i].cell[side == 0 ? 0 : width - 1];                                  \
    }
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                         \
    if (!parity || (cx) == 0)                                                         \
        *wide_at<width>(parity ? slot(b, i) + (s->cell + cell_distance(b, 0, cy, cz)) \
                               : slot(b, o) + s->cell) = w[i];                        \
    else                                                                              \
        w[i] = shifted<width>(w[i], (cx) > 0);
    WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#pragma unroll
    for (int side = 0; side < (parity ? 2 : 0); side++) {
        const bool whole = side == 0 ? !s->low : !s->high;
        /* Up from the low end, down from the high one. */
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    if (side == 0 ? (cx) > 0 : (cx) < 0)      \
        *wide_at<width>(slot(b, i) + (s->cell + cell_distance(b, 0, cy, cz))) = w[i];
        if (whole) {
            FOR_DIRECTIONS
        }
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)          \
    if (side == 0 ? (cx) > 0 : (cx) < 0)               \
        for (int v = side == 0; v < width - side; v++) \
            slot(b, i)[s->cell + cell_distance(b, 0, cy, cz) + v] = w[i].cell[v];
        if (!whole) {
            FOR_DIRECTIONS
        }
#undef WEIR_DIRECTION
    }
}

/* ---- strips with walls -----------------------------------------------------------------------------------
 */

/* The same number, of which the compiler does not know that it is the same: so what follows from it is
 * computed anew and does not take registers meanwhile. */
static __device__ __forceinline__ int anew(int number) {
    asm volatile("" : "+r"(number));
    return number;
}

/* The cells of a strip, by bits. Of those that are not fluid nothing is right, and nothing used. */
struct strip_cells {
    unsigned fluid, near_wall, near_moving_wall, near_open;
    bool before, after; /* the cell before (after) the strip is fluid and with this warp */
};

/* All threads of the warp take part. */
template <int width>
static __device__ __forceinline__ strip_cells cells_of(const strip *s, strip_flags<width> flags) {
    strip_cells c = {0, 0, 0, 0, false, false};
    for (int v = 0; v < width; v++) {
        c.fluid |= (unsigned)!is_wall(flags.cell[v]) << v;
        c.near_wall |= (unsigned)(flags.cell[v] >= WEIR_NEAR_WALL) << v;
        c.near_moving_wall |= (unsigned)(flags.cell[v] > WEIR_NEAR_WALL) << v;
        c.near_open |= (unsigned)(flags.cell[v] == WEIR_NEAR_OPEN) << v;
    }
    c.before = __shfl_up_sync(WHOLE_WARP, c.fluid, 1) >> (width - 1) & 1 && !s->low;
    c.after = __shfl_down_sync(WHOLE_WARP, c.fluid, 1) & 1 && !s->high;
    return c;
}

/* walls[cell]: of walls_around, where they matter: in odd steps, at the ends of the row, and where walls
 * move.
 */
template <int parity, int width>
static __device__ __forceinline__ void walls_of_strip(const weir_block_view *b, const strip *s,
                                                      const strip_cells *c, direction_set walls[width]) {
    for (int v = 0; v < width; v++)
        walls[v] = 0;
    if (parity || s->first || s->last ? c->near_wall != 0 : c->near_moving_wall != 0)
        for (int v = 0; v < width; v++)
            walls[v] = c->near_wall >> v & 1 ? walls_around(b, s->x + v, s->y, s->z) : 0;
}

/* Whether a population that crosses the low (side 0) or high (side 1) end of a strip is read or written on
 * its own: it is in no piece, or in a message. */
template <int parity, int width>
static __device__ __forceinline__ bool crosses_on_its_own(const strip *s, const strip_cells *c, int side) {
    const bool in_row = parity && (side == 0 ? s->low : s->high);
    return (in_row || (side == 0 ? s->first : s->last)) && (c->fluid >> (side == 0 ? 0 : width - 1) & 1) != 0;
}

/* f[cell][i]: what arrives at any strip. All threads of the warp take part. */
template <int parity, int width>
static __device__ __forceinline__ void arriving_at_walled_strip(const weir_block_view *b, const strip *s,
                                                                const strip_cells *c,
                                                                direction_set walls[width],
                                                                real f[width][POPULATIONS]) {
    wide<width> w[POPULATIONS] = {};
    const bool own = c->fluid != 0, beside = own || c->before || c->after;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                \
    if ((parity && (cx) != 0) == handed_on)                                                  \
        w[i] = *wide_at<width>(parity ? slot(b, o) + (s->cell - cell_distance(b, 0, cy, cz)) \
                                      : slot(b, i) + s->cell);
#pragma unroll
    for (int handed_on = 0; handed_on <= parity; handed_on++)
        if (handed_on ? beside : own) {
            WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
            FOR_DIRECTIONS
        }
#undef WEIR_DIRECTION
    walls_of_strip<parity, width>(b, s, c, walls);
#define WEIR_DIRECTION(i, o, cx, ...)              \
    {                                              \
        if (parity && (cx) != 0)                   \
            w[i] = shifted<width>(w[i], (cx) > 0); \
        for (int v = 0; v < width; v++)            \
            f[v][i] = real_of(w[i].cell[v]);       \
    }
    WEIR_DIRECTION(0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    const int cell = anew(s->cell);
    /* What came back from a wall waits in the cell's own slot; in even steps it has been read from there. */
#define WEIR_DIRECTION(i, o, ...) \
    if (walls[v] >> (o)&1)        \
        f[v][i] = real_of(slot(b, i)[cell + v]);
#pragma unroll
    for (int v = 0; v < (parity ? width : 0); v++) {
        FOR_DIRECTIONS
    }
#undef WEIR_DIRECTION
#pragma unroll
    for (int side = 0; side < 2; side++) {
        if (!crosses_on_its_own<parity, width>(s, c, side))
            continue;
        const bool enters = side == 0 ? s->first : s->last;
        const int at = side == 0 ? 0 : width - 1;
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                       \
    if ((side == 0 ? (cx) > 0 : (cx) < 0) && !(walls[at] >> (o)&1))                                       \
        f[at][i] = real_of(*(enters ? (const stored *)b->incoming[side == 0 ? FROM_LOW_X : FROM_HIGH_X] + \
                                          x_place(b, (d).layer[0], s->y - (cy), s->z - (cz))              \
                                    : slot(b, o) + (cell + at - cell_distance(b, cx, cy, cz))));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* What comes back to the cells of a strip that are near an open boundary, from it and from other walls; they
 * are near none then. */
template <int width>
static __device__ __forceinline__ void reflect_in_strip(const weir_block_view *b, int parity, const strip *s,
                                                        strip_cells *c, const direction_set walls[width],
                                                        bool forced, const real force[3],
                                                        real f[width][POPULATIONS]) {
    boundary_sums sums = {};
    for (int v = 0; v < width; v++)
        if (c->near_open >> v & 1)
            reflect_in_cell(b, parity, share_of(s->x, s->y, s->z), walls[v], s->x + v, s->y, s->z, forced,
                            force, f[v], &sums);
    add_flow(b, parity, share_of(s->x, s->y, s->z), &sums);
    c->near_moving_wall &= ~c->near_open;
}

/* Writes those cells of a piece whose bits are set. */
template <int width>
static __device__ __forceinline__ void write_cells(stored *to, const wide<width> w, unsigned cells) {
    if (cells == (1u << width) - 1)
        *wide_at<width>(to) = w;
    else
        for (int v = 0; v < width; v++)
            if (cells >> v & 1)
                to[v] = w.cell[v];
}

/* What any strip sends on after collision. All threads of the warp take part. Slots of solid cells, which
 * nobody reads, may be written. */
template <int parity, int width>
static __device__ __forceinline__ void leaving_walled_strip(const weir_block_view *b, const strip *s,
                                                            const strip_cells *c,
                                                            const direction_set walls[width],
                                                            real f[width][POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, ...)                                                        \
    if (walls[v] >> (i)&1)                                                                              \
        f[v][i] = reflected_by_wall(b, *flag_of(b, s->x + v + (cx), s->y + (cy), s->z + (cz)), f[v][i], \
                                    (real)(w), cx, cy, cz);
#pragma unroll
    for (int v = 0; v < width; v++)
        if (c->near_moving_wall >> v & 1) {
            FOR_DIRECTIONS
        }
#undef WEIR_DIRECTION
    const int cell = anew(s->cell);
    wide<width> w[POPULATIONS];
    for (int i = 0; i < POPULATIONS; i++)
        for (int v = 0; v < width; v++)
            w[i].cell[v] = stored_of(f[v][i]);
#define WEIR_DIRECTION(i, o, ...) \
    if (walls[v] >> (i)&1)        \
        slot(b, o)[cell + v] = w[i].cell[v];
#pragma unroll
    for (int v = 0; v < (parity ? width : 0); v++) {
        FOR_DIRECTIONS
    }
#undef WEIR_DIRECTION
#pragma unroll
    for (int side = 0; side < 2; side++) { /* what no other thread takes over */
        if (!crosses_on_its_own<parity, width>(s, c, side))
            continue;
        const bool leaves = side == 0 ? s->first : s->last;
        const int at = side == 0 ? 0 : width - 1;
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                         \
    if ((side == 0 ? (cx) < 0 : (cx) > 0) && !(walls[at] >> (i)&1))                                         \
        *(leaves ? (stored *)b->outgoing[side == 0 ? LOW_X : HIGH_X] + x_place(b, (d).layer[0], s->y, s->z) \
                 : slot(b, i) + (cell + at + cell_distance(b, cx, cy, cz))) = w[i].cell[at];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    if (!parity) {
        if (c->fluid == 0)
            return;
#define WEIR_DIRECTION(i, o, ...) *wide_at<width>(slot(b, o) + cell) = w[i];
        WEIR_DIRECTION(0, 0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        return;
    }
#define WEIR_DIRECTION(i, o, cx, ...) \
    if ((cx) != 0)                    \
        w[i] = shifted<width>(w[i], (cx) > 0);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    /* Cells of the pieces that come from fluid cells here, with c_x = 0, 1, -1. */
    const unsigned all = (1u << width) - 1;
    const unsigned right[3] = {c->fluid, (c->fluid << 1 & all) | (unsigned)c->before,
                               c->fluid >> 1 | (unsigned)c->after << (width - 1)};
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    write_cells<width>(slot(b, i) + (cell + cell_distance(b, 0, cy, cz)), w[i], right[(cx) < 0 ? 2 : cx]);
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
