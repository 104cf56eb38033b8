/* A free surface, on a GPU, a thread for each cell: see free_surface.c. */
#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/brick.cuh"

extern "C" __global__ void count_surface_mass(const __grid_constant__ weir_block_view b,
                                              const __grid_constant__ weir_surface_view s, int parity) {
    int x, y, z;
    if (thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        count_mass(&b, &s, parity, x, y, z);
}

extern "C" __global__ void convert_surface_cells(const __grid_constant__ weir_block_view b,
                                                 const __grid_constant__ weir_surface_view s) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    if (s.prepares)
        tell_level(&b, &s, real_of(*slot_of(&b, SURFACE_LEVEL, cell_entry(&b, x, y, z))), 0, x, y, z);
    else
        convert_cell(&b, &s, x, y, z);
}

/* Threads for the ring around the block, too; of flat lattices not along z. */
extern "C" __global__ void settle_surface_flags(const __grid_constant__ weir_block_view b,
                                                const __grid_constant__ weir_surface_view s) {
    enum { DEEP = DIMENSIONS == 3 ? 1 : 0 };
    const int nx = b.extent[0][1], ny = b.extent[1][1], nz = b.extent[2][1];
    int x, y, z;
    if (!thread_cell(nx + 2, ny + 2, &x, &y, &z) || z >= nz + 2 * DEEP)
        return;
    x--;
    y--;
    z -= DEEP;
    if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz)
        settle_ring(&b, &s, x, y, z);
    else
        settle_cell(&b, &s, x, y, z);
}
