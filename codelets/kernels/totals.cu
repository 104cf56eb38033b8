/* Totals of a block, on a GPU. Sums are of integers (totals.h), so the order in which threads add does not
 * matter. */
#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/boundary/surfaces.h"
#include "codelets/kernels/cuda/observed_cells.cuh"
#include "codelets/kernels/kernels.h"

#include <stddef.h>

typedef unsigned long long word;

enum { THREADS = WEIR_TOTALS_THREADS, WARP = 32, WARPS = THREADS / WARP };

static constexpr unsigned WHOLE_WARP = 0xffffffffu;

/* Thread blocks stride over the block of cells and add to the few words of the result once, because atomic
 * additions to one word take turns. So there are as many of them as are resident at a time, by their
 * registers. */
enum { RESIDENT_BLOCKS = WEIR_TOTALS_BLOCKS(POPULATIONS, REAL_BYTES) };

/* What every cell adds to, as the first words of struct weir_partial_totals: sums, then maxima. The scalar's
 * or internal energy's, which comes before all, is left out where there is none. */
enum { FIRST_WORD = WITH_FIFTH ? 0 : 2, SUM_WORDS = 12 - FIRST_WORD, WORDS = SUM_WORDS + 2 };

struct thread_totals {
#if WITH_FIFTH
    weir_exact_sum fifth;
#endif
    weir_exact_sum mass_excess, momentum[3], kinetic_energy;
    word largest_square, largest_square_place;
};
static_assert(sizeof(thread_totals) == WORDS * sizeof(word), "in the same order");

static __device__ __forceinline__ void accumulate(weir_exact_sum *sum, double value) {
    const weir_exact_sum part = exact_of(value);
    sum->high += part.high;
    sum->low += part.low;
}

static __device__ __forceinline__ void add_cell(const moments *m, real excess, double limit_square,
                                                int number, thread_totals *t, weir_partial_totals *totals) {
    const cell_totals c = cell_totals_of(m, excess, limit_square);
    if (!c.sound) {
        atomicMin((word *)&totals->diverged_cell, (word)number);
        return;
    }
#if WITH_FIFTH
    accumulate(&t->fifth, c.fifth);
#endif
    accumulate(&t->mass_excess, c.mass_excess);
    accumulate(&t->kinetic_energy, c.kinetic_energy);
    for (int axis = 0; axis < 3; axis++)
        accumulate(&t->momentum[axis], c.momentum[axis]);
    t->largest_square = max(t->largest_square, (word)bits_of_double(c.square));
    t->largest_square_place = max(t->largest_square_place, (word)packed_place(c.square, (uint32_t)number));
}

static __device__ __forceinline__ word joined(int k, word a, word b) {
    return k < SUM_WORDS ? a + b : max(a, b);
}

/* Word k of all threads of the warp; in its first thread. */
static __device__ __forceinline__ word of_warp(int k, word value) {
    for (int step = WARP / 2; step > 0; step /= 2)
        value = joined(k, value, __shfl_down_sync(WHOLE_WARP, value, step));
    return value;
}

static __device__ __forceinline__ void add_of_block(const thread_totals *t, weir_partial_totals *totals) {
    __shared__ word of_warps[WARPS][WORDS];
    word words[WORDS];
    memcpy(words, t, sizeof words);
    for (int k = 0; k < WORDS; k++) {
        const word sum = of_warp(k, words[k]);
        if (threadIdx.x % WARP == 0)
            of_warps[threadIdx.x / WARP][k] = sum;
    }
    __syncthreads();
    const int k = (int)threadIdx.x;
    if (k >= WORDS)
        return;
    word sum = of_warps[0][k];
    for (int warp = 1; warp < WARPS; warp++)
        sum = joined(k, sum, of_warps[warp][k]);
    if (k < SUM_WORDS)
        atomicAdd((word *)totals + FIRST_WORD + k, sum);
    else
        atomicMax((word *)totals + FIRST_WORD + k, sum);
}

