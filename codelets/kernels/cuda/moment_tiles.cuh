/* One step of cells that keep moments, on a GPU. A thread block takes a tile of rows of a plane, with the cells
 * around it, and goes from plane to plane: each thread finds what leaves its cell, once, and puts it into shared
 * memory, where the threads of the tile find what arrives at theirs. What comes from the plane before and in the
 * plane itself waits in registers for what comes from the plane after. Beyond the block it is in messages. */
#ifndef WEIR_KERNELS_MOMENT_TILES_CUH
#define WEIR_KERNELS_MOMENT_TILES_CUH

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cells/moment_cells.h"
#include "codelets/kernels/cuda/shapes.h"

enum {
    TILE_ROWS = WEIR_TILE_ROWS(POPULATIONS, REAL_BYTES),
    ROWS_AROUND = TILE_ROWS + 2,
    CELLS_AROUND = WEIR_TILE_CELLS + 2
};

/* f*_i of the cells of a tile and around it, in one plane: [i - 1]. */
typedef real leaving_plane[POPULATIONS - 1][ROWS_AROUND][CELLS_AROUND];

/* A thread's cell in each plane. */
struct tile_place {
    int column, row; /* in the tile and around it */
    int x, y;        /* in the block */
    bool there;      /* the cell is in the tile or around it, and in the block or beside it */
    bool inside;     /* it is in the block */
    bool own;        /* and in the tile */
};

static __device__ __forceinline__ tile_place place_in_tile(const weir_block_view *b, int tile_x, int tile_y,
                                                           int thread) {
    tile_place p;
    const int warp = thread / 32, lane = thread % 32, end = (warp - ROWS_AROUND) * 32 + lane;
    const bool of_row = warp < ROWS_AROUND;
    p.column = of_row ? lane + 1 : end < ROWS_AROUND ? 0 : CELLS_AROUND - 1;
    p.row = of_row ? warp : end % ROWS_AROUND;
    p.x = tile_x * WEIR_TILE_CELLS + p.column - 1;
    p.y = tile_y * TILE_ROWS + p.row - 1;
    const int nx = own_extent(b, 0), ny = own_extent(b, 1);
    p.there = (of_row || end < 2 * ROWS_AROUND) && p.x <= nx && p.y <= ny;
    p.inside = p.there && p.x >= 0 && p.x < nx && p.y >= 0 && p.y < ny;
    p.own = p.inside && of_row && p.row > 0 && p.row <= TILE_ROWS;
    return p;
}

/* What leaves a cell of another block for cells of this one, from that block's message. */
static __device__ __noinline__ void read_beyond(const weir_block_view *b, int parity, tile_place p, int z,
                                                leaving_plane *plane) {
    const int nx = own_extent(b, 0), ny = own_extent(b, 1), nz = own_extent(b, 2);
    const int ox = p.x < 0 ? -1 : p.x >= nx, oy = p.y < 0 ? -1 : p.y >= ny, oz = z < 0 ? -1 : z >= nz;
    if (b->incoming[WEIR_OFFSET_NUMBER(ox, oy, oz)] == NULL)
        return;
#pragma unroll 1
    for (int k = 0; k < POPULATIONS - 1; k++) {
        const direction d = all_directions[k];
        const int x = p.x + d.c[0], y = p.y + d.c[1], to_z = z + d.c[2];
        if (x >= 0 && x < nx && y >= 0 && y < ny && to_z >= 0 && to_z < nz)
            (*plane)[d.i - 1][p.row][p.column] = real_of(*plain_source(b, parity, false, d, x, y, to_z));
    }
}

/* What has arrived at a cell beside walls that let nothing pass comes from there. left: what left the cells of
 * its plane. */
