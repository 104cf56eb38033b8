/* Blocks that are lists of fluid cells, alone or beside bricks, have the same bits as bricks: populations,
 * and all that looks at them. Steps of GPUs: test_gpu_step.c. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/sanitized.h"

#include "graph/problem/geometry.h"
#include "graph/problem/problem_kernels.h"

#include <stdlib.h>
#include <string.h>

/* Every lattice, collision and precision, once or twice: see variant_of. */
static const int variants[] = {0, 1, 2, 3, 6};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct weir_kernels *kernels_of(const struct weir_problem *problem, enum weir_cell_kind kind,
                                             int choice) {
    struct weir_kernel_specification specification =
        weir_kernel_specification(problem->lattice, problem->collision, problem->precision);
    struct weir_kernel_news news;
    if (kind != WEIR_BRICK)
        weir_define(&specification.more, "WEIR_CELLS", "%s", weir_cell_kinds[kind].name);
    const struct weir_kernels *const kernels = weir_kernels_choice(&specification, choice, &news);
    if (!kernels)
        fail_msg("%s", news.error);
    return kernels;
}

static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    return memory;
}

/* Whether two blocks look the same: totals, density and velocity of a box, what changed since the last look.
 */
static bool look_alike(struct block_harness *const of[2], int block) {
    struct weir_partial_totals totals[2];
    struct weir_partial_change change[2][2];
    const struct weir_box *box = &of[0]->blocks[block].box;
    struct weir_local_box part;
    size_t cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        part.origin[axis] = box->extent[axis] / 4;
        part.extent[axis] = box->extent[axis] - part.origin[axis];
        cells *= (size_t)part.extent[axis];
    }
    const size_t bytes = WEIR_MACROSCOPIC_MAX * cells * of[0]->kernels->real_size; /* as many as any has */
    void *values[2];
    for (int k = 0; k < 2; k++) {
        const struct block_harness *h = of[k];
        const struct weir_kernels *kernels = block_harness_kernels(h, block);
        const struct weir_block_view view = block_harness_view(h, block);
        const int rows = box->extent[1] * box->extent[2], parity = block_harness_parity(h);
        float *velocity = allocate(3 * sizeof *velocity * (size_t)weir_box_cells(box));
        values[k] = allocate(bytes);
        memset(&totals[k], 0, sizeof totals[k]);
        kernels->cpu.totals(&view, &h->fluid, parity, 0.5, 0, rows, &totals[k]);
        kernels->cpu.macroscopic(&view, &h->fluid, parity, &part, values[k]);
        for (int look = 0; look < 2; look++)
            kernels->cpu.velocity_change(&view, &h->fluid, parity, 0, rows, velocity, &change[k][look]);
        free(velocity);
    }
    const bool alike = memcmp(&totals[0], &totals[1], sizeof totals[0]) == 0 &&
                       memcmp(&change[0], &change[1], sizeof change[0]) == 0 &&
                       memcmp(values[0], values[1], bytes) == 0;
    free(values[0]);
    free(values[1]);
    return alike;
}

/* With kernels for instruction set number `choice`. */
static void compare_choice(const struct weir_problem *problem, double list_up_to, const int block_cells[3],
                           const char *flow, int choice, int kinds[WEIR_CELL_KIND_COUNT]) {
    struct weir_problem mixed = *problem;
    struct block_harness *of[2];
    const struct weir_kernels *const kernels[WEIR_CELL_KIND_COUNT] = {kernels_of(problem, WEIR_BRICK, choice),
                                                                      kernels_of(problem, WEIR_LIST, choice)};
    mixed.list_up_to = list_up_to;
    of[0] = block_harness_create_of(problem, kernels, block_cells, true);
    of[1] = block_harness_create_of(&mixed, kernels, block_cells, true);
    static const int64_t steps[] = {0, 3, 4};
    for (size_t at = 0; at < sizeof steps / sizeof *steps; at++) {
        const int64_t step = steps[at];
        for (int k = 0; k < 2; k++)
            block_harness_run_to(of[k], step);
        bool same = block_harness_same(of[0], of[1]);
        for (int block = 0; same && block < of[0]->grid.total; block++)
            same = look_alike(of, block);
        if (!same)
            fail_msg("%s %s, %s flow of %d x %d x %d cells, blocks of %d x %d x %d, lists up to %g, step %d: "
                     "another result",
                     kernels[0]->name, kernels[0]->instruction_set, flow, problem->cells[0],
                     problem->cells[1], problem->cells[2], block_cells[0], block_cells[1], block_cells[2],
                     list_up_to, (int)step);
    }
    for (int block = 0; block < of[1]->grid.total; block++)
        kinds[of[1]->blocks[block].layout.kept.kind]++;
    block_harness_destroy(of[0]);
    block_harness_destroy(of[1]);
}

static void compare(const struct weir_problem *problem, double list_up_to, const int block_cells[3],
                    const char *flow, int kinds[WEIR_CELL_KIND_COUNT]) {
    compare_choice(problem, list_up_to, block_cells, flow, 0, kinds);
}

/* The problem of a flow for a number that says the lattice, collision and precision. */
static void variant_of(int variant, enum flow flow, struct weir_problem *problem) {
    flow_problem(flow, (enum weir_lattice)(variant % WEIR_ISOTHERMAL_COUNT), variant % 3 != 0, problem);
    weir_problem_collide_by(problem, (enum weir_collision)(variant / WEIR_ISOTHERMAL_COUNT % (WEIR_TRT + 1)));
    problem->precision = (enum weir_precision)(variant % POPULATION_PRECISIONS);
}

