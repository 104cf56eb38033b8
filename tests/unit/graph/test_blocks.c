/* The grid of blocks: that it covers the domain once, who is whose neighbour, and the choice of a block size.
 */
#include "graph/base/error.h"
#include "graph/problem/blocks.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>
#include <string.h>

static struct weir_problem domain_of(int nx, int ny, int nz) {
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){nx, ny, nz}, sizeof problem.cells);
    return problem;
}

static struct weir_block_grid grid_of(const struct weir_problem *problem, int nx, int ny, int nz) {
    struct weir_block_grid grid;
    assert_int_equal(weir_block_grid_create(problem, (const int[3]){nx, ny, nz}, &grid), 0);
    return grid;
}

/* Block of every cell of the domain, x fastest; fails where a cell is in two. The caller frees. */
static int *blocks_of_cells(const struct weir_block_grid *grid) {
    const int *n = grid->cells;
    const int cells = n[0] * n[1] * n[2];
    int *block_of = malloc((size_t)cells * sizeof *block_of);
    assert_non_null(block_of);
    for (int cell = 0; cell < cells; cell++)
        block_of[cell] = -1;
    for (int block = 0; block < grid->total; block++) {
        const struct weir_box box = weir_block_grid_box(grid, block);
        for (int axis = 0; axis < 3; axis++) {
            assert_in_range(box.extent[axis], 1, grid->block_cells[axis]);
            assert_in_range(box.origin[axis], 0, n[axis] - box.extent[axis]);
        }
        for (int z = 0; z < box.extent[2]; z++)
            for (int y = 0; y < box.extent[1]; y++)
                for (int x = 0; x < box.extent[0]; x++) {
                    int *place = block_of + ((box.origin[2] + z) * n[1] + box.origin[1] + y) * n[0] +
                                 box.origin[0] + x;
                    assert_int_equal(*place, -1);
                    *place = block;
                }
    }
    return block_of;
}

static void test_blocks_cover_the_domain_once(void **state) {
    (void)state;
    const struct weir_problem problem = domain_of(13, 11, 9);
    static const int sizes[][3] = {{13, 11, 9}, {5, 4, 3}, {1, 1, 1}, {12, 20, 1}, {7, 6, 5}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const struct weir_block_grid grid = grid_of(&problem, sizes[k][0], sizes[k][1], sizes[k][2]);
        int *block_of = blocks_of_cells(&grid);
        for (int cell = 0; cell < 13 * 11 * 9; cell++)
            assert_in_range(block_of[cell], 0, grid.total - 1);
        free(block_of);
    }
}

static void test_blocks_are_numbered_x_fastest(void **state) {
    (void)state;
    const struct weir_problem problem = domain_of(13, 11, 9);
    const struct weir_block_grid grid = grid_of(&problem, 5, 4, 4);
    assert_int_equal(grid.total, 27);
    const struct weir_box box = weir_block_grid_box(&grid, 9 * 2 + 3 * 1 + 0);
    const struct weir_box expected = {{0, 4, 8}, {5, 4, 1}};
    assert_memory_equal(&box, &expected, sizeof box);
}

/* A block's neighbour is the block that holds the cell beyond its face, edge or corner. */
static void test_neighbours(void **state) {
    (void)state;
    static const int sizes[][3] = {{5, 4, 3}, {13, 6, 1}, {1, 1, 1}, {13, 11, 9}};
    for (int periodic = 0; periodic < 8; periodic++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct weir_problem problem = domain_of(13, 11, 9);
            for (int axis = 0; axis < 3; axis++)
                problem.periodic[axis] = periodic >> axis & 1;
            const struct weir_block_grid grid = grid_of(&problem, sizes[k][0], sizes[k][1], sizes[k][2]);
            int *block_of = blocks_of_cells(&grid);
            for (int block = 0; block < grid.total; block++)
                for (int neighbour = 0; neighbour < 27; neighbour++) {
                    const struct weir_box box = weir_block_grid_box(&grid, block);
                    const int offset[3] = {neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1};
                    int cell[3];
                    bool outside = false;
                    for (int axis = 0; axis < 3; axis++) {
                        const int n = grid.cells[axis];
                        cell[axis] = box.origin[axis] + (offset[axis] > 0 ? box.extent[axis] : offset[axis]);
                        outside = outside || (!problem.periodic[axis] && (cell[axis] < 0 || cell[axis] >= n));
                        cell[axis] = (cell[axis] + n) % n;
                    }
                    const int expected = outside ? -1 : block_of[(cell[2] * 11 + cell[1]) * 13 + cell[0]];
                    assert_int_equal(weir_block_grid_neighbour(&grid, block, offset), expected);
                }
            free(block_of);
        }
}

