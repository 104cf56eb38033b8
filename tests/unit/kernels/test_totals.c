/* Totals of blocks: against direct sums and the balance of momentum, independent of the cut, and diverged
 * cells. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"
#include "tests/unit/sanitized.h"

#include <stdlib.h>
#include <string.h>

static const double speed_limit = 0.5;

/* The partial totals of a harness's blocks put together. Places of cells are global numbers. */
struct whole_totals {
    struct weir_partial_totals sums; /* but for largest_square_place and diverged_cell, which are per block */
    uint32_t largest_square_bits;    /* the upper half of the largest place, */
    int64_t largest_square_cell;     /* the first cell that has it, */
    int64_t diverged_cell;           /* and the first diverged cell, -1: none */
};

static int64_t global_number(const struct block_harness *h, int block, uint64_t number) {
    const struct weir_box *box = &h->blocks[block].box;
    const int64_t nx = box->extent[0], ny = box->extent[1], n = (int64_t)number;
    const int64_t x = box->origin[0] + n % nx, y = box->origin[1] + n / nx % ny,
                  z = box->origin[2] + n / nx / ny;
    return (z * h->problem->cells[1] + y) * h->problem->cells[0] + x;
}

static void add_block(const struct block_harness *h, int block, struct whole_totals *whole) {
    const struct weir_block_view view = block_harness_view(h, block);
    struct weir_partial_totals part;
    memset(&part, 0xa5, sizeof part); /* written as a whole, so what was there does not matter */
    const int rows = view.extent[1][1] * view.extent[2][1];
    h->kernels->cpu.totals(&view, &h->fluid, block_harness_parity(h), speed_limit, 0, rows, &part);
    /* In two parts it is the same. */
    struct weir_partial_totals low, high;
    h->kernels->cpu.totals(&view, &h->fluid, block_harness_parity(h), speed_limit, 0, rows / 3, &low);
    h->kernels->cpu.totals(&view, &h->fluid, block_harness_parity(h), speed_limit, rows / 3, rows, &high);
    weir_partial_totals_add(&low, &high);
    assert_memory_equal(&low, &part, sizeof part);
    weir_exact_sum_add(&whole->sums.mass_excess, &part.mass_excess);
    weir_exact_sum_add(&whole->sums.kinetic_energy, &part.kinetic_energy);
    for (int axis = 0; axis < 3; axis++) {
        weir_exact_sum_add(&whole->sums.momentum[axis], &part.momentum[axis]);
        for (int wall = 0; wall < WEIR_TOTALS_WALLS_MAX; wall++)
            weir_exact_sum_add(&whole->sums.force[wall][axis], &part.force[wall][axis]);
    }
    for (int wall = 0; wall < WEIR_TOTALS_WALLS_MAX; wall++) {
        weir_exact_sum_add(&whole->sums.mass_flow[wall], &part.mass_flow[wall]);
        weir_exact_sum_add(&whole->sums.mass_passed[wall], &part.mass_passed[wall]);
    }
    if (part.largest_square > whole->sums.largest_square)
        whole->sums.largest_square = part.largest_square;
    const uint32_t bits = (uint32_t)(part.largest_square_place >> 32);
    const int64_t cell = global_number(h, block, (uint32_t)~part.largest_square_place);
    if (bits > whole->largest_square_bits ||
        (bits == whole->largest_square_bits && bits > 0 && cell < whole->largest_square_cell)) {
        whole->largest_square_bits = bits;
        whole->largest_square_cell = cell;
    }
    if (part.diverged_cell != UINT64_MAX) {
        const int64_t diverged = global_number(h, block, part.diverged_cell);
        if (whole->diverged_cell < 0 || diverged < whole->diverged_cell)
            whole->diverged_cell = diverged;
    }
}

