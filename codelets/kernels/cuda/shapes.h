/* How threads of a GPU are spread over a block: what the host, who launches kernels, and the kernels must
 * agree on. For C and CUDA. */
#ifndef WEIR_KERNELS_SHAPES_H
#define WEIR_KERNELS_SHAPES_H

#include "codelets/kernels/cells/block_view.h"

#include <stdint.h>

/* Threads of a thread block over bricks of cells, and along rows at a free surface. */
#define WEIR_BRICK_THREADS 256
#define WEIR_ROW_THREADS 128

/* Rows whose cells a thread block along rows shares out, or among which it gathers those that tension acts
 * on, at most; thread blocks that there are to be before it takes as many. Powers of two. */
#define WEIR_ROWS_SHARED 32
#define WEIR_ROWS_GATHERED 128
#define WEIR_ROW_BLOCKS 512

/* How many of so many rows it takes: flat and small blocks would else be left to a few thread blocks. */
static inline int weir_rows_together(int rows, int most) {
    int together = most;
    while (together > 1 && rows / together < WEIR_ROW_BLOCKS)
        together /= 2;
    return together;
}

/* Of steps, of totals, of halo messages, of plain memory traffic. */
#define WEIR_STEP_THREADS 128
#define WEIR_TOTALS_THREADS 128
#define WEIR_HALO_THREADS 256
#define WEIR_STREAM_THREADS 256
#define WEIR_LAYOUT_THREADS 128

/* Of multiply-adds: thread blocks of a multiprocessor, which make eight warps for each of its schedulers and
 * have room side by side; chains of a thread, and rounds of them that are written out. */
#define WEIR_CHAINS_THREADS 256
#define WEIR_CHAINS_BLOCKS 4
#define WEIR_CHAINS 8
#define WEIR_ROUNDS_OF_TURN 32

#define WEIR_REGISTERS_OF_MULTIPROCESSOR 65536

/* From this architecture on (in the form of __CUDA_ARCH__) a step begins while the kernel before it in the
 * stream still runs, and waits for its end itself: thread blocks are in place then. */
#define WEIR_DEPENDENT_LAUNCH_ARCHITECTURE 900

/* Of steps of cells that keep moments: a thread block takes a tile of so many rows of 32 cells in each plane,
 * with the cells around it (moment_tiles.cuh), a warp for each row and some for the cells at both ends. What
 * leaves them is in shared memory, for as many planes as it takes until it has been gathered, and all threads
 * have done so: six of what moves along z, five of what stays in its plane, four of what moves against z.
 * Thirteen rows are what sixteen warps can do, four for each scheduler of a multiprocessor, without keeping
 * numbers in memory, which is slow beside so much shared memory (docs/measured/2026-11-26-moments.md); fewer
 * rows, where there is no room. */
#define WEIR_TILE_CELLS 32
#define WEIR_TILE_BYTES_BESIDE 2048 /* of shared memory: barriers, and what open_notes.cuh has there */
#define WEIR_TILE_PLANES_MOST 32    /* that a thread block takes */
#define WEIR_TILE_SLOTS_ALONG(cz) ((cz) > 0 ? 6 : (cz) < 0 ? 4 : 5)
#define WEIR_TILE_SLOTS(dimensions, populations) ((dimensions) == 3 ? 5 * ((populations)-1) : (populations)-1)
#define WEIR_TILE_BYTES(rows, dimensions, populations, real_bytes) \
    (WEIR_TILE_SLOTS(dimensions, populations) * ((rows) + 2) * (WEIR_TILE_CELLS + 2) * (real_bytes))
#define WEIR_TILE_FITS(rows, dimensions, populations, real_bytes) \
    (WEIR_TILE_BYTES(rows, dimensions, populations, real_bytes) <= 232448 - WEIR_TILE_BYTES_BESIDE)
#define WEIR_TILE_ROWS(dimensions, populations, real_bytes)         \
    (WEIR_TILE_FITS(13, dimensions, populations, real_bytes)   ? 13 \
     : WEIR_TILE_FITS(11, dimensions, populations, real_bytes) ? 11 \
     : WEIR_TILE_FITS(7, dimensions, populations, real_bytes)  ? 7  \
                                                               : 4)
#define WEIR_TILE_THREADS(rows) (32 * ((rows) + 2 + (2 * ((rows) + 2) + 31) / 32))

/* GPUs that have so much shared memory for a thread block: ten times their compute capability is from the
 * first number on, and below the second. */
