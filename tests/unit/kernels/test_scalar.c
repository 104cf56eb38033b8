/* A scalar that the flow carries along, in blocks, against the method as textbooks write it; what walls keep
 * of it, and that all of it is there in the end. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"
#include "tests/unit/sanitized.h"

#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <math.h>
#include <string.h>

/* Rounding of ten steps: of populations of about 0.1. */
static const double tolerances[] = {[WEIR_SINGLE] = 3e-7, [WEIR_DOUBLE] = 1e-15 * 10, [WEIR_HALF] = 1e-3};

/* Kernels for other instruction sets are compared on one lattice: a scalar's populations are loaded and
 * stored as the flow's, which test_kernels.c compares on all. */
static const struct weir_kernels *kernels_of(const struct weir_problem *problem, int choice) {
    const struct weir_kernels *kernels;
    if (!weir_instruction_set(choice) || (choice > 0 && problem->lattice != WEIR_D2Q9))
        return NULL;
    if (weir_problem_kernels_choice(problem, WEIR_BRICK, choice, &kernels) < 0)
        fail_msg("%s", weir_error_text());
    return kernels;
}

static void compare(const struct weir_problem *problem, const int block_cells[3], const char *flow) {
    struct reference *reference = reference_create(problem);
    const struct weir_kernels *kernels;
    for (int step = 0; step < 10; step++)
        reference_step(reference);
    for (int choice = 0; (kernels = kernels_of(problem, choice)); choice++) {
        struct block_harness *h = block_harness_create(problem, kernels, block_cells, true);
        block_harness_run_to(h, 10);
        const double largest = block_harness_difference(h, reference);
        if (!(largest <= tolerances[problem->precision]))
            fail_msg("%s (%s), %s flow, blocks of %d x %d x %d: a population is off by %g", kernels->name,
                     kernels->instruction_set, flow, block_cells[0], block_cells[1], block_cells[2], largest);
        block_harness_destroy(h);
    }
    reference_destroy(reference);
}

static void flow_with_scalar(enum flow flow, enum weir_lattice lattice, bool forced,
                             enum weir_collision collision, enum weir_precision precision,
                             struct weir_problem *problem) {
    flow_problem(flow, lattice, forced, problem);
    flow_add_scalar(problem);
    weir_problem_collide_by(problem, collision);
    problem->precision = precision;
}

/* Every flow, that is every kind of face, solid and boundary; lattices, precisions and collisions in turns:
 * each variant has to be compiled. */
static void test_flows(void **state) {
    (void)state;
    static const int blocks[][3] = {{5, 4, 2}, {13, 11, 9}, {1, 2, 3}, {4, 11, 1}};
    static const struct {
        enum weir_lattice lattice;
        enum weir_collision collision;
        enum weir_precision precision;
    } variants[] = {{WEIR_D2Q9, WEIR_TRT, WEIR_SINGLE},
                    {WEIR_D3Q15, WEIR_BGK, WEIR_HALF},
                    {WEIR_D3Q19, WEIR_TRT, WEIR_DOUBLE},
                    {WEIR_D3Q27, WEIR_TRT, WEIR_SINGLE}};
    const int count = WEIR_SANITIZED ? 3 : 4; /* the last takes longest to compile */
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (int k = 0; k < count; k++) {
            struct weir_problem problem;
            flow_with_scalar((enum flow)flow, variants[k].lattice, (flow + k) % 2, variants[k].collision,
                             variants[k].precision, &problem);
            compare(&problem, blocks[(flow + k) % 4], flow_names[flow]);
            compare(&problem, blocks[(flow + k + 1) % 4], flow_names[flow]);
        }
}

/* Acting on the flow, with every collision that takes a force, with and without a force of its own. */
static void test_buoyancy(void **state) {
    (void)state;
    static const int blocks[][3] = {{5, 4, 2}, {13, 11, 9}, {4, 11, 1}};
    static const struct {
        enum weir_lattice lattice;
        enum weir_collision collision;
        enum weir_precision precision;
        enum weir_equilibrium equilibrium;
    } variants[] = {{WEIR_D2Q9, WEIR_TRT, WEIR_SINGLE, WEIR_COMPRESSIBLE},
                    {WEIR_D2Q9, WEIR_MRT, WEIR_DOUBLE, WEIR_COMPRESSIBLE},
                    {WEIR_D2Q9, WEIR_BGK, WEIR_DOUBLE, WEIR_INCOMPRESSIBLE},
                    {WEIR_D3Q13, WEIR_MRT, WEIR_DOUBLE, WEIR_COMPRESSIBLE},
                    {WEIR_D3Q15, WEIR_REGULARISED, WEIR_DOUBLE, WEIR_COMPRESSIBLE},
                    {WEIR_D2Q9, WEIR_RECURSIVE, WEIR_DOUBLE, WEIR_COMPRESSIBLE},
                    {WEIR_D3Q27, WEIR_CUMULANT, WEIR_DOUBLE, WEIR_COMPRESSIBLE},
                    {WEIR_D3Q19, WEIR_TRT, WEIR_DOUBLE, WEIR_COMPRESSIBLE}};
    enum { COUNT = sizeof variants / sizeof *variants };
    for (int k = 0; k < (WEIR_SANITIZED ? 3 : COUNT); k++)
        for (int flow = 0; flow < FLOW_COUNT; flow++) {
            struct weir_problem problem;
            flow_with_scalar((enum flow)flow, variants[k].lattice, (flow + k) % 2, variants[k].collision,
                             variants[k].precision, &problem);
            flow_add_buoyancy(&problem);
            problem.equilibrium = variants[k].equilibrium;
            compare(&problem, blocks[(flow + k) % 3], flow_names[flow]);
        }
}

