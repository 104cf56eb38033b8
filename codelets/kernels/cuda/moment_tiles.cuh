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

extern __shared__ __align__(16) unsigned char tile_memory[];

/* Where f*_i lies in the shared memory of a tile: real [slots of all i][ROWS_AROUND][CELLS_AROUND], the slots
 * of each i, PLACE_i and those behind it, taking turns from plane to plane. Addresses are those of the shared
 * memory, in bytes, as there are more of them than of anything else in a step. */
#define SLOTS_ALONG(cz) (DIMENSIONS == 3 ? WEIR_TILE_SLOTS_ALONG(cz) : 1)
#define PLACE_OF_PAIR_(i, o, cx, cy, cz, w)                                \
    PLACE_##i, PLACE_END_##i = PLACE_##i + SLOTS_ALONG(cz) - 1, PLACE_##o, \
               PLACE_END_##o = PLACE_##o + SLOTS_ALONG(-(cz)) - 1,
enum { FOR_FLOW_PAIRS(PLACE_OF_PAIR_) ALL_PLACES };
static_assert(ALL_PLACES == WEIR_TILE_SLOTS(DIMENSIONS, POPULATIONS), "as the host has it");
enum { SLOT_BYTES = ROWS_AROUND * CELLS_AROUND * REAL_BYTES };

/* The addresses of a cell in the slots of a plane: of what moves along z, in its plane, and against z; of the
 * first direction of each. */
struct tile_slots {
    unsigned along, level, against;
};

static __device__ __forceinline__ unsigned slot_along(const tile_slots *s, int cz) {
    return cz > 0 ? s->along : cz < 0 ? s->against : s->level;
}

/* That so many planes before, of slots that take turns; first: the address in the first of them. */
static __device__ __forceinline__ unsigned slot_before(unsigned slot, unsigned first, int planes, int slots) {
    return slot - first >= (unsigned)(planes * SLOT_BYTES) ? slot - (unsigned)(planes * SLOT_BYTES)
                                                           : slot + (unsigned)((slots - planes) * SLOT_BYTES);
}

static __device__ __forceinline__ tile_slots slots_before(const tile_slots *s, unsigned first, int along,
                                                          int level, int against) {
    const tile_slots before = {slot_before(s->along, first, along, WEIR_TILE_SLOTS_ALONG(1)),
                               slot_before(s->level, first, level, WEIR_TILE_SLOTS_ALONG(0)),
                               slot_before(s->against, first, against, WEIR_TILE_SLOTS_ALONG(-1))};
    return before;
}

/* Those of the next plane. */
static __device__ __forceinline__ tile_slots slots_after(const tile_slots *s, unsigned first) {
    return slots_before(s, first, WEIR_TILE_SLOTS_ALONG(1) - 1, WEIR_TILE_SLOTS_ALONG(0) - 1,
                        WEIR_TILE_SLOTS_ALONG(-1) - 1);
}

/* Reads and writes so many bytes behind an address. */
template <int more> static __device__ __forceinline__ real shared_at(unsigned address) {
    real value;
#if REAL_BYTES == 8
    asm volatile("ld.shared.f64 %0, [%1 + %2];" : "=d"(value) : "r"(address), "n"(more) : "memory");
#else
    asm volatile("ld.shared.f32 %0, [%1 + %2];" : "=f"(value) : "r"(address), "n"(more) : "memory");
#endif
    return value;
}

template <int more> static __device__ __forceinline__ void set_shared_at(unsigned address, real value) {
#if REAL_BYTES == 8
    asm volatile("st.shared.f64 [%0 + %1], %2;" ::"r"(address), "n"(more), "d"(value) : "memory");
#else
    asm volatile("st.shared.f32 [%0 + %1], %2;" ::"r"(address), "n"(more), "f"(value) : "memory");
#endif
}

