#include "graph/problem/geometry.h"

#include "graph/base/error.h"
#include "graph/problem/inside.h"
#include "graph/problem/materials.h"

#include <stdlib.h>
#include <string.h>

int weir_geometry_fail_memory(const struct weir_problem *problem) {
    return weir_fail(WEIR_FAILED, "out of memory while placing %d solids; use a machine with more memory",
                     problem->shape_count);
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

uint8_t weir_wall_of_shapes(const struct weir_shapes *shapes, const int cell[3]) {
    return wall_at(shapes, 0, (const double[3]){cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5});
}

void weir_walls_of_box(const struct weir_shapes *shapes, const int first[3], int step, const int count[3],
                       uint8_t *walls) {
    const double center[3] = {first[0] + 0.5, first[1] + 0.5, first[2] + 0.5};
    const int cells = count[0] * count[1] * count[2];
    bool inside[WEIR_LOOK_CELLS], settled[WEIR_LOOK_CELLS];
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

void weir_wrap_cell(const struct weir_problem *problem, int cell[3]) {
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

uint8_t weir_face_beyond(const struct weir_problem *problem, const int cell[3]) {
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
    const uint8_t face = weir_face_beyond(shapes->problem, cell);
    if (shapes->count == 0 || face == WEIR_EDGE_WALL)
        return face;
    return face == WEIR_FLUID ? weir_wall_of_shapes(shapes, cell) : wall_beyond(shapes, face, cell);
}

/* Turns to the cell that says what a cell is made of, which gets wrapped around periodic axes. Beyond mirrors
 * that is its image before them: other faces and bodies go on there, unless they move, which they might
 * through the mirror. Where the image is fluid, it is the mirror's own. */
static void turn_to_image(const struct weir_shapes *shapes, int cell[3]) {
    const struct weir_problem *problem = shapes->problem;
    int image[3];
    weir_wrap_cell(problem, cell);
    if (weir_face_beyond(problem, cell) == WEIR_FLUID)
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

/* How many of `most` cells along an axis, from the one at `at` on, lie in the domain one after the other;
 * where that lies beyond a face, 1. *wrapped: where it is. */
static int stretch_along(const struct weir_problem *problem, int axis, int at, int most, int *wrapped) {
    int cell[3] = {0, 0, 0};
    cell[axis] = at;
    weir_wrap_cell(problem, cell);
    *wrapped = cell[axis];
    if (face_along(problem, axis, cell) != WEIR_FLUID)
        return 1;
    const int left = problem->cells[axis] - cell[axis];
    return most < left ? most : left;
}

/* Of a box of up to WEIR_LOOK_CELLS in the domain. */
static void materials_within(const struct weir_shapes *shapes, const struct weir_box *box,
                             const struct weir_materials *materials) {
    uint8_t walls[WEIR_LOOK_CELLS], *row = walls;
    weir_walls_of_box(shapes, box->origin, 1, box->extent, walls);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++, row += box->extent[0])
            memcpy(materials->of + z * materials->slice + y * materials->row, row, (size_t)box->extent[0]);
}

/* Of one of which each cell is looked at. */
static void materials_one_by_one(const struct weir_shapes *shapes, const struct weir_box *box,
                                 const struct weir_materials *materials) {
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                int cell[3] = {box->origin[0] + x, box->origin[1] + y, box->origin[2] + z};
                materials->of[z * materials->slice + y * materials->row + x] = material_of(shapes, cell);
            }
}

void weir_materials_of_box(const struct weir_shapes *shapes, const struct weir_box *box,
                           const struct weir_materials *materials) {
    const struct weir_problem *problem = shapes->problem;
    struct weir_box part = *box, within;
    int done[3];
    for (done[2] = 0; done[2] < box->extent[2]; done[2] += part.extent[2])
        for (done[1] = 0; done[1] < box->extent[1]; done[1] += part.extent[1])
            for (done[0] = 0; done[0] < box->extent[0]; done[0] += part.extent[0]) {
                const struct weir_materials there = {materials->of + done[2] * materials->slice +
                                                         done[1] * materials->row + done[0],
                                                     materials->row, materials->slice};
                for (int axis = 0; axis < 3; axis++) {
                    part.origin[axis] = box->origin[axis] + done[axis];
                    part.extent[axis] = stretch_along(problem, axis, part.origin[axis],
                                                      box->extent[axis] - done[axis], &within.origin[axis]);
                    within.extent[axis] = part.extent[axis];
                }
                if (weir_face_beyond(problem, within.origin) == WEIR_FLUID)
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

bool weir_wall_is_covered(const struct weir_problem *problem, uint8_t wall, const uint8_t beside[6]) {
    bool covered = false;
    for (int face = 0; face < 2 * weir_lattice_dimensions(problem->lattice); face++) {
        const uint8_t other = beside[face];
        if (other == WEIR_FLUID)
            return false;
        covered = covered || !(are_alike(problem, other, wall) || mirrors(problem, other));
    }
    return covered;
}

bool weir_wall_may_be_covered(const struct weir_wall *wall) {
    return weir_wall_moves(wall) || weir_wall_is_counted(wall);
}

uint8_t weir_wall_of_cell(const struct weir_shapes *shapes, int cell[3]) {
    const uint8_t wall = material_of(shapes, cell);
    uint8_t beside[6];
    if (wall == WEIR_FLUID || !weir_wall_may_be_covered(&shapes->problem->walls[wall]))
        return wall;
    for (int face = 0; face < 2 * weir_lattice_dimensions(shapes->problem->lattice); face++) {
        int across[3] = {cell[0], cell[1], cell[2]};
        across[face / 2] += 2 * (face % 2) - 1;
        beside[face] = material_of(shapes, across);
    }
    return weir_wall_is_covered(shapes->problem, wall, beside) ? WEIR_EDGE_WALL : wall;
}

/* The shape that has a cell of the domain or of the ring around it, if that conducts the scalar, else NULL.
 */
static const struct weir_shape *conducting_shape(const struct weir_shapes *shapes, const int ringed[3]) {
    int cell[3] = {ringed[0], ringed[1], ringed[2]};
    weir_wrap_cell(shapes->problem, cell);
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
        return weir_geometry_fail_memory(problem);
    weir_shapes_pick(&all, box, &near);
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

int weir_geometry_wall(const struct weir_problem *problem, const int cell[3]) {
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    return weir_wall_of_cell(&all, (int[3]){cell[0], cell[1], cell[2]});
}
