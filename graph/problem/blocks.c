#include "graph/problem/blocks.h"

#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"

/* Cells have numbers of 31 bits, and so have those with the ring around a block, which in a thin one are many
 * times as many. CUDA has 65535 thread blocks along z at most, one per layer of cells. */
enum { BLOCKS_MAX = 1 << 24, BLOCK_CELLS_MAX = 1 << 30, RINGED_CELLS_MAX = INT32_MAX, LAYERS_MAX = 65535 };

static int at_most(int value, int limit) {
    return value < limit ? value : limit;
}

/* Cells along an axis of the last block there, which may be the thinnest. */
static int last_extent(int cells, int block_cells) {
    return (cells - 1) % block_cells + 1;
}

/* What leaves a block must not reach beyond the next one. */
static int check_thickness(const struct weir_problem *problem, const struct weir_block_grid *grid) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    for (int axis = 0; axis < lattice->dimensions; axis++) {
        const int last = last_extent(grid->cells[axis], grid->block_cells[axis]);
        if (grid->cells[axis] < lattice->reach)
            return weir_fail(
                WEIR_USAGE,
                "domain.cells: %d cells along %c, and populations of %s move by up to %d in a step; "
                "give at least %d",
                grid->cells[axis], "xyz"[axis], lattice -> name, lattice -> reach, lattice -> reach);
        if (last < lattice->reach)
            return weir_fail(
                WEIR_USAGE,
                "blocks.cells: %d along %c make a last block of %d cells there, and populations of %s "
                "move by up to %d in a step; choose sizes that leave at least %d cells",
                grid->block_cells[axis], "xyz"[axis], last, lattice -> name, lattice -> reach,
                lattice -> reach);
    }
    return 0;
}

int weir_block_grid_create(const struct weir_problem *problem, const int block_cells[3],
                           struct weir_block_grid *grid) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    double total = 1, cells = 1; /* may be beyond any integer */
    grid->solid = NULL;
    for (int axis = 0; axis < 3; axis++) {
        grid->cells[axis] = problem->cells[axis];
        grid->periodic[axis] = problem->periodic[axis];
        grid->block_cells[axis] = at_most(block_cells[axis], problem->cells[axis]);
        grid->count[axis] = (problem->cells[axis] - 1) / grid->block_cells[axis] + 1;
        total *= grid->count[axis];
        cells *= grid->block_cells[axis];
    }
    if (total > BLOCKS_MAX)
        return weir_fail(
            WEIR_USAGE,
            "blocks.cells: %d x %d x %d cells make %.0f blocks; choose larger blocks, at most %d may be made",
            block_cells[0], block_cells[1], block_cells[2], total, BLOCKS_MAX);
    if (cells > BLOCK_CELLS_MAX)
        return weir_fail(WEIR_USAGE,
                         "blocks.cells: a block of %.0f cells is too large; at most %d cells fit one block",
                         cells, BLOCK_CELLS_MAX);
    const double ringed = (double)weir_layout_ringed_cells(lattice, grid->block_cells);
    if (ringed > RINGED_CELLS_MAX)
        return weir_fail(
            WEIR_USAGE,
            "blocks.cells: a block of %d x %d x %d cells is too large: with those around it %.0f, "
            "and at most %d fit; choose shorter or thicker ones",
            grid->block_cells[0], grid->block_cells[1], grid->block_cells[2], ringed, RINGED_CELLS_MAX);
    if (grid->block_cells[2] > LAYERS_MAX)
        return weir_fail(WEIR_USAGE,
                         "blocks.cells: a block of %d cells along z is too large; at most %d fit one block",
                         grid->block_cells[2], LAYERS_MAX);
    grid->total = (int)total;
    return check_thickness(problem, grid);
}

void weir_block_grid_position(const struct weir_block_grid *grid, int block, int position[3]) {
    position[0] = block % grid->count[0];
    position[1] = block / grid->count[0] % grid->count[1];
    position[2] = block / grid->count[0] / grid->count[1];
}

