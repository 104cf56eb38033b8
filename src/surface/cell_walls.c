#include "src/surface/cell_walls.h"

#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { EDGE = 16, TILE_CELLS = EDGE * EDGE * EDGE };

struct weir_cell_walls {
    const struct weir_problem *problem;
    int count[3];              /* tiles along each axis */
    _Atomic(uint8_t *) *tiles; /* [z][y][x], NULL where nobody has asked; walls[z][y][x] of a tile's cells */
};

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

static size_t tile_count(const struct weir_cell_walls *walls) {
    return (size_t)walls->count[0] * (size_t)walls->count[1] * (size_t)walls->count[2];
}

int weir_cell_walls_create(const struct weir_problem *problem, struct weir_cell_walls **result) {
    struct weir_cell_walls *walls = calloc(1, sizeof *walls);
    if (!walls)
        return out_of_memory();
    walls->problem = problem;
    for (int axis = 0; axis < 3; axis++)
        walls->count[axis] = (problem->cells[axis] + EDGE - 1) / EDGE;
    walls->tiles = calloc(tile_count(walls), sizeof *walls->tiles);
    if (!walls->tiles) {
        weir_cell_walls_destroy(walls);
        return out_of_memory();
    }
    *result = walls;
    return 0;
}

void weir_cell_walls_destroy(struct weir_cell_walls *walls) {
    if (!walls)
        return;
    for (size_t k = 0; walls->tiles && k < tile_count(walls); k++)
        free(walls->tiles[k]);
    free(walls->tiles);
    free(walls);
}

bool weir_cell_wrap(const struct weir_problem *problem, const int cell[3], int wrapped[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int n = problem->cells[axis];
        wrapped[axis] = problem->periodic[axis] ? (cell[axis] % n + n) % n : cell[axis];
        if (wrapped[axis] < 0 || wrapped[axis] >= n)
            return false;
    }
    return true;
}

static _Atomic(uint8_t *) *tile_of(const struct weir_cell_walls *walls, const int cell[3]) {
    return &walls->tiles[((size_t)(cell[2] / EDGE) * (size_t)walls->count[1] + (size_t)(cell[1] / EDGE)) *
                             (size_t)walls->count[0] +
                         (size_t)(cell[0] / EDGE)];
}

static size_t place_in_tile(const int cell[3]) {
    return ((size_t)(cell[2] % EDGE) * EDGE + (size_t)(cell[1] % EDGE)) * EDGE + (size_t)(cell[0] % EDGE);
}

/* The walls of a tile's cells, the caller's; NULL: memory is short. */
static uint8_t *look_up(const struct weir_problem *problem, const struct weir_box *box) {
    const struct weir_flag_array array =
        weir_flag_array(weir_lattice_table((int)problem->lattice), box->extent);
    uint8_t *flags = malloc(weir_layout_ringed_cells(weir_lattice_table((int)problem->lattice), box->extent));
    uint8_t *tile = calloc(TILE_CELLS, 1);
    if (!flags || !tile || weir_geometry_flags(problem, box, flags) < 0) {
        free(flags);
        free(tile);
        return NULL;
    }
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                const uint8_t flag = flags[weir_flag_place(&array, x, y, z)];
                tile[place_in_tile((const int[3]){x, y, z})] = weir_flag_is_fluid(flag) ? 0 : flag;
            }
    free(flags);
    return tile;
}

/* Looks up the tile that has a cell of the domain. Where two threads do so at once, the first one's is kept.
 */
static int load_tile(struct weir_cell_walls *walls, const int inside[3]) {
    const struct weir_problem *problem = walls->problem;
    struct weir_box box;
    _Atomic(uint8_t *) *place = tile_of(walls, inside);
    if (atomic_load_explicit(place, memory_order_acquire))
        return 0;
    for (int axis = 0; axis < 3; axis++) {
        const int left = problem->cells[axis] - inside[axis] / EDGE * EDGE;
        box.origin[axis] = inside[axis] / EDGE * EDGE;
        box.extent[axis] = left < EDGE ? left : EDGE;
    }
    uint8_t *tile = look_up(problem, &box), *none = NULL;
    if (!tile)
        return out_of_memory();
    if (!atomic_compare_exchange_strong(place, &none, tile))
        free(tile);
    return 0;
}

int weir_cell_walls_load(struct weir_cell_walls *walls, const struct weir_box *box) {
    const struct weir_problem *problem = walls->problem;
    int end[3], cell[3], wrapped[3];
    for (int axis = 0; axis < 3; axis++)
        end[axis] = box->origin[axis] + box->extent[axis];
    for (cell[2] = box->origin[2]; cell[2] < end[2];
         cell[2] = weir_cell_next_brick(problem, 2, cell[2], EDGE))
        for (cell[1] = box->origin[1]; cell[1] < end[1];
             cell[1] = weir_cell_next_brick(problem, 1, cell[1], EDGE))
            for (cell[0] = box->origin[0]; cell[0] < end[0];
                 cell[0] = weir_cell_next_brick(problem, 0, cell[0], EDGE))
                if (weir_cell_wrap(problem, cell, wrapped))
                    WEIR_TRY(load_tile(walls, wrapped));
    return 0;
}

int weir_cell_walls_inside(const struct weir_cell_walls *walls, const int cell[3]) {
    return atomic_load_explicit(tile_of(walls, cell), memory_order_acquire)[place_in_tile(cell)];
}

int weir_cell_walls_at(const struct weir_cell_walls *walls, const int cell[3]) {
    int wrapped[3];
    return weir_cell_wrap(walls->problem, cell, wrapped) ? weir_cell_walls_inside(walls, wrapped)
                                                         : WEIR_CELL_BEYOND;
}
