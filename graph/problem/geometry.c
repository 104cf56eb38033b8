#include "graph/problem/geometry.h"

#include "codelets/kernels/cells/flag_array.h"
#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/inside.h"
#include "graph/problem/known_counts.h"
#include "graph/problem/region.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Sides of the boxes of a block for which the shapes nearby are picked out once: short enough that few are,
 * long enough that picking costs little. */
enum { TILE = 16, TILE_CELLS = TILE * TILE * TILE };

double weir_geometry_distance(const struct weir_problem *problem, int axis, double center, double point) {
    double d = point - center;
    if (problem->periodic[axis])
        d -= problem->cells[axis] * round(d / problem->cells[axis]);
    return d;
}

/* Whether the images of the shape beyond periodic faces are found by its distance from a cell. Boxes are not
 * repeated, and regions repeat themselves. */
static bool is_repeated(const struct weir_shape *shape) {
    return shape->type == WEIR_SPHERE || shape->type == WEIR_CYLINDER;
}

/* Half the size of the shape's bounding box along an axis, about its centre. */
static void bounds(const struct weir_shape *shape, int axis, double *center, double *half) {
    switch (shape->type) {
    case WEIR_SPHERE:
        *center = shape->sphere.center[axis];
        *half = shape->sphere.radius;
        break;
    case WEIR_BOX:
        *center = 0.5 * (shape->box.from[axis] + shape->box.to[axis]);
        *half = 0.5 * (shape->box.to[axis] - shape->box.from[axis]);
        break;
    case WEIR_CYLINDER:
        *center = shape->cylinder.center[axis];
        *half = axis == shape->cylinder.axis ? 0.5 * shape->cylinder.length : shape->cylinder.radius;
        break;
    case WEIR_REGION:
        *center = 0.5 * (shape->region->low[axis] + shape->region->high[axis]);
        *half = 0.5 * (shape->region->high[axis] - shape->region->low[axis]);
        break;
    }
}

/* Whether a shape may have cells in the block or around it whose walls decide its flags and those of its
 * ring, beside which there may be what covers them; errs on the side of yes. */
static bool may_touch(const struct weir_problem *problem, const struct weir_shape *shape,
                      const struct weir_box *block) {
    const int reach = weir_lattice_table((int)problem->lattice)->reach + 1;
    for (int axis = 0; axis < 3; axis++) {
        double center = 0, half = 0;
        bounds(shape, axis, &center, &half);
        const double middle = block->origin[axis] + 0.5 * block->extent[axis];
        const bool at_seam = problem->periodic[axis] &&
                             (block->origin[axis] < reach ||
                              block->origin[axis] + block->extent[axis] > problem->cells[axis] - reach);
        const double d =
            is_repeated(shape) ? weir_geometry_distance(problem, axis, center, middle) : middle - center;
        /* Around a block at the seam are cells of the other end, to which such a shape is not repeated. */
        if (!is_repeated(shape) && at_seam)
            continue;
        if (fabs(d) > half + 0.5 * block->extent[axis] + reach)
            return false;
    }
    return true;
}

/* The wall of the last shape that has a point; WEIR_FLUID: none has, or that one is a hollow. face: of the
 * shapes that count. */
static uint8_t wall_at(const struct weir_shapes *shapes, int face, const double point[3]) {
    for (int k = shapes->count - 1; k >= 0; k--) {
        const struct weir_shape *shape = weir_shapes_item(shapes, k);
        if (shape->face == face && weir_shape_has(shapes->problem, shape, point))
            return (uint8_t)shape->wall;
    }
    return WEIR_FLUID;
}

/* Of the solids. */
static uint8_t wall_of_shapes(const struct weir_shapes *shapes, const int cell[3]) {
    return wall_at(shapes, 0, (const double[3]){cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5});
}

/* The same of many cells of the domain, as of weir_shape_has_box, and at most TILE_CELLS. walls[count
 * z][y][x].
 */
static void walls_of_box(const struct weir_shapes *shapes, const int first[3], int step, const int count[3],
                         uint8_t *walls) {
    const double center[3] = {first[0] + 0.5, first[1] + 0.5, first[2] + 0.5};
    const int cells = count[0] * count[1] * count[2];
    bool inside[TILE_CELLS], settled[TILE_CELLS];
    int left = cells;
    memset(walls, WEIR_FLUID, (size_t)cells);
    memset(settled, 0, sizeof *settled * (size_t)cells);
    for (int k = shapes->count - 1; k >= 0 && left > 0; k--) {
        const struct weir_shape *shape = weir_shapes_item(shapes, k);
        if (shape->face != 0)
            continue;
        weir_shape_has_box(shapes->problem, shape, center, step, count, inside);
        for (int x = 0; x < cells; x++)
            if (inside[x] && !settled[x]) {
                walls[x] = (uint8_t)shape->wall;
                settled[x] = true;
                left--;
            }
    }
}

static bool mirrors(const struct weir_problem *problem, int wall) {
    return weir_rules[problem->walls[wall].rule].mirrors;
}

