/* What takes kernels of its own at boundaries: links that have values of their own (bodies that turn, and
 * interpolated walls), mirrors, and cells that lie on a face; against the reference, in blocks, and in lists.
 */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"

#include "graph/base/error.h"
#include "graph/problem/forms.h"
#include "graph/problem/problem_kernels.h"
#include "graph/problem/surface.h"

#include <math.h>
#include <string.h>

static struct block_harness *create(const struct weir_problem *problem, const int block_cells[3]) {
    const struct weir_kernels *kernels[WEIR_CELL_KIND_COUNT] = {NULL};
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT; kind++)
        if (weir_cells_possible(problem, (enum weir_cell_kind)kind) &&
            weir_problem_kernels(problem, (enum weir_cell_kind)kind, WEIR_KERNELS_CPU, &kernels[kind]) < 0)
            fail_msg("%s", weir_error_text());
    return block_harness_create_of(problem, kernels, block_cells, true);
}

/* Of the walls of a flow, in all blocks. */
static void add_totals(const struct block_harness *h, struct weir_partial_totals *totals) {
    memset(totals, 0, sizeof *totals);
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_block_view view = block_harness_view(h, block);
        struct weir_partial_totals part;
        block_harness_kernels(h, block)->cpu.totals(&view, &h->fluid, block_harness_parity(h), 0.5, 0,
                                                    view.extent[1][1] * view.extent[2][1], &part);
        weir_partial_totals_add(totals, &part);
    }
}

static void check_totals(const struct block_harness *h, const struct reference *r) {
    const double tolerance = 1e-12;
    struct weir_partial_totals totals;
    add_totals(h, &totals);
    for (int wall = 1; wall < h->problem->wall_count; wall++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_close(weir_exact_sum_value(&totals.force[wall][axis]), r->wall_force[wall][axis],
                         tolerance);
            if (h->problem->walls[wall].links)
                assert_close(weir_exact_sum_value(&totals.torque[wall][axis]), r->wall_torque[wall][axis],
                             1e-9); /* whose centre is rounded */
        }
        if (weir_wall_is_counted(&h->problem->walls[wall]))
            assert_close(weir_exact_sum_value(&totals.mass_flow[wall]), r->mass_flow[wall], tolerance);
    }
}

static const enum flow flows[] = {FLOW_TURNING, FLOW_SLIP, FLOW_WET, FLOW_TUNNEL};
enum { FLOWS = sizeof flows / sizeof *flows };

static void compare_with_reference(enum flow flow, enum weir_lattice lattice) {
    struct weir_problem problem;
    flow_problem(flow, lattice, true, &problem);
    problem.precision = WEIR_DOUBLE;
    struct block_harness *h = create(&problem, (const int[3]){5, 4, 3});
    struct reference *r = reference_create(&problem);
    for (int step = 1; step <= 7; step++) {
        block_harness_run_to(h, step);
        reference_step(r);
        assert_close(block_harness_difference(h, r), 0, 1e-14);
        check_totals(h, r);
    }
    reference_destroy(r);
    block_harness_destroy(h);
}

/* Populations, force and torque, at both parities. */
static void test_reference(void **state) {
    (void)state;
    for (int k = 0; k < FLOWS; k++)
        for (int flat = 0; flat < 2; flat++)
            compare_with_reference(flows[k], flat ? WEIR_D2Q9 : WEIR_D3Q19);
}

static void compare_cuts(enum flow flow) {
    struct weir_problem problem, listed;
    struct weir_partial_totals totals[3];
    flow_problem(flow, WEIR_D3Q19, false, &problem);
    listed = problem;
    listed.list_up_to = 1;
    struct block_harness *h[] = {create(&problem, problem.cells), create(&problem, (const int[3]){5, 4, 3}),
                                 create(&listed, (const int[3]){4, 11, 2})};
    for (int k = 0; k < 3; k++) {
        block_harness_run_to(h[k], 11);
        add_totals(h[k], &totals[k]);
        assert_true(block_harness_same(h[0], h[k]));
        assert_memory_equal(totals[0].force, totals[k].force, sizeof totals[k].force);
        assert_memory_equal(totals[0].torque, totals[k].torque, sizeof totals[k].torque);
    }
    for (int k = 0; k < 3; k++)
        block_harness_destroy(h[k]);
}

/* The same bits of populations and sums, whole, in blocks, in lists. */
static void test_blocks(void **state) {
    (void)state;
    for (int k = 0; k < FLOWS; k++)
        compare_cuts(flows[k]);
}

/* Shares of links to a ball across a seam, a bar's side and end, and a box, known by hand. */
static void test_shares(void **state) {
    (void)state;
    struct weir_shape shapes[] = {
        {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY, .sphere = {.center = {0.5, 4.5, 4.5}, .radius = 2.25}},
        {.type = WEIR_CYLINDER,
         .wall = WEIR_FIRST_BODY + 1,
         .cylinder = {.axis = 2, .center = {8.5, 4.5, 4.5}, .radius = 1.6, .length = 3.8}},
        {.type = WEIR_BOX,
         .wall = WEIR_FIRST_BODY + 2,
         .box = {.from = {4.2, 7.9, 1}, .to = {6.3, 9.1, 2.75}}},
    };
    static const struct {
        int wall, cell[3], c[3];
        double share;
    } links[] = {
        {WEIR_FIRST_BODY, {2, 4, 4}, {-1, 0, 0}, 0.75},
        {WEIR_FIRST_BODY, {10, 4, 4}, {1, 0, 0}, 0.75},
        {WEIR_FIRST_BODY, {0, 6, 4}, {0, -1, 0}, 0.75},
        {WEIR_FIRST_BODY, {1, 5, 4}, {-1, -1, 0}, 0.40900974},
        {WEIR_FIRST_BODY + 1, {9, 4, 4}, {-1, 0, 0}, 0.4},
        {WEIR_FIRST_BODY + 1, {8, 4, 5}, {0, 0, -1}, 0.1},
        {WEIR_FIRST_BODY + 2, {4, 8, 1}, {1, 0, 0}, 0.7},
        {WEIR_FIRST_BODY + 2, {4, 8, 1}, {1, 1, 0}, 0.7},
        {WEIR_FIRST_BODY + 2, {5, 8, 2}, {0, 0, -1}, 0.75},
    };
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){12, 10, 9}, sizeof problem.cells);
    problem.periodic[0] = true;
    problem.wall_count = WEIR_FIRST_BODY + 3;
    problem.shapes = shapes;
    problem.shape_count = 3;
    const struct weir_shapes all = {.problem = &problem, .count = problem.shape_count};
    for (size_t k = 0; k < sizeof links / sizeof *links; k++)
        assert_close(weir_surface_share(&all, links[k].wall, links[k].cell, links[k].c), links[k].share,
                     1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares), cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
