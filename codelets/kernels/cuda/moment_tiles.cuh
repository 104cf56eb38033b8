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
    TILE_PLANES = WEIR_TILE_PLANES(DIMENSIONS),
    TILE_ROWS = WEIR_TILE_ROWS(DIMENSIONS, POPULATIONS, REAL_BYTES),
    ROWS_AROUND = TILE_ROWS + 2,
    CELLS_AROUND = WEIR_TILE_CELLS + 2,
    TILE_THREADS = WEIR_TILE_THREADS(TILE_ROWS)
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
    /* All are asked for before one is waited for. */
    real f[POPULATIONS];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                                \
    f[i] = 0;                                                                                                 \
    if (p.x + (cx) >= 0 && p.x + (cx) < nx && p.y + (cy) >= 0 && p.y + (cy) < ny && z + (cz) >= 0 &&          \
        z + (cz) < nz)                                                                                        \
        f[i] = real_of(*plain_source(b, parity, false, d, p.x + (cx), p.y + (cy), z + (cz)));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#pragma unroll
    for (int i = 1; i < POPULATIONS; i++)
        (*plane)[i - 1][p.row][p.column] = f[i];
}

/* Whether the cell from which d comes to one of the block is beyond an end of the domain. */
static __device__ __forceinline__ bool comes_from_end(const weir_block_view *b, const tile_place *p, int z,
                                                      int cx, int cy, int cz) {
    return (cx > 0 && p->x == 0 && domain_ends(b, 0, -1)) ||
           (cx < 0 && p->x == own_extent(b, 0) - 1 && domain_ends(b, 0, 1)) ||
           (cy > 0 && p->y == 0 && domain_ends(b, 1, -1)) ||
           (cy < 0 && p->y == own_extent(b, 1) - 1 && domain_ends(b, 1, 1)) ||
           (cz > 0 && z == 0 && domain_ends(b, 2, -1)) ||
           (cz < 0 && z == own_extent(b, 2) - 1 && domain_ends(b, 2, 1));
}

/* Whether the cell lies at one of these faces of the domain (bits, WEIR_FACE). */
static __device__ __forceinline__ bool is_at_faces(const weir_block_view *b, const tile_place *p, int z,
                                                   unsigned faces) {
    const int at[3] = {p->x, p->y, z};
    bool any = false;
#pragma unroll
    for (int axis = 0; axis < DIMENSIONS; axis++)
        any = any ||
              (faces >> WEIR_FACE(axis, -1) & 1 && at[axis] == 0 && domain_ends(b, axis, -1)) ||
              (faces >> WEIR_FACE(axis, 1) & 1 && at[axis] == own_extent(b, axis) - 1 && domain_ends(b, axis, 1));
    return any;
}

/* What arrives at a cell with this flag from walls, that let nothing pass. left: what left the cells of its
 * plane; moving: faces of the domain whose walls move. Walls at rest beyond ends of the domain are told by the
 * place, for those are most. */
static __device__ __forceinline__ void take_from_walls(const weir_block_view *b, const tile_place *p, int z,
                                                       unsigned moving, uint8_t flag,
                                                       const leaving_plane *left, real f[POPULATIONS]) {
    if (flag == WEIR_AT_END && !is_at_faces(b, p, z, moving)) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)   \
    if (comes_from_end(b, p, z, cx, cy, cz))     \
        f[i] = (*left)[(o)-1][p->row][p->column];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        return;
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                             \
    {                                                                                                      \
        const uint8_t wall = *flag_of(b, p->x - (cx), p->y - (cy), z - (cz));                              \
        if (is_wall(wall)) {                                                                               \
            const real leaving = (*left)[(o)-1][p->row][p->column];                                        \
            f[i] = flag > WEIR_NEAR_WALL ? reflected_by_wall(b, wall, opposite(d), (real)(w), leaving)     \
                                         : leaving;                                                        \
        }                                                                                                  \
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
                                                   unsigned moving, const tile_place *p, int z, uint8_t flag,
                                                   const leaving_plane *left, real f[POPULATIONS]) {
    if (is_wall(flag) || flag == WEIR_NEAR_OPEN)
        return;
    if (flag != WEIR_FLUID)
        take_from_walls(b, p, z, moving, flag, left, f);
    const kept_moments kept = kept_of_populations(f);
    keep_at(b, 1 - parity, cell_number(b, p->x, p->y, z), &kept);
    if (is_at_face(b, p->x, p->y, z)) {
        const kept_moments sent = kept; /* what is called with its address is kept in memory */
        send_from_tile<forced>(b, r, &sent, p->x, p->y, z);
    }
}

/* What arrives at the thread's cell in a plane, but for what stays there. planes: those before, of and after it.
 */
static __device__ __forceinline__ void gather_cell(const tile_place *p, const leaving_plane *before,
                                                   const leaving_plane *own, const leaving_plane *after,
                                                   real f[POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    f[i] = (*((cz) > 0 ? before : (cz) < 0 ? after : own))[(i)-1][p->row - (cy)][p->column - (cx)];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* A barrier of the threads of a thread block at which a thread arrives first, and waits later. */
struct split_barrier {
    unsigned address;
    unsigned phase;
};

static __device__ __forceinline__ split_barrier begin_barrier(uint64_t *place, int threads) {
    const split_barrier barrier = {(unsigned)__cvta_generic_to_shared(place), 0};
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier.address), "r"(threads) : "memory");
    __syncthreads();
    return barrier;
}

