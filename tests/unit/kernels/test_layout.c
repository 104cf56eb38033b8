/* Sizes of a block's arrays: alignment, and memory per cell. */
#include "codelets/kernels/boundary/boundary_rules.h"
#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/totals.h"
#include "graph/problem/model.h"
#include "graph/problem/problem.h"
#include "tests/unit/assert_close.h"

static const struct weir_moment_sizes populations = {.numbers = 0};
static const size_t real_sizes[] = {sizeof(float), sizeof(double)};

static void test_stride_is_an_odd_number_of_lines(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++)
        for (size_t cells = 1; cells < 3000; cells++) {
            const size_t bytes = weir_layout_stride(cells, real_sizes[k]) * real_sizes[k];
            assert_int_equal(bytes % 128, 0);
            assert_int_equal(bytes / 128 % 2, 1);
            assert_in_range(bytes, cells * real_sizes[k], cells * real_sizes[k] + 255);
        }
    /* The block that was seven times slower with a stride of exactly 8 MiB. */
    assert_int_equal(weir_layout_stride(128 * 128 * 128, sizeof(float)) * sizeof(float), (8 << 20) + 128);
}

static void test_arrays_hold_what_they_must(void **state) {
    (void)state;
    const int extent[3] = {5, 3, 2};
    const struct weir_kept_cells bricks = weir_kept_cells(WEIR_BRICK, 5 * 3 * 2, 7);
    const struct weir_lattice_table *d3q19 = weir_lattice_table(WEIR_D3Q19);
    for (int k = 0; k < 2; k++) {
        const size_t size = real_sizes[k];
        assert_int_equal(weir_layout_populations_bytes(d3q19, &bricks, size),
                         19 * weir_layout_stride(5 * 3 * 2, size) * size);
        const struct weir_block_layout closed =
            weir_layout_block(d3q19, populations, extent, bricks, size, size, 9, 0,
                              &(const struct weir_profile_sizes){.varying = 0}, false, false);
        assert_int_equal(closed.populations_bytes, weir_layout_populations_bytes(d3q19, &bricks, size));
        assert_in_range(closed.values, 7 * 5 * 4, 7 * 5 * 4 + 127);
        assert_int_equal(closed.values % sizeof(double), 0);
        assert_int_equal(closed.rows, closed.values + 9 * WEIR_KERNEL_VALUES * size);
        assert_int_equal(closed.geometry_bytes, closed.rows + 9 * sizeof(struct weir_boundary_row));
        const struct weir_block_layout open = weir_layout_block(
            d3q19, populations, extent, bricks, size, size, 9, 2,
            &(const struct weir_profile_sizes){.values = {3, 0, 0, 1, 4, 0}, .varying = 1 << 4}, false,
            false);
        assert_int_equal(open.populations_bytes,
                         closed.populations_bytes + 2 * sizeof(struct weir_boundary_flow));
        assert_int_equal(open.rows, closed.rows);
        assert_in_range(open.profile[0], closed.geometry_bytes, closed.geometry_bytes + 127);
        assert_in_range(open.profile[3], open.profile[0] + 3 * (5 * 4) * size,
                        open.profile[0] + 3 * (5 * 4) * size + 127);
        assert_int_equal(open.geometry_bytes, open.profile[3] + 7 * 4 * size);
        assert_int_equal(open.varying_bytes, open.profile[4] + 4 * (7 * 5) * size);
    }
}

/* What was set out to be held: at most 80 bytes per cell, all included. */
static void test_memory_per_cell(void **state) {
    (void)state;
    const int extent[3] = {128, 128, 128};
    const struct weir_lattice_table *d3q19 = weir_lattice_table(WEIR_D3Q19);
    const struct weir_block_layout layout = weir_layout_block(
        d3q19, populations, extent, weir_kept_cells(WEIR_BRICK, 128 * 128 * 128, 0), sizeof(float),
        sizeof(float), WEIR_WALLS_MAX, 0, &(const struct weir_profile_sizes){.varying = 0}, false, false);
    size_t bytes = layout.populations_bytes + layout.geometry_bytes;
    struct weir_problem problem;
    struct weir_model model;
    weir_problem_default(&problem); /* of D3Q19 */
    weir_model_make(&problem, false, &model);
    for (int message = 0; message < 12; message++)
        bytes += weir_message_bytes(&model.channel[0].layout, extent, message / 4, sizeof(float));
    assert_true(bytes <= (size_t)80 * 128 * 128 * 128);
}

/* Bytes per cell of a block that keeps moments of D3Q19 in single precision. */
static double bytes_of_moments(int nx, int ny, int nz, int planes_at_once, int *at_once) {
    const int extent[3] = {nx, ny, nz}, cells = nx * ny * nz;
    const struct weir_moment_sizes ten = {.numbers = 10, .planes_at_once = planes_at_once};
    const struct weir_block_layout layout = weir_layout_block(
        weir_lattice_table(WEIR_D3Q19), ten, extent, weir_kept_cells(WEIR_BRICK, cells, 0), sizeof(float),
        sizeof(float), WEIR_WALLS_MAX, 0, &(const struct weir_profile_sizes){.varying = 0}, false, false);
    *at_once = layout.planes_at_once;
    assert_int_equal(layout.stride % (32 * (size_t)ny), 0);
    return (double)(layout.populations_bytes + layout.geometry_bytes) / cells;
}

/* Two copies of moments share memory in large blocks: at most 48 bytes per cell, all included. */
static void test_memory_of_moments(void **state) {
    (void)state;
    int at_once;
    assert_true(bytes_of_moments(512, 512, 512, 0, &at_once) <= 48);
    assert_int_equal(at_once, 64);
    assert_true(bytes_of_moments(1024, 1024, 1024, 0, &at_once) <= 44);
    assert_int_equal(at_once, 64);
    bytes_of_moments(64, 64, 16384, 0, &at_once); /* few thread blocks have a plane */
    assert_int_equal(at_once, 4096);
    assert_true(bytes_of_moments(64, 64, 64, 0, &at_once) > 80); /* apart: there is nothing to save */
    assert_int_equal(at_once, 64);
    assert_true(bytes_of_moments(64, 64, 64, 7, &at_once) < 40 * (64 + 8) / 64.0 + 2);
    assert_int_equal(at_once, 7);
    bytes_of_moments(64, 64, 64, 63, &at_once); /* and the next one: all */
    assert_int_equal(at_once, 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stride_is_an_odd_number_of_lines),
        cmocka_unit_test(test_arrays_hold_what_they_must),
        cmocka_unit_test(test_memory_per_cell),
        cmocka_unit_test(test_memory_of_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