/* Of a cell beyond a face: the face's wall, or that of a part of it. */
static uint8_t wall_beyond(const struct weir_shapes *shapes, uint8_t face_wall, const int cell[3]) {
    const int face = face_wall - WEIR_WALL_OF_FACE(0);
    double point[3] = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5};
    point[face / 2] = face % 2 ? shapes->problem->cells[face / 2] : 0;
    const uint8_t part = wall_at(shapes, face_wall, point);
    return part != WEIR_FLUID ? part : face_wall;
}

static void wrap(const struct weir_problem *problem, int cell[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (problem->periodic[axis])
            cell[axis] = (cell[axis] + problem->cells[axis]) % problem->cells[axis];
}

/* The face beyond which a wrapped cell lies along an axis; WEIR_FLUID: none. */
static uint8_t face_along(const struct weir_problem *problem, int axis, const int cell[3]) {
    return (uint8_t)(cell[axis] < 0                       ? WEIR_WALL_OF_FACE(2 * axis)
                     : cell[axis] >= problem->cells[axis] ? WEIR_WALL_OF_FACE(2 * axis + 1)
                                                          : WEIR_FLUID);
}

/* The face beyond which a wrapped cell lies, WEIR_EDGE_WALL where faces meet, WEIR_FLUID in the domain. */
static uint8_t face_of(const struct weir_problem *problem, const int cell[3]) {
    uint8_t wall = WEIR_FLUID;
    for (int axis = 0; axis < 3; axis++) {
        const uint8_t face = face_along(problem, axis, cell);
        if (face != WEIR_FLUID)
            wall = wall == WEIR_FLUID ? face : WEIR_EDGE_WALL;
    }
    return wall;
}

/* What is given for a wrapped cell, mirrors or not. */
static uint8_t given_at(const struct weir_shapes *shapes, const int cell[3]) {
    const uint8_t face = face_of(shapes->problem, cell);
    if (shapes->count == 0 || face == WEIR_EDGE_WALL)
        return face;
    return face == WEIR_FLUID ? wall_of_shapes(shapes, cell) : wall_beyond(shapes, face, cell);
}

/* Turns to the cell that says what a cell is made of, which gets wrapped around periodic axes. Beyond mirrors
 * that is its image before them: other faces and bodies go on there, unless they move, which they might
 * through the mirror. Where the image is fluid, it is the mirror's own. */
static void turn_to_image(const struct weir_shapes *shapes, int cell[3]) {
    const struct weir_problem *problem = shapes->problem;
    int image[3];
    wrap(problem, cell);
    if (face_of(problem, cell) == WEIR_FLUID)
        return;
    const uint8_t wall = given_at(shapes, cell);
    for (int axis = 0; axis < 3; axis++) {
        const uint8_t face = face_along(problem, axis, cell);
        const bool turns = face != WEIR_FLUID && mirrors(problem, wall == WEIR_EDGE_WALL ? face : wall);
        image[axis] = !turns ? cell[axis] : cell[axis] < 0 ? 0 : problem->cells[axis] - 1;
    }
    const uint8_t there = given_at(shapes, image);
    if (there != WEIR_FLUID && !weir_wall_moves(&problem->walls[there]))
        memcpy(cell, image, sizeof image);
}

/* What a cell is made of; turns to its image. */
static uint8_t material_of(const struct weir_shapes *shapes, int cell[3]) {
    turn_to_image(shapes, cell);
    return given_at(shapes, cell);
}

/* Materials of a box of cells: of[z][y][x], from the low cell on, rows and slices being so far apart. */
struct materials {
    uint8_t *of;
    ptrdiff_t row, slice;
};

/* How many of `most` cells along an axis, from the one at `at` on, lie in the domain one after the other;
 * where that lies beyond a face, 1. *wrapped: where it is. */
static int stretch_along(const struct weir_problem *problem, int axis, int at, int most, int *wrapped) {
    int cell[3] = {0, 0, 0};
    cell[axis] = at;
    wrap(problem, cell);
    *wrapped = cell[axis];
    if (face_along(problem, axis, cell) != WEIR_FLUID)
        return 1;
    const int left = problem->cells[axis] - cell[axis];
    return most < left ? most : left;
}

/* Of a box of up to TILE_CELLS in the domain. */
static void materials_within(const struct weir_shapes *shapes, const struct weir_box *box,
                             const struct materials *materials) {
    uint8_t walls[TILE_CELLS], *row = walls;
    walls_of_box(shapes, box->origin, 1, box->extent, walls);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++, row += box->extent[0])
            memcpy(materials->of + z * materials->slice + y * materials->row, row, (size_t)box->extent[0]);
}

/* Of one of which each cell is looked at. */
static void materials_one_by_one(const struct weir_shapes *shapes, const struct weir_box *box,
                                 const struct materials *materials) {
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                int cell[3] = {box->origin[0] + x, box->origin[1] + y, box->origin[2] + z};
                materials->of[z * materials->slice + y * materials->row + x] = material_of(shapes, cell);
            }
}

/* Of one of up to TILE_CELLS that lies anywhere: in parts that lie in the domain on one side of its seams, or
 * beyond its faces. */
