/* What follows from the gradient of the velocity, on a GPU, a thread for each cell: see gradients.c. */
#include "codelets/kernels/collision/gradients.h"
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/cuda/face_pointers.cuh"
#include "codelets/kernels/cuda/observed_cells.cuh"

extern "C" __global__ void fill_velocity(const __grid_constant__ weir_block_view b,
                                         const __grid_constant__ weir_fluid fluid, int parity, real *velocity,
                                         const __grid_constant__ face_pointers outgoing) {
    cell_place here;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &here.x, &here.y, &here.z))
        return;
    const uint8_t flag = flag_at(&b, here);
    if (is_wall(flag))
        return;
    const size_t cells = kept_cells(&b);
    real *const own = velocity + cell_entry(&b, here.x, here.y, here.z);
    real f[POPULATIONS];
    const moments m = observe_cell(&b, &fluid, parity, flag, here, f);
    for (int axis = 0; axis < DIMENSIONS; axis++) {
        own[(size_t)axis * cells] = m.velocity[axis];
        give_field(&b, outgoing.of_face, axis, here.x, here.y, here.z, m.velocity[axis]);
    }
}

/* Of a cell whose neighbours are fluid cells of its block, a brick. */
static __device__ __forceinline__ void keep_in_plain_cell(const weir_block_view *b,
                                                          const velocity_field *field, real factor, int x,
                                                          int y, int z) {
    const int entry = cell_entry(b, x, y, z);
    gradient g = {{{0}}};
    for (int a = 0; a < DIMENSIONS; a++) {
        const real *const u = field->of + (size_t)a * field->cells + entry;
        for (int axis = 0; axis < DIMENSIONS; axis++) {
            const int next = cell_distance(b, axis == 0, axis == 1, axis == 2);
            g.of[a][axis] = central_difference(u[-next], u[next]);
        }
    }
    real values[GRADIENT_VALUES];
    values_of_gradient(&g, factor, values);
    for (int k = 0; k < GRADIENT_VALUES; k++)
        *slot_of(b, EDDIES_0 + k, entry) = stored_of(values[k]);
}

extern "C" __global__ void fill_gradient(const __grid_constant__ weir_block_view b,
                                         const __grid_constant__ weir_fluid fluid, const real *velocity,
                                         const __grid_constant__ neighbour_pointers incoming) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    const uint8_t flag = *flag_of(&b, x, y, z);
    if (is_wall(flag))
        return;
    const velocity_field field = {velocity, kept_cells(&b), incoming.of_offset};
    if (IN_BRICKS && flag == WEIR_FLUID && row_is_inside(&b, y, z) && x > 0 && x < own_extent(&b, 0) - 1)
        keep_in_plain_cell(&b, &field, (real)fluid.eddies, x, y, z);
    else
        keep_gradient(&b, &field, (real)fluid.eddies, x, y, z);
}
