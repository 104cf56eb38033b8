/* Maps of ranks: gaps and overlaps, blocks for ranks, hosts and GPUs, and seats of ranks that are not there.
 */
#include "graph/base/error.h"
#include "graph/plan/rank_map.h"
#include "tests/unit/assert_close.h"

#include <string.h>

enum { BLOCKS_MAX = 2816, RANKS_MAX = 8 };

static void cut(struct weir_block_grid *grid, const int cells[3], const int block_cells[3]) {
    static struct weir_problem problem;
    weir_problem_default(&problem);
    for (int axis = 0; axis < 3; axis++)
        problem.cells[axis] = cells[axis];
    assert_int_equal(weir_block_grid_create(&problem, block_cells, grid), 0);
    assert_true(grid->total <= BLOCKS_MAX);
}

static struct weir_rank_region of_rank(int x, int y, int z, int nx, int ny, int nz, int rank) {
    return (struct weir_rank_region){.box = {{x, y, z}, {nx, ny, nz}}, .rank = rank, .gpu = -1};
}

static struct weir_rank_region of_host(int x, int nx, const char *host, int gpu) {
    struct weir_rank_region region = of_rank(x, 0, 0, nx, 8, 8, -1);
    strcpy(region.host, host);
    region.gpu = gpu;
    return region;
}

#define MAP(...)                                                                               \
    {                                                                                          \
        "map: ", (struct weir_rank_region[]){__VA_ARGS__},                                     \
            sizeof((struct weir_rank_region[]){__VA_ARGS__}) / sizeof(struct weir_rank_region) \
    }

static void refused(int error, const char *words) {
    assert_int_equal(error, -WEIR_USAGE);
    if (!strstr(weir_error_text(), words))
        fail_msg("%s: does not hold \"%s\"", weir_error_text(), words);
}

/* Every cell is looked at: those of two regions, those of none, and what the check says of them. */
static void test_cells_belong_to_one_region(void **state) {
    (void)state;
    const int cells[3] = {5, 4, 3};
    uint32_t random = 1;
    int right = 0, gaps = 0, overlaps = 0;
    for (int trial = 0; trial < 20000; trial++) {
        struct weir_rank_region regions[3];
        struct weir_rank_map map = {"map: ", regions, 3};
        /* A cut across an axis, one of the halves cut again; then perhaps a side moved. */
        const int axis = trial % 3, again = trial / 3 % 3, middle = 1 + trial % (cells[axis] - 1);
        regions[0] = regions[1] = regions[2] = of_rank(0, 0, 0, 5, 4, 3, 0);
        regions[0].box.extent[axis] = middle;
        regions[1].box.origin[axis] = middle;
        regions[1].box.extent[axis] = cells[axis] - middle;
        regions[2] = regions[1];
        const int half = regions[1].box.extent[again] / 2;
        regions[1].box.extent[again] = half;
        regions[2].box.origin[again] += half;
        regions[2].box.extent[again] -= half;
        random = random * 1664525u + 1013904223u;
        struct weir_box *moved = &regions[random >> 8 & 1].box;
        if (random >> 9 & 1)
            moved->extent[random >> 10 & 1] += (random >> 11 & 1) ? 1 : -1;
        bool usable = true;
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                usable = usable && regions[k].box.extent[a] > 0 &&
                         regions[k].box.origin[a] + regions[k].box.extent[a] <= cells[a];
        if (!usable)
            continue;
        int missing = 0, twice = 0;
        for (int n = 0; n < 5 * 4 * 3; n++) {
            const struct weir_box cell = {{n % 5, n / 5 % 4, n / 20}, {1, 1, 1}};
            struct weir_box common;
            int holders = 0;
            for (int k = 0; k < 3; k++)
                holders += weir_box_intersect(&cell, &regions[k].box, &common);
            missing += holders == 0;
            twice += holders > 1;
        }
        const int error = weir_rank_map_check_cells(&map, cells);
        assert_int_equal(error, missing || twice ? -WEIR_USAGE : 0);
        if (twice)
            refused(error, "are those of regions[");
        else if (missing)
            refused(error, "belongs to none");
        right += error == 0;
        overlaps += twice > 0;
        gaps += twice == 0 && missing > 0;
    }
    assert_true(right > 100 && overlaps > 100 && gaps > 100);
}

