/* Sizes of blocks and teams by default: what measured machines were fastest with, and that none of the
 * choices leaves a worker without a block or a thread with more tasks than it can submit. */
#include "graph/plan/granularity.h"
#include "graph/problem/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct weir_problem domain_of(enum weir_lattice lattice, int x, int y, int z) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    problem.lattice = lattice;
    problem.cells[0] = x;
    problem.cells[1] = y;
    problem.cells[2] = z;
    return problem;
}

static int blocks_of(const struct weir_problem *problem, struct weir_step_workers workers) {
    int cells[3];
    struct weir_block_grid grid;
    weir_granularity_blocks(problem, &workers, cells);
    assert_int_equal(weir_block_grid_create(problem, cells, &grid), 0);
    return grid.total;
}

static const int any[3] = {0, 0, 0};
static const struct weir_granularity_cores two = {2, 1, 32e6}, sixteen = {16, 1, 300e6},
                                           sockets = {64, 2, 128e6};

static void test_small_domains_are_shared_by_a_team(void **state) {
    (void)state;
    const struct weir_problem cavity = domain_of(WEIR_D2Q9, 64, 64, 1),
                              channel = domain_of(WEIR_D2Q9, 640, 160, 1),
                              cube = domain_of(WEIR_D3Q19, 64, 64, 64);
    assert_int_equal(weir_granularity_team(&cavity, any, &two), 2);
    assert_int_equal(weir_granularity_team(&channel, any, &two), 2);
    assert_int_equal(weir_granularity_team(&cube, any, &two), 2);
    assert_int_equal(weir_granularity_team(&cube, any, &sixteen), 16);
    assert_int_equal(blocks_of(&cube, (struct weir_step_workers){.cpus = 16, .teams = 1}), 1);
    assert_int_equal(blocks_of(&cube, (struct weir_step_workers){.cpus = 1}), 1);
}

/* More threads than rows, or than are worth waiting for, are none. */
static void test_tiny_domains_take_few_cores(void **state) {
    (void)state;
    const struct weir_problem row = domain_of(WEIR_D2Q9, 4096, 1, 1), tiny = domain_of(WEIR_D2Q9, 16, 16, 1),
                              pipe = domain_of(WEIR_D2Q9, 32, 64, 1);
    assert_int_equal(weir_granularity_team(&row, any, &sixteen), 1);
    assert_int_equal(weir_granularity_team(&tiny, any, &sixteen), 1);
    assert_in_range(weir_granularity_team(&pipe, any, &sixteen), 2, 8);
}

static void test_large_domains_are_cut(void **state) {
    (void)state;
    const struct weir_problem large = domain_of(WEIR_D3Q19, 256, 256, 256),
                              larger = domain_of(WEIR_D3Q19, 1024, 1024, 1024);
    assert_int_equal(weir_granularity_team(&large, any, &two), 0);
    assert_in_range(blocks_of(&large, (struct weir_step_workers){.cpus = 2}), 8, 64);
    assert_int_equal(weir_granularity_team(&larger, any, &sixteen), 0);
    /* More layers than a block may have. */
    const struct weir_problem pipe = domain_of(WEIR_D3Q19, 4, 4, 100000);
    assert_int_equal(weir_granularity_team(&pipe, any, &two), 0);
    /* Two sockets share no more than their caches hold. */
    assert_int_equal(weir_granularity_team(&large, any, &sockets), 0);
    assert_in_range(blocks_of(&large, (struct weir_step_workers){.cpus = 64}), 64, 256);
}

/* Blocks that the case asks for are made; one that is the whole domain still needs all cores. */
static void test_wanted_blocks(void **state) {
    (void)state;
    const struct weir_problem cube = domain_of(WEIR_D3Q19, 64, 64, 64),
                              large = domain_of(WEIR_D3Q19, 256, 256, 256);
    assert_int_equal(weir_granularity_team(&cube, (const int[3]){32, 64, 64}, &two), 0);
    assert_int_equal(weir_granularity_team(&cube, (const int[3]){64, 0, 0}, &two), 2);
    assert_int_equal(weir_granularity_team(&large, large.cells, &two), 2);
}

static void test_blocks_for_gpus(void **state) {
    (void)state;
    const struct weir_problem small = domain_of(WEIR_D3Q19, 128, 128, 128),
                              medium = domain_of(WEIR_D3Q19, 256, 256, 256),
                              large = domain_of(WEIR_D3Q19, 512, 512, 512),
                              huge = domain_of(WEIR_D3Q19, 1024, 1024, 512);
    const struct weir_step_workers one = {.gpus = 1, .cpus = 13, .teams = 1};
    assert_int_equal(blocks_of(&small, one), 1);
    assert_int_equal(blocks_of(&medium, one), 1);
    assert_int_equal(blocks_of(&large, one), 1);
    assert_int_equal(blocks_of(&huge, one), 4); /* no block of more than 512^3 */
    assert_int_equal(blocks_of(&small, (struct weir_step_workers){.gpus = 2}), 1); /* waiting costs more */
    assert_int_equal(blocks_of(&medium, (struct weir_step_workers){.gpus = 2}), 4);
    assert_int_equal(blocks_of(&large, (struct weir_step_workers){.gpus = 4}), 16);
    assert_int_equal(blocks_of(&small, (struct weir_step_workers){.gpus = 2, .ranks = 2}),
                     4); /* a GPU each */
}

/* Blocks of all workers, and one thread that can submit their tasks, whatever the size. */
static void test_no_worker_starves(void **state) {
    (void)state;
    for (int side = 16; side <= 1024; side *= 2)
        for (int workers = 1; workers <= 256; workers *= 4)
            for (int gpus = 0; gpus < 2; gpus++) {
                const struct weir_problem cube = domain_of(WEIR_D3Q19, side, side, side);
                const struct weir_step_workers all = gpus ? (struct weir_step_workers){.gpus = workers}
                                                          : (struct weir_step_workers){.cpus = workers};
                const int blocks = blocks_of(&cube, all);
                if (blocks == 1)
                    continue;
                if ((int64_t)side * side * side / workers > 16 * 16 * 16)
                    assert_true(blocks >= workers);
                if (side >= 512)
                    assert_true(weir_granularity_submission(&cube, &all, blocks) < 0.5 || gpus ||
                                workers > 64);
            }
}

/* Where blocks are to be placed one by one there are several for each worker, however small. */
static void test_movable_blocks(void **state) {
    (void)state;
    const struct weir_problem cube = domain_of(WEIR_D3Q19, 64, 64, 64);
    const struct weir_step_workers workers[] = {
        {.cpus = 2}, {.cpus = 16}, {.gpus = 1}, {.gpus = 2, .cpus = 10}};
    for (size_t k = 0; k < sizeof workers / sizeof *workers; k++) {
        int cells[3];
        struct weir_block_grid grid;
        weir_granularity_movable_blocks(&cube, &workers[k], cells);
        assert_int_equal(weir_block_grid_create(&cube, cells, &grid), 0);
        assert_in_range(grid.total, 4, 128);
        assert_true(grid.total >= (workers[k].gpus > 0 ? 16 * workers[k].gpus : 4 * workers[k].cpus));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_domains_are_shared_by_a_team),
        cmocka_unit_test(test_tiny_domains_take_few_cores),
        cmocka_unit_test(test_large_domains_are_cut),
        cmocka_unit_test(test_wanted_blocks),
        cmocka_unit_test(test_blocks_for_gpus),
        cmocka_unit_test(test_no_worker_starves),
        cmocka_unit_test(test_movable_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
