/* Decisions of the policy `balanced` between ranks, with made-up speeds. */
#include "graph/base/error.h"
#include "graph/plan/rank_balance.h"
#include "graph/plan/ranks.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, BLOCKS = SIDE * SIDE * SIDE, RANKS_MAX = 64 };

struct cluster {
    struct weir_block_grid grid;
    double weight[BLOCKS], speed[RANKS_MAX];
    int rank_of[BLOCKS];
    struct weir_rank_balance balance;
};

static double thousand_bytes(const void *context, int block) {
    (void)context;
    (void)block;
    return 1000;
}

/* 8^3 equal blocks, divided evenly among equal ranks. */
static void set_up(struct cluster *c, int ranks) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    for (int axis = 0; axis < 3; axis++)
        problem.cells[axis] = 8 * SIDE;
    assert_int_equal(weir_block_grid_create(&problem, (int[3]){8, 8, 8}, &c->grid), 0);
    assert_int_equal(c->grid.total, BLOCKS);
    for (int block = 0; block < BLOCKS; block++)
        c->weight[block] = 1;
    for (int rank = 0; rank < RANKS_MAX; rank++)
        c->speed[rank] = 1;
    c->balance = (struct weir_rank_balance){.grid = &c->grid,
                                            .weight = c->weight,
                                            .bytes = thousand_bytes,
                                            .ranks = ranks,
                                            .speed = c->speed,
                                            .bandwidth = 1e9,
                                            .horizon = 100,
                                            .least_gain = 0.02};
    assert_int_equal(weir_ranks_divide(&c->grid, c->weight, ranks, NULL, NULL, c->rank_of), 0);
}

static int count(const struct cluster *c, int rank) {
    int blocks = 0;
    for (int block = 0; block < BLOCKS; block++)
        blocks += c->rank_of[block] == rank;
    return blocks;
}

/* Whether each rank's blocks hang together across faces. */
static void assert_connected(const struct cluster *c) {
    for (int rank = 0; rank < c->balance.ranks; rank++) {
        int queue[BLOCKS], found = 0;
        bool seen[BLOCKS] = {false};
        for (int block = 0; block < BLOCKS && found == 0; block++)
            if (c->rank_of[block] == rank) {
                queue[found++] = block;
                seen[block] = true;
            }
        for (int k = 0; k < found; k++)
            for (int face = 0; face < 6; face++) {
                int offset[3] = {0, 0, 0};
                offset[face / 2] = face % 2 ? 1 : -1;
                const int other = weir_block_grid_neighbour(&c->grid, queue[k], offset);
                if (other >= 0 && !seen[other] && c->rank_of[other] == rank) {
                    seen[other] = true;
                    queue[found++] = other;
                }
            }
        assert_int_equal(found, count(c, rank));
    }
}

static void test_balance_is_left_alone(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= RANKS_MAX; ranks *= 2) {
        struct cluster c;
        set_up(&c, ranks);
        assert_int_equal(weir_rank_balance_improve(&c.balance, c.rank_of), 0);
        assert_close(weir_rank_balance_seconds(&c.balance, c.rank_of), (double)BLOCKS / ranks, 0);
    }
}

/* All blocks but two columns far apart are solid: none of these moves, the others go where there is time, and
 * a rank that has solid ones only has none. */
static void test_solid_blocks_stay(void **state) {
    (void)state;
    static struct cluster c;
    bool solid[BLOCKS];
    int before[BLOCKS], fluid = 0;
    set_up(&c, 2);
    for (int block = 0; block < BLOCKS; block++) {
        int position[3];
        weir_block_grid_position(&c.grid, block, position);
        solid[block] = position[1] != position[2] || (position[1] != 1 && position[1] != SIDE - 2);
        c.weight[block] = solid[block] ? 0 : 1;
        fluid += !solid[block];
        c.rank_of[block] = before[block] = position[1] >= SIDE / 2;
    }
    c.grid.solid = solid;
    assert_int_equal(fluid, 2 * SIDE);
    c.speed[0] = 3; /* no block of one touches one of the other */
    assert_int_equal(weir_rank_balance_improve(&c.balance, c.rank_of), SIDE / 2);
    for (int block = 0; block < BLOCKS; block++)
        assert_true(!solid[block] || c.rank_of[block] == before[block]);
    assert_close(weir_rank_balance_seconds(&c.balance, c.rank_of), SIDE / 2.0, 0);

    memset(c.rank_of, 0, sizeof c.rank_of); /* all fluid at one */
    for (int block = 0; block < BLOCKS; block++)
        c.rank_of[block] = solid[block];
    c.speed[0] = 1;
    assert_int_equal(weir_rank_balance_improve(&c.balance, c.rank_of), SIDE);
    assert_close(weir_rank_balance_seconds(&c.balance, c.rank_of), SIDE, 0);
}

