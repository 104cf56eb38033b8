/* Rows of cells on a CPU whose populations move by one cell: which of a vector's cells have walls beside
 * them, and where in messages what crosses the block's faces lies. The same for all kinds of cells; where
 * populations lie within a block is for rows.h and list_rows.h. */
#ifndef WEIR_KERNELS_ROW_CELLS_H
#define WEIR_KERNELS_ROW_CELLS_H

#include "codelets/kernels/cells/addressing.h"
#include "codelets/kernels/cells/vectors.h"
#if WITH_PHASES
#include "codelets/kernels/collision/cohesion_rows.h"
#endif

/* What only rows and cells beside faces need is called, not expanded in place for each of up to 26
 * directions: that would take minutes to compile. */
#define CALLED static __attribute__((noinline, unused))

#include "codelets/kernels/cells/mirror_lanes.h"

struct row {
    int y, z;
    bool inside;          /* the rows around it are in this block */
    const uint8_t *flags; /* of its cells */
#if IN_BRICKS && !WITH_MOMENTS
    const stored *in[POPULATIONS]; /* in[i][x]: f_i arriving at cell x, but for the exceptions */
    stored *own[POPULATIONS];      /* own[i][x]: slot i of cell x */
#endif
#if WITH_PHASES
    struct potential_rows potentials; /* of the rows around it */
#endif
};

/* A vector of cells of a row, of which some are to be computed: fluid, and within bounds. The sets below are
 * among these. */
struct cells {
    int x; /* of the first of the vector */
    lanes fluid;
    lanes first, last;        /* those beside the x faces of the block */
    lanes walls[POPULATIONS]; /* by direction: those with a wall at c_i */
    bool walled;              /* there is any such cell */
#if WITH_MIRRORS
    lanes past[POPULATIONS]; /* by direction: those from which what leaves goes on past mirrors, */
    int turns;               /* the same by how it is turned round: so many */
    struct turned_cells turned[TURNS_MAX];
    lanes quiet; /* those near open boundaries all of whose walls are quiet, as mirrors are */
#endif
};

#include "codelets/kernels/cells/near_open.h"

/* Whether a step of (cy, cz) leads from a row out of the block. */
FUNCTION bool leads_out(const struct weir_block_view *b, const struct row *row, int cy, int cz) {
    return !row->inside && (block_offset(b, 1, row->y, cy) != 0 || block_offset(b, 2, row->z, cz) != 0);
}

/* Whether the domain ends where these offsets from the block lead. */
FUNCTION bool leads_nowhere(const struct weir_block_view *b, int oy, int oz) {
    return (oy != 0 && domain_ends(b, 1, oy)) || (oz != 0 && domain_ends(b, 2, oz));
}

/* Row of populations i arriving at the cells of a row from the row beside it, in another block; NULL where
 * the domain ends. Right but for cells beside x faces. */
CALLED const stored *arriving_row(const struct weir_block_view *b, const struct row *row,
                                  struct direction d) {
    const int oy = block_offset(b, 1, row->y, -d.c[1]), oz = block_offset(b, 2, row->z, -d.c[2]);
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

/* Row to which populations i leaving a row go where that is in another block; as above. */
CALLED stored *leaving_row(const struct weir_block_view *b, const struct row *row, struct direction d) {
    const int oy = block_offset(b, 1, row->y, d.c[1]), oz = block_offset(b, 2, row->z, d.c[2]);
    stored *message = (stored *)b->outgoing[oy != 0 ? WEIR_FACE(1, oy) : WEIR_FACE(2, oz)];
    if (!message || leads_nowhere(b, oy, oz))
        return NULL;
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][1], nz = b->extent[2][1];
    return message + (oy != 0 ? weir_layer_place(d.layer[1], row->z, nz, 0, nx)
                              : weir_layer_place(d.layer[2], row->y, ny, 0, nx));
}

/* The general rule for a single cell, called. */
CALLED const stored *single_source(const struct weir_block_view *b, int parity, struct direction d, int x,
                                   int y, int z) {
    return source_of(b, parity, false, d, x, y, z);
}

/* Where f_i lies that arrives at the row's cell beside an x face from beyond it. */
FUNCTION const stored *arriving_at_end(const struct weir_block_view *b, int parity, const struct row *row,
                                       struct direction d) {
    const int x = d.c[0] > 0 ? 0 : b->extent[0][1] - 1, y = row->y, z = row->z;
    const stored *const message = (const stored *)b->incoming[WEIR_OFFSET_NUMBER(-d.c[0], 0, 0)];
    return leads_out(b, row, -d.c[1], -d.c[2])
               ? single_source(b, parity, d, x, y, z)
               : message +
                     weir_layer_place(d.layer[0], z - d.c[2], b->extent[2][1], y - d.c[1], b->extent[1][1]);
}