static void materials_of_box(const struct weir_shapes *shapes, const struct weir_box *box,
                             const struct materials *materials) {
    const struct weir_problem *problem = shapes->problem;
    struct weir_box part = *box, within;
    int done[3];
    for (done[2] = 0; done[2] < box->extent[2]; done[2] += part.extent[2])
        for (done[1] = 0; done[1] < box->extent[1]; done[1] += part.extent[1])
            for (done[0] = 0; done[0] < box->extent[0]; done[0] += part.extent[0]) {
                const struct materials there = {materials->of + done[2] * materials->slice +
                                                    done[1] * materials->row + done[0],
                                                materials->row, materials->slice};
                for (int axis = 0; axis < 3; axis++) {
                    part.origin[axis] = box->origin[axis] + done[axis];
                    part.extent[axis] = stretch_along(problem, axis, part.origin[axis],
                                                      box->extent[axis] - done[axis], &within.origin[axis]);
                    within.extent[axis] = part.extent[axis];
                }
                if (face_of(problem, within.origin) == WEIR_FLUID)
                    materials_within(shapes, &within, &there);
                else
                    materials_one_by_one(shapes, &part, &there);
            }
}

/* Whether two walls do the same. */
static bool are_alike(const struct weir_problem *problem, uint8_t one, uint8_t other) {
    const struct weir_wall *a = &problem->walls[one], *b = &problem->walls[other];
    return one == other || (a->rule == b->rule && !a->profile && !b->profile && !a->in_time && !b->in_time &&
                            !a->links && !b->links && a->density == b->density &&
                            (!weir_rules[a->rule].thermal || a->temperature == b->temperature) &&
                            memcmp(a->velocity, b->velocity, sizeof a->velocity) == 0);
}

/* Whether a cell of a moving or open wall is covered by another wall: it has no fluid beside it along an
 * axis, but something that does otherwise. Fluid meets it across its edges and corners only (numerics.md,
 * Boundaries). beside[2 * dimensions]: what the cells across its faces are made of. */
static bool is_covered(const struct weir_problem *problem, uint8_t wall, const uint8_t beside[6]) {
    bool covered = false;
    for (int face = 0; face < 2 * weir_lattice_dimensions(problem->lattice); face++) {
        const uint8_t other = beside[face];
        if (other == WEIR_FLUID)
            return false;
        covered = covered || !(are_alike(problem, other, wall) || mirrors(problem, other));
    }
    return covered;
}

/* Whether cells of a wall may be covered. */
static bool may_be_covered(const struct weir_wall *wall) {
    return weir_wall_moves(wall) || weir_wall_is_counted(wall);
}

/* The wall of a cell, WEIR_FLUID for none; wraps the cell around periodic axes. */
static uint8_t wall_of(const struct weir_shapes *shapes, int cell[3]) {
    const uint8_t wall = material_of(shapes, cell);
    uint8_t beside[6];
    if (wall == WEIR_FLUID || !may_be_covered(&shapes->problem->walls[wall]))
        return wall;
    for (int face = 0; face < 2 * weir_lattice_dimensions(shapes->problem->lattice); face++) {
        int across[3] = {cell[0], cell[1], cell[2]};
        across[face / 2] += 2 * (face % 2) - 1;
        beside[face] = material_of(shapes, across);
    }
    return is_covered(shapes->problem, wall, beside) ? WEIR_EDGE_WALL : wall;
}

/* Whether there is a wall among the neighbours from `low` to `high` along each axis. */
static bool beside_wall(const uint8_t *flag, const struct weir_flag_array *array, const int low[3],
                        const int high[3]) {
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                const uint8_t neighbour = flag[(z * array->rows + y) * array->row + x];
                if (!weir_flag_is_fluid(neighbour))
                    return true;
            }
    return false;
}

/* What matters of a wall to the cells beside it, and whether it may be covered. */
enum trait { IS_WALL = 1, IS_COUNTED = 2, IS_PART = 4, ACTS = 8, MAY_BE_COVERED = 16 };

/* Traits by flags: none of those of fluid cells. */
struct traits {
    uint8_t of[256];
};

static struct traits traits_of(const struct weir_problem *problem) {
    struct traits traits = {{0}};
    for (int wall = 1; wall < problem->wall_count; wall++) {
        const struct weir_wall *w = &problem->walls[wall];
        traits.of[wall] = (uint8_t)(IS_WALL | (weir_wall_is_counted(w) ? IS_COUNTED : 0) |
                                    (weir_wall_is_part(w) ? IS_PART : 0) | (weir_wall_acts(w) ? ACTS : 0) |
                                    (may_be_covered(w) ? MAY_BE_COVERED : 0));
    }
    return traits;
}

/* The traits of all walls around each cell of a row of the block, the cell's own among them. flag: of the
 * row's first cell. found[extent]; columns: with room for a row and its ring. */
static void traits_around(const struct traits *traits, const struct weir_flag_array *array,
                          const uint8_t *flag, int extent, uint8_t *columns, uint8_t *found) {
    const int ring = array->ring[0], cells = extent + 2 * ring;
    memset(columns, 0, (size_t)cells);
    for (int z = -array->ring[2]; z <= array->ring[2]; z++)
        for (int y = -array->ring[1]; y <= array->ring[1]; y++) {
            const uint8_t *row = flag + (z * array->rows + y) * array->row - ring;
            for (int x = 0; x < cells; x++)
                columns[x] |= traits->of[row[x]];
        }
    memset(found, 0, (size_t)extent);
    for (int shift = 0; shift <= 2 * ring; shift++)
        for (int x = 0; x < extent; x++)
            found[x] |= columns[x + shift];
}

