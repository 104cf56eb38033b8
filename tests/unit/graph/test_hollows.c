/* Hollows in solids: which cells and blocks are fluid, compared with what each cell says, and where links out
 * of a hollow meet its surface. */
#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/fluid_search.h"
#include "graph/problem/geometry.h"
#include "graph/problem/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct weir_problem domain(int nx, int ny, int nz, struct weir_shape *shapes, int count) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (int[3]){nx, ny, nz}, sizeof problem.cells);
    problem.wall_count = WEIR_FIRST_BODY + 1;
    problem.shapes = shapes;
    problem.shape_count = count;
    return problem;
}

/* Boxes, of which some are hollows in those before them: the last that has a cell decides, and blocks without
 * fluid are found exactly. */
static void test_random(void **state) {
    (void)state;
    enum { SHAPES = 12, NX = 24, NY = 21, NZ = 18 };
    int solid_blocks = 0, fluid_blocks = 0;
    srand(7);
    for (int turn = 0; turn < 60; turn++) {
        struct weir_shape shapes[SHAPES] = {
            {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {NX, NY, NZ}}}};
        for (int k = 1; k < SHAPES; k++) {
            shapes[k] = (struct weir_shape){.type = WEIR_BOX, .wall = k % 3 ? 0 : WEIR_FIRST_BODY};
            for (int axis = 0; axis < 3; axis++) {
                shapes[k].box.from[axis] = rand() % 20;
                shapes[k].box.to[axis] = shapes[k].box.from[axis] + 2 + rand() % 6;
            }
        }
        struct weir_problem p = domain(NX, NY, NZ, shapes, SHAPES);
        struct weir_block_grid grid;
        bool found[NX * NY * NZ];
        assert_int_equal(weir_block_grid_create(&p, (const int[3]){6, 7, 5}, &grid), 0);
        assert_int_equal(weir_fluid_search_blocks(&p, &grid, 0, 1, found), 0);
        for (int block = 0; block < grid.total; block++) {
            const struct weir_box box = weir_block_grid_box(&grid, block);
            int64_t fluid = 0;
            for (int z = box.origin[2]; z < box.origin[2] + box.extent[2]; z++)
                for (int y = box.origin[1]; y < box.origin[1] + box.extent[1]; y++)
                    for (int x = box.origin[0]; x < box.origin[0] + box.extent[0]; x++) {
                        bool is_fluid = true;
                        for (int k = 0; k < SHAPES; k++)
                            if (x + 0.5 > shapes[k].box.from[0] && x + 0.5 < shapes[k].box.to[0] &&
                                y + 0.5 > shapes[k].box.from[1] && y + 0.5 < shapes[k].box.to[1] &&
                                z + 0.5 > shapes[k].box.from[2] && z + 0.5 < shapes[k].box.to[2])
                                is_fluid = shapes[k].wall == 0;
                        assert_int_equal(weir_geometry_wall(&p, (const int[3]){x, y, z}) == 0, is_fluid);
                        fluid += is_fluid;
                    }
            assert_int_equal(weir_geometry_count(&p, &box), fluid);
            assert_int_equal(found[block], fluid == 0);
            solid_blocks += fluid == 0;
            fluid_blocks += fluid > 0;
        }
        assert_int_equal(weir_fluid_search(&p), 0);
    }
    assert_true(solid_blocks > 100 && fluid_blocks > 100);
}

/* A ball of fluid in a solid: the surface is the ball's. With a bar in it, links that end in the bar meet
 * that. */
static void test_shares(void **state) {
    (void)state;
    static const double center[3] = {10.3, 9.8, 10.1}, radius = 7.4, thin = 2.2;
    struct weir_shape shapes[] = {
        {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{0, 0, 0}, {20, 20, 20}}},
        {.type = WEIR_SPHERE, .sphere = {{10.3, 9.8, 10.1}, 7.4}},
        {.type = WEIR_CYLINDER, .wall = WEIR_FIRST_BODY, .cylinder = {2, {10.3, 9.8, 10.1}, 2.2, HUGE_VAL}}};
    struct weir_problem p = domain(20, 20, 20, shapes, 3);
    const struct weir_shapes all = {&p, NULL, 3};
    const struct weir_lattice_table *lattice = weir_lattice_table(WEIR_D3Q19);
    int outer = 0, inner = 0;
    for (int k = 0; k < 8000; k++) {
        const int cell[3] = {k % 20, k / 20 % 20, k / 400};
        for (int i = 1; i < lattice->populations; i++) {
            const int *c = lattice->velocity[i];
            const int end[3] = {cell[0] + c[0], cell[1] + c[1], cell[2] + c[2]};
            double to_ball = 0, to_axis = 0;
            if (weir_geometry_wall(&p, cell) != 0 || weir_geometry_wall(&p, end) != WEIR_FIRST_BODY)
                continue;
            const double share = weir_surface_share(&all, WEIR_FIRST_BODY, end, c);
            for (int axis = 0; axis < 3; axis++) {
                const double d = cell[axis] + 0.5 + share * c[axis] - center[axis];
                to_ball += d * d;
                to_axis += axis < 2 ? d * d : 0;
            }
            const bool at_ball = fabs(sqrt(to_ball) - radius) < 1e-9;
            assert_true(at_ball || fabs(sqrt(to_axis) - thin) < 1e-9);
            outer += at_ball;
            inner += !at_ball;
        }
    }
    assert_true(outer > 500 && inner > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
