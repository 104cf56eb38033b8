/* Cells near boundaries that let fluid pass, but those at open ends of rows (open_ends.cuh). What comes back
 * from these takes far longer than a step of other cells, and there are few of them in a warp of neighbours:
 * so thread blocks of their own look for them, gather as many as they have threads, and step these together,
 * while the others leave them out. A step reads and writes what is its cell's own (addressing.h), in any
 * order. */
#ifndef WEIR_KERNELS_OPEN_CELLS_CUH
#define WEIR_KERNELS_OPEN_CELLS_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cells/moment_cells.h"
#include "codelets/kernels/collision/collision.h"
#include "codelets/kernels/cuda/flows.cuh"
#include "codelets/kernels/cuda/strips.cuh"

/* Flags are read in words, of as many as a thread takes at once (layout.c has whole ones). A run is as many
 * flags as a warp has threads, and a warp reads several at a time, each thread so many words; cells that may
 * wait for their step, a power of two: fewer than a thread block has threads, and all that its warps find at
 * a time. */
enum {
    FLAGS_OF_WORD = 4,
    WORDS_OF_RUN = WARP / FLAGS_OF_WORD,
    WORDS_AT_A_TIME = 8,
    RUNS_AT_A_TIME = FLAGS_OF_WORD * WORDS_AT_A_TIME,
    OPEN_CELLS_WAITING = 64 * WEIR_STEP_THREADS
};
static_assert(FLAGS_OF_WORD * WORDS_AT_A_TIME <= WARP, "a bit for each flag");
static_assert((RUNS_AT_A_TIME + 1) * WEIR_STEP_THREADS <= OPEN_CELLS_WAITING, "room for all that are found");

/* The run that is a warp's in this round. Runs that follow each other belong to different warps, and each
 * round begins with another one: such cells lie in planes, in rows along y or z faces and in columns along x
 * faces, and no thread block may have many of them, whatever the block's extents. Fractions of multiples of
 * the golden ratio, by which rounds are turned, are far apart, as those of every second or third are. */
static __device__ __forceinline__ int run_of_warp(int round, int warp, int warps) {
    const uint32_t golden = 2654435769u; /* of 2^32 */
    const int first = (int)((uint64_t)((uint32_t)round * golden) * (uint32_t)warps >> 32);
    return round * warps + warp + first - (warp + first < warps ? 0 : warps);
}

/* Whether a cell with this flag is one of those gathered here. */
static __device__ __forceinline__ bool is_gathered(uint8_t flag) {
    return BY_ROWS && !WITH_MOMENTS ? flag == WEIR_NEAR_OPEN : weir_near_open(flag);
}

/* Those of the flags in a word, by bits. Most words have none. */
static __device__ __forceinline__ unsigned gathered_in(uint32_t word) {
    unsigned found = 0;
    if ((word & 0x80808080u) == 0)
        return 0;
#pragma unroll
    for (int k = 0; k < FLAGS_OF_WORD; k++)
        found |= (unsigned)is_gathered((uint8_t)(word >> 8 * k)) << k;
    return found;
}

/* Whether there is a way of their own for cells that exchange nothing with other blocks. */
#define ENCLOSED_CELLS (REACH == 1 && !WITH_MOMENTS && !WITH_SURFACE && !WITH_PHASES)

/* A cell near a boundary that lets fluid pass. */
struct open_cell {
    int x, y, z;
    direction_set walls;
    surroundings around;
    bool enclosed; /* is_enclosed, where such cells have a way of their own */
#if WITH_MOMENTS
    const real *note; /* f_i that arrives, but from walls (open_notes.cuh); NULL: it is to be found */
#endif
};

#if WITH_MOMENTS

/* What leaves a cell of the block. */
template <int parity, bool forced>
static __device__ __noinline__ void leaving_cell_of(const weir_block_view *b, const relaxation *r, int x,
                                                    int y, int z, real f[POPULATIONS]) {
    const kept_moments kept = kept_at(b, parity, x, y, z);
    leaving_of_kept(&kept, forced, r, f);
}

