/* Every variant of collide and stream, in blocks, against the method as textbooks write it. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"
#include "tests/unit/sanitized.h"

#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <stdio.h>
#include <string.h>

enum { HARNESSES_MAX = 16 };

static const int64_t steps_checked[] = {0, 1, 2, 7, 10};

/* Rounding of ten steps: of deviations of about 0.05 at most. */
static double tolerance_of(const struct block_harness *h) {
    static const double tolerances[] = {[WEIR_SINGLE] = 5e-8, [WEIR_DOUBLE] = 1e-14, [WEIR_HALF] = 5e-5};
    return tolerances[h->problem->precision];
}

static void compare(const struct block_harness *h, const struct reference *r, const char *flow) {
    const double largest = block_harness_difference(h, r);
    if (!(largest <= tolerance_of(h)))
        fail_msg("%s (%s), %s flow%s, step %d: a population is off by %g", h->kernels->name,
                 h->kernels->instruction_set, flow, h->fluid.forced ? " with force" : "", (int)h->step,
                 largest);
}

/* Every variant that is compared has to be compiled first, which takes longer than to compare it: eddies have
 * one precision, all else what has_precision says. */
static bool is_compared(const struct weir_problem *problem, int choice) {
    const int lattice = (int)problem->lattice, collision = (int)problem->collision,
              precision = (int)problem->precision, turn = (lattice + collision) % POPULATION_PRECISIONS;
    if (!has_precision(problem->lattice, problem->collision, problem->precision))
        return false;
    if (problem->turbulence.present)
        return choice == 0 && precision == turn;
    if (choice > 0)
        return has_instruction_sets(problem->lattice, problem->collision, problem->precision);
    return true;
}

/* NULL past the last instruction set that is compared. */
static const struct weir_kernels *kernels_of(const struct weir_problem *problem, int choice) {
    const struct weir_kernels *kernels;
    if (!weir_instruction_set(choice) || !is_compared(problem, choice))
        return NULL;
    if (weir_problem_kernels_choice(problem, WEIR_BRICK, choice, &kernels) < 0)
        fail_msg("%s", weir_error_text());
    return kernels;
}

/* The precisions and instruction sets of a problem that are compared, side by side. */
static void check_problem(struct weir_problem *problem, const int block_cells[3], const char *flow) {
    struct weir_problem problems[POPULATION_PRECISIONS];
    struct block_harness *harnesses[HARNESSES_MAX];
    int count = 0;
    for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
        problems[precision] = *problem;
        problems[precision].precision = (enum weir_precision)precision;
        const struct weir_kernels *kernels;
        for (int choice = 0; (kernels = kernels_of(&problems[precision], choice)); choice++) {
            assert_true(count < HARNESSES_MAX);
            harnesses[count++] = block_harness_create(&problems[precision], kernels, block_cells, true);
        }
    }
    struct reference *reference = reference_create(problem);
    int64_t step = 0;
    for (size_t check = 0; check < sizeof steps_checked / sizeof *steps_checked; check++) {
        for (; step < steps_checked[check]; step++)
            reference_step(reference);
        for (int k = 0; k < count; k++) {
            block_harness_run_to(harnesses[k], step);
            compare(harnesses[k], reference, flow);
        }
    }
    for (int k = 0; k < count; k++)
        block_harness_destroy(harnesses[k]);
    reference_destroy(reference);
}

/* state: the flow. Every lattice with every collision meets flows with force and flows without. */
static void test_flow(void **state) {
    const enum flow flow = *(const enum flow *)*state;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++) {
            struct weir_problem problem;
            if (!weir_collision_on((enum weir_collision)collision, (enum weir_lattice)lattice) ||
                weir_collision_row((enum weir_collision)collision)
                    ->strain) /* stages give it: test_gradients.c */
                continue;
            flow_problem(flow, (enum weir_lattice)lattice, ((int)flow + lattice + collision) % 2, &problem);
            weir_problem_collide_by(&problem, (enum weir_collision)collision);
            check_problem(&problem, (const int[3]){5, 4, 2}, flow_names[flow]);
        }
}

/* Eddies, with collisions whose odd rate follows from the even one, and with others; under sanitizers one of
 * each model. */
static void test_turbulence(void **state) {
    (void)state;
    static const struct {
        enum weir_lattice lattice;
        enum weir_collision collision;
        enum weir_turbulence_model model;
    } variants[] = {{WEIR_D2Q9, WEIR_TRT, WEIR_SMAGORINSKY},
                    {WEIR_D3Q15, WEIR_REGULARISED, WEIR_SMAGORINSKY},
                    {WEIR_D3Q19, WEIR_BGK, WEIR_SMAGORINSKY},
                    {WEIR_D3Q19, WEIR_MRT, WEIR_SMAGORINSKY},
                    {WEIR_D3Q27, WEIR_TRT, WEIR_SMAGORINSKY},
                    {WEIR_D3Q27, WEIR_CUMULANT, WEIR_SMAGORINSKY},
                    {WEIR_D2Q9, WEIR_RECURSIVE, WEIR_SMAGORINSKY},
                    {WEIR_D3Q19, WEIR_BGK, WEIR_QR},
                    {WEIR_D3Q27, WEIR_TRT, WEIR_QR}};
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k += WEIR_SANITIZED ? 7 : 1) {
        struct weir_problem problem;
        flow_problem(k % 2 ? FLOW_BODIES : FLOW_TUBE, variants[k].lattice, k % 3 != 0, &problem);
        weir_problem_collide_by(&problem, variants[k].collision);
        problem.relaxation_time = 0.55;
        problem.turbulence = (struct weir_turbulence){
            .present = true, .model = variants[k].model, .constant = variants[k].model == WEIR_QR ? 1 : 0.4};
        check_problem(&problem, (const int[3]){5, 4, 2}, "turbulent");
    }
}