/* Where f*_i of the neighbour at c of a cell with this address lies, of direction i, in bytes behind it. */
#define LEFT_AT(i, cx, cy) (((PLACE_##i * ROWS_AROUND + (cy)) * CELLS_AROUND + (cx)) * REAL_BYTES)

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

/* The address of a thread's cell in the first slot of all. */
static __device__ __forceinline__ unsigned address_in_tile(const tile_place *p) {
    return (unsigned)__cvta_generic_to_shared(tile_memory) +
           (unsigned)((p->row * CELLS_AROUND + p->column) * REAL_BYTES);
}

/* Puts what leaves a cell where others gather it. */
static __device__ __forceinline__ void leave_in_tile(const tile_slots *own, const real f[POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) set_shared_at<LEFT_AT(i, 0, 0)>(slot_along(own, cz), f[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What leaves a cell of another block for cells of this one, from that block's message. Called, as all that
 * few threads do: expanded in place it would take registers from what all do. */
static __device__ __noinline__ void read_beyond(const weir_block_view *b, int parity, int tile_x, int tile_y,
                                                int z, int thread, const tile_slots own) {
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
    leave_in_tile(&own, f);
}

/* The addresses of a cell of the tile: in the slots of its own plane, and of what arrives there, from the
 * planes before, of and after it. */
struct tile_sources {
    tile_slots own, arriving;
};

/* What arrives at a cell of the tile, but for what stays there. */
static __device__ __forceinline__ void gather_cell(const tile_slots *arriving, real f[POPULATIONS]) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    f[i] = shared_at<LEFT_AT(i, -(cx), -(cy))>(slot_along(arriving, cz));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#include "codelets/kernels/cuda/open_notes.cuh"

/* f*_o of the cell itself. */
#define LEFT_AGAINST(sources, o, cz) shared_at<LEFT_AT(o, 0, 0)>(slot_along(&(sources)->own, -(cz)))

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
                                                      const tile_sources sources) {
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const bool moving = *flag_of(b, p.x, p.y, z) > WEIR_NEAR_WALL;
    real f[POPULATIONS];
    f[0] = rest;
    gather_cell(&sources.arriving, f);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                     \
    {                                                                                              \
        const uint8_t wall = *flag_of(b, p.x - (cx), p.y - (cy), z - (cz));                        \
        if (is_wall(wall)) {                                                                       \
            const real leaving = LEFT_AGAINST(&sources, o, cz);                                    \
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
                                                   const tile_place *p, int z_begin, int z, int thread,
                                                   uint8_t flag, bool sends, real rest,
                                                   const tile_sources *sources, stored *place) {
    if (flag != WEIR_FLUID) {
        if (is_wall(flag) || weir_near_open(flag)) {
#if WITH_OPEN_TILES
            if (weir_near_open(flag))
                note_open_cell(sources->arriving, (int)(flag_of(b, p->x, p->y, z) - b->flags), z - z_begin,
                               p->row - 1, p->column - 1);
#endif
            return;
        }
        if (flag != WEIR_AT_END || (ends_beside(b, p->x, p->y, z) & moving) != 0) {
            settle_near_walls(b, parity, tile_x, tile_y, z, thread, rest, *sources);
            if (sends)
                send_from_tile<forced>(b, r, parity, p->x, p->y, z);
            return;
        }
    }
    real f[POPULATIONS];
    f[0] = rest;
    gather_cell(&sources->arriving, f);
    if (flag != WEIR_FLUID) {
        /* Walls at rest beyond ends of the domain are told by the place: most are there. */
        const unsigned ends = ends_beside(b, p->x, p->y, z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if (comes_from_end(ends, cx, cy, cz))      \
        f[i] = LEFT_AGAINST(sources, o, cz);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    const kept_moments kept = kept_of_populations(f);
    keep_in(place, &kept);
    if (sends)
        send_from_tile<forced>(b, r, parity, p->x, p->y, z);
}

/* Barriers of the threads of a thread block, one for each plane, at which a thread arrives first, and waits
 * later: two that take turns, as a thread may have arrived at the next before it waits at one. Returns the
 * address of the first plane's; that of the next is at OTHER_BARRIER (exclusive or). */
enum { OTHER_BARRIER = sizeof(uint64_t) };

static __device__ __forceinline__ unsigned begin_barriers(uint64_t place[2], int threads) {
    const unsigned address = (unsigned)__cvta_generic_to_shared(place);
    if (threadIdx.x < 2)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address + OTHER_BARRIER * threadIdx.x),
                     "r"(threads)
                     : "memory");
    __syncthreads();
    return address;
}

static __device__ __forceinline__ void arrive_at(unsigned barrier) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(barrier)
                 : "memory");
}

/* number: of the plane, counted from the first on. */
static __device__ __forceinline__ void wait_at(unsigned barrier, int number) {
    unsigned done = 0;
    while (!done)
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(barrier), "r"(number >> 1 & 1)
            : "memory");
}

/* Brings the moments of a cell into the GPU's cache. */
static __device__ __forceinline__ void fetch_ahead_of(const stored *place) {
#pragma unroll
    for (int k = 0; k < KEPT_WORDS; k++)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(place + k * WEIR_KEPT_TOGETHER));
}

