/* Blocks over ranks: primes too, more ranks than blocks, forced grids, and bytes counted cell by cell. */
#include "codelets/kernels/kernels.h"
#include "graph/base/error.h"
#include "graph/plan/ranks.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>

enum { BLOCKS_MAX = 512, RANKS_MAX = 64 };

struct decomposition {
    struct weir_problem problem;
    struct weir_block_grid grid;
    double weight[BLOCKS_MAX];
    int rank_of[BLOCKS_MAX];
    struct weir_rank_part part[RANKS_MAX];
};

static void set_up(struct decomposition *d, const int cells[3], const int block_cells[3], bool periodic) {
    weir_problem_default(&d->problem);
    d->problem.lattice = WEIR_D3Q19;
    for (int axis = 0; axis < 3; axis++) {
        d->problem.cells[axis] = cells[axis];
        d->problem.periodic[axis] = periodic;
    }
    assert_int_equal(weir_block_grid_create(&d->problem, block_cells, &d->grid), 0);
    assert_true(d->grid.total <= BLOCKS_MAX);
    for (int block = 0; block < d->grid.total; block++) {
        const struct weir_box box = weir_block_grid_box(&d->grid, block);
        d->weight[block] = (double)weir_box_cells(&box);
    }
}

static int rank_at(const struct decomposition *d, const int cell[3]) {
    int at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = cell[axis] / d->grid.block_cells[axis];
    return d->rank_of[(at[2] * d->grid.count[1] + at[1]) * d->grid.count[0] + at[0]];
}

/* Bytes that each rank sends, population by population. */
static void count_slowly(const struct decomposition *d, int64_t *bytes) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)d->problem.lattice);
    const int *n = d->problem.cells;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++)
                for (int i = 1; i < lattice->populations; i++) {
                    const int from[3] = {x, y, z};
                    int to[3];
                    bool inside = true;
                    for (int axis = 0; axis < 3; axis++) {
                        to[axis] = from[axis] + lattice->velocity[i][axis];
                        if (d->problem.periodic[axis])
                            to[axis] = (to[axis] + n[axis]) % n[axis];
                        inside = inside && to[axis] >= 0 && to[axis] < n[axis];
                    }
                    if (inside && rank_at(d, from) != rank_at(d, to))
                        bytes[rank_at(d, from)] += 4;
                }
}

static void test_any_number_of_ranks(void **state) {
    (void)state;
    static struct decomposition d;
    set_up(&d, (int[3]){32, 24, 40}, (int[3]){4, 4, 8}, true);
    for (int ranks = 1; ranks <= 37; ranks++) {
        assert_int_equal(weir_ranks_divide(&d.grid, d.weight, ranks, NULL, NULL, d.rank_of), 0);
        assert_int_equal(weir_ranks_count(&d.problem, &d.grid, d.rank_of, ranks, d.part), 0);
        int64_t cells = 0;
        for (int rank = 0; rank < ranks; rank++) {
            assert_true(d.part[rank].blocks > 0);
            cells += d.part[rank].cells;
        }
        assert_int_equal(cells, 32 * 24 * 40);
    }
}

static void test_bytes_are_those_that_cross(void **state) {
    (void)state;
    static struct decomposition d;
    for (int periodic = 0; periodic < 2; periodic++) {
        set_up(&d, (int[3]){13, 11, 9}, (int[3]){4, 5, 3}, periodic);
        for (int ranks = 2; ranks <= 7; ranks++) {
            int64_t bytes[RANKS_MAX] = {0};
            assert_int_equal(weir_ranks_divide(&d.grid, d.weight, ranks, NULL, NULL, d.rank_of), 0);
            assert_int_equal(weir_ranks_count(&d.problem, &d.grid, d.rank_of, ranks, d.part), 0);
            count_slowly(&d, bytes);
            for (int rank = 0; rank < ranks; rank++)
                assert_int_equal(d.part[rank].sent_bytes, bytes[rank]);
        }
    }
}

/* A slanted tube of blocks: those with fluid are divided evenly, solid ones have a rank but do not count, and
 * nothing is sent to them or by them. */
static void test_solid_blocks(void **state) {
    (void)state;
    static struct decomposition d;
    bool solid[BLOCKS_MAX];
    int fluid = 0, first[RANKS_MAX + 1], blocks[BLOCKS_MAX];
    set_up(&d, (int[3]){32, 32, 32}, (int[3]){4, 4, 4}, true);
    for (int block = 0; block < d.grid.total; block++) {
        int position[3];
        weir_block_grid_position(&d.grid, block, position);
        solid[block] = position[0] != position[1] || position[2] > 3;
        d.weight[block] = solid[block] ? 1e6 : 1;
        fluid += !solid[block];
    }
    d.grid.solid = solid;
    assert_int_equal(fluid, 32);
    for (int ranks = 1; ranks <= 32; ranks *= 2) {
        int64_t sent = 0;
        assert_int_equal(weir_ranks_divide(&d.grid, d.weight, ranks, NULL, NULL, d.rank_of), 0);
        assert_int_equal(weir_ranks_count(&d.problem, &d.grid, d.rank_of, ranks, d.part), 0);
        weir_ranks_sort(&d.grid, d.rank_of, ranks, first, blocks);
        assert_int_equal(first[ranks], fluid);
        for (int k = 0; k < fluid; k++)
            assert_false(solid[blocks[k]]);
        for (int block = 0; block < d.grid.total; block++)
            assert_in_range(d.rank_of[block], 0, ranks - 1);
        for (int rank = 0; rank < ranks; rank++) {
            assert_int_equal(d.part[rank].blocks, fluid / ranks);
            assert_int_equal(d.part[rank].cells, 64 * fluid / ranks);
            sent += d.part[rank].sent_bytes;
        }
        /* Each block touches two others along the tube's edge, and one or two above and below. */
        if (ranks == 32)
            assert_int_equal(sent, 4 * (32 * 2 * 4 + 2 * 24 * (5 * 16 - 4 * 4)));
    }
}

