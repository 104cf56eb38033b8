/* Totals of a block, on a GPU. Sums are of integers (totals.h), so the order in which threads add does not
 * matter. */
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/launch.cuh"
#include "codelets/kernels/observed_cells.cuh"
#include "codelets/kernels/sums.h"

typedef unsigned long long word;

static __device__ __forceinline__ void add(weir_exact_sum *sum, weir_exact_sum part) {
    atomicAdd((word *)&sum->high, (word)part.high);
    atomicAdd((word *)&sum->low, (word)part.low);
}

/* Sum over the warp, added once. */
static __device__ __forceinline__ void add_of_warp(weir_exact_sum *sum, double value) {
    weir_exact_sum part = exact_of(value);
    for (int step = 16; step > 0; step /= 2) {
        part.high += (int64_t)__shfl_down_sync(0xffffffffu, (long long)part.high, step);
        part.low += (int64_t)__shfl_down_sync(0xffffffffu, (long long)part.low, step);
    }
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0)
        add(sum, part);
}

static __device__ __forceinline__ word largest_of_warp(word value) {
    for (int step = 16; step > 0; step /= 2) {
        const word other = __shfl_down_sync(0xffffffffu, value, step);
        value = other > value ? other : value;
    }
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

static __global__ void add_cells(const weir_block_view b, const weir_fluid fluid, int parity,
                                 double limit_square, weir_partial_totals *totals) {
    int x, y, z;
    const bool inside = thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z);
    const uint8_t flag = inside ? *flag_of(&b, x, y, z) : (uint8_t)1;
    cell_totals c = {};
    word place = 0;
    if (!is_wall(flag)) {
        observed_cell cell;
        observe_cell(&b, &fluid, parity, x, y, z, &cell);
        const word number = (word)cell_number(&b, x, y, z);
        c = cell_totals_of(&cell.m, limit_square);
        if (!c.sound) {
            atomicMin((word *)&totals->unsound_cell, number);
            c = cell_totals{};
        } else {
            place = packed_place(c.square, (uint32_t)number);
            if (flag != WEIR_FLUID)
                add_forces(&b, &cell, x, y, z, totals);
        }
    }
    add_of_warp(&totals->mass_excess, c.mass_excess);
    add_of_warp(&totals->kinetic_energy, c.kinetic_energy);
    for (int axis = 0; axis < 3; axis++)
        add_of_warp(&totals->momentum[axis], c.momentum[axis]);
    const word largest = largest_of_warp(bits_of_double(c.square)), largest_place = largest_of_warp(place);
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0) {
        atomicMax((word *)&totals->largest_square, largest);
        atomicMax((word *)&totals->largest_square_place, largest_place);
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
    const launch_shape shape = launch_over(b->extent[0][1], b->extent[1][1], b->extent[2][1]);
    add_cells<<<shape.grid, shape.threads, 0, s>>>(*b, *fluid, parity, speed_limit * speed_limit, totals);
    return (int)cudaGetLastError();
}