template <int parity>
static __device__ __forceinline__ void add_cells(const weir_block_view &b, const weir_fluid &fluid,
                                                 const cell_numbers &numbers, int cells, double limit_square,
                                                 weir_partial_totals *totals) {
    const int stride = (int)(gridDim.x * THREADS);
    thread_totals t = {};
    int number = (int)(blockIdx.x * THREADS + threadIdx.x);
    uint8_t flag = number < cells ? flag_at(&b, place_of(&b, &numbers, number)) : (uint8_t)1;
    while (number < cells) {
        /* The next flag is asked for before the populations, which wait for this one. */
        const int following = number + stride;
        const uint8_t next_flag =
            following < cells ? flag_at(&b, place_of(&b, &numbers, following)) : (uint8_t)1;
        if (!is_wall(flag)) {
            real f[POPULATIONS], excess;
            const moments m =
                observe_mass(&b, &fluid, parity, flag, place_of(&b, &numbers, number), f, &excess);
            add_cell(&m, excess, limit_square, number, &t, totals);
        }
#if WITH_SURFACE
        if (is_gas(&b, flag)) {
            const cell_place place = place_of(&b, &numbers, number);
            accumulate(&t.mass_excess, (double)mass_in_gas(&b, place.x, place.y, place.z));
        }
#endif
        number = following;
        flag = next_flag;
    }
    add_of_block(&t, totals);
}

#define ADD_CELLS(name, parity)                                                                   \
    extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS)                        \
        name(const __grid_constant__ weir_block_view b, const __grid_constant__ weir_fluid fluid, \
             const __grid_constant__ cell_numbers numbers, int cells, double limit_square,        \
             weir_partial_totals *totals) {                                                       \
        add_cells<parity>(b, fluid, numbers, cells, limit_square, totals);                        \
    }
ADD_CELLS(add_cells_even, 0)
ADD_CELLS(add_cells_odd, 1)

/* ---- forces on walls -------------------------------------------------------------------------------------
 */

/* What a thread has added up of the force on one wall. */
struct wall_force {
    int wall; /* 0: none yet */
    weir_exact_sum force[3];
#if WITH_SCALAR
    weir_exact_sum scalar; /* of a scalar, from the wall */
#endif
};

static __device__ __forceinline__ void add_force(weir_exact_sum *sum, const weir_exact_sum *part) {
    atomicAdd((word *)&sum->high, (word)part->high);
    atomicAdd((word *)&sum->low, (word)part->low);
}

static __device__ __forceinline__ void turn_to_wall(wall_force *f, int wall, weir_partial_totals *totals) {
    if (wall == f->wall)
        return;
    if (f->wall != 0)
        for (int axis = 0; axis < 3; axis++)
            add_force(&totals->force[f->wall][axis], &f->force[axis]);
#if WITH_SCALAR
    if (f->wall != 0)
        add_force(&totals->scalar_flow[f->wall], &f->scalar);
#endif
    *f = wall_force{};
    f->wall = wall;
}

/* f_i that came back from a wall at the cell, which waits in its own slot, whatever the parity, so no other
 * cell is looked at; of cells that keep moments: that is going to come back. left: what leaves the cell then.
 */
static __device__ __forceinline__ real come_back(const weir_block_view *b, const real *left, direction d,
                                                 uint8_t wall, real weight, cell_place p) {
#if WITH_MOMENTS
    return reflected_by_wall(b, wall, opposite(d), weight, left[d.o]);
#else
    return real_of(*slot_of(b, d.i, cell_entry(b, p.x, p.y, p.z)));
#endif
}

