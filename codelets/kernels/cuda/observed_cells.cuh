/* A cell as a GPU thread observes it between two steps: the populations arriving there and their moments.
 * Threads of a warp observe cells that follow each other in memory. */
#ifndef WEIR_KERNELS_OBSERVED_CELLS_CUH
#define WEIR_KERNELS_OBSERVED_CELLS_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cells/filling.h"
#include "codelets/kernels/collision/moments.h"
#include "codelets/kernels/cuda/divider.cuh"

struct cell_place {
    int x, y, z;
};

static __device__ __forceinline__ cell_place place_of(const weir_block_view *b, const cell_numbers *numbers,
                                                      int number) {
    const int row = divided(number, numbers->cells_per_row), z = divided(row, numbers->rows_per_layer);
    return cell_place{number - row * b->extent[0][1], row - z * b->extent[1][1], z};
}

static __device__ __forceinline__ uint8_t flag_at(const weir_block_view *b, cell_place p) {
    return *flag_of(b, p.x, p.y, p.z);
}

/* Density and velocity of a fluid cell with this flag; on wet faces when it has been completed. f (out): what
 * is going to collide there; excess (out): density - 1 of what arrives, or, with a free surface, all mass. */
static __device__ __forceinline__ moments observe_mass(const weir_block_view *b, const weir_fluid *fluid,
                                                       int parity, uint8_t flag, cell_place p,
                                                       real f[POPULATIONS], real *excess) {
    const body_force body = body_force_of_fluid(fluid);
    real force[3];
    arriving(b, parity, flag, p.x, p.y, p.z, f);
    add_cohesion(b, &body, flag, p.x, p.y, p.z, f);
    force_on_cell(&body, f, force);
    moments m = moments_of(f, fluid->forced, force);
#if WITH_SURFACE
    *excess = mass_of_cell(f, m.excess);
#else
    *excess = m.excess;
#endif
#if WITH_WET && !WITH_MOMENTS /* whose cells are completed by the step that fills them */
    if (flag == WEIR_NEAR_OPEN && complete_cell(b, p.x, p.y, p.z, fluid->forced, &body, f).boundary != 0)
        m = moments_of(f, fluid->forced, force);
#endif
    return m;
}

static __device__ __forceinline__ moments observe_cell(const weir_block_view *b, const weir_fluid *fluid,
                                                       int parity, uint8_t flag, cell_place p,
                                                       real f[POPULATIONS]) {
    real excess;
    return observe_mass(b, fluid, parity, flag, p, f, &excess);
}

#endif
