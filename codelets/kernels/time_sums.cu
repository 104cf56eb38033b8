/* Sums over time of a block's cells, on a GPU. */
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/cuda/observed_cells.cuh"
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/sums/summands.h"

extern "C" __global__ void add_cells_to_sums(const weir_block_view b, const weir_fluid fluid, int parity,
                                             double *sums) {
    cell_place here;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &here.x, &here.y, &here.z))
        return;
    const uint8_t flag = flag_at(&b, here);
    if (is_wall(flag))
        return;
    real f[POPULATIONS], eddy_viscosity = 0;
    double summand[TIME_SUMS];
    const moments m = observe_cell(&b, &fluid, parity, flag, here, f);
#if WITH_TURBULENCE
    eddy_viscosity = eddy_viscosity_of(f, &m, &fluid);
#endif
    summands_of(&m, eddy_viscosity, summand);
    const size_t cells = kept_cells(&b);
    double *const to = sums + cell_entry(&b, here.x, here.y, here.z);
    for (int s = 0; s < TIME_SUMS; s++)
        to[(size_t)s * cells] += summand[s];
}

extern "C" __global__ void copy_cells_of_sums(const weir_block_view b, bool back, double *sums,
                                              double *values) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    const size_t row = (size_t)b.extent[0][1], plane = row * (size_t)b.extent[1][1],
                 all = plane * (size_t)b.extent[2][1], kept = kept_cells(&b);
    const bool solid = is_wall(*flag_of(&b, x, y, z));
    double *const value = values + (size_t)z * plane + (size_t)y * row + (size_t)x;
    double *const sum = solid ? sums : sums + cell_entry(&b, x, y, z);
    for (int s = 0; s < TIME_SUMS; s++) {
        if (!back)
            value[(size_t)s * all] = solid ? (double)NAN : sum[(size_t)s * kept];
        else if (!solid)
            sum[(size_t)s * kept] = value[(size_t)s * all];
    }
}
