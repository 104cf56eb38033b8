/* The state before the first step, on a GPU. */
#include "codelets/kernels/initial.h"
#include "codelets/kernels/launch.cuh"

static __global__ void fill_cells(const weir_block_view b, const weir_fluid fluid,
                                  const weir_initial_state state) {
    int x, y, z;
    if (thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        initialise_cell(&b, &fluid, &state, x, y, z);
}

extern "C" int WEIR_NAME(initialise_cuda)(const weir_block_view *b, const weir_fluid *fluid,
                                          const weir_initial_state *state,
                                          const weir_first_messages *messages, void *stream) {
    const cudaStream_t s = (cudaStream_t)stream;
    const int fill = state->poison ? 0xff : 0; /* all bits set is a NaN */
    const int extent[3] = {b->extent[0][1], b->extent[1][1], b->extent[2][1]};
    cudaError_t error =
        cudaMemsetAsync(b->populations, fill, (size_t)POPULATIONS * b->stride * sizeof(stored), s);
    if (b->flow && error == cudaSuccess)
        error = cudaMemsetAsync(b->flow, 0, (size_t)b->flows * sizeof *b->flow, s);
    for (int face = 0; face < WEIR_FACES; face++)
        for (int parity = 0; parity < 2; parity++)
            if (messages->message[parity][face] && error == cudaSuccess)
                error = cudaMemsetAsync(messages->message[parity][face], fill, messages->bytes[face], s);
    if (error != cudaSuccess)
        return (int)error;
    const launch_shape shape = launch_over(extent[0], extent[1], extent[2]);
    fill_cells<<<shape.grid, shape.threads, 0, s>>>(*b, *fluid, *state);
    return (int)cudaGetLastError();
}
