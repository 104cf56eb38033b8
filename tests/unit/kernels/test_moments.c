/* Cells that keep moments: what is seen of them is what is seen of populations with the same collision; the
 * same bits however the domain is cut, and how many planes are stepped at once; and the digest is of every
 * number that a cell has, and of nothing else. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/sanitized.h"

#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <stdlib.h>
#include <string.h>

/* Every lattice and precision, and both collisions on both of dimensions; under sanitizers the first alone.
 */
static const struct variant {
    enum weir_lattice lattice;
    enum weir_collision collision;
    enum weir_precision precision, as; /* the latter with populations */
    double tolerance;
} variants[] = {
    {WEIR_D2Q9, WEIR_RECURSIVE, WEIR_MOMENTS_DOUBLE, WEIR_DOUBLE, 1e-14},
    {WEIR_D3Q19, WEIR_RECURSIVE, WEIR_MOMENTS_SINGLE, WEIR_SINGLE, 1e-6},
    {WEIR_D3Q15, WEIR_REGULARISED, WEIR_MOMENTS_DOUBLE, WEIR_DOUBLE, 1e-14},
    {WEIR_D3Q27, WEIR_RECURSIVE, WEIR_MOMENTS_DOUBLE, WEIR_DOUBLE, 1e-14},
    {WEIR_D2Q9, WEIR_REGULARISED, WEIR_MOMENTS_SINGLE, WEIR_SINGLE, 1e-6},
    {WEIR_D2Q9, WEIR_RECURSIVE, WEIR_MOMENTS_MIXED, WEIR_SINGLE, 5e-6},
    {WEIR_D3Q19, WEIR_RECURSIVE, WEIR_MOMENTS_MIXED, WEIR_SINGLE, 5e-6},
};
enum { VARIANTS = WEIR_SANITIZED ? 1 : sizeof variants / sizeof *variants };

static void problem_of(const struct variant *variant, enum flow flow, enum weir_precision precision,
                       struct weir_problem *problem) {
    flow_problem(flow, variant->lattice, flow % 2 != 0, problem);
    weir_problem_collide_by(problem, variant->collision);
    problem->precision = precision;
}

static struct block_harness *harness_of(const struct weir_problem *problem, const int block_cells[3]) {
    const struct weir_kernels *kernels;
    if (weir_problem_kernels(problem, WEIR_BRICK, WEIR_KERNELS_CPU, &kernels) < 0)
        fail_msg("%s", weir_error_text());
    return block_harness_create(problem, kernels, block_cells, true);
}

/* Density and velocity of all cells of a domain of one block, as reals. */
static double *seen_of(const struct block_harness *h, size_t *count) {
    const struct weir_block_view view = block_harness_view(h, 0);
    const size_t cells = (size_t)weir_box_cells(&h->blocks[0].box);
    struct weir_local_box box = {.origin = {0, 0, 0}};
    memcpy(box.extent, h->blocks[0].box.extent, sizeof box.extent);
    *count = (size_t)weir_problem_observed(h->problem) * cells;
    char *values = malloc(*count * h->kernels->real_size);
    double *seen = malloc(*count * sizeof *seen);
    assert_non_null(values);
    assert_non_null(seen);
    h->kernels->cpu.macroscopic(&view, &h->fluid, block_harness_parity(h), &box, values);
    for (size_t k = 0; k < *count; k++)
        seen[k] = block_harness_read_real(h, values + k * h->kernels->real_size);
    free(values);
    return seen;
}

static void compare(const struct block_harness *moments, const struct block_harness *populations,
                    const char *flow, double tolerance) {
    size_t count, as_many;
    double *of_moments = seen_of(moments, &count), *of_populations = seen_of(populations, &as_many);
    assert_int_equal(count, as_many);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(isnan(of_moments[k]), isnan(of_populations[k]));
        if (fabs(of_moments[k] - of_populations[k]) > tolerance)
            fail_msg("%s, %s flow, step %d: value %d is %.17g, of populations %.17g", moments->kernels->name,
                     flow, (int)moments->step, (int)k, of_moments[k], of_populations[k]);
    }
    free(of_moments);
    free(of_populations);
}

