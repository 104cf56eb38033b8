/* Flags of cells: shapes, periodic images, walls of the domain's faces, and marks beside walls. */
#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/blocks.h"
#include "graph/problem/geometry.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"

#include <stdlib.h>
#include <string.h>

enum { BODY = WEIR_FIRST_BODY };

static struct weir_problem problem_of(int nx, int ny, int nz, struct weir_shape *shapes, int count) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){nx, ny, nz}, sizeof problem.cells);
    problem.wall_count = WEIR_WALLS_MAX;
    problem.shapes = shapes;
    problem.shape_count = count;
    return problem;
}

static struct weir_shape sphere(double x, double y, double z, double radius) {
    return (struct weir_shape){.type = WEIR_SPHERE, .wall = BODY, .sphere = {{x, y, z}, radius}};
}

static struct weir_shape box(double x, double y, double z, double to_x, double to_y, double to_z) {
    return (struct weir_shape){.type = WEIR_BOX, .wall = BODY, .box = {{x, y, z}, {to_x, to_y, to_z}}};
}

static struct weir_shape cylinder(int axis, double x, double y, double z, double radius, double length) {
    return (struct weir_shape){
        .type = WEIR_CYLINDER, .wall = BODY, .cylinder = {axis, {x, y, z}, radius, length}};
}

/* Flags of a box of cells and its ring; the caller frees. */
static uint8_t *flags_of(const struct weir_problem *problem, const struct weir_box *block, int64_t *fluid) {
    uint8_t *flags = malloc((size_t)(block->extent[0] + 2) * (size_t)(block->extent[1] + 2) *
                            (size_t)(block->extent[2] + 2));
    assert_non_null(flags);
    *fluid = weir_geometry_flags(problem, block, flags);
    return flags;
}

static struct weir_box domain_of(const struct weir_problem *problem) {
    struct weir_box whole = {{0, 0, 0}, {0, 0, 0}};
    memcpy(whole.extent, problem->cells, sizeof whole.extent);
    return whole;
}

/* Flag of a cell given in the block's coordinates, -1 .. extent. */
static uint8_t flag_at(const uint8_t *flags, const struct weir_box *block, int x, int y, int z) {
    return flags[((z + 1) * (block->extent[1] + 2) + y + 1) * (block->extent[0] + 2) + x + 1];
}

static bool is_wall(uint8_t flag) {
    return flag != WEIR_FLUID && flag < WEIR_NEAR_WALL;
}

/* Solid cells of the domain, after comparing them with weir_geometry_wall. */
static int solids_in(const struct weir_problem *problem) {
    const struct weir_box whole = domain_of(problem);
    int64_t fluid;
    int solids = 0;
    uint8_t *flags = flags_of(problem, &whole, &fluid);
    for (int z = 0; z < problem->cells[2]; z++)
        for (int y = 0; y < problem->cells[1]; y++)
            for (int x = 0; x < problem->cells[0]; x++) {
                const uint8_t flag = flag_at(flags, &whole, x, y, z);
                assert_int_equal(is_wall(flag) ? flag : 0,
                                 weir_geometry_wall(problem, (const int[3]){x, y, z}));
                solids += is_wall(flag);
            }
    assert_int_equal(fluid + solids, weir_box_cells(&whole));
    free(flags);
    return solids;
}

static int solids_of_shape(struct weir_shape shape, bool periodic) {
    struct weir_problem problem = problem_of(12, 10, 8, &shape, 1);
    memset(problem.periodic, periodic, sizeof problem.periodic);
    return solids_in(&problem);
}

/* Cells whose centres lie inside or on the boundary, counted by hand. */
static void test_shapes(void **state) {
    (void)state;
    assert_int_equal(solids_of_shape(sphere(5.5, 5.5, 4.5, 0.99), false), 1);
    assert_int_equal(solids_of_shape(sphere(5.5, 5.5, 4.5, 1), false), 7);
    assert_int_equal(solids_of_shape(sphere(5.5, 5.5, 4.5, 1.5), false), 19);
    assert_int_equal(solids_of_shape(sphere(5, 5, 4, 1), false), 8);
    assert_int_equal(solids_of_shape(box(2, 3, 1, 4, 6, 2), false), 2 * 3 * 1);
    assert_int_equal(solids_of_shape(box(2.5, 3.5, 1.5, 4.5, 6.5, 1.5), false), 3 * 4 * 1);
    assert_int_equal(solids_of_shape(box(2.51, 3, 1, 4.49, 6, 2), false), 1 * 3 * 1);
    assert_int_equal(solids_of_shape(cylinder(2, 5.5, 5.5, 4, 1, HUGE_VAL), false), 5 * 8);
    assert_int_equal(solids_of_shape(cylinder(0, 6, 5.5, 4.5, 1, 3), false), 5 * 4);
    assert_int_equal(solids_of_shape(cylinder(1, 5.5, 5.5, 4.5, 1.5, 2), false), 9 * 3);
}

