/* One step of cells that keep moments, on a GPU. A thread block takes a tile of rows of a plane, with the
 * cells around it, and goes from plane to plane: each thread finds what leaves its cell, once, and puts it
 * into shared memory, where the threads of the tile gather what arrives at theirs once the planes before and
 * after are there. What comes from beyond the block is in messages. */
#ifndef WEIR_KERNELS_MOMENT_TILES_CUH
#define WEIR_KERNELS_MOMENT_TILES_CUH

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cells/moment_cells.h"
#include "codelets/kernels/cuda/shapes.h"

enum {
    TILE_ROWS = WEIR_TILE_ROWS(DIMENSIONS, POPULATIONS, REAL_BYTES),
    ROWS_AROUND = TILE_ROWS + 2,
    CELLS_AROUND = WEIR_TILE_CELLS + 2,
    TILE_THREADS = WEIR_TILE_THREADS(TILE_ROWS)
};

/* Where f*_i lies in the shared memory of a tile: real [slots of all i][ROWS_AROUND][CELLS_AROUND], the slots
 * of each i, PLACE_i and those behind it, taking turns from plane to plane. */
#define SLOTS_ALONG(cz) (DIMENSIONS == 3 ? WEIR_TILE_SLOTS_ALONG(cz) : 1)
#define PLACE_OF_PAIR_(i, o, cx, cy, cz, w)                                \
    PLACE_##i, PLACE_END_##i = PLACE_##i + SLOTS_ALONG(cz) - 1, PLACE_##o, \
               PLACE_END_##o = PLACE_##o + SLOTS_ALONG(-(cz)) - 1,
enum { FOR_FLOW_PAIRS(PLACE_OF_PAIR_) ALL_PLACES };
static_assert(ALL_PLACES == WEIR_TILE_SLOTS(DIMENSIONS, POPULATIONS), "as the host has it");

/* The turn of a plane among the slots of what moves along z, in its plane, and against z. */
struct plane_turn {
    int along, level, against;
};

static __device__ __forceinline__ int turn_of(const plane_turn *t, int cz) {
    return cz > 0 ? t->along : cz < 0 ? t->against : t->level;
}

/* So many planes later; only few. */
static __device__ __forceinline__ int turn_later(int turn, int planes, int slots) {
    return turn + planes - (turn + planes >= slots ? slots : 0);
}

static __device__ __forceinline__ plane_turn turn_after(const plane_turn *t, int planes) {
    const plane_turn later = {turn_later(t->along, planes, WEIR_TILE_SLOTS_ALONG(1)),
                              turn_later(t->level, planes, WEIR_TILE_SLOTS_ALONG(0)),
                              turn_later(t->against, planes, WEIR_TILE_SLOTS_ALONG(-1))};
    return later;
}

