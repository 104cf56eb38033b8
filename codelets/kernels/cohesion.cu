/* What gives a fluid phases or components, on a GPU, a thread for each cell: see cohesion.c. */
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/collision/cohesion.h"
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/cuda/face_pointers.cuh"

extern "C" __global__ void fill_pseudopotential(const __grid_constant__ weir_block_view b,
                                                const __grid_constant__ weir_fluid fluid, int parity,
                                                real *psi, const __grid_constant__ face_pointers outgoing) {
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
        real f[POPULATIONS], force[COHESION_FORCES][3];
        arriving(&b, parity, flag, x, y, z, f);
        densities_of(f, values);
        if (flag != WEIR_FLUID) {
            adhesion_on_cell(&b, flag, values, x, y, z, force);
            keep_force(&b, cell_entry(&b, x, y, z), force);
        }
        attract(fluid.interaction.equation, &a, values);
    }
    for (int n = 0; n < POTENTIALS; n++) {
        psi[(size_t)n * kept_cells(&b) + cell_entry(&b, x, y, z)] = values[n];
        give_field(&b, outgoing.of_face, n, x, y, z, values[n]);
    }
}

extern "C" __global__ void fill_cohesion(const __grid_constant__ weir_block_view b,
                                         const __grid_constant__ weir_fluid fluid, const real *psi,
                                         const __grid_constant__ neighbour_pointers incoming) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    const interaction a = interaction_of(&fluid);
    const int cell = cell_entry(&b, x, y, z);
    const uint8_t flag = *flag_of(&b, x, y, z);
    if (is_wall(flag))
        return;
    real force[COHESION_FORCES][3];
    if (row_is_inside(&b, y, z) && x > 0 && x < own_extent(&b, 0) - 1 && flag == WEIR_FLUID) {
        real around[POTENTIALS][FLOW_POPULATIONS];
        UNROLL(2)
        for (int n = 0; n < POTENTIALS; n++) {
            const real *const here = psi + (size_t)n * kept_cells(&b) + cell;
            around[n][0] = here[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) around[n][i] = here[cell_distance(&b, cx, cy, cz)];
            FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        }
        cohesion_from(around, &a, force);
    } else {
        cohesion_on_cell(&b, &a, psi, incoming.of_offset, x, y, z, force);
    }
    add_force(&b, flag, cell, force);
}