/* Spheres and cylinders come round periodic axes, boxes do not. */
static void test_periodic_images(void **state) {
    (void)state;
    assert_int_equal(solids_of_shape(sphere(0.5, 0.5, 0.5, 1), false), 4);
    assert_int_equal(solids_of_shape(sphere(0.5, 0.5, 0.5, 1), true), 7);
    assert_int_equal(solids_of_shape(sphere(11.5, 9.5, 7.5, 1.5), true), 19);
    assert_int_equal(solids_of_shape(cylinder(0, 0, 0.5, 0.5, 1, 4), false), 3 * 2);
    assert_int_equal(solids_of_shape(cylinder(0, 0, 0.5, 0.5, 1, 4), true), 5 * 4);
    assert_int_equal(solids_of_shape(box(-2, -2, -2, 1, 1, 1), false), 1);
    assert_int_equal(solids_of_shape(box(-2, -2, -2, 1, 1, 1), true), 1);
}

static void test_later_shapes_win(void **state) {
    (void)state;
    struct weir_shape shapes[] = {box(0, 0, 0, 6, 6, 6), box(2, 2, 2, 4, 4, 4)};
    shapes[1].wall = BODY + 5;
    const struct weir_problem problem = problem_of(8, 8, 8, shapes, 2);
    assert_int_equal(weir_geometry_wall(&problem, (const int[3]){2, 3, 2}), BODY + 5);
    assert_int_equal(weir_geometry_wall(&problem, (const int[3]){1, 3, 2}), BODY);
    assert_int_equal(solids_in(&problem), 6 * 6 * 6);
}

/* Wall of a cell of the ring around a domain of 4 x 3 x 2 cells. */
static int ring_wall(const struct weir_problem *problem, int x, int y, int z) {
    const struct weir_box whole = domain_of(problem);
    int64_t fluid;
    uint8_t *flags = flags_of(problem, &whole, &fluid);
    const uint8_t flag = flag_at(flags, &whole, x, y, z);
    free(flags);
    return is_wall(flag) ? flag : 0;
}

static void test_walls_of_faces(void **state) {
    (void)state;
    enum { LOW_X = 1, HIGH_X, LOW_Y, HIGH_Y, LOW_Z, HIGH_Z };
    struct weir_problem problem = problem_of(4, 3, 2, NULL, 0);
    assert_int_equal(ring_wall(&problem, -1, 1, 1), LOW_X);
    assert_int_equal(ring_wall(&problem, 4, 1, 1), HIGH_X);
    assert_int_equal(ring_wall(&problem, 1, -1, 1), LOW_Y);
    assert_int_equal(ring_wall(&problem, 1, 3, 1), HIGH_Y);
    assert_int_equal(ring_wall(&problem, 1, 1, -1), LOW_Z);
    assert_int_equal(ring_wall(&problem, 1, 1, 2), HIGH_Z);
    /* Where several meet, the edge, whatever moves. */
    problem.walls[LOW_X].velocity[2] = 0.1;
    assert_int_equal(ring_wall(&problem, -1, 3, 1), WEIR_EDGE_WALL);
    assert_int_equal(ring_wall(&problem, -1, 1, 2), WEIR_EDGE_WALL);
    assert_int_equal(ring_wall(&problem, 4, -1, -1), WEIR_EDGE_WALL);
    /* No walls across periodic axes. */
    problem.periodic[0] = true;
    assert_int_equal(ring_wall(&problem, -1, 1, 1), 0);
    assert_int_equal(ring_wall(&problem, -1, -1, 1), LOW_Y);
    memset(problem.periodic, true, sizeof problem.periodic);
    assert_int_equal(ring_wall(&problem, 4, 3, 2), 0);
}

