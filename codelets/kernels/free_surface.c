/* A free surface, on a CPU: the mass of rows of cells, what they become, their flags. */
#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/kernels.h"

CALLED void count_row(const struct weir_block_view *b, const struct weir_surface_view *s, int parity, int y,
                      int z) {
    for (int x = 0; x < b->extent[0][1]; x++)
        count_mass(b, s, parity, x, y, z);
}

CALLED void convert_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    for (int x = 0; x < b->extent[0][1]; x++)
        convert_cell(b, s, x, y, z);
}

/* A row of the block, or of the ring around it. */
CALLED void settle_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    const bool ring = y < 0 || y >= b->extent[1][1] || z < 0 || z >= b->extent[2][1];
    settle_ring(b, s, -1, y, z);
    for (int x = 0; x < nx; x++)
        if (ring)
            settle_ring(b, s, x, y, z);
        else
            settle_cell(b, s, x, y, z);
    settle_ring(b, s, nx, y, z);
}

/* With the rows of the ring beside it. */
static void settle_rows_at(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int ny = b->extent[1][1], nz = b->extent[2][1], deep = DIMENSIONS == 3;
    for (int rz = z == 0 ? -deep : z; rz <= (z == nz - 1 ? z + deep : z); rz++)
        for (int ry = y == 0 ? -1 : y; ry <= (y == ny - 1 ? ny : y); ry++)
            settle_row(b, s, ry, rz);
}

weir_surface_cpu WEIR_NAME(surface_mass);
void WEIR_NAME(surface_mass)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                             int parity, int row_begin, int row_end) {
    for (int row = row_begin; row < row_end; row++)
        count_row(b, surface, parity, row % b->extent[1][1], row / b->extent[1][1]);
}

weir_surface_cpu WEIR_NAME(surface_cells);
void WEIR_NAME(surface_cells)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                              int parity, int row_begin, int row_end) {
    (void)parity;
    for (int row = row_begin; row < row_end; row++)
        if (surface->prepares)
            for (int x = 0; x < b->extent[0][1]; x++)
                tell_level(b, surface,
                           real_of(*slot_of(b, SURFACE_LEVEL,
                                            cell_entry(b, x, row % b->extent[1][1], row / b->extent[1][1]))),
                           0, x, row % b->extent[1][1], row / b->extent[1][1]);
        else
            convert_row(b, surface, row % b->extent[1][1], row / b->extent[1][1]);
}

weir_surface_cpu WEIR_NAME(surface_flags);
void WEIR_NAME(surface_flags)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                              int parity, int row_begin, int row_end) {
    (void)parity;
    for (int row = row_begin; row < row_end; row++)
        settle_rows_at(b, surface, row % b->extent[1][1], row / b->extent[1][1]);
}