static void test_a_gap_is_named(void **state) {
    (void)state;
    const struct weir_rank_map map = MAP(of_rank(0, 0, 0, 8, 8, 4, 0), of_rank(0, 0, 4, 8, 5, 4, 1),
                                         of_rank(0, 5, 4, 6, 3, 4, 1), of_rank(6, 5, 4, 2, 3, 3, 0));
    refused(weir_rank_map_check_cells(&map, (int[3]){8, 8, 8}),
            "map: regions: cell [6, 5, 7] belongs to none");
    const struct weir_rank_map twice = MAP(of_rank(0, 0, 0, 8, 8, 5, 0), of_rank(0, 0, 4, 8, 8, 4, 1));
    refused(weir_rank_map_check_cells(&twice, (int[3]){8, 8, 8}),
            "regions[1]: cells [0, 0, 4] to [8, 8, 5] are those of regions[0] too");
}

static void test_blocks_go_where_most_of_their_cells_are(void **state) {
    (void)state;
    struct weir_block_grid grid;
    int region_of[BLOCKS_MAX];
    cut(&grid, (int[3]){10, 8, 8}, (int[3]){4, 4, 8});
    const struct weir_rank_map map = MAP(of_rank(0, 0, 0, 7, 8, 8, 0), of_rank(7, 0, 0, 3, 8, 8, 1));
    assert_int_equal(weir_rank_map_blocks(&map, &grid, region_of), 0);
    const int expected[] = {0, 0, 1, 0, 0, 1};
    assert_memory_equal(region_of, expected, sizeof expected);
    /* As many cells here as there: the first of both. */
    const struct weir_rank_map even = MAP(of_rank(6, 0, 0, 4, 8, 8, 0), of_rank(0, 0, 0, 6, 8, 8, 1));
    assert_int_equal(weir_rank_map_blocks(&even, &grid, region_of), 0);
    const int first[] = {1, 0, 0, 1, 0, 0};
    assert_memory_equal(region_of, first, sizeof first);
}

/* Block by block, and all at once: on grids whose blocks regions cut anywhere. */
static void test_regions_of_single_blocks(void **state) {
    (void)state;
    struct weir_block_grid grid;
    int region_of[BLOCKS_MAX], several = 0;
    for (int side = 2; side <= 9; side++) {
        cut(&grid, (int[3]){32, 24, 20}, (int[3]){side, side + 1, side - 1});
        const struct weir_rank_map map =
            MAP(of_rank(0, 0, 0, 13, 24, 20, 0), of_rank(13, 0, 0, 19, 11, 20, 1),
                of_rank(13, 11, 0, 19, 13, 10, 2), of_rank(13, 11, 10, 19, 13, 10, 1));
        assert_int_equal(weir_rank_map_check_cells(&map, grid.cells), 0);
        assert_int_equal(weir_rank_map_blocks(&map, &grid, region_of), 0);
        for (int block = 0; block < grid.total; block++) {
            assert_int_equal(weir_rank_map_region(&map, &grid, block), region_of[block]);
            several += region_of[block] > 0;
        }
    }
    assert_true(several > 100);
}

static void test_regions_without_blocks(void **state) {
    (void)state;
    struct weir_block_grid grid;
    int region_of[BLOCKS_MAX];
    cut(&grid, (int[3]){8, 8, 8}, (int[3]){4, 4, 4});
    const struct weir_rank_map map = MAP(of_rank(0, 0, 0, 7, 8, 8, 0), of_rank(7, 0, 0, 1, 8, 8, 1));
    refused(weir_rank_map_blocks(&map, &grid, region_of), "map: regions[1]: no block");
}

/* Two hosts: one with ranks 0 and 1, which have its GPUs 0, 1 and 2, 3; one with rank 2 and a GPU. */
static const struct weir_rank_seat seats[] = {
    {"a.cluster", 2, {0, 1}}, {"a.cluster", 2, {2, 3}}, {"b.cluster", 1, {0}}};

static void divide(const struct weir_rank_map *map, const double *share, int *rank_of) {
    struct weir_block_grid grid;
    double weight[BLOCKS_MAX];
    cut(&grid, (int[3]){32, 8, 8}, (int[3]){4, 8, 8});
    for (int block = 0; block < grid.total; block++)
        weight[block] = 1;
    assert_int_equal(weir_rank_map_check_cells(map, (int[3]){32, 8, 8}), 0);
    assert_int_equal(weir_rank_map_divide(map, &grid, weight, seats, 3, share, rank_of), 0);
}