/* The ring holds what lies at the other end of a periodic axis, and a face's wall also beyond solids. */
static void test_ring_around_periodic_axes(void **state) {
    (void)state;
    struct weir_shape shapes[] = {box(3, 0, 0, 4, 1, 2), box(0, 2, 0, 1, 3, 2)};
    struct weir_problem problem = problem_of(4, 3, 2, shapes, 2);
    problem.periodic[0] = true;
    assert_int_equal(ring_wall(&problem, -1, 0, 0), BODY);
    assert_int_equal(ring_wall(&problem, -1, 1, 0), 0);
    assert_int_equal(ring_wall(&problem, 4, 2, 1), BODY);
    assert_int_equal(ring_wall(&problem, 4, 0, 1), 0);
    assert_int_equal(ring_wall(&problem, -1, -1, 0), 3);
}

/* What the links to moving walls add to the fluid's mass in a step, per reference density, in units of the
 * velocity: (N12) summed over all links of each wall. */
static void momentum_terms(const struct weir_problem *problem, double sum[WEIR_WALLS_MAX]) {
    const struct weir_lattice_table *lattice = weir_lattice_table(problem->lattice);
    memset(sum, 0, WEIR_WALLS_MAX * sizeof *sum);
    const int *n = problem->cells;
    for (int cell = 0; cell < n[0] * n[1] * n[2]; cell++) {
        const int at[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
        if (weir_geometry_wall(problem, at) != 0)
            continue;
        for (int i = 0; i < lattice->populations; i++) {
            int there[3];
            const int wall = reference_next_cell(problem, at, lattice->velocity[i], there);
            for (int axis = 0; axis < 3; axis++)
                sum[wall] -=
                    6 * lattice->weight[i] * lattice->velocity[i][axis] * problem->walls[wall].velocity[axis];
        }
    }
}

/* Whether flows on a lattice meet walls. */
static bool has_walls(int lattice) {
    return weir_lattice_table(lattice)->reach == 1;
}

static void assert_no_mass_from_walls(const struct weir_problem *problem) {
    double sum[WEIR_WALLS_MAX];
    momentum_terms(problem, sum);
    for (int wall = 0; wall < WEIR_WALLS_MAX; wall++)
        assert_close(sum[wall], 0, 1e-14);
}

/* A face that moves along itself adds no mass, whatever solid lies at one end of it, in its middle, or below
 * a part of it. */
static void test_moving_faces_beside_solids(void **state) {
    (void)state;
    static const struct {
        double from[3], to[3];
    } boxes[] = {
        {{0, 0, 0}, {3, 9, 9}}, {{5, 0, 0}, {9, 9, 9}}, {{0, 0, 0}, {9, 2, 9}}, {{0, 7, 0}, {9, 9, 9}},
        {{0, 0, 0}, {9, 9, 4}}, {{0, 0, 0}, {3, 3, 3}}, {{4, 0, 5}, {9, 4, 9}}, {{3, 2, 0}, {6, 9, 9}},
        {{0, 6, 0}, {1, 9, 1}}, {{8, 8, 8}, {9, 9, 9}},
    };
    for (int lattice = 0; weir_lattice_names[lattice]; lattice++) {
        if (!has_walls(lattice))
            continue;
        const int dimensions = weir_lattice_dimensions((enum weir_lattice)lattice);
        for (int face = 0; face < 2 * dimensions; face++)
            for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++)
                for (int periodic = 0; periodic < 2; periodic++) {
                    const double *from = boxes[k].from, *to = boxes[k].to;
                    struct weir_shape shape = box(from[0], from[1], from[2], to[0], to[1], to[2]);
                    struct weir_problem problem = problem_of(9, 9, dimensions == 3 ? 9 : 1, &shape, 1);
                    problem.lattice = (enum weir_lattice)lattice;
                    problem.periodic[2] = dimensions == 2;
                    problem.periodic[(face / 2 + 1) % dimensions] |= periodic;
                    for (int axis = 0; axis < dimensions; axis++)
                        if (axis != face / 2)
                            problem.walls[1 + face].velocity[axis] = 0.1 - 0.07 * axis;
                    assert_no_mass_from_walls(&problem);
                }
    }
}