struct weir_box weir_block_grid_box(const struct weir_block_grid *grid, int block) {
    int position[3];
    struct weir_box box;
    weir_block_grid_position(grid, block, position);
    for (int axis = 0; axis < 3; axis++) {
        box.origin[axis] = position[axis] * grid->block_cells[axis];
        box.extent[axis] = at_most(grid->block_cells[axis], grid->cells[axis] - box.origin[axis]);
    }
    return box;
}

int weir_block_grid_neighbour(const struct weir_block_grid *grid, int block, const int offset[3]) {
    int position[3];
    weir_block_grid_position(grid, block, position);
    for (int axis = 0; axis < 3; axis++) {
        position[axis] += offset[axis];
        if (position[axis] < 0 || position[axis] >= grid->count[axis]) {
            if (!grid->periodic[axis])
                return -1;
            position[axis] = (position[axis] + grid->count[axis]) % grid->count[axis];
        }
    }
    return (position[2] * grid->count[1] + position[1]) * grid->count[0] + position[0];
}

int weir_block_grid_fluid_neighbour(const struct weir_block_grid *grid, int block, const int offset[3]) {
    const int neighbour = weir_block_grid_neighbour(grid, block, offset);
    return neighbour >= 0 && weir_block_is_solid(grid, neighbour) ? -1 : neighbour;
}

int weir_block_grid_fluid_blocks(const struct weir_block_grid *grid) {
    int count = 0;
    for (int block = 0; block < grid->total; block++)
        count += !weir_block_is_solid(grid, block);
    return count;
}

int weir_block_grid_find_fluid(const struct weir_block_grid *grid, int *blocks) {
    int count = 0;
    for (int block = 0; block < grid->total; block++)
        if (!weir_block_is_solid(grid, block))
            blocks[count++] = block;
    return count;
}

void weir_block_grid_extents(const struct weir_block_grid *grid, int block, int extent[3][3]) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side++) {
            int offset[3] = {0, 0, 0};
            offset[axis] = side;
            const int neighbour = weir_block_grid_neighbour(grid, block, offset);
            extent[axis][side + 1] = neighbour < 0 ? 0 : weir_block_grid_box(grid, neighbour).extent[axis];
        }
}

void weir_block_grid_choose(const struct weir_problem *problem, int blocks, int64_t cells_most,
                            int block_cells[3]) {
    enum { ROW = 256, SIDE_MIN = 8 };
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    int count[3] = {blocks > 1 ? (problem->cells[0] + ROW - 1) / ROW : 1, 1,
                    problem->cells[2] > LAYERS_MAX ? 2 : 1};
    for (;;) {
        for (int axis = 0; axis < 3; axis++) {
            block_cells[axis] = (problem->cells[axis] + count[axis] - 1) / count[axis];
            while (axis < lattice->dimensions && block_cells[axis] < problem->cells[axis] &&
                   last_extent(problem->cells[axis], block_cells[axis]) < lattice->reach)
                block_cells[axis]++;
        }
        if ((int64_t)count[0] * count[1] * count[2] >= blocks &&
            (int64_t)block_cells[0] * block_cells[1] * block_cells[2] <= cells_most &&
            weir_layout_ringed_cells(lattice, block_cells) <= RINGED_CELLS_MAX)
            return;
        /* Halve the longest of the upper axes, the row only when it is much longer. */
        int axis = block_cells[2] >= block_cells[1] ? 2 : 1;
        if (block_cells[0] >= 4 * block_cells[axis])
            axis = 0;
        if (block_cells[axis] < 2 * SIDE_MIN)
            return;
        count[axis] *= 2;
    }
}

int weir_block_set_index(const struct weir_block_set *set, int block) {
    int low = 0, high = set->count;
    if (block >= 0 && block < high && set->blocks[block] == block) /* so are all before it: in a set of all */
        return block;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (set->blocks[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return set->count > 0 && set->blocks[low] == block ? low : -1;
}
