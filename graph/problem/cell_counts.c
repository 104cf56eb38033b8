#include "codelets/kernels/cells/flag_array.h"
#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/inside.h"
#include "graph/problem/known_counts.h"
#include "graph/problem/materials.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The part of a box that begins `begin` cells from its origin and has WEIR_LOOK_SIDE cells along each axis,
 * or those that are left. */
static struct weir_box tile_of(const struct weir_box *box, const int begin[3]) {
    struct weir_box tile;
    for (int axis = 0; axis < 3; axis++) {
        const int left = box->extent[axis] - begin[axis];
        tile.origin[axis] = box->origin[axis] + begin[axis];
        tile.extent[axis] = left < WEIR_LOOK_SIDE ? left : WEIR_LOOK_SIDE;
    }
    return tile;
}

/* Of the cells of a tile that are a multiple of `distance` away from the cell `first` along each axis. */
static int64_t count_fluid(const struct weir_shapes *shapes, const struct weir_box *tile, const int first[3],
                           int distance) {
    int64_t fluid = 0;
    int begin[3], count[3], cells = 1;
    uint8_t walls[WEIR_LOOK_CELLS];
    for (int axis = 0; axis < 3; axis++) {
        const int before = tile->origin[axis] - first[axis];
        begin[axis] = before <= 0 ? first[axis] : first[axis] + (before + distance - 1) / distance * distance;
        const int left = tile->origin[axis] + tile->extent[axis] - begin[axis];
        count[axis] = left > 0 ? (left + distance - 1) / distance : 0;
        cells *= count[axis];
    }
    if (cells > 0)
        weir_walls_of_box(shapes, begin, distance, count, walls);
    for (int k = 0; k < cells; k++)
        fluid += walls[k] == WEIR_FLUID;
    return fluid;
}

int64_t weir_geometry_count(const struct weir_problem *problem, const struct weir_box *block) {
    return weir_geometry_sample(problem, block, (const int[3]){0, 0, 0}, 1);
}

/* Fluid cells of a block, or of a sample of them, counted by rows of tiles. */
struct tile_rows {
    const struct weir_box *block;
    struct weir_shapes near; /* the block */
    int first[3], distance;
    int rows; /* of tiles, along y */
    atomic_llong fluid;
    atomic_bool failed;
};

static void count_tile_row(void *context, int row) {
    struct tile_rows *t = context;
    const struct weir_box *block = t->block;
    struct weir_shapes close = {.problem = t->near.problem,
                                .list = malloc(sizeof *close.list * (size_t)(t->near.count + 1))};
    int64_t fluid = 0;
    int begin[3] = {0, row % t->rows * WEIR_LOOK_SIDE, row / t->rows * WEIR_LOOK_SIDE};
    if (!close.list) {
        atomic_store(&t->failed, true);
        return;
    }
    for (; begin[0] < block->extent[0]; begin[0] += WEIR_LOOK_SIDE) {
        const struct weir_box tile = tile_of(block, begin);
        weir_shapes_pick(&t->near, &tile, &close);
        fluid += close.count == 0 && t->distance == 1 ? weir_box_cells(&tile)
                                                      : count_fluid(&close, &tile, t->first, t->distance);
    }
    free(close.list);
    atomic_fetch_add(&t->fluid, fluid);
}

/* As many threads as have something to do for longer than it takes to start one. */
static int threads_for(const struct weir_box *block, int distance) {
    const double cells = (double)weir_box_cells(block) / pow(distance, block->extent[2] > 1 ? 3 : 2),
                 threads = cells / 1024;
    return threads < 2 ? 1 : (int)fmin(threads, weir_parallel_cores());
}

static int64_t sample(const struct weir_problem *problem, const struct weir_box *block, const int start[3],
                      int distance) {
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    struct tile_rows rows = {
        .block = block,
        .near = {.problem = problem,
                 .list = malloc(sizeof(struct weir_shape *) * (size_t)(problem->shape_count + 1))},
        .distance = distance,
        .rows = (block->extent[1] + WEIR_LOOK_SIDE - 1) / WEIR_LOOK_SIDE};
    if (!rows.near.list)
        return weir_geometry_fail_memory(problem);
    for (int axis = 0; axis < 3; axis++)
        rows.first[axis] = block->origin[axis] + start[axis];
    weir_shapes_pick(&all, block, &rows.near);
    weir_parallel(threads_for(block, distance),
                  rows.rows * ((block->extent[2] + WEIR_LOOK_SIDE - 1) / WEIR_LOOK_SIDE), count_tile_row,
                  &rows);
    free(rows.near.list);
    return rows.failed ? weir_geometry_fail_memory(problem) : rows.fluid;
}

int64_t weir_geometry_sample(const struct weir_problem *problem, const struct weir_box *block,
                             const int start[3], int distance) {
    const struct weir_counted_box counted = {
        WEIR_COUNTED_FLUID, (int)problem->lattice, *block, {start[0], start[1], start[2]}, distance};
    struct weir_counted_numbers numbers = {{0, 0}};
    if (weir_known_counts_find(problem->known, &counted, &numbers))
        return numbers.of[0];
    numbers.of[0] = sample(problem, block, start, distance);
    if (numbers.of[0] >= 0)
        weir_known_counts_add(problem->known, &counted, &numbers);
    return numbers.of[0];
}