/* The same of a belt between the domain's ends that moves along itself, where another solid lies on it, and
 * where two moving walls meet at a solid. */
static void test_moving_belts_beside_solids(void **state) {
    (void)state;
    for (int lattice = 0; weir_lattice_names[lattice]; lattice++) {
        if (!has_walls(lattice))
            continue;
        const int dimensions = weir_lattice_dimensions((enum weir_lattice)lattice);
        struct weir_shape shapes[] = {box(0, 0, 0, 9, 2, 9), box(0, 0, 0, 3, 5, 9), box(6, 7, 0, 9, 9, 4)};
        shapes[1].wall = shapes[2].wall = BODY + 1;
        struct weir_problem problem = problem_of(9, 9, dimensions == 3 ? 9 : 1, shapes, 3);
        problem.lattice = (enum weir_lattice)lattice;
        problem.periodic[2] = dimensions == 2;
        problem.walls[BODY].velocity[0] = 0.1;
        problem.walls[4].velocity[0] = -0.05;
        assert_no_mass_from_walls(&problem);
    }
}

/* A moving face is `edge` beyond solids; a face at rest keeps its number beyond solids, and a body that moves
 * with the wall does not cover it. */
static void test_covered_cells(void **state) {
    (void)state;
    enum { HIGH_Y = 4 };
    struct weir_shape shapes[] = {box(0, 1, 0, 2, 3, 2)};
    struct weir_problem problem = problem_of(4, 3, 2, shapes, 1);
    problem.periodic[2] = true;
    assert_int_equal(ring_wall(&problem, 1, 3, 0), HIGH_Y);
    problem.walls[HIGH_Y].velocity[0] = 0.1;
    assert_int_equal(ring_wall(&problem, 1, 3, 0), WEIR_EDGE_WALL);
    assert_int_equal(ring_wall(&problem, 2, 3, 0), HIGH_Y);
    problem.walls[BODY].velocity[0] = 0.1;
    assert_int_equal(ring_wall(&problem, 1, 3, 0), HIGH_Y);
}

/* What lets fluid pass is covered as what moves is, by anything but itself. */
static void test_covered_open_faces(void **state) {
    (void)state;
    enum { HIGH_Y = 4 };
    struct weir_shape shapes[] = {box(0, 1, 0, 2, 3, 2)};
    struct weir_problem problem = problem_of(4, 3, 2, shapes, 1);
    problem.periodic[2] = true;
    for (int rule = WEIR_RULE_VELOCITY; rule < WEIR_RULE_COUNT; rule++) {
        struct weir_wall *face = &problem.walls[HIGH_Y], *body = &problem.walls[BODY];
        if (!weir_rules[rule].open)
            continue;
        *face = (struct weir_wall){.rule = (enum weir_rule)rule};
        *body = (struct weir_wall){.rule = WEIR_RULE_WALL};
        assert_int_equal(ring_wall(&problem, 1, 3, 0), WEIR_EDGE_WALL);
        assert_int_equal(ring_wall(&problem, 2, 3, 0), HIGH_Y);
        assert_int_equal(ring_wall(&problem, -1, 3, 0), WEIR_EDGE_WALL);
        *body = *face;
        assert_int_equal(ring_wall(&problem, 1, 3, 0), HIGH_Y);
        face->profile = true;
        assert_int_equal(ring_wall(&problem, 1, 3, 0), WEIR_EDGE_WALL);
        assert_int_equal(ring_wall(&problem, 2, 3, 0), HIGH_Y);
    }
}

/* The boundary beyond the x face at which the domain ends at this coordinate, if its rule is of links alone;
 * 0: there is none such. */
static int end_of_links_alone(const struct weir_problem *problem, int x) {
    const int last = problem->cells[0] - 1, face = x == 0 ? WEIR_FACE(0, -1) : WEIR_FACE(0, 1);
    return last > 1 && !problem->periodic[0] && (x == 0 || x == last) &&
                   weir_rules[problem->walls[WEIR_WALL_OF_FACE(face)].rule].of_links_alone
               ? WEIR_WALL_OF_FACE(face)
               : 0;
}

/* The boundary beyond the one face, normal to y or z, at which a cell lies, if that is a mirror; 0: there is
 * none such. */
