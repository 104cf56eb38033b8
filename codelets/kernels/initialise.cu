/* The state before the first step, on a GPU. */
#include "codelets/kernels/cells/initial.h"
#include "codelets/kernels/cuda/brick.cuh"

extern "C" __global__ void fill_cells(const weir_block_view b, const weir_fluid fluid,
                                      const weir_initial_state state) {
    int x, y, z;
    if (thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        initialise_cell(&b, &fluid, &state, x, y, z);
}