static struct whole_totals totals_of(const struct block_harness *h) {
    struct whole_totals whole;
    memset(&whole, 0, sizeof whole);
    whole.diverged_cell = -1;
    for (int block = 0; block < h->grid.total; block++)
        add_block(h, block, &whole);
    return whole;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double single_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* Rounding of one cell's quantities in the run's precision. */
static double rounding(const struct block_harness *h) {
    return h->kernels->real_size == sizeof(float) ? 2e-7 : 4e-16;
}

static struct block_harness *create(const struct weir_problem *problem, const int block_cells[3]) {
    return block_harness_create(
        problem, find_kernels(problem->lattice, problem->collision, problem->precision), block_cells, true);
}

static const int small_blocks[3] = {5, 4, 3};

/* Density excess and velocity from the populations of a cell. */
static void direct_moments(const struct block_harness *h, const int cell[3], double *excess,
                           double velocity[3]) {
    *excess = 0;
    memset(velocity, 0, 3 * sizeof *velocity);
    for (int i = 0; i < h->lattice->populations; i++) {
        const double f = block_harness_read(h, block_harness_population(h, cell, i));
        *excess += f;
        for (int axis = 0; axis < 3; axis++)
            velocity[axis] += h->lattice->velocity[i][axis] * f;
    }
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = (velocity[axis] + 0.5 * h->problem->force[axis]) / (1 + *excess);
}

static void compare_with_direct_sums(const struct block_harness *h) {
    const struct whole_totals totals = totals_of(h);
    const int *n = h->problem->cells;
    double excess = 0, momentum[3] = {0}, energy = 0, largest = 0;
    int fluid = 0;
    for (int cell_number = 0; cell_number < n[0] * n[1] * n[2]; cell_number++) {
        const int cell[3] = {cell_number % n[0], cell_number / n[0] % n[1], cell_number / n[0] / n[1]};
        if (block_harness_solid(h, cell))
            continue;
        double cell_excess, u[3];
        direct_moments(h, cell, &cell_excess, u);
        const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        fluid++;
        excess += cell_excess;
        energy += 0.5 * (1 + cell_excess) * square;
        for (int axis = 0; axis < 3; axis++)
            momentum[axis] += (1 + cell_excess) * u[axis];
        if (square > largest)
            largest = square;
        if (cell_number == totals.largest_square_cell)
            assert_close(single_of(totals.largest_square_bits), square, 2e-7 * square + rounding(h));
    }
    const double tolerance = fluid * rounding(h);
    assert_close(weir_exact_sum_value(&totals.sums.mass_excess), excess, tolerance);
    assert_close(weir_exact_sum_value(&totals.sums.kinetic_energy), energy, tolerance);
    for (int axis = 0; axis < 3; axis++)
        assert_close(weir_exact_sum_value(&totals.sums.momentum[axis]), momentum[axis], tolerance);
    assert_close(double_of(totals.sums.largest_square), largest, rounding(h));
    assert_close(single_of(totals.largest_square_bits), largest, 2e-7 * largest + rounding(h));
    assert_int_equal(totals.diverged_cell, -1);
}

static void test_direct_sums(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
            struct weir_problem problem;
            flow_problem(FLOW_BODIES, (enum weir_lattice)lattice, true, &problem);
            problem.precision = (enum weir_precision)precision;
            struct block_harness *h = create(&problem, small_blocks);
            for (int64_t step = 0; step < 4; step++) {
                block_harness_run_to(h, step);
                compare_with_direct_sums(h);
            }
            block_harness_destroy(h);
        }
}

static void compare_cuts(enum flow flow) {
    static const int cuts[][3] = {{5, 4, 3}, {13, 1, 9}, {1, 1, 1}};
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (size_t cut = 0; cut < sizeof cuts / sizeof *cuts; cut++) {
            struct weir_problem problem;
            flow_problem(flow, (enum weir_lattice)lattice, cut % 2, &problem);
            problem.precision = (enum weir_precision)(cut % 2);
            struct block_harness *whole = create(&problem, problem.cells),
                                 *parts = create(&problem, cuts[cut]);
            for (int64_t step = 0; step < 4; step++) {
                block_harness_run_to(whole, step);
                block_harness_run_to(parts, step);
                const struct whole_totals a = totals_of(whole), b = totals_of(parts);
                assert_memory_equal(&a, &b, sizeof a);
            }
            block_harness_destroy(whole);
            block_harness_destroy(parts);
        }
}

static void test_independent_of_the_cut(void **state) {
    (void)state;
    compare_cuts(FLOW_BODIES);
    compare_cuts(FLOW_CHANNEL);
    compare_cuts(FLOW_OPEN);
}

/* Of equally fast cells the first counts. */
static void test_first_of_the_fastest(void **state) {
    (void)state;
    struct weir_problem problem;
    flow_problem(FLOW_BODIES, WEIR_D3Q19, false, &problem);
    problem.initial = NULL;
    problem.initial_velocity[1] = 0.04;
    static const int cuts[][3] = {{13, 11, 9}, {5, 4, 3}, {1, 1, 1}};
    for (size_t cut = 0; cut < sizeof cuts / sizeof *cuts; cut++) {
        struct block_harness *h = create(&problem, cuts[cut]);
        const struct whole_totals totals = totals_of(h);
        assert_false(block_harness_solid(h, (const int[3]){0, 0, 0}));
        assert_int_equal(totals.largest_square_cell, 0);
        assert_close(double_of(totals.sums.largest_square), 0.04 * 0.04, 1e-8);
        block_harness_destroy(h);
    }
}