static void test_flows(void **state) {
    (void)state;
    /* Every flow and every variant with each of them, not all flows with all variants. */
    static const int cuts[][3] = {{35, 11, 9}, {5, 4, 3}, {33, 11, 1}, {1, 2, 1}};
    int kinds[WEIR_CELL_KIND_COUNT] = {0};
    for (int flow = 0; flow < FLOW_COUNT; flow++)
        for (int variant = 0; variant < VARIANTS; variant++)
            for (size_t cut = (size_t)(flow + variant) % 2; cut < sizeof cuts / sizeof *cuts; cut += 2) {
                struct weir_problem problem;
                variant_of(variants[variant], (enum flow)flow, &problem);
                if (variant % 2)
                    problem.cells[0] = 35;
                compare(&problem, cut < 2 ? 0.7 : 1, cuts[cut], flow_names[flow], kinds);
            }
    assert_true(kinds[WEIR_BRICK] > 0 && kinds[WEIR_LIST] > 0);
}

/* A third of all cells, half of them, nearly all are solid, here and there; some of these move. */
static void test_porosities(void **state) {
    (void)state;
    static const int cells[3] = {37, 9, 7};
    static const int cuts[][3] = {{37, 9, 7}, {12, 5, 7}, {33, 2, 3}};
    struct weir_shape *shapes = allocate(sizeof *shapes * 37 * 9 * 7);
    for (int share = 0; share < 3; share++)
        for (int variant = 0; variant < VARIANTS; variant++) {
            struct weir_problem problem;
            int kinds[WEIR_CELL_KIND_COUNT] = {0};
            uint32_t random = 12345u * (uint32_t)(1 + share + variant);
            variant_of(variants[variant], FLOW_CAVITY, &problem);
            const bool flat = weir_lattice_dimensions(problem.lattice) == 2;
            memcpy(problem.cells, cells, sizeof problem.cells);
            problem.cells[2] = flat ? 1 : cells[2];
            problem.wall_count = WEIR_FIRST_BODY + 2;
            problem.walls[WEIR_FIRST_BODY + 1].velocity[0] = 0.02;
            problem.shapes = shapes;
            problem.shape_count = 0;
            for (int cell = 1; cell < problem.cells[0] * problem.cells[1] * problem.cells[2]; cell++) {
                const int at[3] = {cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
                struct weir_shape *shape = &shapes[problem.shape_count];
                random = random * 1664525u + 1013904223u;
                if ((random >> 16) % 100 >= (const uint32_t[]){33, 50, 97}[share])
                    continue;
                *shape = (struct weir_shape){.type = WEIR_BOX, .wall = WEIR_FIRST_BODY + cell % 2};
                for (int axis = 0; axis < 3; axis++) {
                    shape->box.from[axis] = at[axis];
                    shape->box.to[axis] = at[axis] + 1;
                }
                problem.shape_count++;
            }
            for (size_t cut = 0; cut < sizeof cuts / sizeof *cuts; cut++)
                compare(&problem, 0.6, cuts[cut], "porous", kinds);
            assert_true(share == 0 || kinds[WEIR_LIST] > 0);
        }
    free(shapes);
}

/* Runs of 1 to 20 cells that begin and end at every lane of a vector, with walls beside them, at rows of
 * segments' ends and at faces; for every instruction set. */
static void test_runs(void **state) {
    (void)state;
    enum { LENGTH = 67, ROWS = 5, LAYERS = 6 };
    static const enum weir_precision precisions[] = {WEIR_SINGLE, WEIR_DOUBLE, WEIR_HALF};
    static const int cuts[][3] = {{LENGTH, ROWS, LAYERS}, {31, 3, 6}};
    struct weir_shape *shapes = allocate(sizeof *shapes * LENGTH * ROWS * LAYERS);
    for (int choice = 0; weir_instruction_set(choice); choice++)
        for (int k = 0; k < 3; k++) {
            struct weir_problem problem;
            int kinds[WEIR_CELL_KIND_COUNT] = {0};
            flow_problem(FLOW_PERIODIC, WEIR_D3Q19, false, &problem);
            weir_problem_collide_by(&problem, WEIR_TRT);
            problem.precision = precisions[k];
            problem.cells[0] = LENGTH;
            problem.cells[1] = ROWS;
            problem.cells[2] = LAYERS;
            problem.wall_count = WEIR_FIRST_BODY + 1;
            problem.shapes = shapes;
            problem.shape_count = 0;
            for (int row = 0; row < ROWS * LAYERS; row++)
                for (int x = row % 7; x < LENGTH; x += 2 + row % 20)
                    shapes[problem.shape_count++] =
                        (struct weir_shape){.type = WEIR_BOX,
                                            .wall = WEIR_FIRST_BODY,
                                            .box = {.from = {x, row % ROWS, row / ROWS},
                                                    .to = {x + 1, row % ROWS + 1, row / ROWS + 1}}};
            for (size_t cut = 0; cut < sizeof cuts / sizeof *cuts; cut++)
                compare_choice(&problem, 1, cuts[cut], "runs", choice, kinds);
            assert_int_equal(kinds[WEIR_BRICK], 0);
        }
    free(shapes);
}

/* Populations that move by more than one cell, without collision, as they are. */
static void test_reach(void **state) {
    (void)state;
    static const int cuts[][3] = {{13, 11, 1}, {5, 4, 1}};
    int kinds[WEIR_CELL_KIND_COUNT] = {0};
    for (size_t cut = 0; cut < sizeof cuts / sizeof *cuts; cut++) {
        struct weir_problem problem;
        flow_problem(FLOW_PERIODIC, WEIR_D2Q37, false, &problem);
        problem.collision = WEIR_NONE;
        compare(&problem, 1, cuts[cut], "periodic", kinds);
    }
    assert_int_equal(kinds[WEIR_BRICK], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_porosities),
        cmocka_unit_test(test_flows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
