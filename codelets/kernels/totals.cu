/* Totals of a block, on a GPU. Sums are of integers (totals.h), so the order in which threads add does not
 * matter. */
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/observed_cells.cuh"
#include "codelets/kernels/sums.h"

typedef unsigned long long word;

/* Threads stride over the block, so that atomic additions to the few sums are rare. */
enum { THREADS = 256, GRID_MAX = 512, WARP = 32 };

static __device__ __forceinline__ void add(weir_exact_sum *sum, weir_exact_sum part) {
    atomicAdd((word *)&sum->high, (word)part.high);
    atomicAdd((word *)&sum->low, (word)part.low);
}

/* Sum over the warp, added once. */
static __device__ __forceinline__ void add_of_warp(weir_exact_sum *sum, weir_exact_sum part) {
    for (int step = WARP / 2; step > 0; step /= 2) {
        part.high += (int64_t)__shfl_down_sync(0xffffffffu, (long long)part.high, step);
        part.low += (int64_t)__shfl_down_sync(0xffffffffu, (long long)part.low, step);
    }
    if (threadIdx.x % WARP == 0)
        add(sum, part);
}

static __device__ __forceinline__ word largest_of_warp(word value) {
    for (int step = WARP / 2; step > 0; step /= 2)
        value = max(value, __shfl_down_sync(0xffffffffu, value, step));
    return value;
}

static __device__ void add_forces(const weir_block_view *b, const observed_cell *cell, int x, int y, int z,
                                  weir_partial_totals *totals) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                        \
    {                                                                                          \
        const uint8_t wall = *flag_of(b, x - (cx), y - (cy), z - (cz));                        \
        if (is_wall(wall)) {                                                                   \
            const double exchange = wall_exchange(b, wall, cell->f[i], (real)(w), cx, cy, cz); \
            if ((cx) != 0)                                                                     \
                add(&totals->force[wall][0], exact_of(-(cx)*exchange));                        \
            if ((cy) != 0)                                                                     \
                add(&totals->force[wall][1], exact_of(-(cy)*exchange));                        \
            if ((cz) != 0)                                                                     \
                add(&totals->force[wall][2], exact_of(-(cz)*exchange));                        \
        }                                                                                      \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What a thread has added up. */
struct thread_totals {
    weir_exact_sum mass_excess, momentum[3], kinetic_energy;
    word largest_square, largest_square_place;
};

static __device__ __forceinline__ void accumulate(weir_exact_sum *sum, double value) {
    const weir_exact_sum part = exact_of(value);
    sum->high += part.high;
    sum->low += part.low;
}

static __device__ __forceinline__ void add_cell(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                                double limit_square, int number, thread_totals *t,
                                                weir_partial_totals *totals) {
    const int row = number / b->extent[0][1], x = number - row * b->extent[0][1];
    const int z = row / b->extent[1][1], y = row - z * b->extent[1][1];
    const uint8_t flag = *flag_of(b, x, y, z);
    if (is_wall(flag))
        return;
    observed_cell cell;
    observe_cell(b, fluid, parity, x, y, z, &cell);
    const cell_totals c = cell_totals_of(&cell.m, limit_square);
    if (!c.sound) {
        atomicMin((word *)&totals->unsound_cell, (word)number);
        return;
    }
    accumulate(&t->mass_excess, c.mass_excess);
    accumulate(&t->kinetic_energy, c.kinetic_energy);
    for (int axis = 0; axis < 3; axis++)
        accumulate(&t->momentum[axis], c.momentum[axis]);
    t->largest_square = max(t->largest_square, (word)bits_of_double(c.square));
    t->largest_square_place = max(t->largest_square_place, (word)packed_place(c.square, (uint32_t)number));
    if (flag != WEIR_FLUID)
        add_forces(b, &cell, x, y, z, totals);
}

static __global__ void __launch_bounds__(THREADS)
    add_cells(const weir_block_view b, const weir_fluid fluid, int parity, double limit_square,
              weir_partial_totals *totals) {
    const int cells = b.extent[0][1] * b.extent[1][1] * b.extent[2][1];
    thread_totals t = {};
    for (int64_t number = blockIdx.x * THREADS + threadIdx.x; number < cells; number += gridDim.x * THREADS)
        add_cell(&b, &fluid, parity, limit_square, (int)number, &t, totals);
    add_of_warp(&totals->mass_excess, t.mass_excess);
    add_of_warp(&totals->kinetic_energy, t.kinetic_energy);
    for (int axis = 0; axis < 3; axis++)
        add_of_warp(&totals->momentum[axis], t.momentum[axis]);
    const word largest = largest_of_warp(t.largest_square), place = largest_of_warp(t.largest_square_place);
    if (threadIdx.x % WARP == 0) {
        atomicMax((word *)&totals->largest_square, largest);
        atomicMax((word *)&totals->largest_square_place, place);
    }
}

extern "C" int WEIR_NAME(totals_cuda)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                      double speed_limit, weir_partial_totals *totals, void *stream) {
    const cudaStream_t s = (cudaStream_t)stream;
    cudaError_t error = cudaMemsetAsync(totals, 0, sizeof *totals, s);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(&totals->unsound_cell, 0xff, sizeof totals->unsound_cell, s);
    if (error != cudaSuccess)
        return (int)error;
    const int cells = b->extent[0][1] * b->extent[1][1] * b->extent[2][1];
    const int needed = (cells - 1) / THREADS + 1, grid = needed < GRID_MAX ? needed : GRID_MAX;
    add_cells<<<grid, THREADS, 0, s>>>(*b, *fluid, parity, speed_limit * speed_limit, totals);
    return (int)cudaGetLastError();
}
