/* Pieces of fluid: compared with a flood fill of small random domains, and in domains whose pieces are known.
 */
#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/fluid_pieces.h"
#include "graph/problem/geometry.h"
#include "graph/problem/region.h"
#include "graph/problem/solid_blocks.h"
#include "graph/problem/utilisation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS_MOST = 2000 };

static struct weir_problem domain(int nx, int ny, int nz, struct weir_shape *shapes, int count) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    if (nz == 1) {
        problem.lattice = WEIR_D2Q9;
        problem.periodic[2] = true;
    }
    problem.cells[0] = nx;
    problem.cells[1] = ny;
    problem.cells[2] = nz;
    problem.wall_count = WEIR_FIRST_BODY + 1;
    problem.shapes = shapes;
    problem.shape_count = count;
    return problem;
}

static struct weir_shape wall_across(double from, double to) {
    return (struct weir_shape){
        .type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{from, 0, 0}, {to, 100, 100}}};
}

/* Cells of the piece of fluid around a cell, which are marked. */
static int64_t flood(const struct weir_problem *p, bool *seen, int x, int y, int z) {
    static int stack[CELLS_MOST][3];
    int depth = 0;
    int64_t cells = 0;
    memcpy(stack[depth++], (int[3]){x, y, z}, sizeof stack[0]);
    seen[(z * p->cells[1] + y) * p->cells[0] + x] = true;
    while (depth > 0) {
        int at[3];
        memcpy(at, stack[--depth], sizeof at);
        cells++;
        for (int face = 0; face < 6; face++) {
            int to[3] = {at[0], at[1], at[2]};
            const int axis = face / 2, n = p->cells[axis];
            to[axis] += 2 * (face % 2) - 1;
            if (p->periodic[axis])
                to[axis] = (to[axis] + n) % n;
            if (to[axis] < 0 || to[axis] >= n)
                continue;
            bool *mark = &seen[(to[2] * p->cells[1] + to[1]) * p->cells[0] + to[0]];
            if (*mark || weir_geometry_wall(p, to) != 0)
                continue;
            *mark = true;
            memcpy(stack[depth++], to, sizeof to);
        }
    }
    return cells;
}

/* What is left when the pockets are solid: one piece, of all other cells. */
static void check_closed(struct weir_problem *p, const struct weir_fluid_pieces *wanted, int threads) {
    struct weir_fluid_pieces pieces;
    struct weir_region *region;
    assert_int_equal(weir_fluid_pieces_pockets(p, threads, &region, &pieces), 0);
    assert_memory_equal(&pieces, wanted, sizeof pieces);
    assert_int_equal(region != NULL, wanted->pockets > 0);
    if (!region)
        return;
    p->shapes[p->shape_count++] =
        (struct weir_shape){.type = WEIR_REGION, .wall = WEIR_FIRST_BODY, .region = region};
    assert_int_equal(weir_fluid_pieces_find(p, threads, &pieces), 0);
    assert_int_equal(pieces.pieces, 1);
    assert_int_equal(pieces.fluid, wanted->fluid - wanted->pocket_cells);
    region->destroy(region);
    p->shape_count--;
}

static void test_random(void **state) {
    (void)state;
    enum { SHAPES = 90 };
    static const int sizes[][3] = {{9, 8, 19}, {12, 11, 8}, {30, 40, 1}, {7, 9, 3}};
    int64_t several = 0;
    srand(1);
    for (int k = 0; k < 200; k++) {
        const int *size = sizes[k % 4];
        struct weir_shape shapes[SHAPES + 1];
        for (int i = 0; i < SHAPES; i++) {
            struct weir_shape *shape = &shapes[i];
            *shape = (struct weir_shape){.type = WEIR_BOX, .wall = WEIR_FIRST_BODY};
            for (int axis = 0; axis < 3; axis++) {
                shape->box.from[axis] = size[axis] == 1 ? 0 : rand() % size[axis];
                shape->box.to[axis] = shape->box.from[axis] + (axis == i % 3 ? 6 : 2);
            }
        }
        struct weir_problem p = domain(size[0], size[1], size[2], shapes, 20 + rand() % (SHAPES - 20));
        for (int axis = 0; axis < 3; axis++)
            p.periodic[axis] = rand() % 2 || (axis == 2 && size[2] == 1);
        struct weir_fluid_pieces pieces;
        bool seen[CELLS_MOST] = {false};
        int64_t count = 0, fluid = 0, largest = 0;
        for (int z = 0; z < size[2]; z++)
            for (int y = 0; y < size[1]; y++)
                for (int x = 0; x < size[0]; x++)
                    if (!seen[(z * size[1] + y) * size[0] + x] &&
                        weir_geometry_wall(&p, (const int[3]){x, y, z}) == 0) {
                        const int64_t cells = flood(&p, seen, x, y, z);
                        count++;
                        fluid += cells;
                        largest = cells > largest ? cells : largest;
                    }
        assert_int_equal(weir_fluid_pieces_find(&p, 1 + k % 3, &pieces), 0);
        assert_int_equal(pieces.fluid, fluid);
        assert_int_equal(pieces.pieces, count);
        assert_int_equal(pieces.pockets, count > 0 ? count - 1 : 0);
        assert_int_equal(pieces.pocket_cells, fluid - largest);
        check_closed(&p, &pieces, 1 + k % 4);
        several += count > 2;
    }
    assert_true(several > 50);
}

