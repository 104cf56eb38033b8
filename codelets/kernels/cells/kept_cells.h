/* Where in a block's arrays its cells lie, in kernel texts: what differs between the kinds of cells
 * (cell_kinds.h) for which an object is compiled (WEIR_CELLS: brick, list). An *entry* is a cell's place in
 * each of the arrays: of every direction, of every component of a field. */
#ifndef WEIR_KERNELS_KEPT_CELLS_H
#define WEIR_KERNELS_KEPT_CELLS_H

#include "codelets/kernels/cells/block_shape.h"
#include "codelets/kernels/lattice/directions.h"

#ifndef WEIR_CELLS
#define WEIR_CELLS brick
#endif

#define WEIR_IN_BRICKS_brick 1
#define WEIR_IN_BRICKS_list 0
#define IN_BRICKS WEIR_JOIN(WEIR_IN_BRICKS_, WEIR_CELLS)

/* Whether what arrives at the cells of a row lies in rows itself, so that there are shortcuts through whole
 * rows. Else cells are taken one by one: on GPUs with a free surface, too, beside which populations wait in
 * the cells' own slots, and are kept there as they leave the block; but for warps of plain strips, from which
 * none does (step.cuh). */
#if defined __CUDACC__ || defined WEIR_GPU_ON_CPU /* as tests have it */
#define BY_ROWS (REACH == 1 && IN_BRICKS && !WITH_SURFACE)
#else
#define BY_ROWS (REACH == 1 && IN_BRICKS)
#endif

/* Whether GPUs take strips of a row at all (strips.cuh). */
#define WITH_STRIPS (REACH == 1 && IN_BRICKS)

/* Whether vectors of cells then have a shortcut around which there is nothing but fluid of their block. */
#define BY_VECTORS (IN_BRICKS && !BY_ROWS && !WITH_MIRRORS)

/* Whether cells are taken in the order in which a list has them. */
#define BY_LIST (REACH == 1 && !IN_BRICKS)

/* The same on a CPU, in vectors of them: their routes do not know what goes past a mirror. */
#define BY_ROUTES (BY_LIST && !WITH_MIRRORS)

/* Number of cell (x, y, z) among all of the block, x fastest; may be outside, for rows that are shifted by a
 * lattice velocity. A block has at most 2^30 cells. */
FUNCTION int cell_number(const struct weir_block_view *b, int x, int y, int z) {
    return (z * own_extent(b, 1) + y) * own_extent(b, 0) + x;
}

/* From the number of a cell to that of its neighbour at c. */
FUNCTION int cell_distance(const struct weir_block_view *b, int cx, int cy, int cz) {
    return (cz * own_extent(b, 1) + cy) * own_extent(b, 0) + cx;
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

/* Number of a row's first segment; rows around the block have some too. */
FUNCTION int first_segment(const struct weir_block_view *b, int y, int z) {
    return ((z + (DIMENSIONS == 3)) * (own_extent(b, 1) + 2) + (y + 1)) * weir_row_segments(own_extent(b, 0));
}

/* Entry of the first cell kept of those of a segment from that of bit `bit` on. */
FUNCTION int entry_from(struct weir_segment segment, int bit) {
    return (int)(segment.first + (uint32_t)count_bits(segment.kept & ((1u << bit) - 1)));
}

FUNCTION int cell_entry(const struct weir_block_view *b, int x, int y, int z) {
    return entry_from(b->list.segments[first_segment(b, y, z) + x / WEIR_SEGMENT_CELLS],
                      x % WEIR_SEGMENT_CELLS + 1);
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
    const int ny = own_extent(b, 1);
    return row < ny * own_extent(b, 2) ? cell_entry(b, 0, row % ny, row / ny) : b->kept;
}

#endif

/* How many cells the block keeps. */
FUNCTION size_t kept_cells(const struct weir_block_view *b) {
    return (size_t)first_entry(b, own_extent(b, 1) * own_extent(b, 2));
}

#endif
