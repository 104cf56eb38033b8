/* Rows of cells on a CPU, taken in vectors: finds, for a row, one pointer per direction from which the
 * populations arriving there can be read in order of x, and for the cells of a vector, which of them are
 * exceptions: those beside walls, whose populations come from their own slots, and the two beside the x
 * faces. So the arithmetic takes whole vectors and knows neither parity nor faces nor walls. */
#ifndef WEIR_KERNELS_ROWS_H
#define WEIR_KERNELS_ROWS_H

#include "codelets/kernels/cells/addressing.h"
#include "codelets/kernels/cells/vectors.h"

#if !BY_ROWS

#include "codelets/kernels/cells/single_cells.h"

#else

/* What only rows and cells beside faces need is called, not expanded in place for each of up to 26
 * directions: that would take minutes to compile. */
#define CALLED static __attribute__((noinline, unused))

struct row {
    int y, z;
    int cell;                      /* number of the first */
    bool inside;                   /* the rows around it are in this block */
    const uint8_t *flags;          /* of its cells */
    const stored *in[POPULATIONS]; /* in[i][x]: f_i arriving at cell x, but for the exceptions */
    stored *own[POPULATIONS];      /* own[i][x]: slot i of cell x */
};

/* A vector of cells of a row, of which some are to be computed: fluid, and within bounds. The sets below are
 * among these. */
struct cells {
    int x; /* of the first of the vector */
    lanes fluid;
    lanes first, last;        /* those beside the x faces of the block */
    lanes walls[POPULATIONS]; /* by direction: those with a wall at c_i */
    bool walled;              /* there is any such cell */
};

/* Row of populations i arriving at the cells of a row, right for all but the exceptions; NULL where the
 * domain ends, so that all are at a wall. */
CALLED const stored *source_row(const struct weir_block_view *b, int parity, const struct row *row,
                                struct direction d) {
    const int oy = block_offset(b, 1, row->y, -d.c[1]), oz = block_offset(b, 2, row->z, -d.c[2]);
    if (oy == 0 && oz == 0)
        return parity ? slot(b, d.o) + (row->cell - cell_distance(b, d.c[0], d.c[1], d.c[2]))
                      : slot(b, d.i) + row->cell;
    const stored *message = (const stored *)b->incoming[WEIR_OFFSET_NUMBER(0, oy, oz)];
    if (!message)
        return NULL;
    const int ly = local_coordinate(b, 1, oy, row->y, -d.c[1]),
              lz = local_coordinate(b, 2, oz, row->z, -d.c[2]);
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][oy + 1], nz = b->extent[2][oz + 1];
    return message - d.c[0] +
           (oy != 0 ? weir_layer_place(d.layer[1], lz, nz, 0, nx)
                    : weir_layer_place(d.layer[2], ly, ny, 0, nx));
}

/* Row to which populations i leaving a row go, with the same exceptions. */
CALLED stored *target_row(const struct weir_block_view *b, int parity, const struct row *row,
                          struct direction d) {
    const int oy = block_offset(b, 1, row->y, d.c[1]), oz = block_offset(b, 2, row->z, d.c[2]);
    if (oy == 0 && oz == 0)
        return parity ? slot(b, d.i) + (row->cell + cell_distance(b, d.c[0], d.c[1], d.c[2]))
                      : slot(b, d.o) + row->cell;
    stored *message = (stored *)b->outgoing[oy != 0 ? WEIR_FACE(1, oy) : WEIR_FACE(2, oz)];
    if (!message)
        return NULL;
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][1], nz = b->extent[2][1];
    return message + (oy != 0 ? weir_layer_place(d.layer[1], row->z, nz, 0, nx)
                              : weir_layer_place(d.layer[2], row->y, ny, 0, nx));
}