/* Whether first <= number < first + count. */
static __device__ __forceinline__ bool is_among(int number, int first, int count) {
    return (unsigned)(number - first) < (unsigned)count;
}

/* Thread `thread` of the thread block with this tile; planes z_begin .. z_end - 1. What a thread needs from
 * memory it has asked for a plane before: the flag first, as the processor waits for all that it has asked
 * for since (docs/measured/2026-11-29-mixed-moments.md). It arrives at the barrier with what leaves its cell
 * in a plane, and waits there only when it has found what leaves it in the next. Returns whether the thread
 * met cells that it left out, near boundaries that let fluid pass. */
template <bool forced>
static __device__ __forceinline__ bool step_deep_tile(const weir_block_view *b, const relaxation *r,
                                                      int parity, unsigned moving, int tile_x, int tile_y,
                                                      int z_begin, int z_end, int thread) {
    __shared__ __align__(2 * OTHER_BARRIER) uint64_t barrier_places[2];
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const int nz = own_extent(b, 2), first = z_begin - 1;
    const bool at_side = p.own && is_at_side(b, p.x, p.y);
    const int low = domain_ends(b, 2, -1) ? -1 : 0, high = domain_ends(b, 2, 1) ? -1 : nz - 1;
    const int x = p.inside ? p.x : 0, y = p.inside ? p.y : 0;
    /* From a plane to the next: of moments, and of flags. */
    const ptrdiff_t layer = (ptrdiff_t)own_extent(b, 1) *
                            ((own_extent(b, 0) + WEIR_KEPT_TOGETHER - 1) / WEIR_KEPT_TOGETHER) *
                            (KEPT_WORDS * WEIR_KEPT_TOGETHER);
    const ptrdiff_t flags_layer = flags_plane(b);
    const stored *from = kept_place(b, parity, x, y, 0) + first * layer;
    /* From the moments of the plane after the one that is come to, to the new ones of the one that is
     * settled. */
    const ptrdiff_t to_settled =
        (parity ? -1 : 1) * (ptrdiff_t)KEPT_WORDS * (ptrdiff_t)stride_of(b) - 3 * layer;
    const uint8_t *flag_place = flag_of(b, x, y, z_begin);
    /* Planes are counted from the first on, which may be one before the block: those of the block come from
     * `inner` on. Two are come to before the first of the tile is settled, and one after the last. */
    enum { BEFORE = 3 };
    const int planes = z_end - z_begin, inner = first < 0 ? 1 : 0,
              inner_planes = p.inside ? (z_end < nz ? planes + 2 : planes + 1) - inner : 0,
              all_planes = p.there ? planes + 2 : 0, settled_planes = p.own ? planes : 0;
    /* Whether anything leaves for other blocks from here. */
    const bool may_send = at_side || (low >= z_begin && low < z_end) || (high >= z_begin && high < z_end);
    /* Cells at both ends of rows are fetched by the tiles that have them. */
    const int fetched_planes = thread / 32 < ROWS_AROUND && inner_planes > 2 ? inner_planes - 2 : 0;
    const unsigned cell = address_in_tile(&p);
    tile_slots slots = {cell, cell, cell};
#if WITH_OPEN_TILES
    begin_notes(thread);
#endif
    unsigned barrier = begin_barriers(barrier_places, TILE_THREADS);
    kept_words next;
    unsigned next_flag = WEIR_FLUID;
    bool open = false;
    real rest = 0, rest_before = 0;
    if (p.inside)
        next = words_in(from + inner * layer);
    for (int number = 0; number < planes + BEFORE; number++) {
        const real rest_settled = rest_before;
        const unsigned flag = next_flag;
        rest_before = rest;
        if (is_among(number + 1, BEFORE, settled_planes)) {
            next_flag = *flag_place;
            flag_place += flags_layer;
        }
        if (is_among(number, inner, inner_planes)) {
            real f[POPULATIONS];
            const kept_moments kept = kept_of_words(&next);
            leaving_of_kept(&kept, forced, r, f);
            rest = f[0];
            leave_in_tile(&slots, f);
        } else if (number < all_planes) {
            read_beyond(b, parity, tile_x, tile_y, first + number, thread, slots);
        }
        arrive_at(barrier);
        barrier ^= OTHER_BARRIER;
        from += layer; /* to the next plane, which there may not be */
        if (is_among(number, inner, inner_planes - 1 > 0 ? inner_planes - 1 : 0))
            next = words_in(from);
        if (is_among(number, inner, fetched_planes))
            fetch_ahead_of(from + layer);
        wait_at(barrier, number - 1); /* nobody waits before the first */
        if (is_among(number, BEFORE, settled_planes)) {
            const int z = first + number - 2;
            const tile_sources sources = {slots_before(&slots, cell, 2, 2, 2),
                                          slots_before(&slots, cell, 3, 2, 1)};
            settle_cell<forced>(b, r, parity, moving, tile_x, tile_y, &p, z_begin, z, thread, (uint8_t)flag,
                                may_send && (at_side || z == low || z == high), rest_settled, &sources,
                                (stored *)from + to_settled);
            open = open || weir_near_open((uint8_t)flag);
        }
        slots = slots_after(&slots, cell);
    }
    return open;
}

/* The same of a flat block, which is one plane. */
template <bool forced>
static __device__ __forceinline__ void step_flat_tile(const weir_block_view *b, const relaxation *r,
                                                      int parity, unsigned moving, int tile_x, int tile_y,
                                                      int thread) {
    const tile_place p = place_in_tile(b, tile_x, tile_y, thread);
    const unsigned cell = address_in_tile(&p);
    const tile_slots own = {cell, cell, cell};
    real rest = 0;
    if (p.inside) {
        const kept_moments kept = kept_at(b, parity, p.x, p.y, 0);
        real f[POPULATIONS];
        leaving_of_kept(&kept, forced, r, f);
        rest = f[0];
        leave_in_tile(&own, f);
    } else if (p.there) {
        read_beyond(b, parity, tile_x, tile_y, 0, thread, own);
    }
    __syncthreads();
    if (p.own) {
        const tile_sources sources = {own, own};
        settle_cell<forced>(b, r, parity, moving, tile_x, tile_y, &p, 0, 0, thread, *flag_of(b, p.x, p.y, 0),
                            is_at_side(b, p.x, p.y), rest, &sources, kept_place(b, 1 - parity, p.x, p.y, 0));
    }
}

#endif