/* Of a cell that has walls around it, whether one of them is in the domain. */
static bool beside_wall_within(const struct weir_problem *problem, const uint8_t *flag,
                               const struct weir_flag_array *array, const int cell[3]) {
    int low[3], high[3];
    bool at_end = false;
    for (int axis = 0; axis < 3; axis++) {
        const bool first = cell[axis] == 0 && !problem->periodic[axis],
                   last = cell[axis] == problem->cells[axis] - 1 && !problem->periodic[axis];
        low[axis] = first ? 0 : -array->ring[axis];
        high[axis] = last ? 0 : array->ring[axis];
        at_end = at_end || ((first || last) && array->ring[axis] > 0);
    }
    return !at_end || beside_wall(flag, array, low, high);
}

/* Whether one of the neighbours is part of a wall other than number `besides` that is counted, or acts. */
static bool beside_other_wall(const struct traits *traits, int besides, const uint8_t *flag,
                              const struct weir_flag_array *array) {
    for (int z = -array->ring[2]; z <= array->ring[2]; z++)
        for (int y = -array->ring[1]; y <= array->ring[1]; y++)
            for (int x = -array->ring[0]; x <= array->ring[0]; x++) {
                const uint8_t neighbour = flag[(z * array->rows + y) * array->row + x];
                if (neighbour != besides && traits->of[neighbour] & (IS_COUNTED | ACTS))
                    return true;
            }
    return false;
}

/* The flag of a fluid cell beside walls that are counted. at_ends: all walls lie beyond faces at which the
 * domain ends. */
static uint8_t flag_near_open(const struct weir_problem *problem, const struct traits *traits,
                              const uint8_t *flag, const struct weir_flag_array *array, const int cell[3],
                              bool at_ends) {
    const int face = cell[0] == 0 ? WEIR_FACE(0, -1) : WEIR_FACE(0, 1), end = WEIR_WALL_OF_FACE(face);
    if (array->ring[0] > 1 || problem->cells[0] < WEIR_CELLS_BETWEEN_ENDS ||
        cell[0] != (face == WEIR_FACE(0, -1) ? 0 : problem->cells[0] - 1) ||
        !weir_wall_is_of_links_alone(&problem->walls[end]) || beside_other_wall(traits, end, flag, array))
        return WEIR_NEAR_OPEN;
    return at_ends ? WEIR_AT_OPEN_END : WEIR_NEAR_OPEN_END;
}

/* The flag of a fluid cell of the domain. around: traits of the walls around it. */
static uint8_t fluid_flag(const struct weir_problem *problem, const struct traits *traits, uint8_t around,
                          const uint8_t *flag, const struct weir_flag_array *array, const int cell[3]) {
    if (!around)
        return WEIR_FLUID;
    const bool at_ends =
        array->ring[0] == 1 && !(around & IS_PART) && !beside_wall_within(problem, flag, array, cell);
    if (around & IS_COUNTED)
        return flag_near_open(problem, traits, flag, array, cell, at_ends);
    if (at_ends)
        return WEIR_AT_END;
    return around & ACTS ? WEIR_NEAR_MOVING_WALL : WEIR_NEAR_WALL;
}

/* Whether a row or one beside it has a wall; walled: one per row. */
static bool walls_around(const bool *walled, const struct weir_flag_array *array) {
    for (int z = -array->ring[2]; z <= array->ring[2]; z++)
        for (int y = -array->ring[1]; y <= array->ring[1]; y++)
            if (walled[z * array->rows + y])
                return true;
    return false;
}

/* The shapes of `from` that may touch a box, into `near`, whose list has room for all of them. */
static void pick(const struct weir_shapes *from, const struct weir_box *box, struct weir_shapes *near) {
    near->count = 0;
    for (int k = 0; k < from->count; k++) {
        const struct weir_shape *shape = weir_shapes_item(from, k);
        if (may_touch(from->problem, shape, box))
            near->list[near->count++] = shape;
    }
}

/* What the cells of a tile are made of, and those across its faces: a cell wider each way than a tile. */
enum { WIDE = TILE + 2 };

/* Cells of a box beside or in a tile, whose materials begin at of[0] at the tile's first cell. */
static void find_materials(const struct weir_shapes *near, const struct weir_box *tile,
                           const struct weir_box *part, uint8_t *of) {
    const int *at = part->origin, *from = tile->origin;
    const struct materials materials = {
        of + (at[2] - from[2]) * WIDE * WIDE + (at[1] - from[1]) * WIDE + at[0] - from[0], WIDE, WIDE * WIDE};
    materials_of_box(near, part, &materials);
}