static int one_mirror(const struct weir_problem *problem, const int cell[3]) {
    int faces = 0, face = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int high = 0; high < 2; high++)
            if (!problem->periodic[axis] && cell[axis] == high * (problem->cells[axis] - 1)) {
                faces++;
                face = WEIR_FACE(axis, high);
            }
    return faces == 1 && face >= 2 && weir_rules[problem->walls[WEIR_WALL_OF_FACE(face)].rule].mirrors
               ? WEIR_WALL_OF_FACE(face)
               : 0;
}

/* Every block sees of the domain what the whole domain's flags say, and marks the fluid cells that have a
 * wall among their 26 neighbours by what kind of wall it is. */
static void compare_blocks(const struct weir_problem *problem, const int block_cells[3]) {
    const struct weir_box whole = domain_of(problem);
    int64_t fluid, fluid_in_blocks = 0;
    uint8_t *flags = flags_of(problem, &whole, &fluid);
    struct weir_block_grid grid;
    assert_int_equal(weir_block_grid_create(problem, block_cells, &grid), 0);
    for (int number = 0; number < grid.total; number++) {
        const struct weir_box block = weir_block_grid_box(&grid, number);
        const int *n = block.extent;
        int64_t fluid_here;
        uint8_t *part = flags_of(problem, &block, &fluid_here);
        fluid_in_blocks += fluid_here;
        for (int z = -1; z <= n[2]; z++)
            for (int y = -1; y <= n[1]; y++)
                for (int x = -1; x <= n[0]; x++) {
                    const uint8_t here = flag_at(part, &block, x, y, z);
                    const uint8_t there =
                        flag_at(flags, &whole, block.origin[0] + x, block.origin[1] + y, block.origin[2] + z);
                    const bool inside = x >= 0 && x < n[0] && y >= 0 && y < n[1] && z >= 0 && z < n[2];
                    assert_int_equal(is_wall(here) ? here : 0, is_wall(there) ? there : 0);
                    int walls = 0, moving = 0, open = 0, at_end = 0, others = 0;
                    const int end = end_of_links_alone(problem, block.origin[0] + x);
                    const int mirror =
                        one_mirror(problem, (const int[3]){block.origin[0] + x, block.origin[1] + y,
                                                           block.origin[2] + z});
                    for (int k = 0; inside && k < 27; k++) {
                        const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}, at[3] = {x, y, z};
                        bool beyond = false;
                        for (int axis = 0; axis < 3; axis++) {
                            const int place = block.origin[axis] + at[axis] + step[axis];
                            beyond = beyond || (!problem->periodic[axis] &&
                                                (place < 0 || place >= problem->cells[axis]));
                        }
                        const uint8_t wall = flag_at(part, &block, x + step[0], y + step[1], z + step[2]);
                        if (!is_wall(wall))
                            continue;
                        walls++;
                        moving += weir_wall_moves(&problem->walls[wall]);
                        open += weir_wall_is_counted(&problem->walls[wall]);
                        others += wall != end && (weir_wall_is_counted(&problem->walls[wall]) ||
                                                  weir_wall_acts(&problem->walls[wall]));
                        at_end += beyond && !weir_wall_is_part(&problem->walls[wall]);
                    }
                    if (inside && !is_wall(here))
                        assert_int_equal(here, walls == 0                      ? WEIR_FLUID
                                               : mirror > 0 && walls == at_end ? WEIR_AT_MIRROR
                                               : open > 0 && others > 0        ? WEIR_NEAR_OPEN
                                               : open > 0 && walls == at_end   ? WEIR_AT_OPEN_END
                                               : open > 0                      ? WEIR_NEAR_OPEN_END
                                               : walls == at_end               ? WEIR_AT_END
                                               : moving > 0                    ? WEIR_NEAR_MOVING_WALL
                                                                               : WEIR_NEAR_WALL);
                }
        free(part);
    }
    assert_int_equal(fluid_in_blocks, fluid);
    free(flags);
}

static void test_blocks_agree_with_the_whole(void **state) {
    (void)state;
    static const int sizes[][3] = {{13, 11, 9}, {5, 4, 3}, {1, 1, 1}, {2, 11, 9}, {13, 3, 1}};
    for (int flow = 0; flow < FLOW_END; flow++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct weir_problem problem;
            flow_problem((enum flow)flow, WEIR_D3Q19, false, &problem);
            compare_blocks(&problem, sizes[k]);
        }
}