#define WEIR_TILE_CAPABILITY_FROM 90
#define WEIR_TILE_CAPABILITY_BELOW 120

/* Tiles of a plane, along x and y, and planes that a thread block takes. */
struct weir_tile_grid {
    int x, y, planes;
};

/* Planes that a thread block takes one after the other, of nz, where `tiles` make a plane: so that so many
 * thread blocks at a time have work for whole rounds, and little is done twice, or waited for (three planes
 * of each); but no more than WEIR_TILE_PLANES_MOST, as thread blocks side by side then are where the others
 * have been, and find what they read in the cache. */
static inline int weir_tile_planes(int nz, int64_t tiles, int resident) {
    int best = 1;
    double least = 0;
    for (int parts = (nz - 1) / WEIR_TILE_PLANES_MOST + 1; parts <= nz; parts *= 2) {
        const int planes = (nz - 1) / parts + 1;
        const int64_t blocks = tiles * ((nz - 1) / planes + 1);
        const double rounds = (double)((blocks - 1) / resident + 1) * (planes + 3);
        if (least > 0 && rounds >= least)
            continue;
        best = planes;
        least = rounds;
    }
    return best;
}

/* Those of a block with tiles of so many rows. Where not all planes are stepped at once, half as many as are,
 * so that thread blocks of one part seldom wait for those of another (turns.cuh). */
static inline struct weir_tile_grid weir_tile_grid_of(const struct weir_block_view *b, int rows,
                                                      int resident) {
    const int nz = b->extent[2][1], half = (b->planes_at_once + 1) / 2;
    struct weir_tile_grid grid;
    grid.x = (b->extent[0][1] - 1) / WEIR_TILE_CELLS + 1;
    grid.y = (b->extent[1][1] - 1) / rows + 1;
    grid.planes = weir_tile_planes(nz, (int64_t)grid.x * grid.y, resident);
    if (b->planes_at_once < nz && grid.planes > half)
        grid.planes = half;
    return grid;
}

/* Cells of a strip, where rows have a multiple of that: two, if their populations fit into a thread's
 * registers. Collisions that need many more have strips of a single cell (WEIR_STRIP_MOST in texts,
 * weir_strip_cells elsewhere). */
#define WEIR_STRIP_CELLS(populations, real_bytes) (2 * (populations) * (real_bytes) <= 320 ? 2 : 1)

/* Whether blocks are taken in such strips: bricks, and lists are not. */
static inline bool weir_takes_strips(int strip, int cells_along_x, bool bricks) {
    return strip > 1 && cells_along_x % strip == 0 && bricks;
}

/* Thread blocks of totals that a multiprocessor holds at a time, by their registers. */
#define WEIR_TOTALS_BLOCKS(populations, real_bytes) \
    (WEIR_REGISTERS_OF_MULTIPROCESSOR / (WEIR_TOTALS_THREADS * ((populations) * (real_bytes) / 4 + 72)))

/* Division by a constant that the host knows: floor(n / divisor) for 0 <= n < 2^31 (Granlund, Montgomery,
 * PLDI 1994, figure 4.1). */
struct divider {
    uint32_t factor;
    int shift; /* -1: the divisor is 1 */
};

static inline struct divider divider_of(int divisor) {
    struct divider d = {0, -1};
    int log = 0;
    while (((int64_t)1 << log) < divisor)
        log++;
    if (log > 0) {
        d.factor = (uint32_t)((((uint64_t)1 << (31 + log)) + (uint64_t)divisor - 1) / (uint64_t)divisor);
        d.shift = log - 1;
    }
    return d;
}

/* Whether cells near boundaries that let fluid pass are gathered from the block: all, or but those at open
 * ends of rows that are taken in strips (open_ends.cuh). */
static inline bool weir_gathers_open_cells(const struct weir_block_view *b, bool by_rows) {
    return b->flow && (!by_rows || b->open_within);
}

/* How threads' numbers become places in a step, and what else is the same for all of them. */
struct step_shape {
    struct divider strips_per_row, cells_per_row, rows_per_layer;
    struct divider segments_per_row, segment_rows_per_layer; /* of lists */
    unsigned moving_faces;                                   /* as in struct weir_fluid */
    bool backwards;                                          /* odd steps go through the block backwards */
    struct weir_end ends[2];
    int flow_of_high_end;   /* its number among the boundaries that are counted in the block */
    bool settles;           /* settles flows: no step of gathered cells comes before */
    bool face_strips;       /* rows at y and z faces are taken in strips, if the kernel can do that */
    int early;              /* number of thread blocks that would be last and have the first turn: step.cuh */
    bool beside_open_cells; /* a step of gathered cells may still run, where launches depend on each other */
};