/* All flows whose boundaries look at no more of a cell than what leaves it. */
static void test_as_populations(void **state) {
    (void)state;
    for (int v = 0; v < VARIANTS; v++)
        for (int flow = 0; flow < FLOW_COUNT; flow++) {
            const struct variant *variant = &variants[v];
            struct weir_problem of_moments, of_populations;
            problem_of(variant, (enum flow)flow, variant->precision, &of_moments);
            problem_of(variant, (enum flow)flow, variant->as, &of_populations);
            struct block_harness *moments = harness_of(&of_moments, of_moments.cells),
                                 *populations = harness_of(&of_populations, of_populations.cells);
            for (int64_t step = 0; step < 8; step++) {
                block_harness_run_to(moments, step);
                block_harness_run_to(populations, step);
                compare(moments, populations, flow_names[flow], variant->tolerance);
            }
            block_harness_destroy(moments);
            block_harness_destroy(populations);
        }
}

static bool same_digest(const struct block_harness *a, const struct block_harness *b) {
    uint64_t of_a[2], of_b[2];
    block_harness_digest(a, of_a);
    block_harness_digest(b, of_b);
    return of_a[0] == of_b[0] && of_a[1] == of_b[1];
}

static void compare_cuts(const struct variant *variant, enum flow flow, int cells_x) {
    static const struct {
        int cells[3], planes_at_once;
    } cuts[] = {{{5, 4, 3}, 1}, {{33, 11, 9}, 2}, {{13, 1, 9}, 1}, {{1, 1, 1}, 0}, {{99, 99, 99}, 3}};
    struct weir_problem problem;
    problem_of(variant, flow, variant->precision, &problem);
    problem.cells[0] = cells_x;
    struct weir_problem in_turns = problem;
    for (size_t cut = 0; cut < sizeof cuts / sizeof *cuts; cut++) {
        in_turns.planes_at_once = cuts[cut].planes_at_once;
        struct block_harness *whole = harness_of(&problem, problem.cells),
                             *parts = harness_of(&in_turns, cuts[cut].cells);
        for (int64_t step = 0; step < 6; step++) {
            block_harness_run_to(whole, step);
            block_harness_run_to(parts, step);
            if (!same_digest(whole, parts))
                fail_msg("%s, flow %d of %d cells along x, step %d: blocks of %d x %d x %d cells, %d planes "
                         "at once, change the result",
                         whole->kernels->name, (int)flow, cells_x, (int)step, cuts[cut].cells[0],
                         cuts[cut].cells[1], cuts[cut].cells[2], cuts[cut].planes_at_once);
        }
        block_harness_destroy(whole);
        block_harness_destroy(parts);
    }
}

/* Rows shorter than a vector, and of several groups of cells that lie together. Flows with texts of their own
 * on two lattices. */
static void test_independent_of_the_cut(void **state) {
    (void)state;
    for (int v = 0; v < VARIANTS; v++)
        for (int flow = 0; flow < (v < 2 ? FLOW_END : FLOW_COUNT); flow++)
            compare_cuts(&variants[v], (enum flow)flow, flow == FLOW_RUBBLE || flow == FLOW_CAVITY ? 83 : 13);
}

/* In single precision on one lattice, and with pairs of 16 bits, of which every set of instructions makes its
 * own way, in space and in a plane. */
static void test_independent_of_the_instruction_set(void **state) {
    (void)state;
    for (int v = 0; v < VARIANTS; v++) {
        const struct variant *const variant = &variants[v];
        struct weir_problem problem;
        if (variant->precision != WEIR_MOMENTS_MIXED &&
            (variant->precision != WEIR_MOMENTS_SINGLE || variant->lattice != WEIR_D3Q19))
            continue;
        problem_of(variant, FLOW_BODIES, variant->precision, &problem);
        struct block_harness *best = harness_of(&problem, problem.cells);
        block_harness_run_to(best, 5);
        const struct weir_kernels *kernels;
        for (int choice = 1; (kernels = find_kernels_choice(variant->lattice, variant->collision,
                                                            variant->precision, choice));
             choice++) {
            struct block_harness *other =
                block_harness_create(&problem, kernels, (const int[3]){7, 11, 4}, true);
            block_harness_run_to(other, 5);
            if (!same_digest(best, other))
                fail_msg("%s: instruction set %d changes the result", kernels->name, choice);
            block_harness_destroy(other);
        }
        block_harness_destroy(best);
    }
}

/* Word k of a cell of a domain of one block, in the copy that a step of this parity reads. */
static void *word_at(const struct block_harness *h, int parity, const int cell[3], int k) {
    const struct weir_block_view view = block_harness_view(h, 0);
    const int *n = h->problem->cells;
    const size_t words = (size_t)weir_problem_flow_set(h->problem)->populations,
                 together = WEIR_KEPT_TOGETHER, groups = ((size_t)n[0] + together - 1) / together,
                 row = (size_t)(cell[2] * n[1] + cell[1]), group = row * groups + (size_t)cell[0] / together,
                 place = (size_t)parity * words * view.stride + (group * words + (size_t)k) * together +
                         (size_t)cell[0] % together;
    return (char *)view.populations + place * h->kernels->stored_size;
}

