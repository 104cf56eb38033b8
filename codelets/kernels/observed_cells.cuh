/* A cell as a GPU thread looks at it between two steps: the populations arriving there and their moments. */
#ifndef WEIR_KERNELS_OBSERVED_CELLS_CUH
#define WEIR_KERNELS_OBSERVED_CELLS_CUH

#include "codelets/kernels/cells.h"
#include "codelets/kernels/moments.h"

struct observed_cell {
    real f[POPULATIONS];
    moments m;
};

static __device__ __forceinline__ void observe_cell(const weir_block_view *b, const weir_fluid *fluid,
                                                    int parity, int x, int y, int z, observed_cell *cell) {
    const real force[3] = {(real)fluid->force[0], (real)fluid->force[1], (real)fluid->force[2]};
    arriving_at_cell(b, parity, walls_of_cell(b, *flag_of(b, x, y, z), x, y, z), x, y, z, cell->f);
    cell->m = moments_of(cell->f, fluid->forced, force);
}

#endif
