/* Pieces of gas joined over blocks and ranks: chains and rings of them, by hand and by chance, against a
 * search that knows all. */
#include "graph/problem/gas_join.h"

#include "graph/base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 6, PIECES = 5, RANKS_MOST = 3, ALL = BLOCKS * PIECES };

/* A row of blocks, which is a ring. */
static const struct weir_block_grid grid = {.cells = {8 * BLOCKS, 8, 1},
                                            .periodic = {true, false, false},
                                            .block_cells = {8, 8, 1},
                                            .count = {BLOCKS, 1, 1},
                                            .total = BLOCKS};

static struct weir_gas_table tables[BLOCKS];

static void begin(void) {
    memset(tables, 0, sizeof tables);
}

static int add_piece(int block, double amount, double volume, int gas_cells, int open) {
    struct weir_gas_piece *const piece = &tables[block].piece[tables[block].pieces];
    piece->amount.high = (int64_t)(amount * 16777216);
    piece->volume.high = (int64_t)(volume * 16777216);
    piece->gas_cells = gas_cells;
    piece->open = open;
    return tables[block].pieces++;
}

/* To the next block, and back where both are seen to touch. */
static void add_link(int block, int piece, int of_next, bool back) {
    const int next = (block + 1) % BLOCKS, ahead = WEIR_OFFSET_NUMBER(1, 0, 0),
              behind = weir_offset_number_back(ahead);
    struct weir_gas_table *const here = &tables[block], *const there = &tables[next];
    here->link[here->links++] = (struct weir_gas_link){piece, ahead, of_next};
    here->piece[piece].beside |= 1u << ahead;
    there->piece[of_next].beside |= 1u << behind;
    if (back)
        there->link[there->links++] = (struct weir_gas_link){of_next, behind, piece};
}

/* Joins them as so many ranks do that have blocks in turns, with what they tell added in either order. */
static struct weir_gas_totals join(int ranks, bool turned) {
    struct weir_gas_join *joins[RANKS_MOST];
    static struct weir_gas_parcel parcels[RANKS_MOST], all;
    struct weir_gas_totals totals = {.bubbles = -1};
    for (int r = 0; r < ranks; r++) {
        assert_int_equal(weir_gas_join_create(&grid, 1.5, &joins[r]), 0);
        weir_gas_join_begin(joins[r]);
        for (int block = r; block < BLOCKS; block += ranks)
            assert_int_equal(weir_gas_join_add(joins[r], block, &tables[block]), 0);
        assert_int_equal(weir_gas_join_here(joins[r], &parcels[r]), 0);
    }
    all = parcels[turned ? ranks - 1 : 0];
    for (int r = 1; r < ranks; r++)
        weir_gas_parcel_add(&all, &parcels[turned ? ranks - 1 - r : r]);
    for (int r = 0; r < ranks; r++) {
        struct weir_gas_totals own;
        assert_int_equal(weir_gas_join_all(joins[r], &all, &own), 0);
        assert_true(r == 0 || memcmp(&own, &totals, sizeof own) == 0);
        totals = own;
        for (int block = r; block < BLOCKS; block += ranks)
            weir_gas_join_tell(joins[r], block, &tables[block]);
        weir_gas_join_destroy(joins[r]);
    }
    return totals;
}

static void test_by_hand(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= RANKS_MOST; ranks++) {
        begin();
        add_piece(0, 3, 4, 2, 0); /* goes on in block 1, with one that only hands gas over from block 5 */
        add_piece(0, 1, 1, 1, 0); /* alone */
        add_piece(1, 6, 2, 2, 0);
        add_piece(2, 5, 1, 1, 0); /* open by way of block 3 */
        add_piece(3, 2, 3, 3, 1);
        add_piece(4, 7, 1, 0, 0); /* no gas to take it */
        add_piece(5, 3, 0, 0, 0);
        add_link(0, 0, 0, true);
        add_link(2, 0, 0, true);
        add_link(5, 0, 0, false);
        const struct weir_gas_totals totals = join(ranks, false);
        assert_int_equal(totals.bubbles, 2);
        assert_true(totals.volume == 7 && totals.amount == 13);
        assert_true(tables[0].piece[0].density == 2);
        assert_true(tables[0].piece[1].density == 1);
        assert_true(tables[1].piece[0].density == 2);
        assert_true(tables[2].piece[0].density == 1.5 && tables[3].piece[0].density == 1.5);
        assert_true(tables[4].piece[0].density == 0);
        assert_true(tables[5].piece[0].density == 2);
    }
}

