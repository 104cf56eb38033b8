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
static_assert((RUNS_AT_A_TIME + 1) * WEIR_STEP_THREADS <= OPEN_CELLS_WAITING, "room for all that are found");

/* The run that is a warp's in this round. Runs that follow each other belong to different warps, and each
 * round begins with another one: such cells lie in planes, in rows along y or z faces and in columns along x
 * faces, and no thread block may have many of them, whatever the block's extents (triangular numbers, and
 * what is linear added to them, meet all residues of a power of two, and most of any number). */
static __device__ __forceinline__ int run_of_warp(int round, int warp, int warps) {
    const unsigned turn = (unsigned)round, all = (unsigned)warps;
    return round * warps + (int)(((unsigned)warp + turn * (turn + 1) / 2 % all) % all);
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

/* The step of such a cell. f: room for what arrives. */
template <int parity, bool forced>
static __device__ __forceinline__ void step_open_moments(const weir_block_view *b, const relaxation *r,
                                                         direction_set walls, const surroundings *around,
                                                         int x, int y, int z, real f[POPULATIONS]) {
    const body_force body = body_force_of(r);
    real back[POPULATIONS];
    leaving_cell_of<parity, forced>(b, r, x, y, z, back);
    reflect_near_open(b, parity, walls, around, x, y, z, forced, &body, back);
    f[0] = back[0];
#pragma unroll 1
    for (int k = 0; k < POPULATIONS - 1; k++) {
        const direction d = all_directions[k];
        const bool wall = walls >> d.o & 1;
        const unsigned axes = wall ? turned_axes(around, opposite(d)) : 0;
        f[d.i] = wall && axes == 0 ? back[d.o] : arriving_past<parity, forced>(b, r, d, axes, x, y, z);
    }
#if WITH_WET
    complete_near_open(b, parity, x, y, z, forced, &body, f);
#endif
    const kept_moments kept = kept_of_populations(f);
    keep_at(b, 1 - parity, x, y, z, &kept);
    send_kept(b, forced, r, &kept, x, y, z);
}

#endif

#if ENCLOSED_CELLS

/* Whether nothing that arrives at a cell, or leaves it, crosses a face to another block: it meets walls
 * there. */
static __device__ __forceinline__ bool is_enclosed(const weir_block_view *b, int x, int y, int z) {
    const int at[3] = {x, y, z};
    bool enclosed = true;
#pragma unroll
    for (int axis = 0; axis < DIMENSIONS; axis++)
        enclosed = enclosed && (at[axis] > 0 || domain_ends(b, axis, -1)) &&
                   (at[axis] < own_extent(b, axis) - 1 || domain_ends(b, axis, 1));
    return enclosed;
}

/* Where f_i lies that arrives at such a cell, i being the number of d; wall: there is one at -c. */
template <int parity>
static __device__ __forceinline__ stored *source_enclosed(const weir_block_view *b, bool wall,
                                                          const surroundings *around, direction d, int here,
                                                          int x, int y, int z) {
    if (!parity)
        return slot_of(b, d.i, here);
    const unsigned axes = wall ? turned_axes(around, opposite(d)) : 0;
    direction way = d;
#if WITH_MIRRORS
    if (axes != 0)
        way = from_mirror(d, turned(d, axes), axes);
#endif
    return wall && axes == 0
               ? slot_of(b, d.i, here)
               : slot_of(b, way.o, entry_beside(b, here, x, y, z, -way.c[0], -way.c[1], -way.c[2]));
}

/* The step of such a cell: its populations lie a few strides from each other, and are asked for all at once.
 */
template <int parity, bool forced>
static __device__ __forceinline__ void step_enclosed_cell(const weir_block_view *b, const relaxation *r,
                                                          int x, int y, int z) {
    const direction_set walls = walls_around(b, x, y, z);
    const surroundings around = surroundings_of(b, x, y, z);
    const int here = cell_entry(b, x, y, z);
    const body_force body = body_force_of(r);
    real f[POPULATIONS];
    f[0] = real_of(*slot_of(b, 0, here));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    f[i] = real_of(*source_enclosed<parity>(b, walls >> (o)&1, &around, d, here, x, y, z));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_WET
    complete_near_open(b, parity, x, y, z, forced, &body, f);
#endif
    collide(f, forced, r);
    reflect_near_open(b, parity, walls, &around, x, y, z, forced, &body, f);
    *slot_of(b, 0, here) = stored_of(f[0]);
    /* What leaves along c goes to where what arrives against it was. */
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    *source_enclosed<parity>(b, walls >> (i)&1, &around, opposite(d), here, x, y, z) = stored_of(f[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif

/* The cell whose flag is number `number` of the block's array. */
template <int parity, bool forced>
static __device__ __forceinline__ void step_open_cell(const weir_block_view *b, const relaxation *r,
                                                      int number) {
    const int length = (int)flags_row(b), rows = own_extent(b, 1) + 2 * RING_Y;
    const int row = number / length, layer = row / rows;
    const int x = number - row * length - RING_X, y = row - layer * rows - RING_Y, z = layer - RING_Z;
    if (x < 0 || x >= own_extent(b, 0) || y < 0 || y >= own_extent(b, 1) || z < 0 || z >= own_extent(b, 2))
        return; /* another block's */
#if ENCLOSED_CELLS
    if (is_enclosed(b, x, y, z)) {
        step_enclosed_cell<parity, forced>(b, r, x, y, z);
        return;
    }
#endif
    const direction_set walls = walls_around(b, x, y, z);
    const surroundings around = surroundings_of(b, x, y, z);
    real f[POPULATIONS];
#if WITH_MOMENTS
    step_open_moments<parity, forced>(b, r, walls, &around, x, y, z, f);
#else
    f[0] = real_of(*slot_of(b, 0, cell_entry(b, x, y, z)));
#pragma unroll 1
    for (int k = 0; k < SLOTS - 1; k++) {
        const direction d = all_directions[k];
        const bool wall = walls >> d.o & 1;
        f[d.i] = real_of(
            *source_turned(b, parity, wall, wall ? turned_axes(&around, opposite(d)) : 0, d, x, y, z));
    }
    const body_force body = body_force_of(r);
#if WITH_WET
    complete_near_open(b, parity, x, y, z, forced, &body, f);
#endif
    collide(f, forced, r);
    reflect_near_open(b, parity, walls, &around, x, y, z, forced, &body, f);
    *slot_of(b, 0, cell_entry(b, x, y, z)) = stored_of(f[0]);
#pragma unroll 1
    for (int k = 0; k < SLOTS - 1; k++) {
        const direction d = all_directions[k];
        const bool wall = walls >> d.i & 1;
        send(b, parity, wall, wall ? turned_axes(&around, d) : 0, d, x, y, z, stored_of(f[d.i]));
    }
#endif
}

/* Puts the cells near open boundaries of a warp's next runs into the ring. found: so far. */
static __device__ __forceinline__ void gather_open_cells(const weir_block_view *b, int round, int warp,
                                                         int warps, int count, int *waiting, int *found) {
    const int lane = (int)threadIdx.x % WARP;
    const unsigned before = (1u << lane) - 1;
    const uint32_t *const words = (const uint32_t *)b->flags;
    int mine[WORDS_AT_A_TIME]; /* first flag of the word */
    uint32_t word[WORDS_AT_A_TIME];
#pragma unroll
    for (int k = 0; k < WORDS_AT_A_TIME; k++) {
        const int run = run_of_warp(round + k * FLAGS_OF_WORD + lane / WORDS_OF_RUN, warp, warps);
        mine[k] = run * WARP + lane % WORDS_OF_RUN * FLAGS_OF_WORD;
        word[k] = mine[k] < count ? words[mine[k] / FLAGS_OF_WORD] : 0;
    }
#pragma unroll
    for (int k = 0; k < WORDS_AT_A_TIME; k++) {
        unsigned open = gathered_in(word[k]), all[FLAGS_OF_WORD];
        if (__ballot_sync(WHOLE_WARP, open != 0) == 0)
            continue;
        if (count - mine[k] < FLAGS_OF_WORD) /* behind the last there is anything */
            open &= count > mine[k] ? (1u << (count - mine[k])) - 1 : 0;
        int sum = 0;
#pragma unroll
        for (int v = 0; v < FLAGS_OF_WORD; v++) {
            all[v] = __ballot_sync(WHOLE_WARP, open >> v & 1);
            sum += count_bits(all[v]);
        }
        int place = lane == 0 ? atomicAdd(found, sum) : 0;
        place = __shfl_sync(WHOLE_WARP, place, 0);
#pragma unroll
        for (int v = 0; v < FLAGS_OF_WORD; v++) {
            if (open >> v & 1)
                waiting[(place + count_bits(all[v] & before)) % OPEN_CELLS_WAITING] = mine[k] + v;
            place += count_bits(all[v]);
        }
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
        for (; stepped < until; stepped += WEIR_STEP_THREADS)
            if (stepped + thread < until)
                step_open_cell<parity, forced>(b, r, waiting[(stepped + thread) % OPEN_CELLS_WAITING]);
        __syncthreads(); /* before more are found */
    }
}

#endif
