/* Strips with walls, in even steps: all that arrives at a cell, and all that leaves it, is its own then, but
 * at the ends of the row, so that walls change nothing in where it lies. (In odd steps walls decide that for
 * every population: taken in strips, cells near them would wait for each other, and they are taken one by
 * one.) */
#ifndef WEIR_KERNELS_WALLED_STRIPS_CUH
#define WEIR_KERNELS_WALLED_STRIPS_CUH

#include "codelets/kernels/cuda/hints.cuh"
#include "codelets/kernels/cuda/strips.cuh"

/* The cells of a strip that are stepped with it, by bits. Of others nothing is right, and nothing used. */
struct strip_cells {
    unsigned fluid, near_wall, near_moving_wall;
    unsigned open_end; /* near open boundaries at an end of the row alone: open_ends.cuh */
    unsigned left_out; /* near others: open_cells.cuh */
};

template <int width> static __device__ __forceinline__ strip_cells cells_of(strip_flags<width> flags) {
    strip_cells c = {0, 0, 0, 0, 0};
    for (int v = 0; v < width; v++) {
        const bool open = flags.cell[v] == WEIR_NEAR_OPEN;
        c.fluid |= (unsigned)(!is_wall(flags.cell[v]) && !open) << v;
        c.near_wall |= (unsigned)(flags.cell[v] >= WEIR_NEAR_WALL && !open) << v;
        c.near_moving_wall |= (unsigned)(flags.cell[v] > WEIR_NEAR_WALL && !weir_near_open(flags.cell[v]))
                              << v;
        c.open_end |= (unsigned)(weir_near_open(flags.cell[v]) && !open) << v;
        c.left_out |= (unsigned)open << v;
    }
    return c;
}

/* walls[cell]: of walls_around, where they matter: at the ends of the row, and where walls move. */
template <int width>
static __device__ __forceinline__ void walls_of_strip(const weir_block_view *b, const strip *s,
                                                      const strip_cells *c, direction_set walls[width]) {
    for (int v = 0; v < width; v++)
        walls[v] = 0;
    if (s->first || s->last ? c->near_wall != 0 : c->near_moving_wall != 0)
        for (int v = 0; v < width; v++)
            walls[v] = c->near_wall >> v & 1 ? walls_around(b, s->x + v, s->y, s->z) : 0;
}

/* Whether the cell at the low (side 0) or high (side 1) end of a strip is a fluid cell at the row's end. */
template <int width>
static __device__ __forceinline__ bool ends_row(const strip *s, const strip_cells *c, int side) {
    return (side == 0 ? s->first : s->last) && (c->fluid >> (side == 0 ? 0 : width - 1) & 1) != 0;
}

/* f[cell][i]: what arrives at a strip with fluid cells. */
template <int width>
static __device__ __forceinline__ void arriving_at_walled_strip(const weir_block_view *b, const strip *s,
                                                                const strip_cells *c,
                                                                direction_set walls[width],
                                                                real f[width][POPULATIONS]) {
    wide<width> w[POPULATIONS] = {};
    if (c->fluid != 0)
        for (int i = 0; i < SLOTS; i++)
            w[i] = *wide_at<width>(slot(b, i) + s->cell);
    walls_of_strip<width>(b, s, c, walls);
    for (int i = 0; i < SLOTS; i++)
        for (int v = 0; v < width; v++)
            f[v][i] = real_of(w[i].cell[v]);
#pragma unroll
    for (int side = 0; side < 2; side++) {
        if (!ends_row<width>(s, c, side))
            continue;
        const int at = side == 0 ? 0 : width - 1;
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                     \
    if ((side == 0 ? (cx) > 0 : (cx) < 0) && !(walls[at] >> (o)&1))                                     \
        f[at][i] = real_of(((const stored *)b->incoming[side == 0 ? FROM_LOW_X : FROM_HIGH_X])[x_place( \
            b, (d).layer[0], s->y - (cy), s->z - (cz))]);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* What such a strip sends on after collision. Slots of solid cells, which nobody reads, are written too. */
template <int width, bool open>
static __device__ __forceinline__ void leaving_walled_strip(const weir_block_view *b, const strip *s,
                                                            const strip_cells *c,
                                                            const direction_set walls[width],
                                                            real f[width][POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if (walls[v] >> (i)&1)                     \
        f[v][i] = reflected_by_wall(b, flag_beside(b, d, s->x + v, s->y, s->z), d, (real)(w), f[v][i]);
#pragma unroll
    for (int v = 0; v < width; v++)
        if (c->near_moving_wall >> v & 1) {
            FOR_DIRECTIONS
        }
#undef WEIR_DIRECTION
    const int cell = anew(s->cell);
    wide<width> w[POPULATIONS];
    store_wide<width>(w, f);
#pragma unroll
    for (int side = 0; side < 2; side++) {
        if (!ends_row<width>(s, c, side))
            continue;
        const int at = side == 0 ? 0 : width - 1;
#define WEIR_DIRECTION(i, o, cx, cy, cz, weight, d)                                                 \
    if ((side == 0 ? (cx) < 0 : (cx) > 0) && !(walls[at] >> (i)&1))                                 \
        ((stored *)b->outgoing[side == 0 ? LOW_X : HIGH_X])[x_place(b, (d).layer[0], s->y, s->z)] = \
            w[i].cell[at];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    if (c->fluid == 0)
        return;
    if (open && c->left_out != 0) { /* whose slots are not to be touched */
        for (int v = 0; v < width; v++)
            if (c->fluid >> v & 1) {
                slot(b, 0)[cell + v] = w[0].cell[v];
#define WEIR_DIRECTION(i, o, ...) slot(b, o)[cell + v] = w[i].cell[v];
                FOR_DIRECTIONS
#undef WEIR_DIRECTION
            }
        return;
    }
#define WEIR_DIRECTION(i, o, ...) *wide_at<width>(slot(b, o) + cell) = w[i];
    WEIR_DIRECTION(0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