static void test_ranks_hosts_and_gpus(void **state) {
    (void)state;
    int rank_of[8];
    const struct weir_rank_map ranks = MAP(of_host(0, 8, "b", 0), of_rank(8, 0, 0, 16, 8, 8, 0),
                                           of_host(24, 4, "a.cluster", 3), of_host(28, 4, "a", 1));
    divide(&ranks, NULL, rank_of);
    assert_memory_equal(rank_of, ((int[]){2, 2, 0, 0, 0, 0, 1, 0}), sizeof rank_of);
}

static void test_ranks_of_a_host_divide_it(void **state) {
    (void)state;
    int rank_of[8];
    const struct weir_rank_map map =
        MAP(of_host(0, 8, "a", -1), of_host(8, 16, "b", -1), of_host(24, 8, "a", -1));
    divide(&map, NULL, rank_of);
    assert_memory_equal(rank_of, ((int[]){0, 0, 2, 2, 2, 2, 1, 1}), sizeof rank_of);
    divide(&map, (double[]){3, 1, 9}, rank_of);
    assert_memory_equal(rank_of, ((int[]){0, 0, 2, 2, 2, 2, 0, 1}), sizeof rank_of);
}

static void test_who_is_not_there(void **state) {
    (void)state;
    static const struct weir_rank_seat twins[] = {{"a.one", 0, {0}}, {"a.two", 0, {0}}};
    const struct weir_rank_map rank = MAP(of_rank(0, 0, 0, 16, 8, 8, 0), of_rank(16, 0, 0, 16, 8, 8, 3)),
                               host = MAP(of_host(0, 32, "c", -1)), gpu = MAP(of_host(0, 32, "a", 4)),
                               gpu_of_rank = MAP(of_rank(0, 0, 0, 32, 8, 8, 0)),
                               nobody = MAP(of_host(0, 16, "a", -1), of_host(16, 16, "a", 2)),
                               other_domain = MAP(of_host(0, 32, "a.elsewhere", -1)),
                               short_name = MAP(of_host(0, 32, "a", -1));
    refused(weir_rank_map_check_seats(&rank, seats, 3), "map: regions[1].rank: 3, and there are 3 ranks");
    refused(weir_rank_map_check_seats(&host, seats, 3),
            "regions[0].host: no rank is on \"c\"; name one of the "
            "hosts that have ranks (a.cluster, b.cluster)");
    refused(weir_rank_map_check_seats(&gpu, seats, 3),
            "regions[0].gpu: no rank on a.cluster has GPU 4; GPUs of ranks there: 0, 1, 2, 3 ");
    gpu_of_rank.regions[0].gpu = 2;
    refused(weir_rank_map_check_seats(&gpu_of_rank, seats, 3),
            "regions[0].gpu: rank 0 on a.cluster does not have GPU 2; GPUs of ranks there: 0, 1, 2, 3 ");
    refused(weir_rank_map_check_seats(&nobody, seats, 3), "none is for rank 2 on b.cluster");
    refused(weir_rank_map_check_seats(&other_domain, seats, 3), "no rank is on \"a.elsewhere\"");
    refused(weir_rank_map_check_seats(&short_name, twins, 2), "\"a\" may be a.one or a.two");
}

/* Of the ranks of host a; it has no work, and that is no error. */
static void test_a_rank_that_no_block_is_left_for(void **state) {
    (void)state;
    struct weir_block_grid grid;
    int rank_of[2];
    const double weight[] = {1, 1};
    cut(&grid, (int[3]){8, 8, 8}, (int[3]){4, 8, 8});
    const struct weir_rank_map map = MAP(of_host(0, 4, "a", -1), of_host(4, 4, "b", -1));
    assert_int_equal(weir_rank_map_divide(&map, &grid, weight, seats, 3, (double[]){1, 100, 1}, rank_of), 0);
    assert_int_equal(rank_of[0], 1);
    assert_int_equal(rank_of[1], 2);
}