/* With sources that differ from cell to cell, beside all kinds of boundaries, also where it acts on the flow.
 */
static void test_sources(void **state) {
    (void)state;
    static const int blocks[][3] = {{5, 4, 2}, {13, 11, 9}, {4, 11, 1}};
    static const struct {
        enum weir_lattice lattice;
        enum weir_collision collision;
        enum weir_precision precision;
        bool buoyancy;
    } variants[] = {{WEIR_D2Q9, WEIR_TRT, WEIR_DOUBLE, false},
                    {WEIR_D2Q9, WEIR_TRT, WEIR_SINGLE, true},
                    {WEIR_D3Q19, WEIR_TRT, WEIR_DOUBLE, true}};
    for (int k = 0; k < (WEIR_SANITIZED ? 2 : 3); k++)
        for (int flow = 0; flow < FLOW_COUNT; flow++) {
            struct weir_problem problem;
            flow_with_scalar((enum flow)flow, variants[k].lattice, (flow + k) % 2, variants[k].collision,
                             variants[k].precision, &problem);
            flow_add_sources(&problem);
            if (variants[k].buoyancy)
                flow_add_buoyancy(&problem);
            compare(&problem, blocks[(flow + k) % 3], flow_names[flow]);
        }
}

/* With solids that conduct it, among others and beside openings, with sources and where it acts on the flow.
 * Walls that move they do not meet (src/case/solids/case_conductor.c). */
static void test_conductors(void **state) {
    (void)state;
    static const int blocks[][3] = {{5, 4, 2}, {13, 11, 9}, {4, 11, 1}};
    static const enum flow flows[] = {FLOW_PERIODIC, FLOW_CAVITY, FLOW_CHANNEL, FLOW_OPEN, FLOW_PARTS};
    static const struct {
        enum weir_lattice lattice;
        enum weir_collision collision;
        enum weir_precision precision;
        bool sources;
    } variants[] = {{WEIR_D2Q9, WEIR_TRT, WEIR_DOUBLE, false},
                    {WEIR_D2Q9, WEIR_MRT, WEIR_DOUBLE, true},
                    {WEIR_D3Q19, WEIR_TRT, WEIR_DOUBLE, true}};
    for (int k = 0; k < (WEIR_SANITIZED ? 2 : 3); k++)
        for (size_t flow = 0; flow < sizeof flows / sizeof *flows; flow++) {
            struct weir_problem problem;
            flow_with_scalar(flows[flow], variants[k].lattice, ((int)flow + k) % 2, variants[k].collision,
                             variants[k].precision, &problem);
            for (int face = 0; face < 2 * weir_lattice_dimensions(problem.lattice); face++)
                if (weir_wall_moves(&problem.walls[1 + face]) && !weir_wall_is_open(&problem.walls[1 + face]))
                    memset(problem.walls[1 + face].velocity, 0, sizeof problem.walls[1 + face].velocity);
            flow_add_conductors(&problem);
            if (variants[k].sources) {
                flow_add_sources(&problem);
                flow_add_buoyancy(&problem);
            }
            compare(&problem, blocks[((int)flow + k) % 3], flow_names[flows[flow]]);
        }
}

/* Eddies mix it: beside all kinds of boundaries, with sources and where it acts on the flow, in bricks with
 * solids that conduct it, which eddies do not. */