/* Those across the faces of the tile. */
static void find_beside(const struct weir_shapes *near, const struct weir_box *tile, uint8_t *of) {
    for (int face = 0; face < 2 * weir_lattice_dimensions(near->problem->lattice); face++) {
        const int axis = face / 2;
        struct weir_box beside = *tile;
        beside.origin[axis] += face % 2 ? tile->extent[axis] : -1;
        beside.extent[axis] = 1;
        find_materials(near, tile, &beside, of);
    }
}

/* The wall of a cell of a tile, of which the materials are there, and those across its faces. Beyond mirrors
 * that is to be said of its image, so that cells beyond faces are asked by themselves. */
static uint8_t wall_among(const struct weir_shapes *near, const struct traits *traits, const int at[3],
                          const uint8_t *material) {
    const uint8_t beside[6] = {material[-1],           material[1],          material[-WIDE], material[WIDE],
                               material[-WIDE * WIDE], material[WIDE * WIDE]};
    int cell[3] = {at[0], at[1], at[2]};
    if (!(traits->of[*material] & MAY_BE_COVERED))
        return *material;
    wrap(near->problem, cell);
    if (face_of(near->problem, cell) != WEIR_FLUID)
        return wall_of(near, cell);
    return is_covered(near->problem, *material, beside) ? WEIR_EDGE_WALL : *material;
}

/* Whether any cell of a row is of a wall. */
static bool has_walls(const uint8_t *materials, int count) {
    uint8_t any = WEIR_FLUID;
    for (int x = 0; x < count; x++)
        any |= materials[x];
    return any != WEIR_FLUID;
}

/* Of the walls in a row. */
static uint8_t traits_of_row(const struct traits *traits, const uint8_t *materials, int count) {
    uint8_t found = 0;
    if (has_walls(materials, count)) /* most have none */
        for (int x = 0; x < count; x++)
            found |= traits->of[materials[x]];
    return found;
}

/* Flags of the cells of a tile of the block and its ring that are solid, and of which rows have any. */
static void set_walls(const struct weir_shapes *near, const struct traits *traits,
                      const struct weir_box *block, const struct weir_box *tile,
                      const struct weir_flag_array *array, uint8_t *flags, bool *walled) {
    uint8_t materials[WIDE * WIDE * WIDE] = {WEIR_FLUID}, *const of = &materials[(WIDE + 1) * WIDE + 1],
                                    there = 0;
    find_materials(near, tile, tile, of);
    for (int z = 0; z < tile->extent[2]; z++)
        for (int y = 0; y < tile->extent[1]; y++)
            there |= traits_of_row(traits, of + (z * WIDE + y) * WIDE, tile->extent[0]);
    const bool covers = there & MAY_BE_COVERED;
    if (covers)
        find_beside(near, tile, of);
    for (int z = 0; z < tile->extent[2]; z++)
        for (int y = 0; y < tile->extent[1]; y++) {
            const int at[3] = {tile->origin[0], tile->origin[1] + y, tile->origin[2] + z};
            const ptrdiff_t place = weir_flag_row(array, at[1] - block->origin[1], at[2] - block->origin[2]);
            uint8_t *flag = flags + place * array->row + at[0] - block->origin[0] + array->ring[0];
            const uint8_t *material = of + (z * WIDE + y) * WIDE;
            memcpy(flag, material, (size_t)tile->extent[0]);
            walled[place] |= has_walls(material, tile->extent[0]);
            for (int x = 0; covers && x < tile->extent[0]; x++)
                flag[x] = wall_among(near, traits, (const int[3]){at[0] + x, at[1], at[2]}, material + x);
        }
}

/* The same for all tiles. close: with room for the shapes of `near`. */
static void set_all_walls(const struct weir_shapes *near, struct weir_shapes *close,
                          const struct traits *traits, const struct weir_box *block,
                          const struct weir_flag_array *array, uint8_t *flags, bool *walled) {
    const int *ring = array->ring;
    struct weir_box tile;
    int begin[3];
    for (begin[2] = -ring[2]; begin[2] < block->extent[2] + ring[2]; begin[2] += TILE)
        for (begin[1] = -ring[1]; begin[1] < block->extent[1] + ring[1]; begin[1] += TILE)
            for (begin[0] = -ring[0]; begin[0] < block->extent[0] + ring[0]; begin[0] += TILE) {
                for (int axis = 0; axis < 3; axis++) {
                    const int left = block->extent[axis] + ring[axis] - begin[axis];
                    tile.origin[axis] = block->origin[axis] + begin[axis];
                    tile.extent[axis] = left < TILE ? left : TILE;
                }
                pick(near, &tile, close);
                set_walls(close, traits, block, &tile, array, flags, walled);
            }
}

static int fail_memory(const struct weir_problem *problem) {
    return weir_fail(WEIR_FAILED, "out of memory while placing %d solids; use a machine with more memory",
                     problem->shape_count);
}

/* The part of a box that begins `begin` cells from its origin and has TILE cells along each axis, or those
 * that are left. */
static struct weir_box tile_of(const struct weir_box *box, const int begin[3]) {
    struct weir_box tile;
    for (int axis = 0; axis < 3; axis++) {
        const int left = box->extent[axis] - begin[axis];
        tile.origin[axis] = box->origin[axis] + begin[axis];
        tile.extent[axis] = left < TILE ? left : TILE;
    }
    return tile;
}