/* Walls that move along themselves keep the mass. */
static void test_mass_is_conserved(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++) {
            if (!weir_collision_on((enum weir_collision)collision, (enum weir_lattice)lattice) ||
                weir_collision_row((enum weir_collision)collision)
                    ->strain) /* stages give it: test_gradients.c */
                continue;
            struct weir_problem problem;
            flow_problem(FLOW_CAVITY, (enum weir_lattice)lattice, true, &problem);
            weir_problem_collide_by(&problem, (enum weir_collision)collision);
            if (collision == WEIR_PARAMETRISED_CUMULANT)
                problem.relaxation_time = 0.55; /* case files have it below 4/7 only: others grow */
            problem.precision = WEIR_DOUBLE;
            struct block_harness *h = create(&problem, small_blocks);
            const struct whole_totals before = totals_of(h);
            assert_true(fabs(weir_exact_sum_value(&before.sums.mass_excess)) > 1e-3);
            block_harness_run_to(h, 25);
            const struct whole_totals after = totals_of(h);
            assert_close(weir_exact_sum_value(&after.sums.mass_excess),
                         weir_exact_sum_value(&before.sums.mass_excess), 1e-12);
            block_harness_destroy(h);
        }
}

/* What open boundaries say that they let pass is what the mass changes by. */
static void test_mass_passed_is_mass_gained(void **state) {
    (void)state;
    for (int flow = FLOW_CHANNEL; flow <= FLOW_OPEN; flow++)
        for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
            for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
                struct weir_problem problem;
                flow_problem((enum flow)flow, (enum weir_lattice)lattice, true, &problem);
                problem.precision = (enum weir_precision)precision;
                struct block_harness *h = create(&problem, small_blocks);
                const struct whole_totals before = totals_of(h);
                block_harness_run_to(h, 20);
                const struct whole_totals after = totals_of(h);
                double passed = 0, largest = 0;
                for (int wall = 1; wall < WEIR_WALLS_MAX; wall++) {
                    const double mass = weir_exact_sum_value(&after.sums.mass_passed[wall]);
                    passed += mass;
                    largest = fmax(largest, fabs(mass));
                    assert_true(mass == 0 ||
                                (wall < problem.wall_count && weir_wall_is_open(&problem.walls[wall])));
                }
                assert_true(largest > 1);
                assert_close(weir_exact_sum_value(&after.sums.mass_excess) -
                                 weir_exact_sum_value(&before.sums.mass_excess),
                             passed, precision == WEIR_HALF ? 0.1 : 1000 * rounding(h));
                block_harness_destroy(h);
            }
}

static void test_forces_on_walls(void **state) {
    (void)state;
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
            for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
                struct weir_problem problem;
                flow_problem((enum flow)flow, (enum weir_lattice)lattice, true, &problem);
                problem.precision = (enum weir_precision)precision;
                struct block_harness *h = create(&problem, small_blocks);
                struct reference *reference = reference_create(&problem);
                for (int64_t step = 1; step <= 5; step++) {
                    block_harness_run_to(h, step);
                    reference_step(reference);
                    const struct whole_totals totals = totals_of(h);
                    for (int wall = 0; wall < WEIR_WALLS_MAX; wall++)
                        if (wall > 0 && weir_wall_is_open(&problem.walls[wall]))
                            assert_close(weir_exact_sum_value(&totals.sums.mass_flow[wall]),
                                         reference->mass_flow[wall],
                                         precision == WEIR_HALF ? 2e-3 : 500 * rounding(h));
                    for (int wall = 0; wall < WEIR_WALLS_MAX; wall++)
                        for (int axis = 0; axis < 3; axis++)
                            assert_close(weir_exact_sum_value(&totals.sums.force[wall][axis]),
                                         reference->wall_force[wall][axis],
                                         precision == WEIR_HALF ? 2e-3 : 500 * rounding(h));
                }
                reference_destroy(reference);
                block_harness_destroy(h);
            }
}

static int fluid_cells(const struct block_harness *h) {
    const int *n = h->problem->cells;
    int count = 0;
    for (int cell = 0; cell < n[0] * n[1] * n[2]; cell++)
        count += !block_harness_solid(h, (const int[3]){cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]});
    return count;
}

/* What the fluid gains in a step is what the body force gives and the walls do not take. */
static void test_momentum_is_balanced(void **state) {
    (void)state;
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++) {
            struct weir_problem problem;
            flow_problem((enum flow)flow, (enum weir_lattice)lattice, true, &problem);
            problem.precision = WEIR_DOUBLE;
            struct block_harness *h = create(&problem, small_blocks);
            struct whole_totals before = totals_of(h);
            const int fluid = fluid_cells(h);
            for (int64_t step = 1; step <= 4; step++) {
                block_harness_run_to(h, step);
                const struct whole_totals after = totals_of(h);
                for (int axis = 0; axis < 3; axis++) {
                    double gain = fluid * problem.force[axis];
                    for (int wall = 0; wall < WEIR_WALLS_MAX; wall++)
                        gain -= weir_exact_sum_value(&after.sums.force[wall][axis]);
                    assert_close(weir_exact_sum_value(&after.sums.momentum[axis]) -
                                     weir_exact_sum_value(&before.sums.momentum[axis]),
                                 gain, 1e-12);
                }
                before = after;
            }
            block_harness_destroy(h);
        }
}