static __device__ __forceinline__ void add_forces_of_cell(const weir_block_view *b, const weir_fluid *fluid,
                                                          int parity, cell_place p, wall_force *f,
                                                          weir_partial_totals *totals) {
#if WITH_MOMENTS
    const relaxation r = relaxation_of(fluid);
    const kept_moments kept = kept_at(b, parity, p.x, p.y, p.z);
    real left[POPULATIONS];
    leaving_of_kept(&kept, fluid->forced, &r, left);
#else
    const real *const left = NULL;
    (void)fluid, (void)parity;
#endif
#if CONDUCTOR_VALUES /* no fluid pushes from a conductor */
    const bool pushes = !(real_of(*slot_of(b, CONDUCTOR_INVERSE, cell_entry(b, p.x, p.y, p.z))) > 0);
#else
    const bool pushes = true;
#endif
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                            \
    if (pushes) {                                                                                         \
        const uint8_t wall = *flag_of(b, p.x - (cx), p.y - (cy), p.z - (cz));                             \
        if (is_wall(wall) && !is_counted(b, wall) && mirrored_axes(b, opposite(d), p.x, p.y, p.z) == 0) { \
            const double exchange =                                                                       \
                wall_exchange(b, wall, come_back(b, left, d, wall, (real)(w), p), d, (real)(w));          \
            turn_to_wall(f, wall, totals);                                                                \
            if ((cx) != 0)                                                                                \
                accumulate(&f->force[0], -(cx)*exchange);                                                 \
            if ((cy) != 0)                                                                                \
                accumulate(&f->force[1], -(cy)*exchange);                                                 \
            if ((cz) != 0)                                                                                \
                accumulate(&f->force[2], -(cz)*exchange);                                                 \
        }                                                                                                 \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_SCALAR
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                            \
    {                                                                                    \
        const uint8_t wall = *flag_of(b, p.x - (cx), p.y - (cy), p.z - (cz));            \
        if (is_wall(wall) && !is_counted(b, wall)) {                                     \
            const real arriving = real_of(*slot_of(b, i, cell_entry(b, p.x, p.y, p.z))); \
            turn_to_wall(f, wall, totals);                                               \
            accumulate(&f->scalar, scalar_exchange(b, wall, arriving));                  \
        }                                                                                \
    }
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
#endif
}

#if CONDUCTOR_VALUES

/* Whether anything arrives at the cell through the surface of a conductor that has a name. */
static __device__ __forceinline__ bool is_beside_body(const weir_block_view *b, cell_place p) {
    bool any = false, enters;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) any = any || surface_passed(b, d, p.x, p.y, p.z, &enters) != 0;
    FOR_FLOW_DIRECTIONS
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
    return any;
}

