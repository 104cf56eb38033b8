/* What a rank keeps and allocates while a domain is divided: counted, so that nobody pays for the blocks of
 * others, but for a few bytes each. */
#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/plan/decomposition.h"
#include "graph/plan/halo_messages.h"
#include "graph/plan/placement.h"
#include "graph/plan/ranks.h"
#include "graph/problem/fluid_estimate.h"
#include "graph/rank_decomposition.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>

/* Bytes asked for so far: the linker leads calls of malloc and calloc here. */
static size_t asked_for;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void *__wrap_malloc(size_t bytes) {
    asked_for += bytes;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes) {
    asked_for += count * bytes;
    return __real_calloc(count, bytes);
}

static struct weir_problem problem_of(int nx, int ny, int nz) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    problem.lattice = nz > 1 ? WEIR_D3Q19 : WEIR_D2Q9;
    problem.cells[0] = nx;
    problem.cells[1] = ny;
    problem.cells[2] = nz;
    return problem;
}

static void test_bytes_of_all_blocks(void **state) {
    (void)state;
    static const int cells[][3] = {{8, 8, 8}, {20, 8, 8}, {20, 17, 9}, {64, 33, 1}, {13, 40, 50}, {7, 7, 31}};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
        for (int periodic = 0; periodic < 8; periodic++) {
            struct weir_problem problem = problem_of(cells[k][0], cells[k][1], cells[k][2]);
            struct weir_block_grid grid;
            int64_t bytes = 0, steady = 0;
            for (int axis = 0; axis < 3; axis++)
                problem.periodic[axis] = periodic >> axis & 1;
            assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 9, 7}, &grid), 0);
            for (int block = 0; block < grid.total; block++) {
                const struct weir_block_set one = {&block, 1};
                bytes += weir_domain_bytes(&problem, false, &grid, &one);
                steady += weir_domain_bytes(&problem, true, &grid, &one);
            }
            assert_int_equal(weir_domain_bytes(&problem, false, &grid, NULL), bytes);
            assert_int_equal(weir_domain_bytes(&problem, true, &grid, NULL), steady);
            assert_int_equal(steady - bytes, 12 * (int64_t)cells[k][0] * cells[k][1] * cells[k][2]);
            problem.time_sums = 2; /* ten numbers in double precision each */
            assert_int_equal(weir_domain_bytes(&problem, false, &grid, NULL) - bytes,
                             160 * (int64_t)cells[k][0] * cells[k][1] * cells[k][2]);
        }
}

static const struct weir_cell_costs *fixed_costs(struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT]) {
    weir_rank_decomposition_costs(NULL, NULL, costs);
    return costs;
}

static void test_weights_count_solids(void **state) {
    (void)state;
    struct weir_problem problem = problem_of(40, 40, 40);
    struct weir_shape ball = {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY, .sphere = {{20, 20, 20}, 12}};
    struct weir_block_grid grid;
    double weight[125];
    struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT];
    problem.shapes = &ball;
    problem.shape_count = 1;
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 8, 8}, &grid), 0);
    assert_int_equal(weir_fluid_sample_distance(&problem), 1);
    assert_int_equal(weir_rank_decomposition_weights(NULL, &problem, &grid, fixed_costs(costs), weight), 0);
    assert_close(weight[0], 512, 0);
    assert_close(weight[62], 0.3 * 512, 1e-9); /* the one in the middle */
    assert_true(weight[56] > 512);             /* half solid, but many cells are beside the ball */
}

/* Half of a domain is full of small balls, half of it is empty: two ranks get equal work and not equal
 * blocks. How these differ follows from what cells beside walls cost. */