/* f*_i of a cell, of a plane with this turn. */
#define LEFT(memory, i, cz, turn, row, column)                                                 \
    (memory)[((PLACE_##i + (DIMENSIONS == 3 ? turn_of(turn, cz) : 0)) * ROWS_AROUND + (row)) * \
                 CELLS_AROUND +                                                                \
             (column)]

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

/* Puts what leaves a cell where others gather it. */
static __device__ __forceinline__ void leave_in_tile(real *memory, const plane_turn *turn, int row,
                                                     int column, const real f[POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) LEFT(memory, i, cz, turn, row, column) = f[i];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What leaves a cell of another block for cells of this one, from that block's message. Called, as all that
 * few threads do: expanded in place it would take registers from what all do. */
static __device__ __noinline__ void read_beyond(const weir_block_view *b, int parity, int tile_x, int tile_y,
                                                int z, int thread, plane_turn turn, real *memory) {
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const int nx = own_extent(b, 0), ny = own_extent(b, 1), nz = own_extent(b, 2);
    const int ox = p.x < 0 ? -1 : p.x >= nx, oy = p.y < 0 ? -1 : p.y >= ny, oz = z < 0 ? -1 : z >= nz;
    if (b->incoming[WEIR_OFFSET_NUMBER(ox, oy, oz)] == NULL)
        return;
    /* All are asked for before one is waited for. */
    real f[POPULATIONS];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                       \
    f[i] = 0;                                                                                        \
    if (p.x + (cx) >= 0 && p.x + (cx) < nx && p.y + (cy) >= 0 && p.y + (cy) < ny && z + (cz) >= 0 && \
        z + (cz) < nz)                                                                               \
        f[i] = real_of(*plain_source(b, parity, false, d, p.x + (cx), p.y + (cy), z + (cz)));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    leave_in_tile(memory, &turn, p.row, p.column, f);
}

/* What arrives at a cell of the tile, but for what stays there. turns: of the planes before, of and after it.
 */
static __device__ __forceinline__ void gather_cell(const real *memory, int row, int column,
                                                   const plane_turn turns[3], real f[POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    f[i] = LEFT(memory, i, cz, &turns[(cz) > 0 ? 0 : (cz) < 0 ? 2 : 1], row - (cy), column - (cx));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Sends on what is going to leave a cell with the new moments for other blocks. */
template <bool forced>
static __device__ __noinline__ void send_from_tile(const weir_block_view *b, const relaxation *r, int parity,
                                                   int x, int y, int z) {
    const kept_moments kept = kept_at(b, 1 - parity, x, y, z);
    send_kept(b, forced, r, &kept, x, y, z);
}

/* Whether something that leaves a cell there crosses a face of the block normal to x or y beyond which there
 * is another. */
static __device__ __forceinline__ bool is_at_side(const weir_block_view *b, int x, int y) {
    return (x == 0 && !domain_ends(b, 0, -1)) || (x == own_extent(b, 0) - 1 && !domain_ends(b, 0, 1)) ||
           (y == 0 && !domain_ends(b, 1, -1)) || (y == own_extent(b, 1) - 1 && !domain_ends(b, 1, 1));
}

/* Whether what arrives along c comes from beyond one of these ends. */
static __device__ __forceinline__ bool comes_from_end(unsigned ends, int cx, int cy, int cz) {
    return (cx != 0 && ends >> WEIR_FACE(0, -cx) & 1) || (cy != 0 && ends >> WEIR_FACE(1, -cy) & 1) ||
           (cz != 0 && ends >> WEIR_FACE(2, -cz) & 1);
}

/* Keeps the moments of what arrives at a cell beside walls that let nothing pass. rest: what stays there. */
static __device__ __noinline__ void settle_near_walls(const weir_block_view *b, int parity, int tile_x,
                                                      int tile_y, int z, int thread, real rest,
                                                      const plane_turn before, const plane_turn own,
                                                      const plane_turn after, const real *memory) {
    const plane_turn turns[3] = {before, own, after};
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const bool moving = *flag_of(b, p.x, p.y, z) > WEIR_NEAR_WALL;
    real f[POPULATIONS];
    f[0] = rest;
    gather_cell(memory, p.row, p.column, turns, f);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                     \
    {                                                                                              \
        const uint8_t wall = *flag_of(b, p.x - (cx), p.y - (cy), z - (cz));                        \
        if (is_wall(wall)) {                                                                       \
            const real leaving = LEFT(memory, o, -(cz), &turns[1], p.row, p.column);               \
            f[i] = moving ? reflected_by_wall(b, wall, opposite(d), (real)(w), leaving) : leaving; \
        }                                                                                          \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    const kept_moments kept = kept_of_populations(f);
    keep_at(b, 1 - parity, p.x, p.y, z, &kept);
}

/* Keeps the moments of what arrives at a cell with this flag, in `place`. moving: faces of the domain whose
 * walls move; sends: whether something that leaves the cell is another block's. */
template <bool forced>
static __device__ __forceinline__ void settle_cell(const weir_block_view *b, const relaxation *r, int parity,
                                                   unsigned moving, int tile_x, int tile_y,
                                                   const tile_place *p, int z, int thread, uint8_t flag,
                                                   bool sends, real rest, const plane_turn turns[3],
                                                   const real *memory, stored *place) {
    if (flag != WEIR_FLUID) {
        if (is_wall(flag) || weir_near_open(flag))
            return;
        if (flag != WEIR_AT_END || (ends_beside(b, p->x, p->y, z) & moving) != 0) {
            settle_near_walls(b, parity, tile_x, tile_y, z, thread, rest, turns[0], turns[1], turns[2],
                              memory);
            if (sends)
                send_from_tile<forced>(b, r, parity, p->x, p->y, z);
            return;
        }
    }
    real f[POPULATIONS];
    f[0] = rest;
    gather_cell(memory, p->row, p->column, turns, f);
    if (flag != WEIR_FLUID) {
        /* Walls at rest beyond ends of the domain are told by the place: most are there. */
        const unsigned ends = ends_beside(b, p->x, p->y, z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if (comes_from_end(ends, cx, cy, cz))      \
        f[i] = LEFT(memory, o, -(cz), &turns[1], p->row, p->column);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    const kept_moments kept = kept_of_populations(f);
    keep_in(place, &kept);
    if (sends)
        send_from_tile<forced>(b, r, parity, p->x, p->y, z);
}

/* Barriers of the threads of a thread block, one for each plane, at which a thread arrives first, and waits
 * later: two that take turns, as a thread may have arrived at the next before it waits at one. */
struct plane_barriers {
    unsigned address;
};

static __device__ __forceinline__ plane_barriers begin_barriers(uint64_t place[2], int threads) {
    const plane_barriers barriers = {(unsigned)__cvta_generic_to_shared(place)};
    if (threadIdx.x < 2)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barriers.address + 8 * threadIdx.x),
                     "r"(threads)
                     : "memory");
    __syncthreads();
    return barriers;
}

/* number: of the plane, counted from the first on. */
static __device__ __forceinline__ void arrive_at(const plane_barriers *barriers, int number) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(barriers->address +
                                                                                           8 * (number & 1))
                 : "memory");
}

static __device__ __forceinline__ void wait_at(const plane_barriers *barriers, int number) {
    unsigned done = 0;
    while (!done)
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(barriers->address + 8 * (number & 1)), "r"(number >> 1 & 1)
            : "memory");
}

/* Thread `thread` of the thread block with this tile; planes z_begin .. z_end - 1. memory: shared. What a
 * thread needs from memory it has asked for a plane before; it arrives at the barrier with what leaves its
 * cell in a plane, and waits there only when it has found what leaves it in the next. Returns whether the
 * thread met cells that it left out, near boundaries that let fluid pass. */
template <bool forced>
static __device__ __forceinline__ bool step_deep_tile(const weir_block_view *b, const relaxation *r,
                                                      int parity, unsigned moving, int tile_x, int tile_y,
                                                      int z_begin, int z_end, int thread, real *memory) {
    __shared__ uint64_t barrier_places[2];
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const int nz = own_extent(b, 2), first = z_begin - 1;
    const bool at_side = p.own && is_at_side(b, p.x, p.y);
    const int low = domain_ends(b, 2, -1) ? -1 : 0, high = domain_ends(b, 2, 1) ? -1 : nz - 1;
    /* From a plane to the next: of moments, and of flags. */
    const ptrdiff_t layer = (ptrdiff_t)own_extent(b, 1) *
                            ((own_extent(b, 0) + WEIR_KEPT_TOGETHER - 1) / WEIR_KEPT_TOGETHER) *
                            (KEPT_WORDS * WEIR_KEPT_TOGETHER);
    const int flags_layer = (int)flags_plane(b);
    const int x = p.inside ? p.x : 0, y = p.inside ? p.y : 0;
    const stored *from = kept_place(b, parity, x, y, 0) + first * layer;
    const ptrdiff_t to_others = (parity ? -1 : 1) * (ptrdiff_t)KEPT_WORDS * (ptrdiff_t)stride_of(b);
    int flag_number = (int)(flag_of(b, x, y, z_begin) - b->flags);
    kept_words next;
    uint8_t flag = WEIR_FLUID, next_flag = WEIR_FLUID;
    bool open = false;
    real rest = 0, rest_before = 0;
    const plane_barriers barriers = begin_barriers(barrier_places, TILE_THREADS);
    if (p.inside)
        next = words_in(first >= 0 ? from : from + layer);
    plane_turn turn = {0, 0, 0};
    for (int z = first; z <= z_end + 1; z++) {
        const int settled = z - 2;
        const real rest_settled = rest_before;
        rest_before = rest;
        flag = next_flag;
        if (p.inside && z >= 0 && z < nz && z <= z_end) {
            real f[POPULATIONS];
            const kept_moments kept = kept_of_words(&next);
            leaving_of_kept(&kept, forced, r, f);
            rest = f[0];
            leave_in_tile(memory, &turn, p.row, p.column, f);
        } else if (p.there && z <= z_end) {
            read_beyond(b, parity, tile_x, tile_y, z, thread, turn, memory);
        }
        arrive_at(&barriers, z - first);
        from += layer; /* to the next plane, which there may not be */
        if (p.inside && z >= 0 && z + 1 < nz && z < z_end)
            next = words_in(from);
        if (p.own && settled + 1 >= z_begin && settled + 1 < z_end) {
            next_flag = b->flags[flag_number];
            open = open || weir_near_open(next_flag);
            flag_number += flags_layer;
        }
        if (z > first)
            wait_at(&barriers, z - first - 1);
        if (p.own && settled >= z_begin) {
            /* Three, two planes and one before this one. */
            const plane_turn turns[3] = {
                {turn_after(&turn, 3).along, turn.level, turn.against},
                {turn_after(&turn, 4).along, turn_after(&turn, 3).level, turn_after(&turn, 2).against},
                {turn.along, turn.level, turn_after(&turn, 3).against}};
            settle_cell<forced>(b, r, parity, moving, tile_x, tile_y, &p, settled, thread, flag,
                                at_side || settled == low || settled == high, rest_settled, turns, memory,
                                (stored *)from + (to_others - 3 * layer));
        }
        turn = turn_after(&turn, 1);
    }
    return open;
}

/* The same of a flat block, which is one plane. */
template <bool forced>
static __device__ __forceinline__ void step_flat_tile(const weir_block_view *b, const relaxation *r,
                                                      int parity, unsigned moving, int tile_x, int tile_y,
                                                      int thread, real *memory) {
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const plane_turn turns[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    real rest = 0;
    if (p.inside) {
        const kept_moments kept = kept_at(b, parity, p.x, p.y, 0);
        real f[POPULATIONS];
        leaving_of_kept(&kept, forced, r, f);
        rest = f[0];
        leave_in_tile(memory, &turns[1], p.row, p.column, f);
    } else if (p.there) {
        read_beyond(b, parity, tile_x, tile_y, 0, thread, turns[1], memory);
    }
    __syncthreads();
    if (p.own)
        settle_cell<forced>(b, r, parity, moving, tile_x, tile_y, &p, 0, thread, *flag_of(b, p.x, p.y, 0),
                            is_at_side(b, p.x, p.y), rest, turns, memory,
                            kept_place(b, 1 - parity, p.x, p.y, 0));
}

#endif
