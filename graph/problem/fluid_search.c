/* Boxes of cells are halved until a single shape covers one, which settles it, or its middle is fluid, which
 * settles all. Each box looks only at the shapes that its parent found near. */
#include "graph/problem/fluid_search.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"

#include <stdlib.h>
#include <string.h>

/* Halvings that take a domain of 65536 cells along each axis to one cell; as many again that take it to one
 * block before. */
enum { DEPTH_MAX = 2 * (3 * 16 + 1) };

struct search {
    const struct weir_problem *problem;
    int *shapes; /* [DEPTH_MAX][shape_count]: those near the box at each depth */
};

/* Whether one cell of the domain is solid: the last shape that has it decides. */
static bool is_solid_cell(const struct search *search, const int *near, int count,
                          const struct weir_box *cell) {
    for (int k = count - 1; k >= 0; k--) {
        const struct weir_shape *shape = &search->problem->shapes[near[k]];
        if (weir_geometry_covers(search->problem, shape, cell))
            return !weir_shape_is_hollow(shape);
    }
    return false;
}

/* Whether all cells of a box are, one by one; says no for boxes that are too large for that. */
static bool are_solid_cells(const struct search *search, const int *near, int count,
                            const struct weir_box *box) {
    enum { LOOKED_AT = 4096 };
    struct weir_box cell = {.extent = {1, 1, 1}};
    if (weir_box_cells(box) > LOOKED_AT)
        return false;
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                const int at[3] = {x, y, z};
                for (int axis = 0; axis < 3; axis++)
                    cell.origin[axis] = box->origin[axis] + at[axis];
                if (!is_solid_cell(search, near, count, &cell))
                    return false;
            }
    return true;
}

/* Whether a box is known to be solid: a shape covers it that no hollow behind it touches, or all cells are.
 */
static bool is_solid(const struct search *search, const int *near, int count, const struct weir_box *box) {
    for (int k = count - 1; k >= 0; k--) {
        const struct weir_shape *shape = &search->problem->shapes[near[k]];
        if (weir_shape_is_hollow(shape))
            return are_solid_cells(search, near, count, box);
        if (weir_geometry_covers(search->problem, shape, box))
            return true;
    }
    return false;
}

static struct weir_box middle_cell(const struct weir_box *box) {
    struct weir_box cell = {.extent = {1, 1, 1}};
    for (int axis = 0; axis < 3; axis++)
        cell.origin[axis] = box->origin[axis] + box->extent[axis] / 2;
    return cell;
}

/* Of near[count] those near the box: *here, of that depth; returns how many they are. */
static int narrow(const struct search *search, int depth, const int *near, int count,
                  const struct weir_box *box, int **here) {
    int found = 0;
    *here = search->shapes + (size_t)depth * (size_t)search->problem->shape_count;
    for (int k = 0; k < count; k++)
        if (weir_geometry_touches(search->problem, &search->problem->shapes[near[k]], box))
            (*here)[found++] = near[k];
    return found;
}

/* Whether the box has fluid; near[count]: the shapes near its parent. */
static bool has_fluid(const struct search *search, int depth, const int *near, int count,
                      const struct weir_box *box) {
    int *here;
    const int found = narrow(search, depth, near, count, box, &here);
    if (is_solid(search, here, found, box))
        return false;
    const struct weir_box middle = middle_cell(box);
    if (weir_box_cells(box) == 1 || !is_solid(search, here, found, &middle))
        return true;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->extent[k] > box->extent[axis])
            axis = k;
    struct weir_box low = *box, high = *box;
    low.extent[axis] = box->extent[axis] / 2;
    high.origin[axis] += low.extent[axis];
    high.extent[axis] -= low.extent[axis];
    return has_fluid(search, depth + 1, here, found, &low) ||
           has_fluid(search, depth + 1, here, found, &high);
}

/* With all shapes as near[shape_count]. false when memory is short. */
static bool begin(const struct weir_problem *problem, struct search *search, int **near) {
    const size_t shapes = (size_t)problem->shape_count;
    *search = (struct search){problem, malloc(sizeof *search->shapes * (DEPTH_MAX + 2) * shapes)};
    if (!search->shapes)
        return false;
    *near = search->shapes + (DEPTH_MAX + 1) * shapes;
    for (int k = 0; k < problem->shape_count; k++)
        (*near)[k] = k;
    return true;
}

