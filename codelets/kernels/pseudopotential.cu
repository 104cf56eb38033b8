/* What gives a fluid phases or components, on a GPU, a thread for each cell: see pseudopotential.c. */
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/collision/cohesion.h"
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/cuda/face_pointers.cuh"

extern "C" __global__ void fill_pseudopotential(const __grid_constant__ weir_block_view b,
                                                const __grid_constant__ weir_fluid fluid, int parity,
                                                const __grid_constant__ face_pointers outgoing) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    const uint8_t flag = *flag_of(&b, x, y, z);
    real values[POTENTIALS];
    if (is_wall(flag)) {
        for (int n = 0; n < POTENTIALS; n++)
            values[n] = ENTRY_OF_WALL;
    } else {
        const interaction a = interaction_of(&fluid);
        real f[POPULATIONS];
        arriving(&b, parity, flag, x, y, z, f);
        densities_of(f, values);
        attract(fluid.interaction.equation, &a, values);
    }
    for (int n = 0; n < POTENTIALS; n++) {
        potentials_of(&b, n)[cell_entry(&b, x, y, z)] = values[n];
        give_field(&b, outgoing.of_face, n, x, y, z, values[n]);
    }
}