/* f_i, of direction d, that arrives at a cell past mirrors, or from anywhere but a wall. */
template <int parity, bool forced>
static __device__ __forceinline__ real arriving_past(const weir_block_view *b, const relaxation *r,
                                                     direction d, unsigned axes, int x, int y, int z) {
    direction left = d, way = d;
#if WITH_MIRRORS
    if (axes != 0) {
        left = turned(d, axes);
        way = from_mirror(d, left, axes);
    }
#else
    (void)axes;
#endif
    if (leaves_block(b, x, y, z, -way.c[0], -way.c[1], -way.c[2]))
        return real_of(*plain_source(b, parity, false, way, x, y, z));
    real there[POPULATIONS];
    leaving_cell_of<parity, forced>(b, r, x - way.c[0], y - way.c[1], z - way.c[2], there);
    return there[left.i];
}

/* What leaves such a cell. */
template <int parity, bool forced>
static __device__ __forceinline__ void arrive_and_collide(const weir_block_view *b, const relaxation *r,
                                                          const open_cell *c, stored *const *places,
                                                          real f[POPULATIONS]) {
    (void)places;
    real leaving[POPULATIONS];
    leaving_cell_of<parity, forced>(b, r, c->x, c->y, c->z, leaving);
#pragma unroll
    for (int i = 0; i < POPULATIONS; i++)
        f[i] = leaving[i];
}

/* Keeps what it is then. back: what leaves it, or comes back. */
template <int parity, bool forced>
static __device__ __forceinline__ void leave(const weir_block_view *b, const relaxation *r,
                                             const open_cell *c, stored *const *places,
                                             const real back[POPULATIONS]) {
    (void)places;
    real f[POPULATIONS], in_memory[POPULATIONS];
#pragma unroll
    for (int i = 0; i < POPULATIONS; i++)
        in_memory[i] = back[i];
    f[0] = back[0];
#pragma unroll 1
    for (int k = 0; k < POPULATIONS - 1; k++) {
        const direction d = all_directions[k];
        const bool wall = c->walls >> d.o & 1;
        const unsigned axes = wall ? turned_axes(&c->around, opposite(d)) : 0;
        if (axes != 0 || (!wall && !c->note))
            f[d.i] = arriving_past<parity, forced>(b, r, d, axes, c->x, c->y, c->z);
        else
            f[d.i] = wall ? in_memory[d.o] : c->note[d.i];
    }
#if WITH_WET
    const body_force body = body_force_of(r);
    complete_near_open(b, parity, c->x, c->y, c->z, forced, &body, f);
#endif
    const kept_moments found = kept_of_populations(f),
                       kept = keep_at(b, 1 - parity, c->x, c->y, c->z, &found);
    send_kept(b, forced, r, &kept, c->x, c->y, c->z);
}

#else

/* Before odd steps, where what arrives at a cell lies that exchanges nothing with other blocks, by number,
 * and where what leaves it against that goes; before even ones it is the cell's own. One after the other,
 * because the way is long, and an instruction that is used once takes longer to come than to do. */
static __device__ __forceinline__ void find_enclosed(const weir_block_view *b, const open_cell *c,
                                                     stored *places[SLOTS]) {
    const int here = cell_entry(b, c->x, c->y, c->z);
#pragma unroll 1
    for (int k = 0; k < SLOTS - 1; k++) {
        const direction d = all_directions[k];
        const bool wall = c->walls >> d.o & 1;
        const unsigned axes = wall ? turned_axes(&c->around, opposite(d)) : 0;
        direction way = d;
#if WITH_MIRRORS
        if (axes != 0)
            way = from_mirror(d, turned(d, axes), axes);
#endif
        places[d.i] =
            wall && axes == 0
                ? slot_of(b, d.i, here)
                : slot_of(b, way.o, entry_beside(b, here, c->x, c->y, c->z, -way.c[0], -way.c[1], -way.c[2]));
    }
}