/* Of the cells of a tile that are a multiple of `distance` away from the cell `first` along each axis. */
static int64_t count_fluid(const struct weir_shapes *shapes, const struct weir_box *tile, const int first[3],
                           int distance) {
    int64_t fluid = 0;
    int begin[3], count[3], cells = 1;
    uint8_t walls[TILE_CELLS];
    for (int axis = 0; axis < 3; axis++) {
        const int before = tile->origin[axis] - first[axis];
        begin[axis] = before <= 0 ? first[axis] : first[axis] + (before + distance - 1) / distance * distance;
        const int left = tile->origin[axis] + tile->extent[axis] - begin[axis];
        count[axis] = left > 0 ? (left + distance - 1) / distance : 0;
        cells *= count[axis];
    }
    if (cells > 0)
        walls_of_box(shapes, begin, distance, count, walls);
    for (int k = 0; k < cells; k++)
        fluid += walls[k] == WEIR_FLUID;
    return fluid;
}

/* The shape that has a cell of the domain or of the ring around it, if that conducts the scalar, else NULL.
 */
static const struct weir_shape *conducting_shape(const struct weir_shapes *shapes, const int ringed[3]) {
    int cell[3] = {ringed[0], ringed[1], ringed[2]};
    wrap(shapes->problem, cell);
    const double point[3] = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5};
    for (int axis = 0; axis < 3; axis++)
        if (cell[axis] < 0 || cell[axis] >= shapes->problem->cells[axis])
            return NULL;
    for (int k = shapes->count - 1; k >= 0; k--) {
        const struct weir_shape *shape = weir_shapes_item(shapes, k);
        if (shape->face == 0 && weir_shape_has(shapes->problem, shape, point))
            return shape->conductor > 0 ? shape : NULL;
    }
    return NULL;
}

static uint8_t conductor_of(const struct weir_shapes *shapes, const int cell[3]) {
    const struct weir_shape *const shape = conducting_shape(shapes, cell);
    return shape ? (uint8_t)shape->conductor : 0;
}

static uint8_t conducting_body_of(const struct weir_shapes *shapes, const int cell[3]) {
    const struct weir_shape *const shape = conducting_shape(shapes, cell);
    return shape ? (uint8_t)(shape->body > 0 ? shape->body : WEIR_NO_BODY) : 0;
}

int weir_geometry_conductor(const struct weir_problem *problem, const int cell[3]) {
    return conductor_of(&(struct weir_shapes){.problem = problem, .count = problem->shape_count}, cell);
}

int weir_geometry_conducting_body(const struct weir_problem *problem, const int cell[3]) {
    return conducting_body_of(&(struct weir_shapes){.problem = problem, .count = problem->shape_count}, cell);
}

int weir_geometry_solid(const struct weir_problem *problem, const int cell[3]) {
    const int wall = weir_geometry_wall(problem, cell), body = weir_geometry_conducting_body(problem, cell);
    return wall != 0 || body == 0 ? wall
           : body != WEIR_NO_BODY ? body
                                  : problem->wall_count - 1 + weir_geometry_conductor(problem, cell);
}

/* A number of each cell of a box, [extent z][y][x]. */
static int number_cells(const struct weir_problem *problem, const struct weir_box *box,
                        uint8_t (*number_of)(const struct weir_shapes *shapes, const int cell[3]),
                        uint8_t *numbers) {
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    struct weir_shapes near = {
        .problem = problem, .list = malloc(sizeof(struct weir_shape *) * (size_t)(problem->shape_count + 1))};
    size_t place = 0;
    if (!near.list)
        return fail_memory(problem);
    pick(&all, box, &near);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++)
                numbers[place++] = number_of(
                    &near, (const int[3]){box->origin[0] + x, box->origin[1] + y, box->origin[2] + z});
    free(near.list);
    return 0;
}

int weir_geometry_conductors(const struct weir_problem *problem, const struct weir_box *box,
                             uint8_t *numbers) {
    return number_cells(problem, box, conductor_of, numbers);
}