static void test_ranks_get_equal_work(void **state) {
    (void)state;
    enum { BLOCKS = 16 * 4 * 4, BALLS = 8 * 4 * 4 };
    static struct weir_shape balls[BALLS];
    struct weir_problem problem = problem_of(128, 32, 32);
    struct weir_block_grid grid;
    double weight[BLOCKS];
    int rank_of[BLOCKS];
    for (int k = 0; k < BALLS; k++)
        balls[k] =
            (struct weir_shape){.type = WEIR_SPHERE,
                                .wall = WEIR_FIRST_BODY,
                                .sphere = {{8 * (k % 8) + 4, 8 * (k / 8 % 4) + 4, 8 * (k / 32) + 4}, 2.6}};
    problem.shapes = balls;
    problem.shape_count = BALLS;
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 8, 8}, &grid), 0);
    for (int dear = 0; dear < 2; dear++) {
        const struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT] = {
            [WEIR_BRICK] = {.fluid = 1, .wall = dear ? 3 : 0, .solid = 0}};
        double work[2] = {0, 0};
        int blocks = 0;
        assert_int_equal(weir_rank_decomposition_weights(NULL, &problem, &grid, costs, weight), 0);
        assert_int_equal(weir_ranks_divide(&grid, weight, 2, NULL, NULL, rank_of), 0);
        for (int block = 0; block < BLOCKS; block++) {
            const struct weir_box box = weir_block_grid_box(&grid, block);
            const struct weir_cell_counts cells = weir_cells_estimate(&problem, &box, -1);
            assert_close(cells.fluid + cells.solid, 512, 0);
            work[rank_of[block]] += cells.fluid + costs[WEIR_BRICK].wall * cells.wall;
            blocks += rank_of[block] == 0;
        }
        assert_close(work[0] / work[1], 1, 0.01);
        assert_true(dear ? blocks < 0.4 * BLOCKS : blocks > 0.5 * BLOCKS);
    }
}

/* What a rank in the middle of `along`^3 ranks with `side`^3 blocks each asks for: once its blocks are known,
 * and to know them. */
static void count_bytes(int along, int side, size_t *own, size_t *dividing) {
    const int ranks = along * along * along, cells = 8 * side * along;
    const struct weir_problem problem = problem_of(cells, cells, cells);
    struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT];
    struct weir_block_grid grid;
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){8, 8, 8}, &grid), 0);
    int *rank_of = malloc(sizeof *rank_of * (size_t)grid.total), *home, count = 0;
    double *weight = malloc(sizeof *weight * (size_t)grid.total);
    assert_non_null(rank_of);
    assert_non_null(weight);
    *dividing = asked_for;
    assert_int_equal(weir_rank_decomposition_weights(NULL, &problem, &grid, fixed_costs(costs), weight), 0);
    assert_int_equal(weir_ranks_divide(&grid, weight, ranks, NULL, NULL, rank_of), 0);
    *dividing = asked_for - *dividing;
    assert_int_equal(weir_ranks_divide(&grid, weight, ranks, NULL, (int[3]){along, along, along}, rank_of),
                     0);
    int *blocks = malloc(sizeof *blocks * (size_t)grid.total);
    assert_non_null(blocks);
    for (int block = 0; block < grid.total; block++)
        if (rank_of[block] == ranks / 2)
            blocks[count++] = block;
    assert_int_equal(count, side * side * side);

    const struct weir_block_set set = {blocks, count};
    struct weir_halo_messages *halos;
    struct weir_model model;
    struct weir_decomposition *decomposition;
    weir_model_make(&problem, false, &model);
    home = malloc(sizeof *home * (size_t)count);
    assert_non_null(home);
    *own = asked_for;
    assert_int_equal(
        weir_halo_messages_create(&model.channel[0].layout, &grid, rank_of, ranks / 2, blocks, count, &halos),
        0);
    assert_int_equal(weir_decomposition_create(&problem, &grid, &set, NULL, &decomposition), 0);
    assert_int_equal(
        weir_placement_bisect(&grid, &set, decomposition->fluid_cells, 2, (double[]){3, 1}, home), 0);
    *own = asked_for - *own;
    weir_halo_messages_destroy(halos);
    weir_decomposition_destroy(decomposition);
    free(rank_of);
    free(weight);
    free(blocks);
    free(home);
}

static void test_blocks_of_others_cost_nothing(void **state) {
    (void)state;
    size_t few, many, dividing_few, dividing_many;
    count_bytes(3, 3, &few, &dividing_few);
    count_bytes(9, 3, &many, &dividing_many);
    assert_true(few > 1000);
    /* Cuts along axes need a number per layer. */
    assert_in_range(many, few, few + 9 * 3 * sizeof(int));
    /* Dividing needs ten bytes of a block for a moment. */
    assert_in_range(dividing_many - dividing_few, 1, 10 * (9 * 9 * 9 - 3 * 3 * 3) * 3 * 3 * 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_of_all_blocks),
        cmocka_unit_test(test_weights_count_solids),
        cmocka_unit_test(test_ranks_get_equal_work),
        cmocka_unit_test(test_blocks_of_others_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