/* One rank with two workers and one with one: 2 : 1, up to a block. */
static void test_shares_follow_speeds(void **state) {
    (void)state;
    struct cluster c;
    set_up(&c, 2);
    c.speed[0] = 2;
    const int moves = weir_rank_balance_improve(&c.balance, c.rank_of);
    assert_in_range(count(&c, 0), 341, 342);
    assert_int_equal(moves, count(&c, 0) - BLOCKS / 2);
    assert_connected(&c);
}

/* A slow rank in a corner of 4 x 4 x 4: what it loses cannot stay with its neighbours alone. */
static void test_load_travels_through_ranks(void **state) {
    (void)state;
    struct cluster c;
    set_up(&c, 64);
    c.speed[0] = 0.25;
    assert_true(weir_rank_balance_improve(&c.balance, c.rank_of) > 0);
    assert_int_equal(count(&c, 0), 2);
    for (int rank = 1; rank < 64; rank++)
        assert_in_range(count(&c, rank), 8, 9);
    assert_connected(&c);
    int busier = 0; /* six blocks were to be had: they are spread */
    for (int rank = 1; rank < 64; rank++)
        busier += count(&c, rank) == 9;
    assert_int_equal(busier, 6);
}

/* All of the work at one end of a row of ranks. */
static void test_row_of_ranks(void **state) {
    (void)state;
    struct cluster c;
    set_up(&c, 8);
    for (int block = 0; block < BLOCKS; block++) {
        const int layer = block / (SIDE * SIDE);
        c.rank_of[block] = layer == 0 && block % SIDE > 0 && block / SIDE % SIDE == 0 ? block % SIDE : 0;
    }
    c.balance.least_gain = 0;
    assert_true(weir_rank_balance_improve(&c.balance, c.rank_of) > 0);
    for (int rank = 0; rank < 8; rank++)
        assert_in_range(count(&c, rank), 63, 66);
}

/* One block takes it longer than the others need for all. */
static void test_a_rank_too_slow_for_a_block_is_emptied(void **state) {
    (void)state;
    struct cluster c;
    set_up(&c, 64);
    c.speed[5] = 1e-6;
    assert_true(weir_rank_balance_improve(&c.balance, c.rank_of) > 0);
    for (int rank = 0; rank < 64; rank++)
        assert_int_equal(count(&c, rank) == 0, rank == 5);
    assert_in_range(weir_rank_balance_seconds(&c.balance, c.rank_of), 9, 9);
    /* Nothing is left that would help. */
    assert_int_equal(weir_rank_balance_improve(&c.balance, c.rank_of), 0);
    assert_connected(&c);
}

/* Blocks may come to a rank that has none from anywhere, as many as it can do in time. */
static void test_a_rank_without_blocks_gets_some(void **state) {
    (void)state;
    static const double speeds[] = {1, 0.1, 0.004};
    for (int k = 0; k < 3; k++) {
        struct cluster c;
        set_up(&c, 4);
        for (int block = 0; block < BLOCKS; block++)
            c.rank_of[block] %= 3;
        c.speed[3] = speeds[k];
        c.balance.least_gain = 0;
        const int moves = weir_rank_balance_improve(&c.balance, c.rank_of);
        const int even = (int)(BLOCKS * speeds[k] / (3 + speeds[k]));
        assert_true(moves > 0);
        assert_in_range(count(&c, 3), even - (even > 0), even);
        for (int rank = 0; rank < 3; rank++)
            assert_in_range(count(&c, rank), (BLOCKS - even) / 3, (BLOCKS - even) / 3 + 1);
    }
}

/* Weights of uneven blocks; the longest time never grows. */
static void test_uneven_weights(void **state) {
    (void)state;
    srand(7);
    for (int trial = 0; trial < 20; trial++) {
        struct cluster c;
        set_up(&c, 2 + trial);
        double total = 0, speed = 0;
        for (int block = 0; block < BLOCKS; block++) {
            c.weight[block] = 1 + rand() % 8;
            total += c.weight[block];
        }
        for (int rank = 0; rank < c.balance.ranks; rank++) {
            c.speed[rank] = 1 + rand() % 4;
            speed += c.speed[rank];
        }
        c.balance.least_gain = 0;
        const double before = weir_rank_balance_seconds(&c.balance, c.rank_of);
        weir_rank_balance_improve(&c.balance, c.rank_of);
        const double after = weir_rank_balance_seconds(&c.balance, c.rank_of);
        assert_true(after <= before);
        assert_true(after <= 1.05 * total / speed + 8);
        assert_true(after >= total / speed * (1 - 1e-12));
    }
}