/* Flags among which a thread block looks for cells near open boundaries: so many that it finds about as many
 * such cells as it has threads, be they rows of small blocks or the ends of long ones
 * (docs/measured/2026-11-27-h200-open-cells.md). */
enum { WEIR_OPEN_FLAGS_LEAST = 4096, WEIR_OPEN_FLAGS_MOST = 32768, WEIR_OPEN_BLOCKS = 640 };

/* Thread blocks that look for them, so many at most. by_rows: as above. */
static inline int open_cell_blocks(const struct weir_block_view *b, const int ring[3], bool by_rows,
                                   int most) {
    int flags = 1;
    for (int axis = 0; axis < 3; axis++)
        flags *= b->extent[axis][1] + 2 * ring[axis];
    const int share = flags / WEIR_OPEN_BLOCKS;
    const int per_block = share < WEIR_OPEN_FLAGS_LEAST  ? WEIR_OPEN_FLAGS_LEAST
                          : share > WEIR_OPEN_FLAGS_MOST ? WEIR_OPEN_FLAGS_MOST
                                                         : share;
    const int blocks = (flags - 1) / per_block + 1;
    return !weir_gathers_open_cells(b, by_rows) ? 0 : blocks < most ? blocks : most;
}

/* Blocks of up to so many cells are small, and of more are large: where ways to take them cross in speed on
 * an H200 (docs/measured/2026-11-22-h200-walls.md). */
#define WEIR_SMALL_BLOCK 400000
#define WEIR_LARGE_BLOCK (1 << 23)

/* Whether rows at faces of a block are better taken in strips: of a small one, and of one that is so thin
 * that many of its rows are there. */
static inline bool face_strips_pay(int nx, int ny, int nz) {
    enum { MANY = 16 }; /* one row of so many */
    const int at_faces = 2 * ny + 2 * nz;
    return nx * ny * nz <= WEIR_SMALL_BLOCK || (nz > 1 && at_faces >= ny * nz / MANY);
}

/* Thread blocks of a step of all others: a thread takes a strip or, by_list, a cell of the list. */
static inline int step_blocks(const struct weir_block_view *b, int width, bool by_list) {
    const int threads = by_list ? b->kept : b->extent[0][1] / width * b->extent[1][1] * b->extent[2][1];
    return threads > 0 ? (threads - 1) / WEIR_STEP_THREADS + 1 : 1;
}

/* by_rows: as of weir_gathers_open_cells. */
static inline struct step_shape step_shape_of(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                              int width, bool by_rows) {
    const int layer = b->extent[0][1] * b->extent[1][1], cells = layer * b->extent[2][1];
    struct step_shape shape;
    shape.strips_per_row = divider_of(b->extent[0][1] / width);
    shape.cells_per_row = divider_of(b->extent[0][1]);
    shape.rows_per_layer = divider_of(b->extent[1][1]);
    shape.segments_per_row = divider_of(weir_row_segments(b->extent[0][1]));
    shape.segment_rows_per_layer = divider_of(b->extent[1][1] + 2);
    shape.moving_faces = fluid->moving_faces;
    shape.ends[0] = fluid->ends[0];
    shape.ends[1] = fluid->ends[1];
    shape.flow_of_high_end = b->extent[0][0] == 0 && fluid->ends[0].counted;
    shape.beside_open_cells = weir_gathers_open_cells(b, by_rows);
    shape.settles = b->flow && !shape.beside_open_cells;
    const bool large = cells > WEIR_LARGE_BLOCK;
    shape.backwards = !large || !b->bodies; /* slower with bodies: it is not known why */
    shape.face_strips = face_strips_pay(b->extent[0][1], b->extent[1][1], b->extent[2][1]);
    shape.early =
        !large && b->extent[2][1] > 1 && !b->list.segments ? (layer / width - 1) / WEIR_STEP_THREADS + 1 : 0;
    return shape;
}

/* How numbers of cells become coordinates. */
struct cell_numbers {
    struct divider cells_per_row, rows_per_layer;
};

static inline struct cell_numbers cell_numbers_of(const struct weir_block_view *b) {
    struct cell_numbers numbers;
    numbers.cells_per_row = divider_of(b->extent[0][1]);
    numbers.rows_per_layer = divider_of(b->extent[1][1]);
    return numbers;
}

#endif
