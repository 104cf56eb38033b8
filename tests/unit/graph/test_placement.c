/* Static placement of blocks: shares, compact regions, and odd numbers of everything. */
#include "graph/plan/placement.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 64 };

struct placement {
    struct weir_block_grid grid;
    double *weight; /* [blocks] */
    int *home;      /* [blocks] */
    double load[PARTS_MAX];
    int blocks[PARTS_MAX];
};

/* A grid of blocks of 8^3 cells, each of weight 1. */
static struct placement grid_of(int nx, int ny, int nz) {
    struct placement p;
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){8 * nx, 8 * ny, 8 * nz}, sizeof problem.cells);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 8, 8}, &p.grid), 0);
    p.weight = malloc((size_t)p.grid.total * sizeof *p.weight);
    p.home = malloc((size_t)p.grid.total * sizeof *p.home);
    assert_non_null(p.weight);
    assert_non_null(p.home);
    for (int block = 0; block < p.grid.total; block++)
        p.weight[block] = 1;
    return p;
}

static void free_placement(struct placement *p) {
    free(p->weight);
    free(p->home);
}

static void place(struct placement *p, int groups, const double *share) {
    for (int block = 0; block < p->grid.total; block++)
        p->home[block] = -1;
    memset(p->load, 0, sizeof p->load);
    memset(p->blocks, 0, sizeof p->blocks);
    assert_int_equal(weir_placement_bisect(&p->grid, NULL, p->weight, groups, share, p->home), 0);
    for (int block = 0; block < p->grid.total; block++) {
        assert_in_range(p->home[block], 0, groups - 1);
        p->load[p->home[block]] += p->weight[block];
        p->blocks[p->home[block]]++;
    }
}

static void place_evenly(struct placement *p, int groups) {
    double share[PARTS_MAX];
    for (int group = 0; group < groups; group++)
        share[group] = 2.5;
    place(p, groups, share);
}

/* Every worker group's load is its share of the sum, give or take the heaviest block. */
static void check_loads(const struct placement *p, int groups, const double *share) {
    double heaviest = 0, weight = 0, shares = 0;
    for (int block = 0; block < p->grid.total; block++) {
        weight += p->weight[block];
        heaviest = fmax(heaviest, p->weight[block]);
    }
    for (int group = 0; group < groups; group++)
        shares += share[group];
    for (int group = 0; group < groups; group++)
        assert_close(p->load[group], weight * share[group] / shares, heaviest);
}