/* Plants a value in two cells, in different blocks, of which the second comes first in the domain. */
static void check_diverged(int direction, double value) {
    const int cells[2][3] = {{2, 10, 4}, {11, 3, 4}};
    for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
        struct weir_problem problem;
        flow_problem(FLOW_BODIES, WEIR_D3Q19, false, &problem);
        problem.precision = (enum weir_precision)precision;
        struct block_harness *h = create(&problem, small_blocks);
        block_harness_run_to(h, 3);
        for (int k = 0; k < 2; k++) {
            block_harness_write(h, block_harness_population(h, cells[k], direction), value);
            const struct whole_totals totals = totals_of(h);
            assert_int_equal(totals.diverged_cell, (cells[k][2] * 11 + cells[k][1]) * 13 + cells[k][0]);
            /* The sums are of the other cells. */
            assert_close(weir_exact_sum_value(&totals.sums.mass_excess), 0, 10);
            assert_true(double_of(totals.sums.largest_square) < 0.01);
            assert_true(single_of(totals.largest_square_bits) < 0.01);
        }
        block_harness_destroy(h);
    }
}

static void test_diverged_cells(void **state) {
    (void)state;
    check_diverged(1, (double)NAN); /* not finite */
    check_diverged(0, HUGE_VAL);
    check_diverged(5, -HUGE_VAL);
    check_diverged(1, 1.5);  /* too fast: 1.5 / 2.5 */
    check_diverged(0, -1.2); /* negative density */
    check_diverged(0, 150);  /* no density of a fluid */
}

/* The limit is the one given. */
static void test_speed_limit(void **state) {
    (void)state;
    struct weir_problem problem;
    flow_problem(FLOW_PERIODIC, WEIR_D3Q19, false, &problem);
    problem.initial = NULL;
    problem.initial_velocity[0] = 0.3;
    problem.initial_velocity[2] = 0.4;
    struct block_harness *h = create(&problem, problem.cells);
    const struct weir_block_view view = block_harness_view(h, 0);
    struct weir_partial_totals totals;
    h->kernels->cpu.totals(&view, &h->fluid, 0, 0.499, 0, view.extent[1][1] * view.extent[2][1], &totals);
    assert_true(totals.diverged_cell == 0);
    h->kernels->cpu.totals(&view, &h->fluid, 0, 0.501, 0, view.extent[1][1] * view.extent[2][1], &totals);
    assert_true(totals.diverged_cell == UINT64_MAX);
    block_harness_destroy(h);
}

/* Of more cells than any test can have: blocks of 2^30 equal cells, whose low parts fill 62 bits. */
static void test_sums_of_many_cells(void **state) {
    (void)state;
    const int64_t cells = INT64_C(1) << 30;
    /* 2^-56 less than a multiple of 2^-24, and more than one below zero */
    static const int64_t contributions[] = {(INT64_C(3) << 32) - 1, -(INT64_C(2) << 32) + 1, -1};
    for (size_t k = 0; k < sizeof contributions / sizeof *contributions; k++) {
        const int64_t high = contributions[k] >> 32, low = contributions[k] - high * (INT64_C(1) << 32);
        const struct weir_exact_sum block = {high * cells, (uint64_t)(low * cells)};
        struct weir_exact_sum sum = {0, 0}, halves[2] = {{0, 0}, {0, 0}};
        for (int blocks = 0; blocks < 64; blocks++) {
            weir_exact_sum_add(&sum, &block);
            weir_exact_sum_add(&halves[blocks % 2], &block);
        }
        weir_exact_sum_add(&halves[0], &halves[1]);
        assert_memory_equal(&halves[0], &sum, sizeof sum);
        const double expected = ldexp((double)contributions[k], 36 - 56);
        assert_close(weir_exact_sum_value(&sum), expected, 1e-15 * fabs(expected));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct_sums),          cmocka_unit_test(test_independent_of_the_cut),
        cmocka_unit_test(test_first_of_the_fastest), cmocka_unit_test(test_mass_is_conserved),
        cmocka_unit_test(test_forces_on_walls),      cmocka_unit_test(test_momentum_is_balanced),
        cmocka_unit_test(test_sums_of_many_cells),   cmocka_unit_test(test_diverged_cells),
        cmocka_unit_test(test_speed_limit),          cmocka_unit_test(test_mass_passed_is_mass_gained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