static void test_moves_must_pay(void **state) {
    (void)state;
    struct cluster c;
    set_up(&c, 2);
    c.speed[0] = 2;
    c.balance.pause = 100 * (256 - 171) - 1; /* the gain of 100 steps is 85 or 86 times that */
    c.balance.bandwidth = 1e12;
    assert_true(weir_rank_balance_improve(&c.balance, c.rank_of) > 0);
    set_up(&c, 2);
    c.speed[0] = 2;
    c.balance.pause = 100 * (256 - 170) + 1;
    assert_int_equal(weir_rank_balance_improve(&c.balance, c.rank_of), 0);
    set_up(&c, 2);
    c.speed[0] = 2;
    c.balance.bandwidth = 1; /* 86000 bytes take a day */
    assert_int_equal(weir_rank_balance_improve(&c.balance, c.rank_of), 0);
    set_up(&c, 2);
    c.speed[0] = 1.02; /* gains one per cent */
    assert_int_equal(weir_rank_balance_improve(&c.balance, c.rank_of), 0);
}

/* Both ranks send and receive: the one with more of both counts. */
static void test_cost(void **state) {
    (void)state;
    struct cluster c;
    int after[BLOCKS];
    set_up(&c, 4);
    memcpy(after, c.rank_of, sizeof after);
    int moved = 0;
    for (int block = 0; block < BLOCKS && moved < 3; block++)
        if (after[block] == 1) {
            after[block] = 2;
            moved++;
        }
    for (int block = 0; block < BLOCKS && moved < 5; block++)
        if (after[block] == 3) {
            after[block] = 2;
            moved++;
        }
    c.balance.pause = 0.5;
    c.balance.bandwidth = 1e4;
    assert_close(weir_rank_balance_cost(&c.balance, c.rank_of, after), 0.5 + 5 * 0.1, 1e-12);
}

/* Three ranks around a periodic axis, one of them slow. */
static void test_two_dimensions(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_block_grid grid;
    weir_problem_default(&problem);
    problem.cells[0] = problem.cells[1] = 64;
    problem.cells[2] = 1;
    problem.periodic[0] = true;
    assert_int_equal(weir_block_grid_create(&problem, (int[3]){8, 8, 1}, &grid), 0);
    struct cluster c;
    set_up(&c, 3);
    c.balance.grid = &grid;
    c.speed[2] = 0.5;
    assert_int_equal(weir_ranks_divide(&grid, c.weight, 3, NULL, NULL, c.rank_of), 0);
    assert_true(weir_rank_balance_improve(&c.balance, c.rank_of) > 0);
    int blocks[3] = {0, 0, 0};
    for (int block = 0; block < grid.total; block++)
        blocks[c.rank_of[block]]++;
    assert_in_range(blocks[0], 25, 26);
    assert_in_range(blocks[1], 25, 26);
    assert_in_range(blocks[2], 12, 13);
}

/* Steps over which moves have to pay. */
static void test_horizon(void **state) {
    (void)state;
    assert_close(weir_rank_balance_horizon(0.1, 0, -1), 500, 1e-12);
    assert_close(weir_rank_balance_horizon(0.001, 0, -1), 5000, 1e-12);
    /* What has lasted for long is worth moves that take long. */
    assert_close(weir_rank_balance_horizon(0.001, 20000, -1), 20000, 1e-12);
    /* Not at the end of a run. */
    assert_close(weir_rank_balance_horizon(0.001, 20000, 30), 30, 1e-12);
    assert_close(weir_rank_balance_horizon(0.1, 0, 10000), 500, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balance_is_left_alone),
        cmocka_unit_test(test_solid_blocks_stay),
        cmocka_unit_test(test_shares_follow_speeds),
        cmocka_unit_test(test_load_travels_through_ranks),
        cmocka_unit_test(test_row_of_ranks),
        cmocka_unit_test(test_a_rank_too_slow_for_a_block_is_emptied),
        cmocka_unit_test(test_a_rank_without_blocks_gets_some),
        cmocka_unit_test(test_uneven_weights),
        cmocka_unit_test(test_moves_must_pay),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
