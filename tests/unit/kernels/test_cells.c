/* Cell by cell, as GPU threads work, against the rows of the CPU kernels: the same bits, in any order of
 * cells. Tests addressing.h and cells.h where no GPU is. One variant will do: no lattice has directions that
 * this one lacks. */
#define WEIR_LATTICE D3Q27
#define WEIR_COLLISION trt
#define WEIR_PRECISION double

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/collision/collision.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"

#include <string.h>

/* What a thread does in step.cuh. */
static void step_cell(const struct weir_block_view *b, const struct relaxation *r, bool forced, int parity,
                      int x, int y, int z) {
    const uint8_t flag = *flag_of(b, x, y, z);
    if (is_wall(flag))
        return;
    const direction_set walls = walls_of_cell(b, flag, x, y, z);
    const bool inside = row_is_inside(b, y, z) && b->extent[0][1] > 1, open = weir_near_open(flag);
    const struct surroundings around = surroundings_of(b, x, y, z);
    real f[POPULATIONS];
    if (inside)
        arriving_in_row(b, parity, walls, x, y, z, f);
    else
        arriving_at_cell(b, parity, walls, &around, x, y, z, f);
    collide(f, forced, r);
    const struct body_force body = body_force_of(r);
    if (open) {
        struct boundary_sums sums;
        memset(&sums, 0, sizeof sums);
        reflect_in_cell(b, parity, share_of(x, y, z), walls, &around, x, y, z, forced, &body, f, &sums);
        add_flow(b, parity, share_of(x, y, z), &sums);
    }
    if (inside)
        leaving_in_row(b, parity, walls, flag > WEIR_NEAR_WALL && !open, x, y, z, f);
    else
        leaving_cell(b, parity, walls, &around, open, x, y, z, f);
}

/* A weir_collide_stream_cpu whose cells take their turns in leaps. */
static void step_cells(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                       int row_begin, int row_end) {
    enum { LEAP = 1009 }; /* a prime larger than the cells of any call, so that each takes its turn once */
    const struct relaxation r = relaxation_of(fluid);
    const int nx = b->extent[0][1], ny = b->extent[1][1], cells = nx * (row_end - row_begin);
    if (row_begin == 0)
        settle_flows(b, parity);
    for (int k = 0; k < cells; k++) {
        const int cell = (int)((long)k * LEAP % cells);
        const int row = row_begin + cell / nx;
        step_cell(b, &r, fluid->forced, parity, cell % nx, row % ny, row / ny);
    }
}

/* What a GPU's thread sees of every fluid cell between two steps. */
static void look_at_cells(const struct block_harness *h) {
    const int *n = h->problem->cells;
    for (int number = 0; number < n[0] * n[1] * n[2]; number++) {
        const int cell[3] = {number % n[0], number / n[0] % n[1], number / n[0] / n[1]};
        if (block_harness_solid(h, cell))
            continue;
        int at[3];
        const struct weir_block_view view = block_harness_view(h, block_harness_find(h, cell, at));
        real f[POPULATIONS];
        arriving(&view, block_harness_parity(h), *flag_of(&view, at[0], at[1], at[2]), at[0], at[1], at[2],
                 f);
        for (int i = 0; i < POPULATIONS; i++)
            assert_memory_equal(&f[i], block_harness_population(h, cell, i), sizeof f[i]);
    }
}

static void compare(const struct weir_problem *problem, const int block_cells[3]) {
    const struct weir_kernels *kernels =
        find_kernels(problem->lattice, problem->collision, problem->precision);
    struct weir_kernels by_cell = *kernels;
    by_cell.cpu.collide_stream = step_cells;
    struct block_harness *rows = block_harness_create(problem, kernels, problem->cells, false);
    struct block_harness *cells = block_harness_create(problem, &by_cell, block_cells, true);
    for (int64_t step = 1; step <= 4; step++) {
        block_harness_run_to(rows, step);
        block_harness_run_to(cells, step);
        assert_true(block_harness_same(rows, cells));
        look_at_cells(cells);
    }
    block_harness_destroy(rows);
    block_harness_destroy(cells);
}

static void test_cells_in_any_order(void **state) {
    (void)state;
    static const int cuts[][3] = {{13, 11, 9}, {5, 4, 3}, {2, 4, 3}, {1, 5, 4}, {13, 1, 9}, {1, 1, 1}};
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (int forced = 0; forced < 2; forced++)
            for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
                struct weir_problem problem;
                flow_problem((enum flow)flow, WEIR_D3Q27, forced, &problem);
                problem.precision = WEIR_DOUBLE;
                compare(&problem, cuts[k]);
            }
}

/* A wall at rest takes nothing, not even the sign of zero, so that threads may leave out the subtraction. */
static void test_walls_at_rest_take_plus_zero(void **state) {
    (void)state;
    const real velocity[2 * WEIR_KERNEL_VALUES] = {0, 0, 0, 0, -0.0, -0.0, -0.0, 0};
    const struct weir_block_view view = {.boundary_values = velocity};
    for (uint8_t wall = 0; wall < 2; wall++) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    assert_false(signbit(wall_momentum(&view, wall, d, (real)(w))));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells_in_any_order),
                                       cmocka_unit_test(test_walls_at_rest_take_plus_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
