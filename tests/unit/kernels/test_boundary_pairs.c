/* Any two rules may meet at an edge: a box of which one axis ends at boundaries of one rule and the next at
 * those of another, for a thousand steps (50 under sanitizers, which look at memory). The flow stays what it
 * may be, its mass is that of the start and what passed, and it has the same bits in blocks. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/sanitized.h"

#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <math.h>
#include <string.h>

enum { STEPS = WEIR_SANITIZED ? 50 : 1000 };

/* Velocities into the domain at low faces and out of it at high ones, so that a box of them keeps its mass.
 */
static void set_rule(struct weir_problem *problem, int axis, enum weir_rule rule) {
    for (int side = 0; side < 2; side++) {
        struct weir_wall *wall = &problem->walls[1 + 2 * axis + side];
        wall->rule = rule;
        wall->density = side == 0 ? 1.002 : 1;
        wall->velocity[weir_rules[rule].open ? axis : (axis + 1) % 2] =
            !weir_rules[rule].open && side == 0 ? 0 : 0.02;
    }
}

static double total_mass(const struct block_harness *h, double *passed) {
    struct weir_exact_sum sum = {0, 0}, flow = {0, 0};
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_block_view view = block_harness_view(h, block);
        struct weir_partial_totals part;
        h->kernels->cpu.totals(&view, &h->fluid, block_harness_parity(h), 0.4, 0,
                               view.extent[1][1] * view.extent[2][1], &part);
        weir_exact_sum_add(&sum, &part.mass_excess);
        for (int wall = 1; wall < h->problem->wall_count; wall++)
            weir_exact_sum_add(&flow, &part.mass_passed[wall]);
    }
    *passed = weir_exact_sum_value(&flow);
    return weir_exact_sum_value(&sum);
}

/* By which share the mass may change. Cells on a face that are given a velocity take in more the denser they
 * are, and where nothing says how dense that is, the mass may drift. */
static double mass_limit(enum weir_rule one, enum weir_rule other) {
    const bool free = weir_rules[one].wet && weir_rules[other].wet &&
                      weir_rules[one].value != WEIR_RULE_DENSITY &&
                      weir_rules[other].value != WEIR_RULE_DENSITY;
    return free ? 0.5 : 0.2;
}

static void check_pair(enum weir_lattice lattice, enum weir_rule one, enum weir_rule other) {
    struct weir_problem problem;
    const struct weir_kernels *kernels;
    double passed[2], mass[2];
    weir_problem_default(&problem);
    problem.lattice = lattice;
    problem.precision = WEIR_DOUBLE;
    problem.relaxation_time = 0.8;
    const bool flat = weir_lattice_dimensions(lattice) == 2;
    memcpy(problem.cells, (const int[3]){10, 8, flat ? 1 : 6}, sizeof problem.cells);
    problem.periodic[2] = flat;
    set_rule(&problem, 0, one);
    set_rule(&problem, 1, other);
    if (weir_problem_kernels_choice(&problem, WEIR_BRICK, 0, &kernels) < 0)
        fail_msg("%s", weir_error_text());
    struct block_harness *whole = block_harness_create(&problem, kernels, problem.cells, true),
                         *cut = block_harness_create(&problem, kernels, (const int[3]){4, 3, 4}, true);
    mass[0] = total_mass(whole, &passed[0]);
    block_harness_run_to(whole, STEPS);
    block_harness_run_to(cut, STEPS);
    mass[1] = total_mass(whole, &passed[1]);
    const char *const pair
    [2] = {weir_rules[one].name, weir_rules[other].name};
    if (!(fabs(mass[1]) < mass_limit(one, other) * 10 * 8 * problem.cells[2]))
        fail_msg("%s and %s: the mass has changed by %g", pair[0], pair[1], mass[1]);
    if (!(fabs(mass[1] - mass[0] - passed[1]) < 1e-9))
        fail_msg("%s and %s: the mass changed by %g, and %g passed", pair[0], pair[1], mass[1] - mass[0],
                 passed[1]);
    if (!block_harness_same(whole, cut))
        fail_msg("%s and %s: blocks have other bits than the whole", pair[0], pair[1]);
    block_harness_destroy(whole);
    block_harness_destroy(cut);
}

static void check_all(enum weir_lattice lattice) {
    for (int one = 0; one < WEIR_RULE_COUNT; one++)
        for (int other = 0; other < WEIR_RULE_COUNT; other++)
            if (!weir_rules[one].thermal && !weir_rules[other].thermal)
                check_pair(lattice, (enum weir_rule)one, (enum weir_rule)other);
}

static void test_in_the_plane(void **state) {
    (void)state;
    check_all(WEIR_D2Q9);
}

static void test_in_space(void **state) {
    (void)state;
    check_all(WEIR_D3Q19);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_the_plane), cmocka_unit_test(test_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