static void test_among_eddies(void **state) {
    (void)state;
    static const int blocks[][3] = {{5, 4, 2}, {13, 11, 9}, {4, 11, 1}};
    static const struct {
        enum weir_lattice lattice;
        enum weir_collision collision;
        enum weir_precision precision;
        enum weir_turbulence_model model;
        bool sources, conductors;
    } variants[] = {{WEIR_D2Q9, WEIR_TRT, WEIR_DOUBLE, WEIR_SMAGORINSKY, true, false},
                    {WEIR_D2Q9, WEIR_BGK, WEIR_DOUBLE, WEIR_SMAGORINSKY, false, true},
                    {WEIR_D3Q19, WEIR_RECURSIVE, WEIR_DOUBLE, WEIR_QR, false, false},
                    {WEIR_D3Q27, WEIR_CUMULANT, WEIR_DOUBLE, WEIR_SMAGORINSKY, true, false}};
    for (int k = 0; k < (WEIR_SANITIZED ? 2 : 4); k++)
        for (int flow = 0; flow < FLOW_COUNT; flow++) {
            struct weir_problem problem;
            flow_with_scalar((enum flow)flow, variants[k].lattice, (flow + k) % 2, variants[k].collision,
                             variants[k].precision, &problem);
            problem.turbulence =
                (struct weir_turbulence){.present = true, .model = variants[k].model, .constant = 0.9};
            if (variants[k].sources) {
                flow_add_sources(&problem);
                flow_add_buoyancy(&problem);
            }
            if (variants[k].conductors && flow == FLOW_PERIODIC)
                flow_add_conductors(&problem);
            compare(&problem, blocks[(flow + k) % 3], flow_names[flow]);
        }
}

/* What is found of a body: the force on it, and what it gave of the scalar. */
enum { SURFACE_SUMS = 4 };

static void surface_sums(const struct block_harness *h, int body, struct weir_exact_sum sums[SURFACE_SUMS]) {
    memset(sums, 0, SURFACE_SUMS * sizeof *sums);
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_block_view view = block_harness_view(h, block);
        struct weir_partial_totals part;
        h->kernels->cpu.totals(&view, &h->fluid, block_harness_parity(h), 0.4, 0,
                               view.extent[1][1] * view.extent[2][1], &part);
        for (int axis = 0; axis < 3; axis++)
            weir_exact_sum_add(&sums[axis], &part.force[body][axis]);
        weir_exact_sum_add(&sums[3], &part.scalar_flow[body]);
    }
}

/* Forces on bodies that conduct, and what they give, as the reference has them, with the same bits in any
 * cut; beside others without a name, that they touch, and mirrors, past which fluid meets them. */
static void test_surfaces(void **state) {
    (void)state;
    static const int cuts[][3] = {{13, 11, 9}, {5, 4, 2}, {1, 2, 3}};
    static const enum flow flows[] = {FLOW_PERIODIC, FLOW_CHANNEL, FLOW_OPEN, FLOW_SLIP};
    enum { CUTS = sizeof cuts / sizeof *cuts, FLOWS = sizeof flows / sizeof *flows };
    for (int k = 0; k < 2 * FLOWS; k++) {
        struct weir_problem problem;
        flow_with_scalar(flows[k % FLOWS], k < FLOWS ? WEIR_D2Q9 : WEIR_D3Q19, k % 2, WEIR_TRT, WEIR_DOUBLE,
                         &problem);
        flow_add_conductors(&problem);
        struct reference *reference = reference_create(&problem);
        struct block_harness *h[CUTS];
        for (int cut = 0; cut < CUTS; cut++)
            h[cut] = block_harness_create(&problem, kernels_of(&problem, 0), cuts[cut], true);
        for (int step = 1; step <= 5; step++) {
            reference_step(reference);
            for (int cut = 0; cut < CUTS; cut++)
                block_harness_run_to(h[cut], step);
            for (int body = problem.wall_count - 2; body < problem.wall_count; body++) {
                struct weir_exact_sum sums[SURFACE_SUMS], other[SURFACE_SUMS];
                surface_sums(h[0], body, sums);
                for (int axis = 0; axis < 3; axis++)
                    assert_close(weir_exact_sum_value(&sums[axis]), reference->wall_force[body][axis], 1e-13);
                assert_close(weir_exact_sum_value(&sums[3]), reference->surface_flow[body], 1e-13);
                assert_true(sums[3].high != 0 || sums[3].low != 0);
                for (int cut = 1; cut < CUTS; cut++) {
                    surface_sums(h[cut], body, other);
                    assert_memory_equal(sums, other, sizeof sums);
                }
            }
        }
        for (int cut = 0; cut < CUTS; cut++)
            block_harness_destroy(h[cut]);
        reference_destroy(reference);
    }
}

/* Rows of several vectors, with solids anywhere. */
static void test_long_rows(void **state) {
    (void)state;
    static const enum weir_precision precisions[] = {WEIR_SINGLE, WEIR_DOUBLE};
    for (int k = 0; k < 2; k++) {
        struct weir_problem problem;
        flow_problem(FLOW_RUBBLE, k == 0 ? WEIR_D2Q9 : WEIR_D3Q19, true, &problem);
        flow_add_scalar(&problem);
        problem.cells[0] = 53;
        problem.precision = precisions[k];
        compare(&problem, (const int[3]){49, 5, 4}, "rubble, long");
    }
}