/* Cumulants with rates of their own, with a force and without, and among eddies. */
static void test_rates_of_cumulants(void **state) {
    (void)state;
    static const double rates[] = {1.5, 1.7, 0.6, 1.3, 0.8, 1.6, 1.2, 0.7, 1.4};
    for (int k = 0; k < (WEIR_SANITIZED ? 1 : 2); k++) {
        struct weir_problem problem;
        flow_problem(k ? FLOW_BODIES : FLOW_TUBE, WEIR_D3Q27, k == 0, &problem);
        weir_problem_collide_by(&problem, WEIR_CUMULANT);
        memcpy(problem.parameters, rates, sizeof rates);
        problem.turbulence =
            (struct weir_turbulence){.present = k == 1, .model = WEIR_SMAGORINSKY, .constant = 0.4};
        check_problem(&problem, (const int[3]){5, 4, 2}, "cumulants");
    }
}

/* The incompressible equilibrium, at boundaries of every kind too, with and without eddies. */
static void test_incompressible(void **state) {
    (void)state;
    static const struct {
        enum weir_lattice lattice;
        enum weir_collision collision;
        enum flow flow;
    } variants[] = {{WEIR_D2Q9, WEIR_BGK, FLOW_CHANNEL},
                    {WEIR_D3Q15, WEIR_TRT, FLOW_OPEN},
                    {WEIR_D3Q19, WEIR_MRT, FLOW_PARTS},
                    {WEIR_D3Q27, WEIR_TRT, FLOW_BODIES}};
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k += WEIR_SANITIZED ? 2 : 1) {
        struct weir_problem problem;
        flow_problem(variants[k].flow, variants[k].lattice, k % 2 != 0, &problem);
        weir_problem_collide_by(&problem, variants[k].collision);
        problem.equilibrium = WEIR_INCOMPRESSIBLE;
        problem.turbulence = (struct weir_turbulence){.present = k == 2, .constant = 0.4};
        check_problem(&problem, (const int[3]){5, 4, 2}, "incompressible");
    }
}

/* Solids here and there in rows of several vectors: of these there are all kinds, with fluid, walls and ends
 * of the row anywhere. Blocks end with 1, 4 or all cells of a vector. */
static void test_solids_in_long_rows(void **state) {
    (void)state;
    static const int lengths[] = {53, 52, 48};
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int collision = 0; collision <= WEIR_TRT; collision++) {
            struct weir_problem problem;
            flow_problem(FLOW_RUBBLE, (enum weir_lattice)lattice, collision == 0, &problem);
            weir_problem_collide_by(&problem, (enum weir_collision)collision);
            problem.cells[0] = lengths[(lattice + collision) % 3];
            check_problem(&problem, (const int[3]){49, 5, 4}, "rubble, long");
        }
}

/* The table: what a variant is called, that the default is the first choice, and that choices differ. */
static void test_table(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int collision = 0; collision <= WEIR_TRT; collision++)
            for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
                const enum weir_lattice l = (enum weir_lattice)lattice;
                const enum weir_collision c = (enum weir_collision)collision;
                const enum weir_precision p = (enum weir_precision)precision;
                const struct weir_problem problem = {.lattice = l, .collision = c, .precision = p};
                if (!is_compared(&problem, 0))
                    continue;
                const struct weir_kernels *kernels = find_kernels(l, c, p), *last = NULL, *next;
                char name[64];
                snprintf(name, sizeof name, "%s_%s_%s", weir_lattice_names[lattice],
                         weir_collision_names[collision], weir_precision_names[precision]);
                static const size_t sizes[][2] = {
                    [WEIR_SINGLE] = {4, 4}, [WEIR_DOUBLE] = {8, 8}, [WEIR_HALF] = {4, 2}};
                assert_int_equal(kernels->real_size, sizes[precision][0]);
                assert_int_equal(kernels->stored_size, sizes[precision][1]);
                assert_ptr_equal(kernels, find_kernels_choice(l, c, p, 0));
                for (int choice = 0; weir_instruction_set(choice) && is_compared(&problem, choice);
                     choice++) {
                    next = find_kernels_choice(l, c, p, choice);
                    assert_string_equal(next->name, name);
                    assert_true(!last || strcmp(next->instruction_set, last->instruction_set) != 0);
                    last = next;
                }
            }
}

int main(void) {
    static enum flow flows[] = {FLOW_PERIODIC, FLOW_CAVITY, FLOW_TUBE, FLOW_BODIES, FLOW_RUBBLE};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        {"test_periodic_flow", test_flow, NULL, NULL, &flows[0]},
        {"test_cavity_flow", test_flow, NULL, NULL, &flows[1]},
        {"test_tube_flow", test_flow, NULL, NULL, &flows[2]},
        {"test_bodies_flow", test_flow, NULL, NULL, &flows[3]},
        {"test_rubble_flow", test_flow, NULL, NULL, &flows[4]},
        cmocka_unit_test(test_solids_in_long_rows),
        cmocka_unit_test(test_turbulence),
        cmocka_unit_test(test_rates_of_cumulants),
        cmocka_unit_test(test_incompressible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