/* Where what leaves such a cell through the face goes. */
FUNCTION stored *leaving_at_end(const struct weir_block_view *b, const struct row *row, struct direction d) {
    return (stored *)b->outgoing[WEIR_FACE(0, d.c[0])] +
           weir_layer_place(d.layer[0], row->z, b->extent[2][1], row->y, b->extent[1][1]);
}

/* Those of the cells from which what leaves in a direction goes on past mirrors. */
FUNCTION lanes past_mirrors(const struct cells *cells, int direction) {
#if WITH_MIRRORS
    return cells->past[direction];
#else
    (void)cells, (void)direction;
    return 0;
#endif
}

/* Those of the cells from which a step along x leads out of the block. */
FUNCTION lanes leaving_along_x(const struct cells *cells, int cx) {
    return cx > 0 ? cells->last : cx < 0 ? cells->first : 0;
}

/* Whether all cells of the vector at x are fluid without any wall beside them. */
FUNCTION bool all_plain(const struct row *row, int x) {
    uint64_t flags[VECTOR_CELLS / 8], any = 0;
    memcpy(flags, row->flags + x, sizeof flags);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        any |= flags[k];
    return any == 0;
}

/* Whether cells with these flags can be taken without looking for walls around them: there are none, or those
 * at which the domain ends, which the rows' places have, but for x faces. rest: the latter send back what
 * they are given, and no more. */
FUNCTION bool all_served(const uint8_t *flags, lanes some, bool rest) {
    const lanes plain = flag_bits(flags, WEIR_FLUID) & some;
    return plain == some || (rest && !WITH_PHASES && !WITH_SURFACE &&
                             (plain | (flag_bits(flags, WEIR_AT_END) & some)) == some);
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

/* Whether any cell of a row is fluid. */
static inline bool has_fluid(const struct weir_block_view *b, int y, int z) {
    const struct row row = {.y = y, .z = z, .flags = flag_of(b, 0, y, z)};
    for (int x = 0; x < b->extent[0][1]; x += VECTOR_CELLS)
        if (fluid_from(b, &row, x, b->extent[0][1]) != 0)
            return true;
    return false;
}

/* Finds walls beside the fluid cells, of which none is before lane `from`. */
FUNCTION void find_walls(const struct weir_block_view *b, const struct row *row, int from,
                         struct cells *cells) {
    uint32_t around[3][3];
    for (int cz = DIMENSIONS == 2 ? 0 : -1; cz <= (DIMENSIONS == 2 ? 0 : 1); cz++)
        for (int cy = -1; cy <= 1; cy++)
            around[cz + 1][cy + 1] = walls_of_row(b, row, cells->x + from, cy, cz);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    cells->walls[i] = around[(cz) + 1][(cy) + 1] >> (1 + (cx)) << from & cells->fluid;
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    cells->walled = true;
}

#if WITH_MIRRORS

/* Finds mirrors beside the fluid cells, whose walls are known. Where the row ends before the vector does
 * there may be anything but flags, of which no boundary is asked. */
CALLED void find_mirrors(const struct weir_block_view *b, const struct row *row, struct cells *cells) {
    const int left = b->extent[0][1] - cells->x, count = left < VECTOR_CELLS ? left : VECTOR_CELLS;
    const uint32_t of_row = ((uint32_t)1 << (count + 2)) - 1; /* with a cell at each end */
    struct cells_around around;
    uint32_t any = 0;
    for (int cz = DIMENSIONS == 2 ? 0 : -1; cz <= (DIMENSIONS == 2 ? 0 : 1); cz++)
        for (int cy = -1; cy <= 1; cy++) {
            const uint8_t *const flags = row->flags + cz * flags_plane(b) + cy * flags_row(b) + cells->x - 1;
            const uint32_t walls = walls_of_row(b, row, cells->x, cy, cz) & of_row;
            around.walls[cz + 1][cy + 1] = walls;
            sort_walls(b, flags, walls, &around.mirrors[cz + 1][cy + 1], &around.quiet[cz + 1][cy + 1]);
            any |= around.mirrors[cz + 1][cy + 1];
        }
    if (any == 0)
        return;
    cells->quiet = near_open(row, cells);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                \
    if (cells->walls[i] != 0) {                                                               \
        const int before = cells->turns;                                                      \
        cells->turns = note_turned(&around, d, cells->walls[i], cells->turned, cells->turns); \
        for (int k = before; k < cells->turns; k++)                                           \
            cells->past[i] |= cells->turned[k].some;                                          \
        cells->quiet &= ~cells->walls[i] | lanes_beside(around.quiet, cx, cy, cz);            \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif

/* Finds the cells from x on and before x_end, VECTOR_CELLS at most; false if none is fluid. */
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
    } else {
        find_walls(b, row, 0, cells);
    }
#if WITH_MIRRORS
    memset(cells->past, 0, sizeof cells->past);
    cells->turns = 0;
    cells->quiet = 0;
    if (near_open(row, cells) != 0)
        find_mirrors(b, row, cells);
#endif
    return true;
}

#endif
