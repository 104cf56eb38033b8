/* What gives a fluid phases, on a GPU, a thread for each cell: see cohesion.c. */
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
    real value = ENTRY_OF_WALL;
    if (!is_wall(flag)) {
        const interaction a = interaction_of(&fluid);
        real f[POPULATIONS], force[3];
        arriving(&b, parity, flag, x, y, z, f);
        const real density = (real)1 + excess_of(f);
        value = pseudopotential_of(fluid.interaction.equation, &a, density);
        if (flag != WEIR_FLUID) {
            adhesion_on_cell(&b, flag, density, x, y, z, force);
            keep_force(&b, cell_entry(&b, x, y, z), force);
        }
    }
    psi[cell_entry(&b, x, y, z)] = value;
    give_field(&b, outgoing.of_face, 0, x, y, z, value);
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
    real force[3];
    if (row_is_inside(&b, y, z) && x > 0 && x < own_extent(&b, 0) - 1 && flag == WEIR_FLUID) {
        real around[FLOW_POPULATIONS];
        around[0] = psi[cell];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) around[i] = psi[cell + cell_distance(&b, cx, cy, cz)];
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        cohesion_from(around, &a, force);
    } else {
        cohesion_on_cell(&b, &a, psi, incoming.of_offset, x, y, z, force);
    }
    add_force(&b, flag, cell, force);
}
