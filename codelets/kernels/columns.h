/* Columns: the end cells of neighbouring rows of a block, all at its first or all at its last x, on a CPU.
 * Their populations lie a row apart in memory, or side by side in the messages through the x face, so they
 * are gathered into rows for the arithmetic, and scattered after it. */
#ifndef WEIR_KERNELS_COLUMNS_H
#define WEIR_KERNELS_COLUMNS_H

#include "codelets/kernels/addressing.h"

/* Cells of a column at most. */
enum { COLUMN_CELLS = 16 };

struct column {
    int x, y, z; /* first cell */
    int cells;   /* 1 .. COLUMN_CELLS, at y, y + 1 ... */
    int towards; /* of the x face: -1 or 1 */
    bool wall;   /* at the face: the domain ends there */
};

/* The column at an end of some rows, if it is a plain one: all cells fluid, within the block along y and z,
 * and near no wall but that at which the domain ends. */
static inline bool find_column(const struct weir_block_view *b, int towards, int y, int z, int cells,
                               struct column *column) {
    const int *extent[3] = {b->extent[0], b->extent[1], b->extent[2]};
    if (extent[0][1] < 2 || y == 0 || y + cells >= extent[1][1] ||
        (DIMENSIONS == 3 && (z == 0 || z == extent[2][1] - 1)))
        return false;
    *column = (struct column){.x = towards < 0 ? 0 : extent[0][1] - 1,
                              .y = y,
                              .z = z,
                              .cells = cells,
                              .towards = towards,
                              .wall = extent[0][1 + towards] == 0};
    const uint8_t wanted = column->wall ? WEIR_AT_X_END : WEIR_FLUID;
    for (int k = 0; k < cells; k++)
        if (*flag_of(b, column->x, y + k, z) != wanted)
            return false;
    return true;
}

/* Place of the column's first cell, seen from c away, in a message through an x face. */
FUNCTION ptrdiff_t column_place(const struct weir_block_view *b, const struct column *column, int cy, int cz,
                                int mx) {
    return ((ptrdiff_t)mx * b->extent[2][1] + column->z + cz) * b->extent[1][1] + column->y + cy;
}

/* rows[i][k]: f_i arriving at the column's k-th cell. */
FUNCTION void gather_column(const struct weir_block_view *b, int parity, const struct column *column,
                            real rows[POPULATIONS][COLUMN_CELLS]) {
    const int cell = cell_number(b, column->x, column->y, column->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                      \
    {                                                                                                        \
        const bool through = (cx) != 0 && (cx) == -column->towards;                                          \
        const real *from = parity && !(through && column->wall)                                              \
                               ? slot(b, o) + (cell - cell_distance(b, cx, cy, cz))                          \
                               : slot(b, i) + cell;                                                          \
        ptrdiff_t step = b->extent[0][1];                                                                    \
        if (through && !column->wall) {                                                                      \
            from =                                                                                           \
                (const real *)b->incoming[13 + column->towards] + column_place(b, column, -(cy), -(cz), mx); \
            step = 1;                                                                                        \
        }                                                                                                    \
        for (int k = 0; k < column->cells; k++)                                                              \
            rows[i][k] = from[k * step];                                                                     \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* The same for what leaves them. */
FUNCTION void scatter_column(const struct weir_block_view *b, int parity, const struct column *column,
                             const real rows[POPULATIONS][COLUMN_CELLS]) {
    const int cell = cell_number(b, column->x, column->y, column->z);
    const uint8_t wall = *flag_of(b, column->x + column->towards, column->y, column->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                      \
    {                                                                                                        \
        const bool through = (cx) != 0 && (cx) == column->towards;                                           \
        real *to = parity && !(through && column->wall) ? slot(b, i) + (cell + cell_distance(b, cx, cy, cz)) \
                                                        : slot(b, o) + cell;                                 \
        ptrdiff_t step = b->extent[0][1];                                                                    \
        if (through && !column->wall) {                                                                      \
            to = (real *)b->outgoing[column->towards > 0] + column_place(b, column, 0, 0, mx);               \
            step = 1;                                                                                        \
        }                                                                                                    \
        const real momentum =                                                                                \
            through && column->wall ? wall_momentum(b, wall, (real)(w), cx, cy, cz) : (real)0;               \
        for (int k = 0; k < column->cells; k++)                                                              \
            to[k * step] = rows[i][k] - momentum;                                                            \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
