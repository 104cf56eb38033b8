/* Blocks that keep their fluid cells only, as a list: in which order its values lie in memory, and the tables
 * by which kernels find cells in it. For C and CUDA.
 *
 * Cells are listed in the order in which bricks have them, rows along x one after the other. A set of
 * populations lies as [group of WEIR_LISTED_TOGETHER cells][direction][cell of the group]: what one warp of a
 * GPU takes is one piece of memory then, and places of neighbours differ by less than 2^31.
 *
 * From a cell of the block to its entry in the list lead *segments*: WEIR_SEGMENT_CELLS neighbouring cells of
 * a row, a bit for each and for the two beside them, so that what is at x - 1, x and x + 1 is found in one
 * word. There are rows of them around the block, too, in which no cell is kept, so that cells at faces need
 * not be told from others: a link out of the block looks as one to a wall does. From an entry back to the
 * cell lead positions; and what is to be done for a group of cells beside collision says its mark. */
#ifndef WEIR_KERNELS_CELL_LIST_H
#define WEIR_KERNELS_CELL_LIST_H

#include "codelets/kernels/halo/layers.h"

#include <stdint.h>

enum { WEIR_LISTED_TOGETHER = 32, WEIR_SEGMENT_CELLS = 30 };

struct weir_segment {
    uint32_t first; /* cells kept before that of bit 0, modulo 2^32 */
    uint32_t kept;  /* bit k: the cell at k - 1 from the segment's first one is kept; but bits of the cells
                       beyond the two x faces: fluid of another block is there */
};

/* Of a cell: its segment's number, and its bit there in the lowest five bits. */
typedef uint32_t weir_position;

/* Of a group of cells, what some of them have. */
enum weir_mark {
    WEIR_CROSSES_X = 1,    /* links into other blocks, through x faces only */
    WEIR_CROSSES = 2,      /* others into other blocks */
    WEIR_WALLS_AT_END = 4, /* flags WEIR_AT_END, */
    WEIR_WALLS_MOVE = 8,   /* WEIR_NEAR_MOVING_WALL */
    WEIR_WALLS_OPEN = 16   /* or weir_near_open */
};

struct weir_cell_list {
    const struct weir_segment
        *segments;                  /* [nz + 2, in 2-D nz][ny + 2][of a row]; NULL: the block is a brick */
    const weir_position *positions; /* [entries, in whole groups] */
    const uint8_t *marks;           /* [groups] */
    const void *routes; /* on CPUs, as weir_list_routes_cpu makes them; NULL: found anew in each step */
};

/* Segments of a row of cells. */
WEIR_EVERYWHERE int weir_row_segments(int cells) {
    return (cells + WEIR_SEGMENT_CELLS - 1) / WEIR_SEGMENT_CELLS;
}

/* Groups of a list. */
WEIR_EVERYWHERE int64_t weir_list_groups(int64_t cells) {
    return (cells + WEIR_LISTED_TOGETHER - 1) / WEIR_LISTED_TOGETHER;
}

#endif