static void test_what_is_too_large(void **state) {
    (void)state;
    struct weir_block_grid grid;
    struct weir_problem problem = domain_of(4096, 4096, 2);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){1, 1, 2}, &grid), 0);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){1, 1, 1}, &grid), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "blocks.cells"));
    problem = domain_of(1024, 1024, 1025);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){1024, 1024, 1024}, &grid), 0);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){1024, 1024, 1025}, &grid), -WEIR_USAGE);
    /* Numbers of cells that do not fit 64 bits. */
    problem = domain_of(INT32_MAX, INT32_MAX, INT32_MAX);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){1, 1, 1}, &grid), -WEIR_USAGE);
    assert_int_equal(weir_block_grid_create(&problem, problem.cells, &grid), -WEIR_USAGE);
    /* As many layers as CUDA has thread blocks along z; the program's own choice fits. */
    problem = domain_of(4, 4, 65536);
    assert_int_equal(weir_block_grid_create(&problem, problem.cells, &grid), -WEIR_USAGE);
    assert_int_equal(weir_block_grid_create(&problem, (const int[3]){4, 4, 65535}, &grid), 0);
    int block_cells[3];
    weir_block_grid_choose(&problem, 1, INT64_MAX, block_cells);
    assert_int_equal(weir_block_grid_create(&problem, block_cells, &grid), 0);
    /* With a ring around it, a thin block has nine times its cells. */
    problem = domain_of(1 << 29, 1, 1);
    assert_int_equal(weir_block_grid_create(&problem, problem.cells, &grid), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "shorter or thicker"));
    weir_block_grid_choose(&problem, 1, INT64_MAX, block_cells);
    assert_int_equal(weir_block_grid_create(&problem, block_cells, &grid), 0);
}

/* As many blocks as asked for where the domain is large enough, none larger than wanted, all of about the
 * same size. */
static void test_choice_of_a_size(void **state) {
    (void)state;
    static const int domains[][3] = {{256, 256, 256}, {1024, 64, 64},  {300, 200, 100}, {64, 64, 1024},
                                     {2048, 2048, 1}, {129, 131, 127}, {5000, 16, 1}};
    for (size_t k = 0; k < sizeof domains / sizeof *domains; k++)
        for (int workers = 1; workers <= 1024; workers *= 4)
            for (int64_t wanted = 32 * 32 * 32; wanted <= 128 * 128 * 128; wanted *= 8) {
                const struct weir_problem problem = domain_of(domains[k][0], domains[k][1], domains[k][2]);
                int size[3];
                weir_block_grid_choose(&problem, 2 * workers, wanted, size);
                const struct weir_block_grid grid = grid_of(&problem, size[0], size[1], size[2]);
                const int64_t block = (int64_t)size[0] * size[1] * size[2];
                for (int axis = 0; axis < 3; axis++) {
                    assert_in_range(size[axis], 1, domains[k][axis]);
                    /* Even: one block less would not do, so the last is no sliver. */
                    assert_int_equal(size[axis],
                                     (domains[k][axis] + grid.count[axis] - 1) / grid.count[axis]);
                    assert_true(size[axis] >= 8 || size[axis] == domains[k][axis]);
                }
                /* Where smaller blocks are possible, they are small enough. */
                if (block > 16 * 16 * 64)
                    assert_true(block <= wanted && grid.total >= 2 * workers);
            }
}

/* Fewer cells than workers: a few blocks all the same, and none empty. */
static void test_choice_for_tiny_domains(void **state) {
    (void)state;
    for (int n = 1; n < 20; n++) {
        const struct weir_problem problem = domain_of(n, n, 1);
        int size[3];
        weir_block_grid_choose(&problem, 128, 1, size);
        const struct weir_block_grid grid = grid_of(&problem, size[0], size[1], size[2]);
        free(blocks_of_cells(&grid));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_cover_the_domain_once),
        cmocka_unit_test(test_blocks_are_numbered_x_fastest),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_what_is_too_large),
        cmocka_unit_test(test_choice_of_a_size),
        cmocka_unit_test(test_choice_for_tiny_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
