/* Density and velocity of a box of cells, on a GPU. */
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/cuda/observed_cells.cuh"
#include "codelets/kernels/kernels.h"

extern "C" __global__ void observe_box(const weir_block_view b, const weir_fluid fluid, int parity,
                                       const weir_local_box box, real *values) {
    int x, y, z;
    if (!thread_cell(box.extent[0], box.extent[1], &x, &y, &z))
        return;
    const size_t cells = (size_t)box.extent[0] * (size_t)box.extent[1] * (size_t)box.extent[2];
    real *out = values + ((size_t)z * (size_t)box.extent[1] + (size_t)y) * (size_t)box.extent[0] + (size_t)x;
    const cell_place here = {x + box.origin[0], y + box.origin[1], z + box.origin[2]};
    const uint8_t flag = flag_at(&b, here);
    if (is_wall(flag)) {
        for (int k = 0; k < 4 + WITH_SCALAR; k++)
            out[(size_t)k * cells] = (real)NAN;
        return;
    }
    const moments m = observe_cell(&b, &fluid, parity, flag, here);
    out[0] = m.density;
    for (int axis = 0; axis < 3; axis++)
        out[(size_t)(axis + 1) * cells] = m.velocity[axis];
#if WITH_SCALAR
    out[4 * cells] = m.scalar;
#endif
}