static __device__ __noinline__ void take_from_walls(const weir_block_view *b, tile_place p, int z, bool moving,
                                                    const leaving_plane *left, real f[POPULATIONS]) {
    const direction_set walls = walls_around(b, p.x, p.y, z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                    \
    if (walls >> (o)&1) {                                                                         \
        const real leaving = (*left)[(o)-1][p.row][p.column];                                   \
        f[i] = moving ? reflected_by_wall(b, *flag_of(b, p.x - (cx), p.y - (cy), z - (cz)),     \
                                          opposite(d), (real)(w), leaving)                        \
                      : leaving;                                                                  \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

template <bool forced>
static __device__ __noinline__ void send_from_tile(const weir_block_view *b, const relaxation *r,
                                                   const kept_moments *kept, int x, int y, int z) {
    send_kept(b, forced, r, kept, x, y, z);
}

/* Whether something that leaves a cell crosses a face of the block beyond which there is another. */
static __device__ __forceinline__ bool is_at_face(const weir_block_view *b, int x, int y, int z) {
    return (x == 0 && !domain_ends(b, 0, -1)) || (x == own_extent(b, 0) - 1 && !domain_ends(b, 0, 1)) ||
           (y == 0 && !domain_ends(b, 1, -1)) || (y == own_extent(b, 1) - 1 && !domain_ends(b, 1, 1)) ||
           (DIMENSIONS == 3 && ((z == 0 && !domain_ends(b, 2, -1)) ||
                                (z == own_extent(b, 2) - 1 && !domain_ends(b, 2, 1))));
}

/* Keeps the moments of what has arrived at a cell with this flag. left: what left the cells of its plane. */
template <bool forced>
static __device__ __forceinline__ void settle_cell(const weir_block_view *b, const relaxation *r, int parity,
                                                   const tile_place *p, int z, uint8_t flag,
                                                   const leaving_plane *left, real f[POPULATIONS]) {
    if (is_wall(flag) || flag == WEIR_NEAR_OPEN)
        return;
    /* Calls get copies: what is called with its address is kept in memory. */
    if (flag != WEIR_FLUID) {
        real of_cell[POPULATIONS];
#pragma unroll
        for (int i = 0; i < POPULATIONS; i++)
            of_cell[i] = f[i];
        take_from_walls(b, *p, z, flag > WEIR_NEAR_WALL, left, of_cell);
#pragma unroll
        for (int i = 0; i < POPULATIONS; i++)
            f[i] = of_cell[i];
    }
    const kept_moments kept = kept_of_populations(f);
    keep_at(b, 1 - parity, cell_number(b, p->x, p->y, z), &kept);
    if (is_at_face(b, p->x, p->y, z)) {
        const kept_moments sent = kept;
        send_from_tile<forced>(b, r, &sent, p->x, p->y, z);
    }
}

/* Thread `thread` of the thread block with this tile; planes z_begin .. z_end - 1. planes: two. */
template <bool forced>
static __device__ __forceinline__ void step_tile(const weir_block_view *b, const relaxation *r, int parity,
                                                 int tile_x, int tile_y, int z_begin, int z_end, int thread,
                                                 leaving_plane *planes) {
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const int nz = own_extent(b, 2);
    const int first = DIMENSIONS == 3 ? z_begin - 1 : z_begin, last = DIMENSIONS == 3 ? z_end : z_begin;
    kept_moments next;
    uint8_t flag = WEIR_FLUID, next_flag = WEIR_FLUID;
    real arrived[POPULATIONS], rising[POPULATIONS]; /* so far at the plane before; at the plane to come */
    if (p.inside && first >= 0) {
        next = kept_at(b, parity, cell_number(b, p.x, p.y, first));
        next_flag = *flag_of(b, p.x, p.y, first);
    }
    for (int z = first; z <= last; z++) {
        leaving_plane *const plane = planes + (z & 1);
        const uint8_t before = flag; /* of the cell in the plane before */
        real rest = 0;
        flag = next_flag;
        if (p.inside && z >= 0 && z < nz) {
            real f[POPULATIONS];
            leaving_of_kept(&next, forced, r, f);
            rest = f[0];
#pragma unroll
            for (int i = 1; i < POPULATIONS; i++)
                (*plane)[i - 1][p.row][p.column] = f[i];
        } else if (p.there) {
            read_beyond(b, parity, p, z, plane);
        }
        if (p.inside && z + 1 < nz && z < last) {
            next = kept_at(b, parity, cell_number(b, p.x, p.y, z + 1));
            next_flag = *flag_of(b, p.x, p.y, z + 1);
        }
        __syncthreads();
        if (!p.own)
            continue;
        if (DIMENSIONS == 3 && z > z_begin) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if ((cz) < 0)                              \
        arrived[i] = (*plane)[(i)-1][p.row - (cy)][p.column - (cx)];
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
            settle_cell<forced>(b, r, parity, &p, z - 1, before, planes + (z - 1 & 1), arrived);
        }
        arrived[0] = rest;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                 \
    if ((cz) == 0)                                                             \
        arrived[i] = (*plane)[(i)-1][p.row - (cy)][p.column - (cx)];           \
    else if ((cz) > 0)                                                         \
        arrived[i] = rising[i];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if ((cz) > 0)                              \
        rising[i] = (*plane)[(i)-1][p.row - (cy)][p.column - (cx)];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        if (DIMENSIONS == 2)
            settle_cell<forced>(b, r, parity, &p, z, flag, plane, arrived);
    }
}

#endif
