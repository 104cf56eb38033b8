/* The digest: the hash that kernels.h promises, of every bit of every population and of nothing else. That it
 * does not depend on the cut is in test_block_cuts.c. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"
#include "tests/unit/flows.h"
#include "tests/unit/sanitized.h"

#include <string.h>
#include <xxhash.h>

static struct block_harness *create(enum weir_lattice lattice, int variant, struct weir_problem *problem) {
    flow_problem(FLOW_BODIES, lattice, true, problem);
    problem->precision = (enum weir_precision)(variant % POPULATION_PRECISIONS);
    struct block_harness *h =
        block_harness_create(problem, find_kernels(problem->lattice, problem->collision, problem->precision),
                             (const int[3]){5, 4, 3}, true);
    block_harness_run_to(h, 3 + variant / POPULATION_PRECISIONS);
    return h;
}

/* Single and double precision, before odd and even steps. */
enum { VARIANTS = 2 * POPULATION_PRECISIONS };

static bool has_variant(enum weir_lattice lattice, int variant) {
    return has_precision(lattice, WEIR_TRT, (enum weir_precision)(variant % POPULATION_PRECISIONS));
}

static bool digest_is(const struct block_harness *h, const uint64_t expected[2]) {
    uint64_t sum[2];
    block_harness_digest(h, sum);
    return sum[0] == expected[0] && sum[1] == expected[1];
}

static void cell_of(const struct block_harness *h, int number, int cell[3]) {
    const int *n = h->problem->cells;
    cell[0] = number % n[0];
    cell[1] = number / n[0] % n[1];
    cell[2] = number / n[0] / n[1];
}

static int cell_count(const struct block_harness *h) {
    return h->problem->cells[0] * h->problem->cells[1] * h->problem->cells[2];
}

static void test_definition(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int variant = 0; variant < VARIANTS; variant++) {
            struct weir_problem problem;
            if (!has_variant((enum weir_lattice)lattice, variant))
                continue;
            struct block_harness *h = create((enum weir_lattice)lattice, variant, &problem);
            uint64_t expected[2] = {0, 0};
            for (int number = 0; number < cell_count(h); number++) {
                int cell[3];
                cell_of(h, number, cell);
                if (block_harness_solid(h, cell))
                    continue;
                const size_t size = h->kernels->real_size, q = (size_t)h->lattice->populations;
                unsigned char f[WEIR_POPULATIONS_MAX * sizeof(double)];
                for (size_t i = 0; i < q; i++)
                    block_harness_write_real(
                        h, f + i * size, block_harness_read(h, block_harness_population(h, cell, (int)i)));
                for (int s = 0; s < 2; s++)
                    expected[s] += XXH64(f, q * size, 2 * (XXH64_hash_t)number + (XXH64_hash_t)s);
            }
            assert_true(digest_is(h, expected));
            block_harness_destroy(h);
        }
}

static void test_every_population_counts(void **state) {
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++) {
        struct weir_problem problem;
        if (!has_variant(WEIR_D3Q19, variant))
            continue;
        struct block_harness *h = create(WEIR_D3Q19, variant, &problem);
        uint64_t before[2];
        block_harness_digest(h, before);
        for (int number = 0; number < cell_count(h); number += 37)
            for (int i = 0; i < h->lattice->populations; i++) {
                int cell[3];
                cell_of(h, number, cell);
                if (block_harness_solid(h, cell))
                    continue;
                unsigned char *byte = block_harness_population(h, cell, i);
                *byte ^= 1;
                assert_false(digest_is(h, before));
                *byte ^= 1;
            }
        assert_true(digest_is(h, before));
        block_harness_destroy(h);
    }
}

/* The same populations in other cells are another state. */
static void test_places_count(void **state) {
    (void)state;
    struct weir_problem problem;
    struct block_harness *h = create(WEIR_D3Q19, 0, &problem);
    uint64_t before[2];
    block_harness_digest(h, before);
    for (int i = 0; i < h->lattice->populations; i++) {
        void *a = block_harness_population(h, (const int[3]){10, 2, 4}, i);
        void *b = block_harness_population(h, (const int[3]){11, 9, 7}, i);
        const double value = block_harness_read(h, a);
        block_harness_write(h, a, block_harness_read(h, b));
        block_harness_write(h, b, value);
    }
    assert_false(digest_is(h, before));
    block_harness_destroy(h);
}

/* Before an even step all that belongs to a cell lies in its own slots, so those of solid cells can be told
 * apart. */
static void test_solids_do_not_count(void **state) {
    (void)state;
    struct weir_problem problem;
    struct block_harness *h = create(WEIR_D3Q19, POPULATION_PRECISIONS, &problem);
    assert_int_equal(block_harness_parity(h), 0);
    uint64_t before[2];
    block_harness_digest(h, before);
    int solids = 0;
    for (int number = 0; number < cell_count(h); number++) {
        int cell[3], local[3];
        cell_of(h, number, cell);
        if (!block_harness_solid(h, cell))
            continue;
        const int block = block_harness_find(h, cell, local);
        const struct weir_block_view view = block_harness_view(h, block);
        const int nx = view.extent[0][1], ny = view.extent[1][1];
        for (int i = 0; i < h->lattice->populations; i++) {
            const size_t place =
                (size_t)i * view.stride + (size_t)((local[2] * ny + local[1]) * nx + local[0]);
            block_harness_write(h, (char *)view.populations + place * h->kernels->stored_size, 0.5);
        }
        solids++;
    }
    assert_true(solids > 20);
    assert_true(digest_is(h, before));
    block_harness_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_every_population_counts),
        cmocka_unit_test(test_places_count),
        cmocka_unit_test(test_solids_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