static int fail_memory(const struct weir_problem *problem) {
    return weir_fail(WEIR_FAILED, "out of memory while looking for fluid among %d solids",
                     problem->shape_count);
}

int weir_fluid_search(const struct weir_problem *problem) {
    struct search search;
    int *all;
    if (problem->shape_count == 0)
        return 0;
    if (!begin(problem, &search, &all))
        return fail_memory(problem);
    const struct weir_box domain = {.extent = {problem->cells[0], problem->cells[1], problem->cells[2]}};
    const bool found = has_fluid(&search, 0, all, problem->shape_count, &domain);
    free(search.shapes);
    return found ? 0
                 : weir_fail(WEIR_USAGE,
                             "solids: no fluid cell is left in the domain; make the solids smaller");
}

/* Blocks of a grid, from low up to high along each axis, high not among them. */
struct blocks {
    int low[3], high[3];
};

struct block_search {
    struct search search;
    const struct weir_block_grid *grid;
    int part, parts; /* which blocks are looked at (fluid_search.h) */
    bool *solid;
};

static struct weir_box box_of(const struct weir_block_grid *grid, const struct blocks *blocks) {
    struct weir_box box;
    for (int axis = 0; axis < 3; axis++) {
        const int end = blocks->high[axis] * grid->block_cells[axis];
        box.origin[axis] = blocks->low[axis] * grid->block_cells[axis];
        box.extent[axis] = (end < grid->cells[axis] ? end : grid->cells[axis]) - box.origin[axis];
    }
    return box;
}

/* Notes that these blocks are solid. */
static void mark(const struct block_search *s, const struct blocks *blocks) {
    for (int z = blocks->low[2]; z < blocks->high[2]; z++)
        for (int y = blocks->low[1]; y < blocks->high[1]; y++)
            for (int x = blocks->low[0]; x < blocks->high[0]; x++) {
                const int number = (z * s->grid->count[1] + y) * s->grid->count[0] + x;
                if (number % s->parts == s->part)
                    s->solid[number] = true;
            }
}

/* Halves a box of blocks until a shape covers it, no shape is near it, or it is one block. near[count]: as in
 * has_fluid. */
static void look_at_blocks(const struct block_search *s, int depth, const int *near, int count,
                           const struct blocks *blocks) {
    const struct weir_box box = box_of(s->grid, blocks);
    int *here, axis = 0;
    const int found = narrow(&s->search, depth, near, count, &box, &here);
    if (found == 0)
        return;
    if (is_solid(&s->search, here, found, &box)) {
        mark(s, blocks);
        return;
    }
    for (int k = 1; k < 3; k++)
        if (blocks->high[k] - blocks->low[k] > blocks->high[axis] - blocks->low[axis])
            axis = k;
    if (blocks->high[axis] - blocks->low[axis] > 1) {
        struct blocks low = *blocks, high = *blocks;
        low.high[axis] = high.low[axis] = (blocks->low[axis] + blocks->high[axis]) / 2;
        look_at_blocks(s, depth + 1, here, found, &low);
        look_at_blocks(s, depth + 1, here, found, &high);
        return;
    }
    const int *at = blocks->low;
    const int number = (at[2] * s->grid->count[1] + at[1]) * s->grid->count[0] + at[0];
    if (number % s->parts == s->part)
        s->solid[number] = !has_fluid(&s->search, depth + 1, here, found, &box);
}

int weir_fluid_search_blocks(const struct weir_problem *problem, const struct weir_block_grid *grid, int part,
                             int parts, bool *solid) {
    struct block_search s = {.grid = grid, .part = part, .parts = parts, .solid = solid};
    int *all;
    memset(solid, 0, sizeof *solid * (size_t)grid->total);
    if (problem->shape_count == 0)
        return 0;
    if (!begin(problem, &s.search, &all))
        return fail_memory(problem);
    look_at_blocks(&s, 0, all, problem->shape_count,
                   &(struct blocks){.high = {grid->count[0], grid->count[1], grid->count[2]}});
    free(s.search.shapes);
    return 0;
}
