/* The size that weir bench graph chooses, with made-up caches and memory. */
#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/runtime/bookkeeping.h"
#include "src/bench/bench_block.h"
#include "src/bench/bench_domain.h"
#include "src/bench/bench_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double MIB = 1 << 20, GIB = 1 << 30;

struct choice {
    struct weir_problem problem;
    struct weir_block_grid grid;
    bool fits;
    double data, books; /* bytes */
};

static void choose(struct choice *c, const struct weir_bench_room *room, enum weir_lattice lattice,
                   int edge) {
    const struct weir_bench_shape shape = {{edge}};
    int block_cells[3];
    assert_int_equal(weir_bench_shape_extent(&shape, lattice, block_cells), 0);
    weir_bench_problem(lattice, WEIR_SINGLE, block_cells, false, false, &c->problem);
    assert_int_equal(weir_bench_domain_choose(room, block_cells, &c->problem, &c->grid, &c->fits), 0);
    c->data = (double)weir_domain_bytes(&c->problem, false, &c->grid, NULL);
    c->books = c->grid.total * weir_bookkeeping_bytes(&c->problem, false);
}

static struct weir_bench_room cores(double cache, double memory, int workers, bool quick) {
    return (struct weir_bench_room){
        .cache_bytes = cache, .data_bytes = memory, .main_bytes = memory, .workers = workers, .quick = quick};
}

/* Two cores that share a cache of 480 MiB with others, and 24 GiB: small blocks made 131,072 of them. */
static void test_a_large_cache_and_little_memory(void **state) {
    (void)state;
    static struct choice c;
    static const enum weir_lattice lattices[] = {WEIR_D2Q9, WEIR_D3Q27};
    for (int quick = 0; quick < 2; quick++)
        for (int k = 0; k < 2; k++) {
            const struct weir_bench_room room = cores(480 * MIB, 24 * GIB, 2, quick);
            choose(&c, &room, lattices[k], 8);
            assert_true(c.fits);
            assert_in_range(c.grid.total, 8, quick ? 256 : 16384);
            assert_true(c.data + c.books <= 12 * GIB);
        }
}

/* Whatever there is, no more than half of it is taken, and what is chosen is as large as that allows. */
static void test_half_of_memory(void **state) {
    (void)state;
    static struct choice c;
    for (double memory = 64 * MIB; memory < 2000 * GIB; memory *= 3)
        for (double cache = MIB; cache < 2 * GIB; cache *= 8)
            for (int edge = 8; edge <= 256; edge *= 2) {
                const struct weir_bench_room room = cores(cache, memory, 16, false);
                choose(&c, &room, WEIR_D3Q19, edge);
                assert_true(!c.fits || c.data + c.books <= memory / 2);
                if (!c.fits)
                    assert_true(c.data + c.books > memory / 4 && c.grid.total == 1);
                else if (c.grid.total < 64)
                    assert_true(2 * (c.data + c.books) > memory / 3);
            }
}

/* With room for it: out of cache, and enough blocks for all. */
static void test_beyond_caches(void **state) {
    (void)state;
    static struct choice c;
    const struct weir_bench_room room = cores(32 * MIB, 200 * GIB, 16, false);
    choose(&c, &room, WEIR_D3Q19, 64);
    assert_true(c.data >= 128 * MIB && c.data < 2 * GIB && c.grid.total == 64);
    choose(&c, &room, WEIR_D3Q19, 32);
    assert_true(c.data >= 128 * MIB && c.data < 256 * MIB + 64 * MIB && c.grid.total >= 64);
}

/* Blocks on a GPU, what StarPU keeps of them in main memory. */
static void test_gpu(void **state) {
    (void)state;
    static struct choice c;
    struct weir_bench_room room = {
        .data_bytes = 80 * GIB, .main_bytes = 16 * GIB, .on_gpu = true, .workers = 4};
    choose(&c, &room, WEIR_D3Q19, 128);
    assert_int_equal(c.grid.total, 16);
    room.main_bytes = 16 * weir_bookkeeping_bytes(&c.problem, false); /* half of the blocks' */
    choose(&c, &room, WEIR_D3Q19, 128);
    assert_in_range(c.grid.total, 4, 8);
    room.data_bytes = GIB / 8;
    choose(&c, &room, WEIR_D3Q19, 128);
    assert_false(c.fits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_large_cache_and_little_memory),
        cmocka_unit_test(test_half_of_memory),
        cmocka_unit_test(test_beyond_caches),
        cmocka_unit_test(test_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
