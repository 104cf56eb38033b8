/* Density and velocity of boxes of cells, on a GPU. */
#include "codelets/kernels/collision/eddies.h"
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/cuda/observed_cells.cuh"
#include "codelets/kernels/kernels.h"

enum { VALUES = 4 + WITH_FIFTH + WITH_SURFACE + WITH_TURBULENCE };

/* Writes what there is of cell `here` to out[0], out[cells], ... */
static __device__ __forceinline__ void observe(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                               cell_place here, size_t cells, real *out) {
    const uint8_t flag = flag_at(b, here);
#if WITH_SURFACE
    if (is_gas(b, flag)) { /* is not computed: at rest, and no liquid */
        out[0] = density_of_gas(b, here.x, here.y, here.z);
        for (int k = 1; k < VALUES; k++)
            out[(size_t)k * cells] = 0;
        return;
    }
#endif
    if (is_wall(flag)) {
        for (int k = 0; k < VALUES; k++)
            out[(size_t)k * cells] = (real)NAN;
        return;
    }
    real f[POPULATIONS];
    const moments m = observe_cell(b, fluid, parity, flag, here, f);
#if CONDUCTOR_VALUES
    if (conducts(&m)) { /* of the flow there is nothing, as in other solids */
        for (int k = 0; k < VALUES; k++)
            out[(size_t)k * cells] = k == 4 ? fifth_of(&m) : (real)NAN;
        return;
    }
#endif
    out[0] = m.density;
    for (int axis = 0; axis < 3; axis++)
        out[(size_t)(axis + 1) * cells] = m.velocity[axis];
#if WITH_FIFTH
    out[4 * cells] = fifth_of(&m);
#endif
#if WITH_SURFACE
    out[4 * cells] = fill_of_level(f[SURFACE_LEVEL]);
#endif
#if WITH_TURBULENCE
    out[(VALUES - 1) * cells] = eddy_viscosity_of(f, &m, fluid);
#endif
}

extern "C" __global__ void observe_box(const weir_block_view b, const weir_fluid fluid, int parity,
                                       const weir_local_box box, real *values) {
    int x, y, z;
    if (!thread_cell(box.extent[0], box.extent[1], &x, &y, &z))
        return;
    const size_t cells = (size_t)box.extent[0] * (size_t)box.extent[1] * (size_t)box.extent[2];
    const size_t cell = ((size_t)z * (size_t)box.extent[1] + (size_t)y) * (size_t)box.extent[0] + (size_t)x;
    observe(&b, &fluid, parity, cell_place{x + box.origin[0], y + box.origin[1], z + box.origin[2]}, cells,
            values + cell);
}

/* A block of WEIR_SAMPLE_CELLS threads for each box. */
extern "C" __global__ void sample_boxes(const weir_block_view b, const weir_fluid fluid, int parity,
                                        const weir_local_box *boxes, real *values) {
    const weir_local_box box = boxes[blockIdx.x];
    const int cells = box.extent[0] * box.extent[1] * box.extent[2], cell = (int)threadIdx.x;
    if (cell >= cells)
        return;
    const int row = cell / box.extent[0];
    const cell_place here = {box.origin[0] + cell % box.extent[0], box.origin[1] + row % box.extent[1],
                             box.origin[2] + row / box.extent[1]};
    observe(&b, &fluid, parity, here, (size_t)cells,
            values + (size_t)blockIdx.x * VALUES * WEIR_SAMPLE_CELLS + cell);
}