int64_t weir_geometry_near_wall(const struct weir_lattice_table *lattice, const int extent[3],
                                const uint8_t *flags, bool at_ends) {
    const struct weir_flag_array array = weir_flag_array(lattice, extent);
    int64_t count = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++) {
            const uint8_t *flag = flags + weir_flag_row(&array, y, z) * array.row + array.ring[0];
            for (int x = 0; x < extent[0]; x++)
                count += flag[x] >= WEIR_NEAR_WALL && (at_ends || flag[x] != WEIR_AT_END);
        }
    return count;
}

/* Whether a cell of the domain belongs to a solid. */
static bool is_of_body(const struct weir_shapes *shapes, const int cell[3]) {
    return weir_wall_of_shapes(shapes, cell) != WEIR_FLUID;
}

/* Whether a solid is among the cells around one along each axis that the lattice has. */
static bool is_beside_body(const struct weir_shapes *shapes, const int cell[3]) {
    const struct weir_problem *problem = shapes->problem;
    const int up = weir_lattice_dimensions(problem->lattice) == 3, count[3] = {3, 3, 1 + 2 * up},
              first[3] = {cell[0] - 1, cell[1] - 1, cell[2] - up};
    bool within = true;
    uint8_t walls[27];
    for (int axis = 0; axis < 3; axis++)
        within = within && first[axis] >= 0 && first[axis] + count[axis] <= problem->cells[axis];
    if (within)
        weir_walls_of_box(shapes, first, 1, count, walls);
    for (int k = 0; k < count[0] * count[1] * count[2]; k++) {
        int at[3] = {first[0] + k % 3, first[1] + k / 3 % 3, first[2] + k / 9};
        if (!within)
            weir_wrap_cell(problem, at);
        if (within ? walls[k] != WEIR_FLUID
                   : weir_face_beyond(problem, at) == WEIR_FLUID && is_of_body(shapes, at))
            return true;
    }
    return false;
}

/* Fluid cells of a box, of which every so many are looked at, and those of them that have a solid beside
 * them.
 */
struct beside_walls {
    const struct weir_shapes *near;
    const struct weir_box *box;
    int start[3], distance;
    atomic_llong fluid, beside;
};

/* In a slice. */
static void look_beside(void *context, int slice) {
    struct beside_walls *b = context;
    const int *n = b->box->extent, z = b->start[2] + slice * b->distance;
    int64_t fluid = 0, beside = 0;
    for (int y = b->start[1]; y < n[1]; y += b->distance)
        for (int x = b->start[0]; x < n[0]; x += b->distance) {
            const int cell[3] = {b->box->origin[0] + x, b->box->origin[1] + y, b->box->origin[2] + z};
            if (is_of_body(b->near, cell))
                continue;
            fluid++;
            beside += is_beside_body(b->near, cell);
        }
    atomic_fetch_add(&b->fluid, fluid);
    atomic_fetch_add(&b->beside, beside);
}

/* numbers: of such fluid cells, and of those of them beside solids. */
static int count_beside(const struct weir_problem *problem, const struct weir_box *box, int distance,
                        struct weir_counted_numbers *numbers) {
    struct weir_shapes near;
    struct beside_walls b = {.near = &near, .box = box, .distance = distance};
    WEIR_TRY(weir_geometry_shapes_near(problem, box, &near));
    for (int axis = 0; axis < 3; axis++)
        b.start[axis] = (distance < box->extent[axis] ? distance : box->extent[axis]) / 2;
    if (near.count > 0)
        weir_parallel(threads_for(box, distance), (box->extent[2] - b.start[2] + distance - 1) / distance,
                      look_beside, &b);
    free(near.list);
    *numbers = (struct weir_counted_numbers){{b.fluid, b.beside}};
    return 0;
}

int weir_geometry_wall_share(const struct weir_problem *problem, const struct weir_box *box, int distance,
                             double *share) {
    const struct weir_counted_box counted = {
        WEIR_COUNTED_BESIDE_WALLS, (int)problem->lattice, *box, {0, 0, 0}, distance};
    struct weir_counted_numbers numbers;
    *share = 0;
    if (!weir_known_counts_find(problem->known, &counted, &numbers)) {
        WEIR_TRY(count_beside(problem, box, distance, &numbers));
        weir_known_counts_add(problem->known, &counted, &numbers);
    }
    *share = numbers.of[0] > 0 ? (double)numbers.of[1] / (double)numbers.of[0] : 0;
    return 0;
}

int64_t weir_geometry_part_cells(const struct weir_problem *problem, const struct weir_shape *shape) {
    const int axis = (shape->face - WEIR_WALL_OF_FACE(0)) / 2,
              last = (shape->face - WEIR_WALL_OF_FACE(0)) % 2;
    int64_t count = 0;
    int cell[3], end[3];
    for (int k = 0; k < 3; k++)
        end[k] = k == axis ? 1 : problem->cells[k];
    for (cell[2] = 0; cell[2] < end[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < end[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < end[0]; cell[0]++) {
                double point[3] = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5};
                point[axis] = last ? problem->cells[axis] : 0;
                count += weir_shape_has(problem, shape, point);
            }
    return count;
}