/* Shapes of all kinds in all places, also half outside, with blocks small enough for most to touch none of
 * them. */
static void test_blocks_agree_about_shapes(void **state) {
    (void)state;
    struct weir_shape shapes[] = {
        sphere(-0.4, 5.2, 8.9, 2.3),    sphere(6, 5, 4, 7.5),
        box(9.5, -3, 2.5, 14, 2.2, 30), cylinder(0, 11.8, 10.7, 0.2, 1.6, 7),
        cylinder(1, 3, 1, 4, 1, 5),     cylinder(2, 6.1, 5.9, 4, 1.2, HUGE_VAL),
    };
    for (int periodic = 0; periodic < 8; periodic++)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            struct weir_problem problem = problem_of(13, 11, 9, &shapes[k], 1);
            for (int axis = 0; axis < 3; axis++)
                problem.periodic[axis] = periodic >> axis & 1;
            compare_blocks(&problem, (const int[3]){3, 2, 2});
            problem.shape_count = 2; /* with something that covers it */
            problem.shapes = (struct weir_shape[]){shapes[k], box(0, 3, 0, 13, 11, 2)};
            problem.shapes[1].wall = BODY + 1;
            problem.walls[BODY].velocity[0] = problem.walls[BODY + 1].velocity[2] = 0.1;
            compare_blocks(&problem, (const int[3]){3, 2, 2});
        }
}

/* Walls of a block's cells and of its ring are those of the cells by themselves: across seams, beyond faces
 * and mirrors, covered ones too. */
static void compare_cells(const struct weir_problem *problem, const struct weir_box *block) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    const struct weir_flag_array array = weir_flag_array(lattice, block->extent);
    const int *ring = array.ring;
    const size_t bytes = weir_layout_ringed_cells(lattice, block->extent);
    uint8_t *flags = malloc(bytes), *shared = malloc(bytes);
    assert_non_null(flags);
    assert_non_null(shared);
    const int64_t fluid = weir_geometry_flags(problem, block, flags);
    assert_true(fluid >= 0);
    for (int threads = 0; threads < 4; threads++) {
        memset(shared, 0xff, bytes);
        assert_int_equal(weir_geometry_flags_shared(problem, block, threads, shared), fluid);
        assert_memory_equal(shared, flags, bytes);
    }
    free(shared);
    for (int z = -ring[2]; z < block->extent[2] + ring[2]; z++)
        for (int y = -ring[1]; y < block->extent[1] + ring[1]; y++)
            for (int x = -ring[0]; x < block->extent[0] + ring[0]; x++) {
                const uint8_t flag = flags[weir_flag_place(&array, x, y, z)];
                const int cell[3] = {block->origin[0] + x, block->origin[1] + y, block->origin[2] + z};
                assert_int_equal(is_wall(flag) ? flag : 0, weir_geometry_wall(problem, cell));
            }
    free(flags);
}

static void test_blocks_agree_with_cells(void **state) {
    (void)state;
    static const enum weir_lattice lattices[] = {WEIR_D2Q9, WEIR_D3Q19};
    for (int k = 0; k < FLOW_END * 2; k++) {
        struct weir_problem problem;
        struct weir_block_grid grid;
        flow_problem((enum flow)(k / 2), lattices[k % 2], false, &problem);
        assert_int_equal(weir_block_grid_create(&problem, (const int[3]){7, 4, 5}, &grid), 0);
        for (int block = 0; block < grid.total; block++) {
            const struct weir_box box = weir_block_grid_box(&grid, block);
            compare_cells(&problem, &box);
        }
        const struct weir_box whole = domain_of(&problem);
        compare_cells(&problem, &whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_periodic_images),
        cmocka_unit_test(test_later_shapes_win),
        cmocka_unit_test(test_walls_of_faces),
        cmocka_unit_test(test_ring_around_periodic_axes),
        cmocka_unit_test(test_moving_faces_beside_solids),
        cmocka_unit_test(test_moving_belts_beside_solids),
        cmocka_unit_test(test_covered_cells),
        cmocka_unit_test(test_covered_open_faces),
        cmocka_unit_test(test_blocks_agree_with_the_whole),
        cmocka_unit_test(test_blocks_agree_about_shapes),
        cmocka_unit_test(test_blocks_agree_with_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