int weir_geometry_conducting_bodies(const struct weir_problem *problem, const struct weir_box *block,
                                    uint8_t *bodies) {
    struct weir_box ringed = *block;
    for (int axis = 0; axis < 3; axis++) {
        const int ring = weir_lattice_ring(weir_lattice_table((int)problem->lattice), axis);
        ringed.origin[axis] -= ring;
        ringed.extent[axis] += 2 * ring;
    }
    return number_cells(problem, &ringed, conducting_body_of, bodies);
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
    int begin[3] = {0, row % t->rows * TILE, row / t->rows * TILE};
    if (!close.list) {
        atomic_store(&t->failed, true);
        return;
    }
    for (; begin[0] < block->extent[0]; begin[0] += TILE) {
        const struct weir_box tile = tile_of(block, begin);
        pick(&t->near, &tile, &close);
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
        .rows = (block->extent[1] + TILE - 1) / TILE};
    if (!rows.near.list)
        return fail_memory(problem);
    for (int axis = 0; axis < 3; axis++)
        rows.first[axis] = block->origin[axis] + start[axis];
    pick(&all, block, &rows.near);
    weir_parallel(threads_for(block, distance), rows.rows * ((block->extent[2] + TILE - 1) / TILE),
                  count_tile_row, &rows);
    free(rows.near.list);
    return rows.failed ? fail_memory(problem) : rows.fluid;
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

/* Flags of the fluid cells of a row of the block, by those of all walls. Returns how many they are. scratch:
 * with room for two rows. */
static int64_t set_fluid(const struct weir_problem *problem, const struct traits *traits,
                         const struct weir_box *block, const struct weir_flag_array *array, int y, int z,
                         uint8_t *flags, uint8_t *scratch) {
    uint8_t *flag = flags + weir_flag_place(array, 0, y, z), *around = scratch + array->row;
    int64_t fluid = 0;
    traits_around(traits, array, flag, block->extent[0], scratch, around);
    for (int x = 0; x < block->extent[0]; x++)
        if (flag[x] == WEIR_FLUID) {
            const int cell[3] = {block->origin[0] + x, block->origin[1] + y, block->origin[2] + z};
            fluid++;
            flag[x] = fluid_flag(problem, traits, around[x], flag + x, array, cell);
        }
    return fluid;
}

/* What filling flags takes beside them. */
struct flagging {
    struct weir_shapes near, close;
    bool *walled; /* of each row */
    uint8_t *scratch;
};

static bool begin_flagging(const struct weir_problem *problem, const struct weir_box *block,
                           const struct weir_flag_array *array, struct flagging *f) {
    const size_t list_bytes = sizeof(struct weir_shape *) * (size_t)(problem->shape_count + 1);
    *f = (struct flagging){
        .near = {.problem = problem, .list = malloc(list_bytes)},
        .close = {.problem = problem, .list = malloc(list_bytes)},
        .walled = calloc((size_t)array->rows * (size_t)(block->extent[2] + 2 * array->ring[2]), sizeof(bool)),
        .scratch = malloc(2 * (size_t)array->row)};
    return f->near.list && f->close.list && f->walled && f->scratch;
}

static void end_flagging(struct flagging *f) {
    free(f->near.list);
    free(f->close.list);
    free(f->walled);
    free(f->scratch);
}

int64_t weir_geometry_flags(const struct weir_problem *problem, const struct weir_box *block,
                            uint8_t *flags) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    const struct weir_flag_array array = weir_flag_array(lattice, block->extent);
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    const struct traits traits = traits_of(problem);
    struct flagging f;
    int64_t fluid = 0;
    if (!begin_flagging(problem, block, &array, &f)) {
        end_flagging(&f);
        return fail_memory(problem);
    }
    pick(&all, block, &f.near);
    set_all_walls(&f.near, &f.close, &traits, block, &array, flags, f.walled);
    for (int z = 0; z < block->extent[2]; z++)
        for (int y = 0; y < block->extent[1]; y++)
            fluid += walls_around(&f.walled[weir_flag_row(&array, y, z)], &array)
                         ? set_fluid(problem, &traits, block, &array, y, z, flags, f.scratch)
                         : block->extent[0]; /* most rows of most domains */
    end_flagging(&f);
    return fluid;
}

/* Slabs of a block, each with a ring of its own, of which all but the first and the last is left out where
 * they are put together. */
struct flag_slabs {
    const struct weir_problem *problem;
    const struct weir_box *block;
    size_t slice; /* flags of a slice, rings included */
    int ring, thickness;
    uint8_t *flags;
    atomic_llong fluid;
    atomic_bool failed;
};

static void flag_slab(void *context, int k) {
    struct flag_slabs *s = context;
    struct weir_box slab = *s->block;
    const int from = k * s->thickness, left = slab.extent[2] - from;
    const bool first = from == 0, last = left <= s->thickness;
    slab.origin[2] += from;
    slab.extent[2] = last ? left : s->thickness;
    uint8_t *flags = malloc((size_t)(slab.extent[2] + 2 * s->ring) * s->slice);
    const int64_t fluid = flags ? weir_geometry_flags(s->problem, &slab, flags) : -1;
    if (fluid >= 0) {
        const int begin = first ? 0 : s->ring, end = slab.extent[2] + (last ? 2 : 1) * s->ring;
        memcpy(s->flags + (size_t)(from + begin) * s->slice, flags + (size_t)begin * s->slice,
               (size_t)(end - begin) * s->slice);
        atomic_fetch_add(&s->fluid, fluid);
    } else {
        atomic_store(&s->failed, true);
    }
    free(flags);
}

