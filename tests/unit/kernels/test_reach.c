/* Velocities of several cells per step: D2Q37 without a collision, every population with a number of its own,
 * in blocks down to as many cells as populations move, against streaming with two copies and no blocks. */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 7, POPULATIONS = 37, CELLS_MAX = 400 };

/* Numbers small enough that densities and velocities are a flow's; exact in single precision. */
static double mark(int cell, int i) {
    return ldexp(cell * POPULATIONS + i + 1, -23);
}

/* [cell][direction]: what arrives before the next step. */
typedef double populations[CELLS_MAX][POPULATIONS];

static void stream(const struct weir_problem *problem, const populations now, populations next) {
    const struct weir_lattice_table *lattice = weir_lattice_table(WEIR_D2Q37);
    const int *n = problem->cells;
    for (int cell = 0; cell < n[0] * n[1]; cell++) {
        const int at[3] = {cell % n[0], cell / n[0], 0};
        if (weir_geometry_wall(problem, at) != 0)
            continue;
        for (int i = 0; i < POPULATIONS; i++) {
            int there[3];
            if (reference_next_cell(problem, at, lattice->velocity[i], there) != 0)
                next[cell][lattice->opposite[i]] = now[cell][i];
            else
                next[there[1] * n[0] + there[0]][i] = now[cell][i];
        }
    }
}

static void check_populations(const struct block_harness *h, const populations wanted, const char *what) {
    const int *n = h->problem->cells;
    for (int cell = 0; cell < n[0] * n[1]; cell++) {
        const int at[3] = {cell % n[0], cell / n[0], 0};
        for (int i = 0; i < POPULATIONS && !block_harness_solid(h, at); i++) {
            const double is = block_harness_read(h, block_harness_population(h, at, i));
            if (is != wanted[cell][i])
                fail_msg("%s: after %d steps, direction %d of (%d, %d) is %.9g, not %.9g", what, (int)h->step,
                         i, at[0], at[1], is, wanted[cell][i]);
        }
    }
}

/* Density and velocity of every cell, and totals of all, from the populations that the test knows. */
static void check_moments(const struct block_harness *h, const populations f) {
    const struct weir_lattice_table *lattice = h->lattice;
    const double tolerance = h->kernels->real_size == sizeof(float) ? 2e-6 : 1e-14;
    struct weir_partial_totals totals = {.diverged_cell = UINT64_MAX};
    double mass_excess = 0, momentum[2] = {0, 0};
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_block_view view = block_harness_view(h, block);
        const struct weir_box *box = &h->blocks[block].box;
        const struct weir_local_box all = {.extent = {box->extent[0], box->extent[1], 1}};
        const int cells = box->extent[0] * box->extent[1], parity = block_harness_parity(h);
        struct weir_partial_totals part;
        h->kernels->cpu.totals(&view, &h->fluid, parity, 10, 0, box->extent[1], &part);
        weir_partial_totals_add(&totals, &part);
        char *values = malloc(5 * (size_t)cells * h->kernels->real_size);
        assert_non_null(values);
        h->kernels->cpu.macroscopic(&view, &h->fluid, parity, &all, values);
        for (int cell = 0; cell < cells; cell++) {
            const int at[3] = {box->origin[0] + cell % box->extent[0], box->origin[1] + cell / box->extent[0],
                               0};
            if (block_harness_solid(h, at))
                continue;
            const double *here = f[at[1] * h->problem->cells[0] + at[0]];
            double density = 1, flow[2] = {0, 0};
            for (int i = 0; i < POPULATIONS; i++) {
                density += here[i];
                for (int axis = 0; axis < 2; axis++)
                    flow[axis] += lattice->velocity[i][axis] * here[i];
            }
            const double is[3] = {
                block_harness_read_real(h, values + (size_t)cell * h->kernels->real_size),
                block_harness_read_real(h, values + (size_t)(cells + cell) * h->kernels->real_size),
                block_harness_read_real(h, values + (size_t)(2 * cells + cell) * h->kernels->real_size)};
            assert_close(is[0], density, tolerance);
            mass_excess += density - 1;
            for (int axis = 0; axis < 2; axis++) {
                assert_close(is[1 + axis], flow[axis] / density, tolerance);
                momentum[axis] += flow[axis];
            }
        }
        free(values);
    }
    assert_true(totals.diverged_cell == UINT64_MAX);
    assert_close(weir_exact_sum_value(&totals.mass_excess), mass_excess, CELLS_MAX * tolerance);
    for (int axis = 0; axis < 2; axis++)
        assert_close(weir_exact_sum_value(&totals.momentum[axis]), momentum[axis], CELLS_MAX * tolerance);
}

