/* How a domain is cut into blocks: a grid of bricks of equal size, of which the last along an axis may be
 * smaller. Geometry only; blocks are numbered x fastest. */
#ifndef WEIR_GRAPH_PROBLEM_BLOCKS_H
#define WEIR_GRAPH_PROBLEM_BLOCKS_H

#include "graph/problem/box.h"
#include "graph/problem/problem.h"

struct weir_block_grid {
    int cells[3]; /* of the domain */
    bool periodic[3];
    int block_cells[3]; /* of a block that is not the last of its axis */
    int count[3];       /* blocks per axis */
    int total;
    /* [total] of each block: it has no fluid, and so neither data nor tasks nor messages; NULL: all have
     * some. It belongs to whoever found them (fluid_search.h). */
    const bool *solid;
};

/* Some of a grid's blocks, by number, ascending: those of one rank. What is kept of each of them is in arrays
 * as long as the set, by place in it, so that nobody pays for blocks of others. */
struct weir_block_set {
    const int *blocks;
    int count;
};

/* Place of a block in a set, -1: it is not there. */
int weir_block_set_index(const struct weir_block_set *set, int block);

/* Cuts the problem's domain; no block is known to be solid then. block_cells larger than the domain mean one
 * block along that axis; each must be at least 1. -WEIR_USAGE when there would be more than 2^24 blocks, a
 * block of more than 2^30 cells, or of more than 65535 along z, or one thinner than populations move in a
 * step. */
int weir_block_grid_create(const struct weir_problem *problem, const int block_cells[3],
                           struct weir_block_grid *grid);

/* Where a block is, counted in blocks along each axis. */
void weir_block_grid_position(const struct weir_block_grid *grid, int block, int position[3]);

/* Cells of a block. */
struct weir_box weir_block_grid_box(const struct weir_block_grid *grid, int block);

/* Block at an offset of -1, 0 or 1 per axis, around periodic axes; -1 where the domain ends. */
int weir_block_grid_neighbour(const struct weir_block_grid *grid, int block, const int offset[3]);

static inline bool weir_block_is_solid(const struct weir_block_grid *grid, int block) {
    return grid->solid && grid->solid[block];
}

/* The same as weir_block_grid_neighbour; -1 also where the block there has no fluid. */
int weir_block_grid_fluid_neighbour(const struct weir_block_grid *grid, int block, const int offset[3]);

/* How many blocks have fluid. */
int weir_block_grid_fluid_blocks(const struct weir_block_grid *grid);

/* Their numbers, ascending, into blocks[total]; returns how many they are. */
int weir_block_grid_find_fluid(const struct weir_block_grid *grid, int *blocks);

/* extent[axis][offset + 1]: cells along the axis of the blocks before, at, and after this one; 0 where the
 * domain ends. */
void weir_block_grid_extents(const struct weir_block_grid *grid, int block, int extent[3][3]);

/* A block size that makes `blocks` blocks or somewhat more, none of more than cells_most cells: rows kept
 * long, sizes along an axis even. Where cells are few, so are blocks. */
void weir_block_grid_choose(const struct weir_problem *problem, int blocks, int64_t cells_most,
                            int block_cells[3]);

#endif
