/* Where in a block's arrays its cells lie, in kernel texts: what differs between the kinds of cells
 * (cell_kinds.h) for which an object is compiled (WEIR_CELLS: brick, list). An *entry* is a cell's place in
 * each of the arrays: of every direction, of every component of a field. */
#ifndef WEIR_KERNELS_KEPT_CELLS_H
#define WEIR_KERNELS_KEPT_CELLS_H

#include "codelets/kernels/cells/block_shape.h"

#ifndef WEIR_CELLS
#define WEIR_CELLS brick
#endif

#define WEIR_IN_BRICKS_brick 1
#define WEIR_IN_BRICKS_list 0
#define IN_BRICKS WEIR_JOIN(WEIR_IN_BRICKS_, WEIR_CELLS)

/* Whether what arrives at the cells of a row lies in rows itself, so that there are shortcuts through whole
 * rows. Else cells are taken one by one. */
#define BY_ROWS (REACH == 1 && IN_BRICKS)

/* Number of cell (x, y, z) among all of the block, x fastest; may be outside, for rows that are shifted by a
 * lattice velocity. A block has at most 2^30 cells. */
FUNCTION int cell_number(const struct weir_block_view *b, int x, int y, int z) {
    return (z * own_extent(b, 1) + y) * own_extent(b, 0) + x;
}

/* From the number of a cell to that of its neighbour at c. */
FUNCTION int cell_distance(const struct weir_block_view *b, int cx, int cy, int cz) {
    return (cz * own_extent(b, 1) + cy) * own_extent(b, 0) + cx;
}

FUNCTION int count_bits(uint32_t bits) {
#ifdef __CUDACC__
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

/* Number of the cell at x, which is one of its group, among all such cells. */
FUNCTION int place_in_group(struct weir_cell_group group, int x) {
    return (int)group.first + count_bits(group.fluid & ((1u << x % WEIR_GROUP_CELLS) - 1));
}

#if IN_BRICKS

/* Entry of a cell of the block; of a list: that it keeps. */
FUNCTION int cell_entry(const struct weir_block_view *b, int x, int y, int z) {
    return cell_number(b, x, y, z);
}

/* Entry of the neighbour at c of the cell with entry `here`, which is a cell of the block. */
FUNCTION int entry_within(const struct weir_block_view *b, int here, int x, int y, int z, int cx, int cy,
                          int cz) {
    (void)x, (void)y, (void)z;
    return here + cell_distance(b, cx, cy, cz);
}

/* The same for any neighbour; of one in another block it means nothing. */
FUNCTION int entry_beside(const struct weir_block_view *b, int here, int x, int y, int z, int cx, int cy,
                          int cz) {
    return entry_within(b, here, x, y, z, cx, cy, cz);
}

/* The first entry of a row (row = y + ny z); of one behind the last: their number. */
FUNCTION int first_entry(const struct weir_block_view *b, int row) {
    return row * own_extent(b, 0);
}

#else

FUNCTION int cell_entry(const struct weir_block_view *b, int x, int y, int z) {
    const struct weir_cell_group group =
        b->groups[(z * own_extent(b, 1) + y) * weir_cell_groups(own_extent(b, 0)) + x / WEIR_GROUP_CELLS];
    return place_in_group(group, x);
}

FUNCTION int entry_within(const struct weir_block_view *b, int here, int x, int y, int z, int cx, int cy,
                          int cz) {
    (void)here;
    return cell_entry(b, x + cx, y + cy, z + cz);
}

FUNCTION int entry_beside(const struct weir_block_view *b, int here, int x, int y, int z, int cx, int cy,
                          int cz) {
    const int there[3] = {x + cx, y + cy, z + cz};
    for (int axis = 0; axis < 3; axis++)
        if (there[axis] < 0 || there[axis] >= own_extent(b, axis))
            return here;
    return cell_entry(b, there[0], there[1], there[2]);
}

FUNCTION int first_entry(const struct weir_block_view *b, int row) {
    const int groups = weir_cell_groups(own_extent(b, 0)), rows = own_extent(b, 1) * own_extent(b, 2);
    if (row < rows)
        return (int)b->groups[row * groups].first;
    const struct weir_cell_group last = b->groups[rows * groups - 1];
    return (int)last.first + count_bits(last.fluid);
}

#endif

/* How many cells the block keeps. */
FUNCTION size_t kept_cells(const struct weir_block_view *b) {
    return (size_t)first_entry(b, own_extent(b, 1) * own_extent(b, 2));
}

#endif
