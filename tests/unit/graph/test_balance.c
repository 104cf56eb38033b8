/* Decisions of the policy `balanced`, with made-up times. */
#include "graph/base/error.h"
#include "graph/plan/balance.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>

enum { SIDE = 4, BLOCKS = SIDE * SIDE * SIDE, PARTS = 4 };

struct machine {
    struct weir_block_grid grid;
    double weight[BLOCKS];
    double rate[PARTS];
    int home[BLOCKS];
    int all[BLOCKS];
    struct weir_balance balance;
};

/* 4^3 equal blocks of weight 1, all at home in group 0, and worker groups of equal rates. */
static void set_up(struct machine *m, int groups) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    for (int axis = 0; axis < 3; axis++)
        problem.cells[axis] = 8 * SIDE;
    assert_int_equal(weir_block_grid_create(&problem, (int[3]){8, 8, 8}, &m->grid), 0);
    assert_int_equal(m->grid.total, BLOCKS);
    for (int block = 0; block < BLOCKS; block++) {
        m->weight[block] = 1;
        m->home[block] = 0;
        m->all[block] = block;
    }
    for (int group = 0; group < PARTS; group++)
        m->rate[group] = 1;
    m->balance = (struct weir_balance){.grid = &m->grid,
                                       .set = {m->all, BLOCKS},
                                       .weight = m->weight,
                                       .groups = groups,
                                       .rate = m->rate,
                                       .horizon = 100,
                                       .least_gain = 0.02};
}

/* Blocks with z below `planes` at home in group 0, the others in group 1. */
static void cut_at(struct machine *m, int planes) {
    for (int block = 0; block < BLOCKS; block++)
        m->home[block] = block / (SIDE * SIDE) >= planes;
}

static int count(const struct machine *m, int group) {
    int blocks = 0;
    for (int block = 0; block < BLOCKS; block++)
        blocks += m->home[block] == group;
    return blocks;
}

static void test_balance_is_left_alone(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, 2);
    cut_at(&m, 2);
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 0);
    assert_close(weir_balance_seconds(&m.balance, m.home), 32, 0);
}

static void test_shares_follow_rates(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, 2);
    cut_at(&m, 2);
    m.rate[0] = 3;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 16);
    assert_int_equal(count(&m, 0), 48);
    assert_close(weir_balance_seconds(&m.balance, m.home), 16, 1e-12);
}

/* All blocks that move lie at the border: with 16 of them, the plane beside it. */
static void test_moves_along_borders(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, 2);
    cut_at(&m, 2);
    m.rate[0] = 3;
    weir_balance_improve(&m.balance, m.home);
    for (int block = 0; block < BLOCKS; block++)
        assert_int_equal(m.home[block], block / (SIDE * SIDE) >= 3);
}

static void test_group_without_blocks_is_tried(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, 3);
    cut_at(&m, 2);
    m.rate[2] = 0.25;
    assert_true(weir_balance_improve(&m.balance, m.home) > 0);
    assert_in_range(count(&m, 2), 6, 8);
    m.rate[2] = 0; /* cannot take blocks: keeps none that it need not have */
    set_up(&m, 3);
    cut_at(&m, 2);
    m.rate[2] = 0;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 0);
}

/* A worker group so slow that a single block takes it longer than all others together. */
static void test_too_coarse_blocks_stay(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, 2);
    m.rate[0] = 100;
    m.rate[1] = 1;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 0);
    m.home[0] = 1;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 1);
    assert_int_equal(count(&m, 1), 0);
}

static void test_weights_count_not_blocks(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, 2);
    cut_at(&m, 2);
    for (int block = 0; block < BLOCKS / 2; block++)
        m.weight[block] = 0.2; /* mostly solid */
    assert_true(weir_balance_improve(&m.balance, m.home) > 0);
    double load[2] = {0, 0};
    for (int block = 0; block < BLOCKS; block++)
        load[m.home[block]] += m.weight[block];
    assert_close(load[0], load[1], 1.01);
}

static double one_second(const void *context, int block, int from, int to) {
    (void)block;
    (void)from;
    (void)to;
    return *(const double *)context;
}

static void test_moves_have_to_pay(void **state) {
    (void)state;
    struct machine m;
    double seconds = 99; /* 16 moves gain 16 s of 32 in each of 100 steps */
    set_up(&m, 2);
    cut_at(&m, 2);
    m.rate[0] = 3;
    m.balance.move_seconds = one_second;
    m.balance.context = &seconds;
    m.balance.horizon = 99;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 0);
    assert_int_equal(count(&m, 0), 32);
    m.balance.horizon = 100;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 16);
}

static void test_small_gains_are_left_alone(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, 2);
    cut_at(&m, 2);
    m.rate[0] = 1.1; /* 34 and 30 blocks would take 30.9 / 32 of the time */
    m.balance.least_gain = 0.04;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 0);
    m.balance.least_gain = 0.02;
    assert_int_equal(weir_balance_improve(&m.balance, m.home), 2);
}

/* Rates that are measured with noise of 3 %: after the first moves all stay; when one worker group slows
 * down, blocks leave it at once, and then all stay again. */
static void test_settles_and_reacts(void **state) {
    (void)state;
    struct machine m;
    set_up(&m, PARTS);
    const double truth[2][PARTS] = {{4, 2, 2, 1}, {4, 1, 2, 1}};
    m.balance.least_gain = 0.05;
    srand(1);
    for (int phase = 0; phase < 2; phase++)
        for (int look = 0; look < 50; look++) {
            for (int group = 0; group < PARTS; group++)
                m.rate[group] = truth[phase][group] * (1 + 0.03 * (2.0 * rand() / RAND_MAX - 1));
            const int moves = weir_balance_improve(&m.balance, m.home);
            if (look == 0)
                assert_true(moves > 5);
            if (look > 5)
                assert_int_equal(moves, 0);
        }
    double longest = 0, sum = 0;
    for (int group = 0; group < PARTS; group++) {
        const double seconds = count(&m, group) / truth[1][group];
        longest = seconds > longest ? seconds : longest;
        sum += truth[1][group];
    }
    assert_true(BLOCKS / sum >= 0.9 * longest); /* of the optimum, with whole blocks */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balance_is_left_alone),  cmocka_unit_test(test_shares_follow_rates),
        cmocka_unit_test(test_moves_along_borders),    cmocka_unit_test(test_group_without_blocks_is_tried),
        cmocka_unit_test(test_too_coarse_blocks_stay), cmocka_unit_test(test_weights_count_not_blocks),
        cmocka_unit_test(test_moves_have_to_pay),      cmocka_unit_test(test_small_gains_are_left_alone),
        cmocka_unit_test(test_settles_and_reacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