/* What leaves a cell, before anything comes back. places: of find_enclosed, where it is enclosed. */
template <int parity, bool forced>
static __device__ __forceinline__ void arrive_and_collide(const weir_block_view *b, const relaxation *r,
                                                          const open_cell *c, stored *const places[SLOTS],
                                                          real f[POPULATIONS]) {
    const int here = cell_entry(b, c->x, c->y, c->z);
    f[0] = real_of(*slot_of(b, 0, here));
    if (c->enclosed) { /* asked for all at once */
#define WEIR_DIRECTION(i, ...) f[i] = real_of(*(parity ? places[i] : slot_of(b, i, here)));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    } else {
        real in_memory[POPULATIONS];
#pragma unroll 1
        for (int k = 0; k < SLOTS - 1; k++) {
            const direction d = all_directions[k];
            const bool wall = c->walls >> d.o & 1;
            in_memory[d.i] = real_of(*source_turned(
                b, parity, wall, wall ? turned_axes(&c->around, opposite(d)) : 0, d, c->x, c->y, c->z));
        }
#define WEIR_DIRECTION(i, ...) f[i] = in_memory[i];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#if WITH_WET
    const body_force body = body_force_of(r);
    complete_near_open(b, parity, c->x, c->y, c->z, forced, &body, f);
#endif
    collide(f, forced, r);
}

/* Sends on what leaves it, or leaves there what comes back. */
template <int parity, bool forced>
static __device__ __forceinline__ void leave(const weir_block_view *b, const relaxation *r,
                                             const open_cell *c, stored *const places[SLOTS],
                                             const real f[POPULATIONS]) {
    (void)r;
    const int here = cell_entry(b, c->x, c->y, c->z);
    *slot_of(b, 0, here) = stored_of(f[0]);
    if (c->enclosed) {
#define WEIR_DIRECTION(i, o, ...) *(parity ? places[o] : slot_of(b, o, here)) = stored_of(f[i]);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        return;
    }
    real in_memory[POPULATIONS];
#define WEIR_DIRECTION(i, ...) in_memory[i] = f[i];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#pragma unroll 1
    for (int k = 0; k < SLOTS - 1; k++) {
        const direction d = all_directions[k];
        const bool wall = c->walls >> d.i & 1;
        send(b, parity, wall, wall ? turned_axes(&c->around, d) : 0, d, c->x, c->y, c->z,
             stored_of(in_memory[d.i]));
    }
}

#endif

/* The thread whose cell has the link of this number, if the links of a warp's cells are numbered through.
 * before: how many those of the threads before this one have; who has none has the number of the next. */
static __device__ __forceinline__ int thread_with_link(int before, int number) {
    int thread = 0;
#pragma unroll
    for (int half = WARP / 2; half > 0; half /= 2)
        thread += __shfl_sync(WHOLE_WARP, before, thread + half) <= number ? half : 0;
    return thread;
}

/* Number k of the directions of a set. */
static __device__ __forceinline__ int direction_in_set(direction_set set, int k) {
    for (; k > 0; k--)
        set &= set - 1;
    return lowest_bit(set);
}

/* Replaces what leaves a warp's cells along links that are taken one by one, each by a thread of its own:
 * one cell has a single link and another nine, and most threads may have no cell. */
static __device__ __forceinline__ void reflect_together(const weir_block_view *b, int parity,
                                                        const open_cell *c, const boundary_cell *at,
                                                        real f[POPULATIONS]) {
    const int lane = (int)threadIdx.x % WARP;
    const int count = directions_of(at->links), up_to = sum_up_to_thread(count), before = up_to - count;
    const int all = __shfl_sync(WHOLE_WARP, up_to, WARP - 1), share = (int)threadIdx.x % WEIR_FLOW_SHARES;
    boundary_sums sums;
    memset(&sums, 0, sizeof sums);
#pragma unroll 1
    for (int first = 0; first < all; first += WARP) {
        const int number = first + lane, thread = thread_with_link(before, number);
        const int of_cell = number - __shfl_sync(WHOLE_WARP, before, thread);
        const direction_set links = of_thread(at->links, thread), walls = of_thread(at->walls, thread);
        const int i = number < all ? direction_in_set(links, of_cell) : 1;
        const direction d = all_directions[i - 1];
        const moments cell = of_thread(at->moments, thread);
        const surroundings around = of_thread(c->around, thread);
        const int x = __shfl_sync(WHOLE_WARP, c->x, thread), y = __shfl_sync(WHOLE_WARP, c->y, thread),
                  z = __shfl_sync(WHOLE_WARP, c->z, thread);
        real leaving = 0, leaving_back = 0, back = 0;
#define WEIR_DIRECTION(k, ...)                                                   \
    {                                                                            \
        const real population = __shfl_sync(WHOLE_WARP, at->leaving[k], thread); \
        leaving = i == (k) ? population : leaving;                               \
        leaving_back = d.o == (k) ? population : leaving_back;                   \
    }
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        if (number < all) {
            const boundary_link link = {flag_beside(b, d, x, y, z), d, flow_weights[i - 1], x, y, z, NULL};
            back = met_along(b, parity, share, walls, &link, &around, leaving, leaving_back, &cell, &sums);
        }
        int place = before - first;
#define WEIR_DIRECTION(k, ...)                                                     \
    {                                                                              \
        const bool met = at->links >> (k)&1;                                       \
        const real population = __shfl_sync(WHOLE_WARP, back, place & (WARP - 1)); \
        f[k] = met && (unsigned)place < (unsigned)WARP ? population : f[k];        \
        place += met;                                                              \
    }
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    }
    add_flow(b, parity, share, &sums);
}

/* Of walls_around. */
static __device__ __forceinline__ direction_set walls_of_open_cell(const weir_block_view *b,
                                                                   const open_cell *c) {
#if WITH_MIRRORS && REACH == 1
    (void)b;
    direction_set walls = 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    walls |= (direction_set)(c->around.walls >> WEIR_OFFSET_NUMBER(cx, cy, cz) & 1) << (i);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return walls;
#else
    return walls_around(b, c->x, c->y, c->z);
#endif
}

/* The step of the cell whose flag is number `number` of the block's array; negative: of none. note: of those
 * that keep moments, what is noted of it. All threads of a warp get here. */
template <int parity, bool forced>
static __device__ __forceinline__ void step_open_cell(const weir_block_view *b, const relaxation *r,
                                                      int number, const real *note = NULL) {
    const int length = (int)flags_row(b), rows = own_extent(b, 1) + 2 * RING_Y;
    const int row = number / length, layer = row / rows;
    open_cell c = {};
    c.x = number - row * length - RING_X;
    c.y = row - layer * rows - RING_Y;
    c.z = layer - RING_Z;
#if WITH_MOMENTS
    c.note = note;
#else
    (void)note;
#endif
    const bool here = number >= 0 && c.x >= 0 && c.x < own_extent(b, 0) && c.y >= 0 &&
                      c.y < own_extent(b, 1) && c.z >= 0 && c.z < own_extent(b, 2); /* else another block's */
    const body_force body = body_force_of(r);
    stored *places[SLOTS];
    real f[POPULATIONS] = {};
    boundary_cell at = {};
    boundary_sums sums;
    memset(&sums, 0, sizeof sums);
    if (here) {
        c.around = surroundings_of(b, c.x, c.y, c.z);
        c.walls = walls_of_open_cell(b, &c);
        c.enclosed = ENCLOSED_CELLS && is_enclosed(b, c.x, c.y, c.z);
#if ENCLOSED_CELLS
        if (parity && c.enclosed)
            find_enclosed(b, &c, places);
#endif
        arrive_and_collide<parity, forced>(b, r, &c, places, f);
        begin_at_boundaries(b, c.walls, c.x, c.y, c.z, forced, &body, f, &at);
    }
    reflect_together(b, parity, &c, &at, f);
    if (here) {
        const int share = share_of(c.x, c.y, c.z);
        end_at_boundaries(b, parity, share, &at, &c.around, c.x, c.y, c.z, f, &sums);
        add_flow(b, parity, share, &sums);
        leave<parity, forced>(b, r, &c, places, f);
    }
}

/* The first flag of word k of those that a thread takes at a time. */
static __device__ __forceinline__ int first_of_word(int round, int k, int warp, int warps) {
    const int lane = (int)threadIdx.x % WARP;
    const int run = run_of_warp(round + k * FLAGS_OF_WORD + lane / WORDS_OF_RUN, warp, warps);
    return run * WARP + lane % WORDS_OF_RUN * FLAGS_OF_WORD;
}

/* Puts the cells near open boundaries of a warp's next runs into the ring. found: so far. */
static __device__ __forceinline__ void gather_open_cells(const weir_block_view *b, int round, int warp,
                                                         int warps, int count, int *waiting, int *found) {
    const uint32_t *const words = (const uint32_t *)b->flags;
    uint32_t word[WORDS_AT_A_TIME];
#pragma unroll
    for (int k = 0; k < WORDS_AT_A_TIME; k++) {
        const int first = first_of_word(round, k, warp, warps), left = count - first;
        word[k] = left > 0 ? words[first / FLAGS_OF_WORD] : 0;
        if (left > 0 && left < FLAGS_OF_WORD) /* behind the last there is anything */
            word[k] &= (1u << 8 * left) - 1;
    }
    uint32_t open = 0; /* flags of all words, by bits */
#pragma unroll
    for (int k = 0; k < WORDS_AT_A_TIME; k++)
        open |= gathered_in(word[k]) << k * FLAGS_OF_WORD;
    const int mine = count_bits(open), up_to = sum_up_to_thread(mine);
    const int all = __shfl_sync(WHOLE_WARP, up_to, WARP - 1);
    if (all == 0)
        return;
    int place = threadIdx.x % WARP == 0 ? atomicAdd(found, all) : 0;
    place = __shfl_sync(WHOLE_WARP, place, 0) + up_to - mine;
#pragma unroll 1
    for (; open != 0; open &= open - 1) {
        const int flag = lowest_bit(open);
        waiting[place++ % OPEN_CELLS_WAITING] =
            first_of_word(round, flag / FLAGS_OF_WORD, warp, warps) + flag % FLAGS_OF_WORD;
    }
}

/* The ring, the same for both parities. */
static __device__ __forceinline__ int *waiting_cells() {
    __shared__ int waiting[OPEN_CELLS_WAITING];
    return waiting;
}

/* Thread block number `number` of `thread_blocks` that look for such cells (open_cell_blocks). */
template <int parity, bool forced>
static __device__ __forceinline__ void step_open_cells(const weir_block_view *b, const relaxation *r,
                                                       int number, int thread_blocks) {
    __shared__ int found; /* so far */
    int *const waiting = waiting_cells();
    constexpr int of_block = WEIR_STEP_THREADS / WARP;
    const int thread = (int)threadIdx.x;
    const int warp = number * of_block + thread / WARP, warps = thread_blocks * of_block;
    const int count = flags_row(b) * (own_extent(b, 1) + 2 * RING_Y) * (own_extent(b, 2) + 2 * RING_Z);
    int stepped = 0;
    if (thread == 0)
        found = 0;
    __syncthreads();
    for (int round = 0, end = 0; !end; round += RUNS_AT_A_TIME) {
        end = round * warps * WARP >= count;
        if (!end)
            gather_open_cells(b, round, warp, warps, count, waiting, &found);
        __syncthreads();
        /* One place where cells are stepped, so that there is their way once; at the end those are left for
         * which not all threads are needed. */
        const int all = found, until = end ? all : all - (all - stepped) % WEIR_STEP_THREADS;
        for (; stepped < until; stepped += WEIR_STEP_THREADS) {
            /* Of few each warp has some. */
            const int next = until - stepped < WEIR_STEP_THREADS ? until - stepped : WEIR_STEP_THREADS;
            const int share = (next - 1) / of_block + 1, place = thread / WARP * share + thread % WARP;
            const bool has = thread % WARP < share && place < next;
            step_open_cell<parity, forced>(b, r, has ? waiting[(stepped + place) % OPEN_CELLS_WAITING] : -1);
        }
        __syncthreads(); /* before more are found */
    }
}

#endif