/* Of all pieces, by their number among all: the least one that hangs together with each. */
static void spread(int least[ALL]) {
    for (int k = 0; k < ALL; k++)
        least[k] = k;
    for (bool changed = true; changed;) {
        changed = false;
        for (int block = 0; block < BLOCKS; block++)
            for (int k = 0; k < tables[block].links; k++) {
                const struct weir_gas_link *const link = &tables[block].link[k];
                const int next = (block + weir_offset(link->offset).along[0] + BLOCKS) % BLOCKS;
                int *const one = &least[PIECES * block + link->piece],
                           *const other = &least[PIECES * next + link->beside];
                changed = changed || *one != *other;
                *one = *other = *one < *other ? *one : *other;
            }
    }
}

static void test_by_chance(void **state) {
    (void)state;
    srand(7);
    for (int round = 0; round < 200; round++) {
        begin();
        for (int block = 0; block < BLOCKS; block++)
            for (int k = 0; k < PIECES; k++)
                add_piece(block, 1 + rand() % 9, 1 + rand() % 9, rand() % 4, rand() % 8 == 0);
        for (int k = rand() % 24; k > 0; k--)
            add_link(rand() % BLOCKS, rand() % PIECES, rand() % PIECES, rand() % 4 != 0);
        int least[ALL];
        double amount[ALL] = {0}, volume[ALL] = {0};
        int cells[ALL] = {0}, open[ALL] = {0}, bubbles = 0;
        spread(least);
        for (int k = 0; k < ALL; k++) {
            const struct weir_gas_piece *const piece = &tables[k / PIECES].piece[k % PIECES];
            amount[least[k]] += weir_exact_sum_value(&piece->amount);
            volume[least[k]] += weir_exact_sum_value(&piece->volume);
            cells[least[k]] += (int)piece->gas_cells;
            open[least[k]] += (int)piece->open;
        }
        for (int k = 0; k < ALL; k++)
            bubbles += least[k] == k && cells[k] > 0 && open[k] == 0;
        for (int ranks = 1; ranks <= RANKS_MOST; ranks++) {
            assert_int_equal(join(ranks, round % 2 != 0).bubbles, bubbles);
            for (int k = 0; k < ALL; k++)
                assert_true(tables[k / PIECES].piece[k % PIECES].density ==
                            (open[least[k]]    ? 1.5
                             : cells[least[k]] ? amount[least[k]] / volume[least[k]]
                                               : 0));
        }
    }
}

static void test_no_room(void **state) {
    (void)state;
    struct weir_gas_join *one;
    begin();
    tables[2].lacking = 1;
    assert_int_equal(weir_gas_join_create(&grid, 1, &one), 0);
    weir_gas_join_begin(one);
    assert_int_equal(weir_gas_join_add(one, 2, &tables[2]), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "block 2 has more than 1024 pieces of gas"));
    static struct weir_gas_parcel parcel, many;
    struct weir_gas_totals totals;
    weir_gas_join_begin(one);
    assert_int_equal(weir_gas_join_here(one, &parcel), 0);
    many = parcel;
    many.links = WEIR_GAS_PARCEL_LINKS;
    weir_gas_parcel_add(&parcel, &many);
    assert_int_equal(parcel.lacking, 0);
    weir_gas_parcel_add(&parcel, &many);
    assert_int_equal(weir_gas_join_all(one, &parcel, &totals), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "go on from rank to rank"));
    weir_gas_join_destroy(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_by_chance),
                                       cmocka_unit_test(test_no_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
