/* Sums over time of a block's cells: those of what macroscopic gives, step by step; out of bricks and lists,
 * and back into them. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/sanitized.h"

#include "graph/problem/problem_kernels.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    return memory;
}

static size_t cells_of(const struct block_harness *h, int block) {
    return (size_t)weir_box_cells(&h->blocks[block].box);
}

/* What a block has to add now: all in double precision, each cell by itself. */
static void add_expected(const struct block_harness *h, int block, double *sums) {
    static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    const struct weir_block_view view = block_harness_view(h, block);
    const struct weir_kernels *kernels = block_harness_kernels(h, block);
    const size_t cells = cells_of(h, block), size = kernels->real_size;
    const int observed = weir_problem_observed(h->problem),
              macroscopic = weir_problem_macroscopic(h->problem);
    struct weir_local_box box = {.origin = {0, 0, 0}};
    memcpy(box.extent, h->blocks[block].box.extent, sizeof box.extent);
    char *values = allocate((size_t)observed * cells * size);
    kernels->cpu.macroscopic(&view, &h->fluid, block_harness_parity(h), &box, values);
    for (size_t cell = 0; cell < cells; cell++) {
        double value[WEIR_OBSERVED_MAX];
        double *sum = sums + cell;
        for (int k = 0; k < observed; k++)
            value[k] = block_harness_read_real(h, values + ((size_t)k * cells + cell) * size);
        for (int k = 0; k < macroscopic; k++, sum += cells)
            *sum += value[k];
        for (int k = 0; k < 6; k++, sum += cells)
            *sum += value[1 + axes[k][0]] * value[1 + axes[k][1]];
        if (observed > macroscopic)
            *sum += value[macroscopic];
    }
    free(values);
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Three samples of each block, of both parities, added by rows in two parts. */
static void compare(struct block_harness *h, const char *what) {
    const size_t sums = (size_t)weir_problem_time_sums(h->problem);
    for (int block = 0; block < h->grid.total; block++) {
        const struct weir_kernels *kernels = block_harness_kernels(h, block);
        const int rows = h->blocks[block].box.extent[1] * h->blocks[block].box.extent[2];
        const size_t numbers = sums * cells_of(h, block);
        double *kept = allocate(numbers * sizeof *kept), *again = allocate(numbers * sizeof *again),
               *expected = allocate(numbers * sizeof *expected), *values = allocate(numbers * sizeof *values);
        for (int sample = 0; sample < 3; sample++) {
            const struct weir_block_view view = block_harness_view(h, block);
            add_expected(h, block, expected);
            for (int part = 0; part < 2; part++)
                kernels->cpu.add_to_time_sums(&view, &h->fluid, block_harness_parity(h), part * (rows / 2),
                                              part ? rows : rows / 2, kept);
            block_harness_run_to(h, h->step + 1);
        }
        const struct weir_block_view view = block_harness_view(h, block);
        for (int pass = 0; pass < 2; pass++) { /* then from what comes of copying them back */
            memset(values, 0xa5, numbers * sizeof *values);
            kernels->cpu.copy_time_sums(&view, 0, rows, false, pass ? again : kept, values);
            for (size_t k = 0; k < numbers; k++)
                if (!same(values[k], expected[k]))
                    fail_msg("%s, block %d, pass %d: number %zu is %.17g, not %.17g", what, block, pass, k,
                             values[k], expected[k]);
            kernels->cpu.copy_time_sums(&view, 0, rows, true, again, values);
        }
        free(kept);
        free(again);
        free(expected);
        free(values);
    }
}

static void test_bricks(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_LATTICE_COUNT; lattice++)
        for (int precision = 0; precision < POPULATION_PRECISIONS; precision++) {
            struct weir_problem problem;
            flow_problem(FLOW_BODIES, (enum weir_lattice)lattice, true, &problem);
            problem.precision = (enum weir_precision)precision;
            const struct weir_kernels *kernels =
                find_kernels(problem.lattice, problem.collision, problem.precision);
            struct block_harness *h = block_harness_create(&problem, kernels, (const int[3]){7, 11, 4}, true);
            compare(h, kernels->name);
            block_harness_destroy(h);
        }
}

static const struct weir_kernels *kernels_of(const struct weir_problem *problem, enum weir_cell_kind kind) {
    const struct weir_kernels *kernels;
    if (weir_problem_kernels(problem, kind, WEIR_KERNELS_CPU, &kernels) < 0)
        fail_msg("no kernels");
    return kernels;
}

/* Rows of more cells than a vector, of which some are whole. */
static void test_lists(void **state) {
    (void)state;
    struct weir_problem problem;
    flow_problem(FLOW_BODIES, WEIR_D3Q19, true, &problem);
    problem.cells[0] = 70;
    problem.list_up_to = 1;
    const struct weir_kernels *const kernels[WEIR_CELL_KIND_COUNT] = {kernels_of(&problem, WEIR_BRICK),
                                                                      kernels_of(&problem, WEIR_LIST)};
    struct block_harness *h = block_harness_create_of(&problem, kernels, (const int[3]){35, 6, 5}, true);
    int lists = 0;
    for (int block = 0; block < h->grid.total; block++)
        lists += h->blocks[block].layout.kept.kind == WEIR_LIST;
    assert_int_equal(lists, h->grid.total);
    compare(h, "lists");
    block_harness_destroy(h);
}

static void test_more_numbers(void **state) {
    (void)state;
    struct weir_problem problem;
    flow_problem(FLOW_CHANNEL, WEIR_D3Q19, true, &problem);
    flow_add_scalar(&problem);
    problem.turbulence.present = true;
    problem.turbulence.constant = 0.2;
    assert_int_equal(weir_problem_time_sums(&problem), WEIR_TIME_SUMS_MAX);
    struct block_harness *h =
        block_harness_create(&problem, kernels_of(&problem, WEIR_BRICK), (const int[3]){7, 11, 4}, true);
    compare(h, "a scalar and eddies");
    block_harness_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bricks), cmocka_unit_test(test_lists),
                                       cmocka_unit_test(test_more_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