/* Whether word k of a cell has two numbers in 16 bits. */
static bool is_pair(const struct weir_problem *problem, int k) {
    return problem->precision == WEIR_MOMENTS_MIXED && k > weir_lattice_dimensions(problem->lattice);
}

/* Whether the second of them is none: a plane has three stresses. */
static bool is_half_a_pair(const struct weir_problem *problem, int k) {
    return weir_lattice_dimensions(problem->lattice) == 2 && k == 4 && is_pair(problem, k);
}

/* Changes number `place` of a word a little, or where there is none makes it one. */
static void change_number(const struct block_harness *h, void *word, bool in_pair, int place) {
    const double little = 1e-4, any = 0.5;
    if (in_pair) {
        _Float16 numbers[2];
        memcpy(numbers, word, sizeof numbers);
        const double number = (double)numbers[place];
        numbers[place] = (_Float16)(32768 * (isnan(number) ? any : number / 32768 + little));
        memcpy(word, numbers, sizeof numbers);
    } else {
        const double number = block_harness_read(h, word);
        block_harness_write(h, word, isnan(number) ? any : number + little);
    }
}

/* The digest changes with each number of a fluid cell in the copy that the next step reads, and with nothing
 * in the other. */
static void check_cell(struct block_harness *h, const struct block_harness *as_it_was, const int cell[3]) {
    const int parity = block_harness_parity(h), words = weir_problem_flow_set(h->problem)->populations;
    for (int other = 0; other < 2; other++)
        for (int k = 0; k < words; k++) {
            const bool in_pair = is_pair(h->problem, k);
            for (int place = 0; place <= in_pair; place++) {
                const bool nothing =
                    other || block_harness_solid(h, cell) || (place == 1 && is_half_a_pair(h->problem, k));
                char before[sizeof(double)];
                void *const word = word_at(h, other ? 1 - parity : parity, cell, k);
                memcpy(before, word, h->kernels->stored_size);
                change_number(h, word, in_pair, place);
                assert_true(same_digest(h, as_it_was) == nothing);
                memcpy(word, before, h->kernels->stored_size);
            }
        }
}

static void test_digest(void **state) {
    (void)state;
    for (int v = 0; v < VARIANTS; v++) {
        struct weir_problem problem;
        problem_of(&variants[v], FLOW_BODIES, variants[v].precision, &problem);
        struct block_harness *h = harness_of(&problem, problem.cells),
                             *as_it_was = harness_of(&problem, problem.cells);
        int solids = 0;
        for (int64_t step = 2; step < 4; step++) {
            block_harness_run_to(h, step);
            block_harness_run_to(as_it_was, step);
            const int *n = problem.cells;
            for (int at = 0; at < n[0] * n[1] * n[2]; at += 7) {
                const int cell[3] = {at % n[0], at / n[0] % n[1], at / n[0] / n[1]};
                solids += block_harness_solid(h, cell);
                check_cell(h, as_it_was, cell);
            }
            assert_true(same_digest(h, as_it_was));
        }
        assert_true(solids > 2);
        block_harness_destroy(h);
        block_harness_destroy(as_it_was);
    }
}

static double mass_of(const struct block_harness *h) {
    size_t count;
    double *seen = seen_of(h, &count), mass = 0;
    for (size_t k = 0; k < (size_t)weir_box_cells(&h->blocks[0].box); k++)
        mass += seen[k] - 1;
    free(seen);
    return mass;
}

/* Without walls, and with walls that move along themselves. */
static void test_mass_is_conserved(void **state) {
    (void)state;
    for (int v = 0; v < VARIANTS; v++)
        for (int flow = FLOW_PERIODIC; flow <= FLOW_CAVITY; flow++) {
            struct weir_problem problem;
            problem_of(&variants[v], (enum flow)flow, variants[v].precision, &problem);
            struct block_harness *h = harness_of(&problem, problem.cells);
            const double before = mass_of(h);
            assert_true(fabs(before) > 1e-3);
            block_harness_run_to(h, 25);
            assert_close(mass_of(h), before, variants[v].precision == WEIR_MOMENTS_DOUBLE ? 1e-12 : 1e-4);
            block_harness_destroy(h);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_populations),
        cmocka_unit_test(test_independent_of_the_cut),
        cmocka_unit_test(test_independent_of_the_instruction_set),
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_mass_is_conserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