/* Finds the row, and where what arrives at it is. */
static inline struct row row_of(const struct weir_block_view *b, int parity, int y, int z) {
    struct row row = {.y = y,
                      .z = z,
                      .cell = cell_number(b, 0, y, z),
                      .inside = row_is_inside(b, y, z),
                      .flags = flag_of(b, 0, y, z)};
    for (int i = 0; i < POPULATIONS; i++)
        row.own[i] = slot(b, i) + row.cell;
    row.in[0] = row.own[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                           \
    if (row.inside) {                                                                    \
        row.in[i] = parity ? row.own[o] - cell_distance(b, cx, cy, cz) : row.own[i];     \
    } else {                                                                             \
        const stored *const source = source_row(b, parity, &row, d);                     \
        row.in[i] = source ? source : row.own[i]; /* no cell's then: all are at walls */ \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return row;
}

/* Whether all cells of the vector at x are fluid without any wall beside them. */
FUNCTION bool all_plain(const struct row *row, int x) {
    uint64_t flags[VECTOR_CELLS / 8], any = 0;
    memcpy(flags, row->flags + x, sizeof flags);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        any |= flags[k];
    return any == 0;
}

/* Bits of wall_bits: cells x - 1 to x + VECTOR_CELLS of the row at (cy, cz) from this one. Behind the flags
 * there are the constants of at least eight walls, so reading on is allowed. */
FUNCTION uint32_t walls_of_row(const struct weir_block_view *b, const struct row *row, int x, int cy,
                               int cz) {
    return wall_bits(row->flags + cz * flags_plane(b) + cy * flags_row(b) + x - 1);
}

/* The fluid ones of the cells from x on and before x_end, VECTOR_CELLS at most. */
FUNCTION lanes fluid_from(const struct weir_block_view *b, const struct row *row, int x, int x_end) {
    return ~(walls_of_row(b, row, x, 0, 0) >> 1) & lanes_below(x_end - x);
}

/* Finds these cells; false if there are none. */
static inline bool find_cells(const struct weir_block_view *b, const struct row *row, int x, int x_end,
                              struct cells *cells) {
    const lanes fluid = fluid_from(b, row, x, x_end);
    const int last = b->extent[0][1] - 1 - x;
    if (fluid == 0)
        return false;
    cells->x = x;
    cells->fluid = fluid;
    cells->first = x == 0 ? fluid & 1 : 0;
    cells->last = last < VECTOR_CELLS ? fluid & 1u << last : 0;
    if (all_plain(row, x)) {
        memset(cells->walls, 0, sizeof cells->walls);
        cells->walled = false;
        return true;
    }
    uint32_t around[3][3];
    for (int cz = DIMENSIONS == 2 ? 0 : -1; cz <= (DIMENSIONS == 2 ? 0 : 1); cz++)
        for (int cy = -1; cy <= 1; cy++)
            around[cz + 1][cy + 1] = walls_of_row(b, row, x, cy, cz);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    cells->walls[i] = around[(cz) + 1][(cy) + 1] >> (1 + (cx)) & fluid;
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    cells->walled = true;
    return true;
}

/* Those of the cells from which a step along x leads out of the block. */
FUNCTION lanes leaving_along_x(const struct cells *cells, int cx) {
    return cx > 0 ? cells->last : cx < 0 ? cells->first : 0;
}

/* The general rule for a single cell, called. */
CALLED stored population_from(const struct weir_block_view *b, int parity, struct direction d, int x, int y,
                              int z) {
    return *source_of(b, parity, false, d, x, y, z);
}

/* Reads the populations arriving at cells of a row. at_ends: some may be beside an x face; in_rows: what
 * walls send back is in in[i] too, because that is own[i], or there are no walls. Constants of the caller's.
 */
FUNCTION void read_cells(const struct weir_block_view *b, int parity, const struct row *row,
                         const struct cells *cells, bool at_ends, bool in_rows, struct vector *v) {
    const ptrdiff_t ny = b->extent[1][1], nz = b->extent[2][1];
    const int at = cells->x;
    unpack_lanes(v->rows[0], pack_lanes(row->own[0] + at, cells->fluid));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                             \
    {                                                                                                      \
        const lanes walls = cells->walls[o];                                                               \
        const lanes beyond = at_ends ? leaving_along_x(cells, -(cx)) : 0, edge = beyond & ~walls;          \
        /* What a solid cell's slots hold is read, and replaced: the same lanes for all directions. */     \
        packed_populations p = pack_lanes(row->in[i] + at, cells->fluid & ~(in_rows ? edge : beyond));     \
        if (!in_rows)                                                                                      \
            p = also_lanes(p, row->own[i] + at, walls);                                                    \
        if (edge != 0) {                                                                                   \
            const int x = (cx) > 0 ? 0 : b->extent[0][1] - 1, y = row->y, z = row->z;                      \
            const stored *const message = (const stored *)b->incoming[WEIR_OFFSET_NUMBER(-(cx), 0, 0)];    \
            p = also_one(p,                                                                                \
                         row->inside ? message[weir_layer_place((d).layer[0], z - (cz), nz, y - (cy), ny)] \
                                     : population_from(b, parity, d, x, y, z),                             \
                         edge);                                                                            \
        }                                                                                                  \
        unpack_lanes(v->rows[i], p);                                                                       \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif

#endif