static __device__ __forceinline__ void arrive_at(const split_barrier *barrier) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(barrier->address)
                 : "memory");
}

static __device__ __forceinline__ void wait_at(split_barrier *barrier) {
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier->address), "r"(barrier->phase)
                     : "memory");
    barrier->phase ^= 1;
}

/* Moments on their way from memory: of the cells of two planes, [plane % 2]. Each thread fetches for itself. */
typedef stored fetched_planes[2][KEPT_MOMENTS][TILE_THREADS];

static __device__ __forceinline__ void fetch(const weir_block_view *b, int parity, const tile_place *p, int z,
                                             int thread, fetched_planes *fetched) {
    if (p->inside && z >= 0 && z < own_extent(b, 2)) {
        const int cell = cell_number(b, p->x, p->y, z);
#pragma unroll
        for (int k = 0; k < KEPT_MOMENTS; k++)
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                             (unsigned)__cvta_generic_to_shared(&(*fetched)[z & 1][k][thread])),
                         "l"(kept_array(b, parity, k) + cell), "n"(sizeof(stored))
                         : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* The cell's moments, once all but the last that was fetched is there. */
static __device__ __forceinline__ kept_moments take_fetched(const fetched_planes *fetched, int z, int thread) {
    real numbers[KEPT_MOMENTS];
#pragma unroll
    for (int k = 0; k < KEPT_MOMENTS; k++)
        numbers[k] = real_of((*fetched)[z & 1][k][thread]);
    return kept_of_numbers(numbers);
}

/* Thread `thread` of the thread block with this tile; planes z_begin .. z_end - 1. planes: [TILE_PLANES]. */
template <bool forced>
static __device__ __forceinline__ void step_deep_tile(const weir_block_view *b, const relaxation *r, int parity,
                                                      unsigned moving, int tile_x, int tile_y, int z_begin,
                                                      int z_end, int thread, leaving_plane *planes) {
    __shared__ uint64_t barrier_place;
    fetched_planes *const fetched = (fetched_planes *)(planes + TILE_PLANES);
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const int nz = own_extent(b, 2), first = z_begin - 1, last = z_end;
    uint8_t flag = WEIR_FLUID;
    real rest = 0, rest_before = 0, rest_settled = 0;
    split_barrier barrier = begin_barrier(&barrier_place, TILE_THREADS);
    leaving_plane *plane = planes, *before[3] = {planes, planes, planes};
    fetch(b, parity, &p, first, thread, fetched);
    fetch(b, parity, &p, first + 1, thread, fetched);
    for (int z = first; z <= last; z++) {
        const int settled = z - 2;
        const bool leaves = p.inside && z >= 0 && z < nz;
        if (p.own && settled >= z_begin)
            flag = *flag_of(b, p.x, p.y, settled);
        rest_settled = rest_before;
        rest_before = rest;
        real f[POPULATIONS];
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        if (leaves) {
            const kept_moments kept = take_fetched(fetched, z, thread);
            leaving_of_kept(&kept, forced, r, f);
            rest = f[0];
        }
        fetch(b, parity, &p, z + 2 <= last ? z + 2 : -1, thread, fetched);
        if (z > first)
            wait_at(&barrier);
        if (leaves) {
#pragma unroll
            for (int i = 1; i < POPULATIONS; i++)
                (*plane)[i - 1][p.row][p.column] = f[i];
        } else if (p.there) {
            read_beyond(b, parity, p, z, plane);
        }
        arrive_at(&barrier);
        if (p.own && settled >= z_begin) {
            f[0] = rest_settled;
            gather_cell(&p, before[2], before[1], before[0], f);
            settle_cell<forced>(b, r, parity, moving, &p, settled, flag, before[1], f);
        }
        before[2] = before[1];
        before[1] = before[0];
        before[0] = plane;
        plane = plane == planes + (TILE_PLANES - 1) ? planes : plane + 1;
    }
    wait_at(&barrier);
    if (p.own) {
        real f[POPULATIONS];
        f[0] = rest_before;
        flag = *flag_of(b, p.x, p.y, last - 1);
        gather_cell(&p, before[2], before[1], before[0], f);
        settle_cell<forced>(b, r, parity, moving, &p, last - 1, flag, before[1], f);
    }
}

/* The same of a flat block, which is one plane. */
template <bool forced>
static __device__ __forceinline__ void step_flat_tile(const weir_block_view *b, const relaxation *r, int parity,
                                                      unsigned moving, int tile_x, int tile_y, int thread,
                                                      leaving_plane *plane) {
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    real f[POPULATIONS];
    if (p.inside) {
        const kept_moments kept = kept_at(b, parity, cell_number(b, p.x, p.y, 0));
        leaving_of_kept(&kept, forced, r, f);
#pragma unroll
        for (int i = 1; i < POPULATIONS; i++)
            (*plane)[i - 1][p.row][p.column] = f[i];
    } else if (p.there) {
        read_beyond(b, parity, p, 0, plane);
    }
    __syncthreads();
    if (p.own) {
        gather_cell(&p, plane, plane, plane, f);
        settle_cell<forced>(b, r, parity, moving, &p, 0, *flag_of(b, p.x, p.y, 0), plane, f);
    }
}

#endif