static void test_shares_are_met(void **state) {
    (void)state;
    static const struct {
        int groups;
        double share[8];
    } cases[] = {
        {1, {3}},
        {2, {1, 1}},
        {2, {1, 30}},
        {3, {1, 1, 1}},
        {4, {0.05, 1, 1, 1}},
        {5, {5, 4, 3, 2, 1}},
        {8, {1, 1, 1, 1, 1, 1, 1, 1}},
        {8, {9, 1, 1, 1, 1, 1, 1, 0.1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int uneven = 0; uneven < 2; uneven++) {
            struct placement p = grid_of(8, 6, 5);
            for (int block = 0; uneven && block < p.grid.total; block++)
                p.weight[block] = 100 + block * 37 % 101;
            place(&p, cases[k].groups, cases[k].share);
            check_loads(&p, cases[k].groups, cases[k].share);
            free_placement(&p);
        }
}

static void test_equal_groups_are_all_used(void **state) {
    (void)state;
    for (int n = 1; n <= 5; n++)
        for (int groups = 1; groups <= n * n * 2 && groups <= PARTS_MAX; groups++) {
            struct placement p = grid_of(n, n, 2);
            place_evenly(&p, groups);
            for (int group = 0; group < groups; group++)
                assert_in_range(p.blocks[group], 2 * n * n / groups, (2 * n * n + groups - 1) / groups);
            free_placement(&p);
        }
}

static void test_more_groups_than_blocks(void **state) {
    (void)state;
    struct placement p = grid_of(3, 2, 1);
    place_evenly(&p, 50);
    for (int group = 0; group < 50; group++)
        assert_in_range(p.blocks[group], 0, 1);
    free_placement(&p);
}

/* Faces between blocks of different worker groups. */
static int cut_faces(const struct placement *p) {
    int faces = 0;
    for (int block = 0; block < p->grid.total; block++)
        for (int axis = 0; axis < 3; axis++) {
            int offset[3] = {0, 0, 0};
            offset[axis] = 1;
            const int neighbour = weir_block_grid_neighbour(&p->grid, block, offset);
            faces += neighbour >= 0 && p->home[neighbour] != p->home[block];
        }
    return faces;
}

/* Faces cut when 8^3 blocks go to worker groups: the fewest possible where the worker groups are bricks, and
 * at most what ragged ends of layers add to that otherwise. */
static void test_regions_are_compact(void **state) {
    (void)state;
    static const int bound[][2] = {{1, 0},    {2, 64},  {4, 128}, {8, 192}, {16, 256 + 64},
                                   {64, 576}, {3, 160}, {5, 260}, {7, 280}};
    for (size_t k = 0; k < sizeof bound / sizeof *bound; k++) {
        struct placement p = grid_of(8, 8, 8);
        place_evenly(&p, bound[k][0]);
        assert_in_range(cut_faces(&p), 0, bound[k][1]);
        free_placement(&p);
    }
}

/* Cuts go across the longest side, counted in cells. */
static void test_long_domains_are_cut_across(void **state) {
    (void)state;
    struct placement p = grid_of(12, 2, 2);
    place_evenly(&p, 4);
    assert_int_equal(cut_faces(&p), 3 * 4);
    free_placement(&p);
    p = grid_of(2, 12, 2);
    place_evenly(&p, 6);
    assert_int_equal(cut_faces(&p), 5 * 4);
    free_placement(&p);
}

static void test_blocks_without_weight(void **state) {
    (void)state;
    struct placement p = grid_of(4, 4, 4);
    /* None has any: they are dealt out all the same. */
    for (int block = 0; block < p.grid.total; block++)
        p.weight[block] = 0;
    place_evenly(&p, 8);
    for (int group = 0; group < 8; group++)
        assert_int_equal(p.blocks[group], 8);
    /* Half have none: the others are shared. */
    for (int block = 0; block < p.grid.total; block++)
        p.weight[block] = block % 4 < 2;
    place_evenly(&p, 8);
    for (int group = 0; group < 8; group++)
        assert_close(p.load[group], 4, 1);
    free_placement(&p);
}

/* A worker group without share gets nothing, whatever the weights. */
static void test_groups_without_share(void **state) {
    (void)state;
    static const double shares[][4] = {{0, 1, 1, 1}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 1}};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        for (int solid = 0; solid < 3; solid++) {
            struct placement p = grid_of(4, 3, 2);
            for (int block = 0; block < p.grid.total; block++)
                p.weight[block] = solid == 0 || (solid == 1 && block % 4 == 1) ? 1 : 0;
            place(&p, 4, shares[k]);
            for (int group = 0; group < 4; group++)
                if (!(shares[k][group] > 0))
                    assert_int_equal(p.blocks[group], 0);
            free_placement(&p);
        }
}

/* The same bisection by sorting all blocks of a region at every cut, which takes longer. */
struct sorted {
    int along, place, block;
};

static int compare_sorted(const void *a, const void *b) {
    const struct sorted *p = a, *q = b;
    return p->along != q->along ? p->along - q->along : p->block - q->block;
}

static void bisect_slowly(const struct placement *p, struct sorted *items, int count, const double *share,
                          int first_group, int groups, int *home) {
    if (groups == 1 || count == 0) {
        for (int k = 0; k < count; k++)
            home[items[k].place] = first_group;
        return;
    }
    int low[3] = {1 << 30, 1 << 30, 1 << 30}, high[3] = {0, 0, 0}, axis = 0;
    for (int k = 0; k < count; k++)
        for (int a = 0; a < 3; a++) {
            const struct weir_box box = weir_block_grid_box(&p->grid, items[k].block);
            const int end = box.origin[a] + box.extent[a];
            low[a] = box.origin[a] < low[a] ? box.origin[a] : low[a];
            high[a] = end > high[a] ? end : high[a];
        }
    for (int a = 1; a < 3; a++)
        axis = high[a] - low[a] >= high[axis] - low[axis] ? a : axis;
    for (int k = 0; k < count; k++)
        items[k].along = weir_block_grid_box(&p->grid, items[k].block).origin[axis];
    qsort(items, (size_t)count, sizeof *items, compare_sorted);
    double weight = 0, all = 0, below = 0, sum = 0;
    for (int k = 0; k < count; k++)
        weight += p->weight[items[k].place];
    for (int group = 0; group < groups; group++) {
        all += share[first_group + group];
        below += group < groups / 2 ? share[first_group + group] : 0;
    }
    const double target = all > 0 ? below / all : 0;
    int cut = 0;
    for (; cut < count && target > 0; cut++) {
        const double next = weight > 0 ? sum + p->weight[items[cut].place] / weight : (cut + 1.0) / count;
        if (target < 1 && next - target > target - sum)
            break;
        sum = next;
    }
    bisect_slowly(p, items, cut, share, first_group, groups / 2, home);
    bisect_slowly(p, items + cut, count - cut, share, first_group + groups / 2, groups - groups / 2, home);
}

/* Grids of all shapes, ragged ones too, all blocks or some of them, with weights, shares and numbers of
 * worker groups as they come. */
static void test_sorted_blocks_are_cut_the_same_way(void **state) {
    (void)state;
    enum { BLOCKS = 1000 };
    static struct sorted items[BLOCKS];
    static int blocks[BLOCKS], home[BLOCKS];
    uint32_t random = 1;
    for (int trial = 0; trial < 400; trial++) {
        int sides[3];
        double share[PARTS_MAX];
        for (int axis = 0; axis < 3; axis++)
            sides[axis] = 1 + (int)((random = random * 1664525u + 1013904223u) >> 8) % 10;
        struct placement p = grid_of(sides[0], sides[1], sides[2]);
        if (trial % 3 == 0) { /* the last layers are thinner */
            struct weir_problem problem;
            weir_problem_default(&problem);
            memcpy(problem.cells, (const int[3]){8 * sides[0] - 5, 8 * sides[1] - 3, 8 * sides[2]},
                   sizeof problem.cells);
            assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 8, 8}, &p.grid), 0);
        }
        struct weir_block_set set = {blocks, 0};
        for (int block = 0; block < p.grid.total; block++) {
            random = random * 1664525u + 1013904223u;
            if (trial % 2 == 0 || random >> 31)
                blocks[set.count++] = block;
            p.weight[block] = trial % 4 == 0 ? 1 : trial % 5 == 0 ? 0 : (random >> 8 & 1023) / 3.0;
        }
        const int groups = 1 + (int)(random >> 8) % PARTS_MAX;
        for (int group = 0; group < groups; group++) {
            random = random * 1664525u + 1013904223u;
            share[group] = trial % 7 < 3 ? 1 : random >> 30 == 0 ? 0 : random >> 8 & 255;
        }
        for (int k = 0; k < set.count; k++)
            items[k] = (struct sorted){.place = k, .block = blocks[k]};
        bisect_slowly(&p, items, set.count, share, 0, groups, home);
        assert_int_equal(
            weir_placement_bisect(&p.grid, trial % 2 == 0 ? NULL : &set, p.weight, groups, share, p.home), 0);
        assert_memory_equal(p.home, home, sizeof *home * (size_t)set.count);
        free_placement(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_are_met),
        cmocka_unit_test(test_equal_groups_are_all_used),
        cmocka_unit_test(test_more_groups_than_blocks),
        cmocka_unit_test(test_regions_are_compact),
        cmocka_unit_test(test_long_domains_are_cut_across),
        cmocka_unit_test(test_blocks_without_weight),
        cmocka_unit_test(test_groups_without_share),
        cmocka_unit_test(test_sorted_blocks_are_cut_the_same_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
