/* How much the velocity of a block changed since the last look, on a GPU. */
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/launch.cuh"
#include "codelets/kernels/observed_cells.cuh"
#include "codelets/kernels/sums.h"

static __global__ void compare_cells(const weir_block_view b, const weir_fluid fluid, int parity,
                                     float *previous, weir_partial_change *change) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z) || is_wall(*flag_of(&b, x, y, z)))
        return;
    const size_t cells = (size_t)b.extent[0][1] * (size_t)b.extent[1][1] * (size_t)b.extent[2][1];
    observed_cell cell;
    observe_cell(&b, &fluid, parity, x, y, z, &cell);
    uint64_t largest_change = 0, largest_speed = 0;
    for (int axis = 0; axis < 3; axis++) {
        float *before = previous + (size_t)axis * cells + (size_t)cell_number(&b, x, y, z);
        const float now = (float)cell.m.velocity[axis];
        largest_change = larger_magnitude(largest_change, (double)now - (double)*before);
        largest_speed = larger_magnitude(largest_speed, (double)now);
        *before = now;
    }
    atomicMax((unsigned long long *)&change->largest_change, (unsigned long long)largest_change);
    atomicMax((unsigned long long *)&change->largest_speed, (unsigned long long)largest_speed);
}

extern "C" int WEIR_NAME(velocity_change_cuda)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                               float *previous, weir_partial_change *change, void *stream) {
    const cudaStream_t s = (cudaStream_t)stream;
    const cudaError_t error = cudaMemsetAsync(change, 0, sizeof *change, s);
    if (error != cudaSuccess)
        return (int)error;
    const launch_shape shape = launch_over(b->extent[0][1], b->extent[1][1], b->extent[2][1]);
    compare_cells<<<shape.grid, shape.threads, 0, s>>>(*b, *fluid, parity, previous, change);
    return (int)cudaGetLastError();
}
