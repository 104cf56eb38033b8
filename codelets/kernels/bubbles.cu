/* What the gas of a block is given, on a GPU; see boundary/bubbles.h. Pieces are found on CPUs. */
#include "codelets/kernels/boundary/bubbles.h"
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/brick.cuh"

extern "C" __global__ void spread_gas_to_cells(const __grid_constant__ weir_block_view b,
                                               const __grid_constant__ weir_surface_view s) {
    int x, y, z;
    if (thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        spread_gas(&b, &s, x, y, z);
}