static __device__ __forceinline__ void add_surfaces_of_cell(const weir_block_view *b, int parity,
                                                            uint8_t flag, cell_place p, wall_force *f,
                                                            weir_partial_totals *totals) {
    real g[POPULATIONS];
    bool enters;
    arriving(b, parity, flag, p.x, p.y, p.z, g);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                         \
    {                                                                  \
        const int body = surface_passed(b, d, p.x, p.y, p.z, &enters); \
        if (body != 0 && enters) {                                     \
            const double exchange = surface_exchange(g[i]);            \
            turn_to_wall(f, body, totals);                             \
            if ((cx) != 0)                                             \
                accumulate(&f->force[0], (cx)*exchange);               \
            if ((cy) != 0)                                             \
                accumulate(&f->force[1], (cy)*exchange);               \
            if ((cz) != 0)                                             \
                accumulate(&f->force[2], (cz)*exchange);               \
        }                                                              \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                         \
    {                                                                  \
        const int body = surface_passed(b, d, p.x, p.y, p.z, &enters); \
        if (body != 0) {                                               \
            turn_to_wall(f, body, totals);                             \
            accumulate(&f->scalar, surface_scalar(g[i], enters));      \
        }                                                              \
    }
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Those cells have no flag of their own: all are looked at. */
static __device__ __forceinline__ void add_surfaces(const weir_block_view *b, int parity,
                                                    const cell_numbers *numbers, int cells, wall_force *f,
                                                    weir_partial_totals *totals) {
    for (int64_t number = blockIdx.x * THREADS + threadIdx.x; number < cells; number += gridDim.x * THREADS) {
        const cell_place p = place_of(b, numbers, (int)number);
        const uint8_t flag = flag_at(b, p);
        if (!is_wall(flag) && is_beside_body(b, p))
            add_surfaces_of_cell(b, parity, flag, p, f, totals);
    }
}

#endif

/* The sum over the threads of a warp, in its first. */
static __device__ __forceinline__ weir_exact_sum sum_of_warp(weir_exact_sum sum) {
    for (int step = WARP / 2; step > 0; step /= 2) {
        sum.high += (int64_t)__shfl_down_sync(WHOLE_WARP, (long long)sum.high, step);
        sum.low += (int64_t)__shfl_down_sync(WHOLE_WARP, (long long)sum.low, step);
    }
    return sum;
}

/* What the threads of a warp hold, added up for each wall among them. */
static __device__ __forceinline__ void add_forces_of_warp(const wall_force *f, weir_partial_totals *totals) {
    unsigned waiting = __ballot_sync(WHOLE_WARP, f->wall != 0);
    while (waiting != 0) {
        const int wall = __shfl_sync(WHOLE_WARP, f->wall, __ffs((int)waiting) - 1);
        const bool mine = f->wall == wall;
        for (int axis = 0; axis < 3; axis++) {
            const weir_exact_sum sum = sum_of_warp(mine ? f->force[axis] : weir_exact_sum{0, 0});
            if (threadIdx.x % WARP == 0)
                add_force(&totals->force[wall][axis], &sum);
        }
#if WITH_SCALAR
        const weir_exact_sum scalar = sum_of_warp(mine ? f->scalar : weir_exact_sum{0, 0});
        if (threadIdx.x % WARP == 0)
            add_force(&totals->scalar_flow[wall], &scalar);
#endif
        waiting &= ~__ballot_sync(WHOLE_WARP, mine);
    }
}

/* A warp takes pieces of this many rounds of cells, whose flags it asks for together. */
enum { ROUNDS = 8 };

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS)
    add_forces(const __grid_constant__ weir_block_view b, const __grid_constant__ weir_fluid fluid,
               const __grid_constant__ cell_numbers numbers, int cells, int parity,
               weir_partial_totals *totals) {
    const int lane = (int)threadIdx.x % WARP, warp = (int)((blockIdx.x * THREADS + threadIdx.x) / WARP);
    wall_force force = {};
    for (int64_t piece = warp; piece * ROUNDS * WARP < cells; piece += gridDim.x * WARPS) {
        const int first = (int)piece * ROUNDS * WARP + lane;
        uint8_t flags[ROUNDS];
#pragma unroll
        for (int k = 0; k < ROUNDS; k++)
            flags[k] = first + k * WARP < cells ? flag_at(&b, place_of(&b, &numbers, first + k * WARP))
                                                : (uint8_t)WEIR_FLUID;
        unsigned near_walls = 0;
#pragma unroll
        for (int k = 0; k < ROUNDS; k++)
            near_walls |= (unsigned)(flags[k] >= WEIR_NEAR_WALL) << k;
        for (; near_walls != 0; near_walls &= near_walls - 1) {
            const int k = __ffs((int)near_walls) - 1;
            add_forces_of_cell(&b, &fluid, parity, place_of(&b, &numbers, first + k * WARP), &force, totals);
        }
    }
#if CONDUCTOR_VALUES
    if (b.bodies_of)
        add_surfaces(&b, parity, &numbers, cells, &force, totals);
#endif
    __syncwarp();
    add_forces_of_warp(&force, totals);
}

/* What passed open boundaries, and its force, which the step has counted: one thread for each boundary. */
extern "C" __global__ void add_flows(const __grid_constant__ weir_block_view b, int parity,
                                     weir_partial_totals *totals) {
    const int wall = (int)threadIdx.x;
    if (wall > 0 && wall < b.boundaries && is_counted(&b, wall))
        totals_of_counted(&b, parity, wall, totals);
}