static void check(const struct weir_problem *problem, const int block_cells[3], const char *what) {
    static populations copies[2];
    const struct weir_kernels *kernels =
        find_kernels(problem->lattice, problem->collision, problem->precision);
    struct block_harness *h = block_harness_create(problem, kernels, block_cells, true),
                         *whole = block_harness_create(problem, kernels, problem->cells, true);
    const int *n = problem->cells;
    for (int cell = 0; cell < n[0] * n[1]; cell++) {
        const int at[3] = {cell % n[0], cell / n[0], 0};
        for (int i = 0; i < POPULATIONS && !block_harness_solid(h, at); i++) {
            copies[0][cell][i] = mark(cell, i);
            block_harness_write(h, block_harness_population(h, at, i), mark(cell, i));
            block_harness_write(whole, block_harness_population(whole, at, i), mark(cell, i));
        }
    }
    for (int step = 0; step < STEPS; step++) {
        check_populations(h, copies[step % 2], what);
        check_moments(h, copies[step % 2]);
        stream(problem, copies[step % 2], copies[1 - step % 2]);
        block_harness_run_to(h, step + 1);
    }
    check_populations(h, copies[STEPS % 2], what);
    block_harness_run_to(whole, STEPS);
    if (!block_harness_same(h, whole))
        fail_msg("%s: another digest than in one block", what);
    block_harness_destroy(h);
    block_harness_destroy(whole);
}

static void set_up(struct weir_problem *problem, int x, int y) {
    weir_problem_default(problem);
    problem->lattice = WEIR_D2Q37;
    problem->collision = WEIR_NONE;
    memcpy(problem->cells, (const int[3]){x, y, 1}, sizeof problem->cells);
    problem->periodic[2] = true;
}

static void test_streaming(void **state) {
    (void)state;
    static const struct {
        int cells[2], block[2];
    } cuts[] = {{{12, 12}, {12, 12}}, {{12, 12}, {3, 3}},  {{12, 12}, {4, 6}}, {{15, 13}, {4, 5}},
                {{15, 13}, {6, 10}},  {{15, 13}, {3, 13}}, {{3, 6}, {3, 3}},   {{3, 3}, {3, 3}},
                {{37, 9}, {37, 3}},   {{20, 9}, {17, 3}},  {{35, 11}, {32, 4}}};
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
        for (int variant = 0; variant < 16; variant++) {
            /* Bodies thinner than a step is long among them: what jumps over one is not held. */
            struct weir_shape bodies[] = {
                {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{4, 4, 0}, {5, 5, 1}}},
                {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY, .box = {{9, 1, 0}, {11, 8, 1}}}};
            struct weir_problem problem;
            char what[96];
            set_up(&problem, cuts[k].cells[0], cuts[k].cells[1]);
            problem.periodic[0] = variant & 1;
            problem.periodic[1] = variant & 2;
            problem.precision = variant & 4 ? WEIR_DOUBLE : WEIR_SINGLE;
            if (variant & 8) {
                problem.shapes = bodies;
                problem.shape_count = 2;
                problem.wall_count = WEIR_FIRST_BODY + 1;
            }
            snprintf(what, sizeof what, "%d x %d cells in blocks of %d x %d, variant %d", cuts[k].cells[0],
                     cuts[k].cells[1], cuts[k].block[0], cuts[k].block[1], variant);
            check(&problem, (const int[3]){cuts[k].block[0], cuts[k].block[1], 1}, what);
        }
}

/* The initial state of one block and of many, with a ring as wide as populations move. */
static void test_initial_state(void **state) {
    (void)state;
    struct weir_problem problem;
    set_up(&problem, 15, 12);
    problem.periodic[0] = true;
    problem.initial_density = 1.01;
    problem.initial_velocity[0] = 0.02;
    const struct weir_kernels *kernels = find_kernels(WEIR_D2Q37, WEIR_NONE, WEIR_DOUBLE);
    problem.precision = WEIR_DOUBLE;
    struct block_harness *h = block_harness_create(&problem, kernels, (const int[3]){5, 3, 1}, true);
    const double u = problem.initial_velocity[0], a = h->lattice->inverse_cs2;
    for (int cell = 0; cell < 15 * 12; cell++)
        for (int i = 0; i < POPULATIONS; i++) {
            const double cu = h->lattice->velocity[i][0] * u, square = 0.5 * a * (a * cu * cu - u * u),
                         cube = a * a * cu / 6 * (a * cu * cu - 3 * u * u),
                         last = a * a / 24 *
                                (a * a * cu * cu * cu * cu - 6 * a * cu * cu * u * u + 3 * u * u * u * u),
                         equilibrium = 1.01 * (1 + a * cu + square + cube + last);
            assert_close(block_harness_read(
                             h, block_harness_population(h, (const int[3]){cell % 15, cell / 15, 0}, i)),
                         h->lattice->weight[i] * (equilibrium - 1), 1e-15);
        }
    block_harness_destroy(h);
}

static void test_thin_blocks_are_refused(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_block_grid grid;
    set_up(&problem, 14, 12);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){2, 6, 1}, &grid), -WEIR_USAGE);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){4, 6, 1}, &grid), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "last block of 2 cells"));
    assert_non_null(strstr(weir_error_text(), "D2Q37"));
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){5, 3, 1}, &grid), 0);
    problem.cells[1] = 2;
    assert_int_equal(weir_block_grid_create(&problem, problem.cells, &grid), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "domain.cells"));
    /* Sizes that are chosen are thick enough. */
    for (int cells = 3; cells < 300; cells++)
        for (int blocks = 1; blocks < 40; blocks += 3) {
            int size[3];
            set_up(&problem, cells, 5 + cells % 90);
            weir_block_grid_choose(&problem, blocks, 1 << 20, size);
            assert_int_equal(weir_block_grid_create(&problem, size, &grid), 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streaming),
        cmocka_unit_test(test_initial_state),
        cmocka_unit_test(test_thin_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
