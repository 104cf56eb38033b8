/* Fields in kernel texts: a value per cell that a stage reads of neighbouring cells, of other blocks from
 * their messages. A field that is read up to one cell away has one layer for each component in the messages
 * through all faces (message.h); a message holds all cells of its face, so also the cells at its rim, which
 * the blocks beyond edges and corners read. A field that a stage writes it does not read of neighbours: some
 * have been written then and some have not. */
#ifndef WEIR_KERNELS_FIELDS_H
#define WEIR_KERNELS_FIELDS_H

#include "codelets/kernels/cells/addressing.h"

/* The value of the cell at c, components -1, 0 or 1, from cell (x, y, z). field: of this block's cells;
 * incoming: the messages with the field; layer: its number in them. */
FUNCTION real field_beside(const struct weir_block_view *b, const real *field,
                           const void *const incoming[WEIR_NEIGHBOURS], int layer, int x, int y, int z,
                           int cx, int cy, int cz) {
    const int ox = block_offset(b, 0, x, cx), oy = block_offset(b, 1, y, cy), oz = block_offset(b, 2, z, cz);
    if (ox == 0 && oy == 0 && oz == 0)
        return field[cell_entry(b, x + cx, y + cy, z + cz)];
    const int lx = local_coordinate(b, 0, ox, x, cx), ly = local_coordinate(b, 1, oy, y, cy),
              lz = local_coordinate(b, 2, oz, z, cz);
    const ptrdiff_t nx = b->extent[0][ox + 1], ny = b->extent[1][oy + 1], nz = b->extent[2][oz + 1];
    const ptrdiff_t place = ox != 0   ? weir_layer_place(layer, lz, nz, ly, ny)
                            : oy != 0 ? weir_layer_place(layer, lz, nz, lx, nx)
                                      : weir_layer_place(layer, ly, ny, lx, nx);
    return ((const real *)incoming[WEIR_OFFSET_NUMBER(ox, oy, oz)])[place];
}

/* Where the values of the row at (cy, cz) from row (y, z) of a brick lie, in this block or a message; NULL:
 * the domain ends there, or no cell there is fluid. As above. */
FUNCTION const real *field_row_beside(const struct weir_block_view *b, const real *field,
                                      const void *const incoming[WEIR_NEIGHBOURS], int layer, int y, int z,
                                      int cy, int cz) {
    const int oy = block_offset(b, 1, y, cy), oz = block_offset(b, 2, z, cz);
    if (oy == 0 && oz == 0)
        return field + cell_number(b, 0, y + cy, z + cz);
    const real *const message = (const real *)incoming[WEIR_OFFSET_NUMBER(0, oy, oz)];
    if (!message)
        return NULL;
    const int ly = local_coordinate(b, 1, oy, y, cy), lz = local_coordinate(b, 2, oz, z, cz);
    const int nx = b->extent[0][1], ny = b->extent[1][oy + 1], nz = b->extent[2][oz + 1];
    return message +
           (oy != 0 ? weir_layer_place(layer, lz, nz, 0, nx) : weir_layer_place(layer, ly, ny, 0, nx));
}

/* Writes the value of a cell into the messages through the faces that it lies at. */
FUNCTION void give_field(const struct weir_block_view *b, void *const outgoing[WEIR_FACES], int layer, int x,
                         int y, int z, real value) {
    const int cell[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            real *const message = (real *)outgoing[WEIR_FACE(axis, side)];
            if (!message || cell[axis] != (side > 0 ? b->extent[axis][1] - 1 : 0))
                continue;
            const int lower = axis == 0 ? 1 : 0, upper = axis == 2 ? 1 : 2;
            message[weir_layer_place(layer, cell[upper], b->extent[upper][1], cell[lower],
                                     b->extent[lower][1])] = value;
        }
}

/* The same of a row of a brick; values: by x. */
FUNCTION void give_field_row(const struct weir_block_view *b, void *const outgoing[WEIR_FACES], int layer,
                             int y, int z, const real *values) {
    const int nx = b->extent[0][1], ny = b->extent[1][1], nz = b->extent[2][1];
    for (int side = -1; side <= 1; side += 2) {
        real *const across_x = (real *)outgoing[WEIR_FACE(0, side)];
        real *const across_y = (real *)outgoing[WEIR_FACE(1, side)];
        real *const across_z = (real *)outgoing[WEIR_FACE(2, side)];
        if (across_x)
            across_x[weir_layer_place(layer, z, nz, y, ny)] = values[side > 0 ? nx - 1 : 0];
        if (across_y && y == (side > 0 ? ny - 1 : 0))
            memcpy(across_y + weir_layer_place(layer, z, nz, 0, nx), values, (size_t)nx * sizeof *values);
        if (across_z && z == (side > 0 ? nz - 1 : 0))
            memcpy(across_z + weir_layer_place(layer, y, ny, 0, nx), values, (size_t)nx * sizeof *values);
    }
}

#endif