/* The same bits and digest however the domain is cut; and a digest that knows the scalar. */
static void test_cuts(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct weir_problem problem;
        flow_problem(FLOW_CHANNEL, k == 0 ? WEIR_D2Q9 : WEIR_D3Q19, true, &problem);
        flow_add_scalar(&problem);
        problem.precision = k == 0 ? WEIR_SINGLE : WEIR_DOUBLE;
        const struct weir_kernels *kernels = kernels_of(&problem, 0);
        struct block_harness *whole = block_harness_create(&problem, kernels, problem.cells, true);
        struct block_harness *cut = block_harness_create(&problem, kernels, (const int[3]){3, 4, 2}, true);
        block_harness_run_to(whole, 7);
        block_harness_run_to(cut, 7);
        assert_true(block_harness_same(whole, cut));
        void *population = block_harness_scalar(cut, (const int[3]){6, 1, 0}, 0);
        block_harness_write(cut, population, 2 * block_harness_read(cut, population));
        assert_false(block_harness_same(whole, cut));
        block_harness_destroy(whole);
        block_harness_destroy(cut);
    }
}

/* All of it; flow: what came of it from all boundaries in the last step. */
static double total_and_flow(const struct block_harness *h, double *flow) {
    struct weir_exact_sum sum = {0, 0}, passed = {0, 0};
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_block_view view = block_harness_view(h, block);
        struct weir_partial_totals part;
        h->kernels->cpu.totals(&view, &h->fluid, block_harness_parity(h), 0.4, 0,
                               view.extent[1][1] * view.extent[2][1], &part);
        weir_exact_sum_add(&sum, &part.fifth);
        for (int wall = 1; wall < h->problem->wall_count; wall++)
            if (!h->problem->walls[wall].conducts) /* which is among the cells that have it */
                weir_exact_sum_add(&passed, &part.scalar_flow[wall]);
    }
    *flow = weir_exact_sum_value(&passed);
    return weir_exact_sum_value(&sum);
}

static double total(const struct block_harness *h) {
    double flow;
    return total_and_flow(h, &flow);
}

/* Every step adds what boundaries say that they let in: walls, bodies, open ones, with values and fluxes. */
static void test_flows_of_scalar(void **state) {
    (void)state;
    for (int flow = 0; flow < FLOW_COUNT; flow++) {
        struct weir_problem problem;
        flow_problem((enum flow)flow, WEIR_D3Q19, flow % 2, &problem);
        flow_add_scalar(&problem);
        if (flow % 2)
            flow_add_conductors(&problem);
        problem.precision = WEIR_DOUBLE;
        struct block_harness *h =
            block_harness_create(&problem, kernels_of(&problem, 0), (const int[3]){5, 4, 3}, true);
        double before = total(h), passed = 0;
        for (int step = 1; step <= 6; step++) {
            block_harness_run_to(h, step);
            double came;
            const double now = total_and_flow(h, &came);
            if (!(fabs(now - before - came) < 1e-11))
                fail_msg("%s flow, step %d: %.15g came, and there is %.15g more", flow_names[flow], step,
                         came, now - before);
            before = now;
            passed += fabs(came);
        }
        assert_true((passed > 0) == (flow != FLOW_PERIODIC));
        block_harness_destroy(h);
    }
}

/* Walls that hold nothing keep all of it; a flux adds what it says, through every side of a cell at it. */
static void test_conservation(void **state) {
    (void)state;
    enum { STEPS = 40 };
    for (int k = 0; k < 2; k++)
        for (int flux = 0; flux < 2; flux++) {
            struct weir_problem problem;
            flow_problem(FLOW_CAVITY, k == 0 ? WEIR_D2Q9 : WEIR_D3Q19, false, &problem);
            problem.precision = WEIR_DOUBLE;
            problem.scalar = (struct weir_scalar){.present = true, .relaxation_time = 0.6, .magic = 0.25};
            problem.walls[2].scalar = flux ? 1e-3 : 0;
            struct block_harness *h =
                block_harness_create(&problem, kernels_of(&problem, 0), (const int[3]){5, 4, 3}, true);
            const double before = total(h);
            block_harness_run_to(h, STEPS);
            const double added = flux * STEPS * 1e-3 * problem.cells[1] * problem.cells[2];
            assert_close(total(h), before + added, 1e-11);
            block_harness_destroy(h);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flows),        cmocka_unit_test(test_buoyancy),
        cmocka_unit_test(test_sources),      cmocka_unit_test(test_conductors),
        cmocka_unit_test(test_among_eddies), cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_long_rows),    cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_conservation), cmocka_unit_test(test_flows_of_scalar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