static void test_seats_of_ranks_that_are_not_there(void **state) {
    (void)state;
    struct weir_rank_seat expected[RANKS_MAX];
    const struct weir_rank_map map = MAP(of_host(0, 4, "b", 1), of_host(4, 4, "a", -1),
                                         of_host(8, 4, "b.cluster", 0), of_host(12, 20, "b", 1)),
                               ranks = MAP(of_rank(0, 0, 0, 16, 8, 8, 1), of_rank(16, 0, 0, 16, 8, 8, 0));
    assert_int_equal(weir_rank_map_expect(&map, 2, expected), 0);
    assert_string_equal(expected[0].host, "b");
    assert_int_equal(expected[0].gpus, 2);
    assert_string_equal(expected[1].host, "a");
    assert_int_equal(expected[1].gpus, 0);
    assert_int_equal(weir_rank_map_check_seats(&map, expected, 2), 0);
    assert_int_equal(weir_rank_map_expect(&map, 3, expected), 0);
    assert_string_equal(expected[1].host, "b");
    assert_int_equal(expected[1].gpu[0], 0);
    assert_string_equal(expected[2].host, "a");
    assert_int_equal(weir_rank_map_check_seats(&map, expected, 3), 0);
    refused(weir_rank_map_expect(&map, 4, expected),
            "they are for 2 ranks, one per host, or for 3, one per GPU, not for 4");
    refused(weir_rank_map_expect(&map, 1, expected), "not for 1");
    ranks.regions[0].gpu = 1;
    assert_int_equal(weir_rank_map_expect(&ranks, 2, expected), 0);
    assert_int_equal(weir_rank_map_check_seats(&ranks, expected, 2), 0);
}

static void test_groups_of_a_rank(void **state) {
    (void)state;
    static struct weir_worker_groups groups;
    bool may[WEIR_WORKER_GROUPS_MAX];
    weir_worker_groups_add(&groups, WEIR_WORKER_GROUP_GPU, 0, 0, 0);
    weir_worker_groups_add(&groups, WEIR_WORKER_GROUP_GPU, 1, 1, 0);
    weir_worker_groups_add(&groups, WEIR_WORKER_GROUP_TEAM, 0, 2, 4);
    weir_worker_groups_add(&groups, WEIR_WORKER_GROUP_TEAM, 1, 3, 4);
    const struct weir_rank_map map = MAP(of_host(0, 32, "a", 3));
    struct weir_rank_region *region = map.regions;
    assert_int_equal(weir_rank_map_worker_groups(&map, 0, &seats[1], &groups, may), 0);
    assert_true(!may[0] && may[1] && !may[2] && !may[3]);
    refused(weir_rank_map_worker_groups(&map, 0, &seats[0], &groups, may),
            "regions[0].gpu: GPU 3 takes no steps");
    region->gpu = -1;
    assert_int_equal(weir_rank_map_worker_groups(&map, 0, &seats[1], &groups, may), 0);
    assert_true(may[0] && may[1] && may[2] && may[3]);
    strcpy(region->group, "cpu");
    assert_int_equal(weir_rank_map_worker_groups(&map, 0, &seats[1], &groups, may), 0);
    assert_true(!may[0] && !may[1] && may[2] && may[3]);
    strcpy(region->group, "team1");
    assert_int_equal(weir_rank_map_worker_groups(&map, 0, &seats[1], &groups, may), 0);
    assert_true(!may[0] && !may[1] && !may[2] && may[3]);
    strcpy(region->group, "cpu0");
    refused(weir_rank_map_worker_groups(&map, 0, &seats[1], &groups, may),
            "regions[0].part: \"cpu0\" takes no steps");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_belong_to_one_region),
        cmocka_unit_test(test_a_gap_is_named),
        cmocka_unit_test(test_blocks_go_where_most_of_their_cells_are),
        cmocka_unit_test(test_regions_of_single_blocks),
        cmocka_unit_test(test_regions_without_blocks),
        cmocka_unit_test(test_ranks_hosts_and_gpus),
        cmocka_unit_test(test_ranks_of_a_host_divide_it),
        cmocka_unit_test(test_who_is_not_there),
        cmocka_unit_test(test_a_rank_that_no_block_is_left_for),
        cmocka_unit_test(test_seats_of_ranks_that_are_not_there),
        cmocka_unit_test(test_groups_of_a_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