/* A flow from x- to x+ has a way or has none; what an opening touches is no pocket. */
static void test_openings(void **state) {
    (void)state;
    struct weir_shape shapes[] = {wall_across(9, 10), wall_across(14, 15)};
    for (int walls = 0; walls < 3; walls++) {
        struct weir_problem p = domain(20, 6, 5, shapes, walls);
        struct weir_fluid_pieces pieces;
        p.walls[WEIR_WALL_OF_FACE(0)].rule = WEIR_RULE_VELOCITY;
        p.walls[WEIR_WALL_OF_FACE(1)].rule = WEIR_RULE_PRESSURE;
        assert_int_equal(weir_fluid_pieces_find(&p, 1, &pieces), 0);
        assert_int_equal(pieces.openings, 2);
        assert_int_equal(pieces.leads_through, walls == 0);
        assert_int_equal(pieces.pieces, walls + 1);
        assert_int_equal(pieces.pockets, walls == 2);
        assert_int_equal(pieces.pocket_cells, walls == 2 ? 4 * 30 : 0);
    }
}

/* Bodies and parts of faces are openings, too; one that a wall closes off is named. */
static void test_bodies_as_openings(void **state) {
    (void)state;
    enum { INLET = WEIR_FIRST_BODY + 1, OUTLET, HOLE, WALLS };
    for (int closed = 0; closed < 2; closed++) {
        struct weir_shape shapes[] = {
            {.type = WEIR_BOX, .wall = INLET, .box = {{0, 0, 0}, {2, 6, 5}}},
            {.type = WEIR_BOX, .wall = OUTLET, .box = {{28, 0, 0}, {30, 6, 5}}},
            {.type = WEIR_BOX, .wall = HOLE, .face = WEIR_WALL_OF_FACE(2), .box = {{9, -1, 1}, {11, 1, 4}}},
            wall_across(20, 22)};
        struct weir_problem p = domain(30, 6, 40, shapes, 3 + closed);
        struct weir_fluid_pieces pieces;
        p.wall_count = WALLS;
        p.walls[INLET].rule = p.walls[HOLE].rule = WEIR_RULE_VELOCITY;
        p.walls[OUTLET].rule = WEIR_RULE_PRESSURE;
        shapes[0].box.to[2] = shapes[1].box.to[2] = 40;
        assert_int_equal(weir_fluid_pieces_find(&p, 3, &pieces), 0);
        assert_int_equal(pieces.openings, 3);
        assert_int_equal(pieces.pieces, 1 + closed);
        assert_int_equal(pieces.pockets, 0);
        assert_true(pieces.leads_through);
        assert_int_equal(pieces.dead_ends, closed);
        assert_int_equal(pieces.dead_end, closed ? OUTLET : 0);
    }
}

/* The model of Tomczak and Szafran: a channel of 8 x 8 cells in tiles of 4^3, at its 16 places among them,
 * uses 0.444 of their cells in nine, 0.667 in six and all in one; 0.5625 in the mean. */
static void test_utilisation(void **state) {
    (void)state;
    int places[3] = {0};
    double sum = 0;
    for (int k = 0; k < 16; k++) {
        const int x = k % 4, y = k / 4;
        struct weir_shape shapes[] = {
            {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {16, 16, 8}}},
            {.type = WEIR_BOX, .box = {{x, y, 0}, {x + 8, y + 8, 8}}}};
        struct weir_problem p = domain(16, 16, 8, shapes, 2);
        struct weir_block_grid grid;
        struct weir_utilisation kinds[WEIR_CELL_KIND_COUNT];
        bool *solid;
        p.periodic[2] = true;
        assert_int_equal(weir_block_grid_create(&p, (const int[3]){4, 4, 4}, &grid), 0);
        assert_int_equal(weir_solid_blocks_find(&p, &grid, &solid), 0);
        weir_utilisation_find(&p, &grid, kinds);
        const double eta = weir_utilisation_share(&kinds[WEIR_BRICK]);
        assert_int_equal(kinds[WEIR_LIST].blocks, 0);
        assert_true(kinds[WEIR_BRICK].fluid == 512);
        assert_true(kinds[WEIR_BRICK].cells == 64.0 * kinds[WEIR_BRICK].blocks);
        assert_true(fabs(weir_utilisation_overhead(&kinds[WEIR_BRICK]) - (1 - eta) / eta) < 1e-12);
        places[kinds[WEIR_BRICK].blocks == 8 ? 0 : kinds[WEIR_BRICK].blocks == 12 ? 1 : 2]++;
        sum += eta;
        free(solid);
    }
    assert_int_equal(places[0], 1); /* 8 tiles: all of them is used */
    assert_int_equal(places[1], 6); /* 12: 0.667 */
    assert_int_equal(places[2], 9); /* 18: 0.444 */
    assert_true(fabs(sum / 16 - 0.5625) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_openings),
                                       cmocka_unit_test(test_bodies_as_openings),
                                       cmocka_unit_test(test_utilisation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
