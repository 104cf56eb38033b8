/* Gas that is enclosed by liquid: bubbles, whose pressure follows from how much gas is in them and from their
 * volume (numerics.md, N103). After odd steps, once flags are what they are for the next two, each block
 * labels the gas in it by pieces, and finds what these touch in other blocks; pieces are joined over all
 * blocks, which gives each a density; and that goes into the cells.
 *
 * Cells that are gas hang together with those around them that are gas, or at the surface. Two at the surface
 * do where the box of cells whose corners they are is less than half full. So a film of one cell at the
 * surface, or of two that hold less than would fill one, keeps no bubbles apart.
 * What gas is in a cell that has none beside it any more, as cells have that were filled, goes to the first
 * of those around it, by number of the direction, that has: where there is none it stays there. */
#ifndef WEIR_KERNELS_BUBBLES_H
#define WEIR_KERNELS_BUBBLES_H

#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/gas_table.h"

/* Of a cell: 0, it is of no piece; -k, of the k-th; k, only its gas is. */
FUNCTION int32_t *label_of(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                           int z) {
    return (int32_t *)s->gas_labels + cell_entry(b, x, y, z);
}

/* Whether a cell with this flag is gas, or at the surface with gas beside it: no boundary but gas is open. */
FUNCTION bool touches_gas(const struct weir_block_view *b, uint8_t flag) {
    return flag == WEIR_NEAR_OPEN || is_gas(b, flag);
}

/* Whether the cells from (x, y, z) on, so many along each axis, are less than half full, walls being full. In
 * one order, whoever asks. */
FUNCTION bool is_less_than_half_full(const struct weir_block_view *b, const struct weir_surface_view *s,
                                     int x, int y, int z, int nx, int ny, int nz) {
    real filled = 0;
    for (int dz = 0; dz < nz; dz++)
        for (int dy = 0; dy < ny; dy++)
            for (int dx = 0; dx < nx; dx++)
                filled += is_solid(b, *flag_of(b, x + dx, y + dy, z + dz))
                              ? (real)1
                              : fill_of_level(*level_at(b, s, x + dx, y + dy, z + dz));
    return filled < (real)0.5 * (real)(nx * ny * nz);
}

/* Whether gas goes on from a cell that touches it to the one at c, which does so, too. */
FUNCTION bool gas_goes_on(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                          int z, int cx, int cy, int cz) {
    return is_gas(b, *flag_of(b, x, y, z)) || is_gas(b, *flag_of(b, x + cx, y + cy, z + cz)) ||
           is_less_than_half_full(b, s, cx < 0 ? x + cx : x, cy < 0 ? y + cy : y, cz < 0 ? z + cz : z,
                                  cx * cx + 1, cy * cy + 1, cz * cz + 1);
}

/* Gives a cell its part of the gas that it is joined to. */
FUNCTION void spread_gas(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                         int z) {
    const int32_t label = *label_of(b, s, x, y, z);
    if (label == 0)
        return;
    const struct weir_gas_table *const table = (const struct weir_gas_table *)s->gas_table;
    const double density = table->piece[(label < 0 ? -label : label) - 1].density;
    const int cell = cell_entry(b, x, y, z);
    if (!(density > 0))
        return;
    *slot_of(b, SURFACE_GAS, cell) =
        stored_of(gas_of_density(density, fill_of_level(real_of(*slot_of(b, SURFACE_LEVEL, cell)))));
    *slot_of(b, SURFACE_GAS_EXCESS, cell) = stored_of((real)(density - 1.0));
}

#endif