static void test_forced_grid(void **state) {
    (void)state;
    static struct decomposition d;
    set_up(&d, (int[3]){32, 32, 32}, (int[3]){8, 8, 8}, false);
    assert_int_equal(weir_ranks_divide(&d.grid, d.weight, 8, NULL, (int[3]){4, 2, 1}, d.rank_of), 0);
    assert_int_equal(weir_ranks_count(&d.problem, &d.grid, d.rank_of, 8, d.part), 0);
    for (int rank = 0; rank < 8; rank++) {
        assert_int_equal(d.part[rank].cells, 8 * 16 * 32);
        assert_int_equal(d.part[rank].neighbours, rank % 4 == 0 || rank % 4 == 3 ? 3 : 5);
    }
    assert_int_equal(d.rank_of[0], 0);
    assert_int_equal(d.rank_of[d.grid.total - 1], 7);
}

static void test_shares(void **state) {
    (void)state;
    static struct decomposition d;
    set_up(&d, (int[3]){32, 32, 32}, (int[3]){4, 8, 8}, false);
    assert_int_equal(weir_ranks_divide(&d.grid, d.weight, 2, (double[]){3, 1}, NULL, d.rank_of), 0);
    assert_int_equal(weir_ranks_count(&d.problem, &d.grid, d.rank_of, 2, d.part), 0);
    assert_int_equal(d.part[0].cells, 3 * d.part[1].cells);
    assert_int_equal(d.part[0].sent_bytes, d.part[1].sent_bytes);
    assert_int_equal(d.part[0].sent_bytes,
                     (5 * 32 * 32 - 4 * 32) * 4); /* four directions leave from 31 rows only */
}

/* Each block has a rank of its own, and the others have none. */
static void test_more_ranks_than_blocks(void **state) {
    (void)state;
    static struct decomposition d;
    set_up(&d, (int[3]){32, 32, 32}, (int[3]){16, 16, 16}, false);
    for (int ranks = 9; ranks <= RANKS_MAX; ranks++) {
        int with_blocks = 0;
        assert_int_equal(weir_ranks_divide(&d.grid, d.weight, ranks, NULL, NULL, d.rank_of), 0);
        assert_int_equal(weir_ranks_count(&d.problem, &d.grid, d.rank_of, ranks, d.part), 0);
        for (int rank = 0; rank < ranks; rank++) {
            assert_in_range(d.part[rank].blocks, 0, 1);
            assert_int_equal(d.part[rank].sent_bytes > 0, d.part[rank].blocks > 0);
            with_blocks += d.part[rank].blocks;
        }
        assert_int_equal(with_blocks, 8);
    }
}

/* As a rank with two cores beside one with a GPU. */
static void test_a_rank_too_slow_for_a_block(void **state) {
    (void)state;
    static struct decomposition d;
    set_up(&d, (int[3]){48, 32, 32}, (int[3]){16, 16, 16}, false);
    assert_int_equal(weir_ranks_divide(&d.grid, d.weight, 2, (double[]){200, 2}, NULL, d.rank_of), 0);
    assert_int_equal(weir_ranks_count(&d.problem, &d.grid, d.rank_of, 2, d.part), 0);
    assert_int_equal(d.part[0].blocks, 12);
    assert_int_equal(d.part[0].neighbours, 0);
    assert_int_equal(d.part[1].blocks, 0);
}

static void test_errors(void **state) {
    (void)state;
    static struct decomposition d;
    set_up(&d, (int[3]){32, 32, 32}, (int[3]){16, 16, 16}, false);
    assert_int_equal(weir_ranks_divide(&d.grid, d.weight, 8, NULL, (int[3]){2, 2, 1}, d.rank_of),
                     -WEIR_USAGE);
    assert_int_equal(weir_ranks_divide(&d.grid, d.weight, 4, NULL, (int[3]){4, 1, 1}, d.rank_of),
                     -WEIR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_ranks),
        cmocka_unit_test(test_bytes_are_those_that_cross),
        cmocka_unit_test(test_solid_blocks),
        cmocka_unit_test(test_forced_grid),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_more_ranks_than_blocks),
        cmocka_unit_test(test_a_rank_too_slow_for_a_block),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
