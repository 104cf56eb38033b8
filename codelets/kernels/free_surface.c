/* A free surface, on a CPU: the mass of rows of cells, what they become, their flags. */
#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/kernels.h"

CALLED void count_row(const struct weir_block_view *b, const struct weir_surface_view *s, int parity, int y,
                      int z) {
    for (int x = 0; x < b->extent[0][1]; x++)
        count_mass(b, s, parity, x, y, z);
}

enum { TOGETHER = 64 };

/* Which of the cells x ... x + TOGETHER - 1 of a row may change, as bits: those at the surface, and beside
 * cells that are. Around any other all are liquid, or gas, or walls: it stays what it is, as by
 * states_around, and so does its flag. What lies in other blocks is not looked at: beside them any cell may.
 */
static uint64_t changing_cells(const struct weir_block_view *b, const struct weir_surface_view *s, int x,
                               int y, int z) {
    const int nx = b->extent[0][1], count = nx - x < TOGETHER ? nx - x : TOGETHER;
    if (!is_amid(b, 1, y) || !is_amid(b, 2, z))
        return ~(uint64_t)0;
    const int from = x > 0 ? -1 : 0, to = count + (x + count < nx);
    real most[TOGETHER + 2] = {0}; /* states of the rows around, from x - 1 on */
    for (int dz = DIMENSIONS == 3 ? -1 : 0; dz <= (DIMENSIONS == 3); dz++)
        for (int dy = -1; dy <= 1; dy++) {
            const real *const states = surface_field(b, s, SURFACE_STATE) + cell_entry(b, x, y + dy, z + dz);
            for (int k = from; k < to; k++)
                most[k + 1] = states[k] > most[k + 1] ? states[k] : most[k + 1];
        }
    uint64_t changing = 0;
    for (int k = 0; k < count; k++) {
        const bool at_surface = most[k] >= (real)STATE_SURFACE || most[k + 1] >= (real)STATE_SURFACE ||
                                most[k + 2] >= (real)STATE_SURFACE;
        changing |= (uint64_t)(at_surface || !is_amid(b, 0, x + k)) << k;
    }
    return changing;
}

CALLED void convert_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    for (int begin = 0; begin < nx; begin += TOGETHER) {
        const uint64_t changing = changing_cells(b, s, begin, y, z);
        for (int x = begin; x < nx && x < begin + TOGETHER; x++)
            if (changing >> (x - begin) & 1)
                convert_cell(b, s, x, y, z);
            else
                ((real *)s->shares)[cell_entry(b, x, y, z)] = 0;
    }
}

/* A row of the ring around the block. */
CALLED void settle_row_of_ring(const struct weir_block_view *b, const struct weir_surface_view *s, int y,
                               int z) {
    for (int x = -1; x <= b->extent[0][1]; x++)
        settle_ring(b, s, x, y, z);
}

CALLED void settle_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    settle_ring(b, s, -1, y, z);
    for (int begin = 0; begin < nx; begin += TOGETHER) {
        const uint64_t changing = s->prepares ? ~(uint64_t)0 : changing_cells(b, s, begin, y, z);
        for (int x = begin; x < nx && x < begin + TOGETHER; x++)
            if (changing >> (x - begin) & 1 && settle_cell(b, s, x, y, z))
                pull_by_tension(b, s, x, y, z);
    }
    settle_ring(b, s, nx, y, z);
}

/* With the rows of the ring beside it. */
static void settle_rows_at(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int ny = b->extent[1][1], nz = b->extent[2][1], deep = DIMENSIONS == 3;
    for (int rz = z == 0 ? -deep : z; rz <= (z == nz - 1 ? z + deep : z); rz++)
        for (int ry = y == 0 ? -1 : y; ry <= (y == ny - 1 ? ny : y); ry++)
            if (ry == y && rz == z)
                settle_row(b, s, y, z);
            else
                settle_row_of_ring(b, s, ry, rz);
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