int64_t weir_geometry_flags_shared(const struct weir_problem *problem, const struct weir_box *block,
                                   int threads, uint8_t *flags) {
    enum { LEAST = 4, MOST = 32 }; /* slices of a slab: the fewer, the more its ring costs */
    const struct weir_flag_array array =
        weir_flag_array(weir_lattice_table((int)problem->lattice), block->extent);
    const int share = threads < 2 ? block->extent[2] : (block->extent[2] + threads - 1) / threads;
    struct flag_slabs s = {.problem = problem,
                           .block = block,
                           .slice = (size_t)array.row * (size_t)array.rows,
                           .ring = array.ring[2],
                           .thickness = share < LEAST  ? LEAST
                                        : share > MOST ? MOST
                                                       : share,
                           .flags = flags};
    if (threads < 2 || block->extent[2] <= s.thickness)
        return weir_geometry_flags(problem, block, flags);
    weir_parallel(threads, (block->extent[2] + s.thickness - 1) / s.thickness, flag_slab, &s);
    return s.failed ? fail_memory(problem) : s.fluid;
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
    return wall_of_shapes(shapes, cell) != WEIR_FLUID;
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
        walls_of_box(shapes, first, 1, count, walls);
    for (int k = 0; k < count[0] * count[1] * count[2]; k++) {
        int at[3] = {first[0] + k % 3, first[1] + k / 3 % 3, first[2] + k / 9};
        if (!within)
            wrap(problem, at);
        if (within ? walls[k] != WEIR_FLUID : face_of(problem, at) == WEIR_FLUID && is_of_body(shapes, at))
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

int weir_geometry_wall(const struct weir_problem *problem, const int cell[3]) {
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    return wall_of(&all, (int[3]){cell[0], cell[1], cell[2]});
}

/* Distances of a box's cell centres along an axis from the image of the shape's centre that is nearest to the
 * box's middle: the greatest, either way. */
static double farthest(const struct weir_problem *problem, int axis, double center,
                       const struct weir_box *box) {
    const double half = 0.5 * (box->extent[axis] - 1), middle = box->origin[axis] + 0.5 + half;
    return fabs(weir_geometry_distance(problem, axis, center, middle)) + half;
}

/* Whether all cells of a box belong to a region. Says no for boxes that are too large to look at each. */
static bool region_covers(const struct weir_region *region, const struct weir_box *box) {
    enum { LOOKED_AT = 4096 };
    if (weir_box_cells(box) > LOOKED_AT)
        return false;
    for (int z = box->origin[2]; z < box->origin[2] + box->extent[2]; z++)
        for (int y = box->origin[1]; y < box->origin[1] + box->extent[1]; y++)
            for (int x = box->origin[0]; x < box->origin[0] + box->extent[0]; x++)
                if (!region->contains(region, (const double[3]){x + 0.5, y + 0.5, z + 0.5}))
                    return false;
    return true;
}

bool weir_geometry_covers(const struct weir_problem *problem, const struct weir_shape *shape,
                          const struct weir_box *box) {
    static const double margin = 1 - 1e-9; /* far more than rounding */
    const double low[3] = {box->origin[0] + 0.5, box->origin[1] + 0.5, box->origin[2] + 0.5};
    double square = 0, high[3], radius = 0;
    if (shape->face != 0)
        return false;
    if (weir_box_cells(box) == 1)
        return weir_shape_has(problem, shape, low);
    switch (shape->type) {
    case WEIR_SPHERE:
        radius = shape->sphere.radius;
        for (int axis = 0; axis < 3; axis++)
            square += pow(farthest(problem, axis, shape->sphere.center[axis], box), 2);
        break;
    case WEIR_BOX:
        for (int axis = 0; axis < 3; axis++)
            high[axis] = low[axis] + box->extent[axis] - 1;
        return weir_shape_has(problem, shape, low) && weir_shape_has(problem, shape, high);
    case WEIR_CYLINDER:
        radius = shape->cylinder.radius;
        for (int axis = 0; axis < 3; axis++) {
            const double d = farthest(problem, axis, shape->cylinder.center[axis], box);
            if (axis != shape->cylinder.axis)
                square += d * d;
            else if (d > 0.5 * shape->cylinder.length * margin)
                return false;
        }
        break;
    case WEIR_REGION:
        return region_covers(shape->region, box);
    }
    return square <= radius * radius * margin;
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

int weir_geometry_shapes_near(const struct weir_problem *problem, const struct weir_box *box,
                              struct weir_shapes *near) {
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    *near = (struct weir_shapes){.problem = problem,
                                 .list = malloc(sizeof *near->list * (size_t)(problem->shape_count + 1))};
    if (!near->list)
        return fail_memory(problem);
    pick(&all, box, near);
    return 0;
}

bool weir_geometry_touches(const struct weir_problem *problem, const struct weir_shape *shape,
                           const struct weir_box *box) {
    return may_touch(problem, shape, box);
}

void weir_geometry_extent(const struct weir_problem *problem, const struct weir_shape *shape,
                          const struct weir_box *box, double cells[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const double side = 0.5 * box->extent[axis];
        double center = 0, half = 0;
        bounds(shape, axis, &center, &half);
        double middle = box->origin[axis] + side - center;
        if (is_repeated(shape))
            middle = weir_geometry_distance(problem, axis, 0, middle);
        cells[axis] = fmax(fmin(middle + side, half) - fmax(middle - side, -half), 1);
    }
}

void weir_geometry_bounds(const struct weir_problem *problem, const struct weir_shape *shape, double low[3],
                          double high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        double center = 0, half = 0;
        bounds(shape, axis, &center, &half);
        low[axis] = isfinite(half) ? center - half : 0;
        high[axis] = isfinite(half) ? center + half : problem->cells[axis];
    }
}
