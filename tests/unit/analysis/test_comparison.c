/* What a comparison is made of: workloads, the load's span of steps, records in files, repeats put together.
 */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/compare/comparison.h"
#include "src/compare/vessel_workload.h"
#include "src/output/formats/record_file.h"
#include "src/run/disturbance.h"
#include "tests/unit/temporary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- skewed ------------------------------------------------------------------------------------------- */

/* Cuts a domain, adds the plates, and counts the fluid cells of each block. */
static void check_plates(const int cells[3], const int block_cells[3]) {
    struct weir_problem problem;
    struct weir_block_grid grid;
    struct weir_box *boxes = NULL;
    weir_problem_default(&problem);
    memcpy(problem.cells, cells, sizeof problem.cells);
    problem.wall_count = WEIR_FIRST_BODY + 1;
    assert_int_equal(weir_block_grid_create(&problem, block_cells, &grid), 0);
    const int count = weir_workload_plates(&grid, &boxes);
    assert_true(count >= 0);
    problem.shapes = calloc((size_t)count + 1, sizeof *problem.shapes);
    problem.shape_count = count;
    for (int k = 0; k < count; k++) {
        problem.shapes[k].type = WEIR_BOX;
        problem.shapes[k].wall = WEIR_FIRST_BODY;
        for (int axis = 0; axis < 3; axis++) {
            problem.shapes[k].box.from[axis] = boxes[k].origin[axis];
            problem.shapes[k].box.to[axis] = boxes[k].origin[axis] + boxes[k].extent[axis];
        }
    }
    bool channels = false;
    for (int block = 0; block < grid.total; block++) {
        const struct weir_box box = weir_block_grid_box(&grid, block);
        uint8_t *flags =
            malloc((size_t)(box.extent[0] + 2) * (size_t)(box.extent[1] + 2) * (size_t)(box.extent[2] + 2));
        const int64_t fluid = weir_geometry_flags(&problem, &box, flags), all = weir_box_cells(&box);
        free(flags);
        if (block >= grid.total / 2)
            assert_int_equal(fluid, all);
        else
            assert_true((double)fluid <= (1 - WEIR_SKEWED_SOLID) * (double)all + 1e-9);
        channels = channels || (block < grid.total / 2 && fluid > 0);
    }
    assert_true(channels || grid.total < 2);
    free(problem.shapes);
    free(boxes);
}

static void half_of_the_blocks_are_filled(void **state) {
    (void)state;
    check_plates((int[]){64, 64, 64}, (int[]){64, 32, 16});
    check_plates((int[]){32, 32, 32}, (int[]){8, 8, 8});
    check_plates((int[]){19, 13, 11}, (int[]){8, 5, 4});    /* the last of each axis are smaller */
    check_plates((int[]){30, 30, 30}, (int[]){10, 10, 10}); /* an odd number of blocks */
    check_plates((int[]){64, 4, 64}, (int[]){16, 2, 16});   /* too thin along y */
    check_plates((int[]){64, 4, 4}, (int[]){16, 2, 2});     /* and along z */
    check_plates((int[]){64, 48, 1}, (int[]){16, 16, 1});   /* flat */
    check_plates((int[]){16, 16, 16}, (int[]){16, 16, 16});
}

/* ---- vessels ------------------------------------------------------------------------------------------ */

/* The tree for a domain, which then can be made. */
static struct weir_vessel_tree_options vessels_in(enum weir_lattice lattice, const int cells[3],
                                                  const bool periodic[3]) {
    struct weir_problem problem;
    struct weir_vessel_tree_options tree;
    struct weir_region *region;
    weir_problem_default(&problem);
    problem.lattice = lattice;
    memcpy(problem.cells, cells, sizeof problem.cells);
    memcpy(problem.periodic, periodic, sizeof problem.periodic);
    if (weir_vessel_workload(&problem, &tree) != 0)
        fail_msg("%s", weir_error_text());
    assert_int_equal(weir_vessel_tree_create(&tree, &region), 0);
    region->destroy(region);
    assert_true(tree.radius >= 3);
    return tree;
}

static void vessels_fit_the_domain(void **state) {
    (void)state;
    const bool no[3] = {false, false, false}, yes[3] = {true, true, true};
    struct weir_vessel_tree_options tree = vessels_in(WEIR_D3Q19, (int[]){128, 128, 128}, no);
    assert_true(tree.axis == 0 && tree.generations == 4);
    tree = vessels_in(WEIR_D3Q19, (int[]){64, 200, 48}, no);
    assert_int_equal(tree.axis, 1);
    tree = vessels_in(WEIR_D3Q19, (int[]){96, 64, 64}, (bool[]){true, false, false});
    assert_int_equal(tree.axis, 1);
    tree = vessels_in(WEIR_D3Q27, (int[]){208, 160, 32}, no);
    assert_true(tree.axis == 0 && tree.planar);
    vessels_in(WEIR_D2Q9, (int[]){256, 128, 1}, no);

    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.periodic, yes, sizeof yes);
    assert_int_equal(weir_vessel_workload(&problem, &tree), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "periodic"));
    memcpy(problem.periodic, no, sizeof no);
    memcpy(problem.cells, (int[]){8, 8, 8}, sizeof problem.cells);
    assert_int_equal(weir_vessel_workload(&problem, &tree), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "room"));
}

/* ---- disturbed ---------------------------------------------------------------------------------------- */

static void spans_of_steps_are_read(void **state) {
    (void)state;
    struct weir_disturbance_options options;
    assert_int_equal(weir_disturbance_parse("10:20", &options), 0);
    assert_int_equal(options.from, 10);
    assert_int_equal(options.to, 20);
    assert_int_equal(options.threads, 0);
    assert_int_equal(weir_disturbance_parse("0:1000000000000:3", &options), 0);
    assert_true(options.to == 1000000000000);
    assert_int_equal(options.threads, 3);
    static const char *const wrong[] = {"",      "10",     "10:",     ":20",  "10:20:", "10:20:0", "10:20:x",
                                        "20:10", "10:10",  "-1:5",    "1:+5", "1 :5",   "1:5 ",    "1:5:2:3",
                                        "a:b",   "1:5:-2", "1:5:2.5", "1,5",  "1:5,2",  "1.5:2"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        if (weir_disturbance_parse(wrong[k], &options) != -WEIR_USAGE)
            fail_msg("\"%s\" was taken", wrong[k]);
}

/* ---- records in files --------------------------------------------------------------------------------- */

static struct weir_run_record make_record(double slowness) {
    struct weir_run_record record;
    assert_int_equal(weir_run_record_create(&record, 6, 2, 2), 0);
    for (int k = 0; k < 2; k++) {
        struct weir_recorded_worker *worker = &record.workers[k];
        *worker =
            (struct weir_recorded_worker){.id = 3 + k, .steps = true, .device = k, .cores = 1, .core = 7 - k};
        snprintf(worker->name, sizeof worker->name, "CPU %d", k);
        struct weir_recorded_block *block = &record.blocks[k];
        block->fluid_cells = block->cells = 100;
        block->bytes = 1000 + k;
        for (int axis = 0; axis < 3; axis++) {
            block->origin[axis] = k * axis;
            block->extent[axis] = 1 + axis;
        }
        for (int face = 0; face < WEIR_RECORD_FACES; face++)
            block->message_bytes[face] = 10 * face + k;
        for (int offset = 0; offset < WEIR_RECORD_OFFSETS; offset++)
            block->neighbour[offset] = offset == 12 + 2 * k ? 1 - k : -1;
    }
    for (int k = 0; k < 6; k++)
        record.tasks[k] = (struct weir_recorded_task){.step = k / 2,
                                                      .start = slowness * (k / 2),
                                                      .end = slowness * (k / 2 + 1),
                                                      .block = k % 2,
                                                      .worker = k % 2,
                                                      .home = -1};
    record.steps = 3;
    record.wall_seconds = 3 * slowness;
    return record;
}

static void a_record_comes_back_from_its_file(void **state) {
    (void)state;
    char path[TEMPORARY_PATH];
    close(make_temporary_file(path));
    struct weir_run_record record = make_record(0.1), back;
    record.load_start = 0.05;
    record.load_from = 1;
    record.load_threads = 4;
    assert_int_equal(weir_record_file_write(path, &record, &(struct weir_record_labels){"a case", "static"}),
                     0);
    if (weir_record_file_read(path, &back) != 0)
        fail_msg("%s", weir_error_text());
    assert_int_equal(back.task_count, 6);
    assert_memory_equal(back.tasks, record.tasks, 6 * sizeof *record.tasks);
    assert_int_equal(back.worker_count, 2);
    for (int k = 0; k < 2; k++) {
        assert_string_equal(back.workers[k].name, record.workers[k].name);
        assert_int_equal(back.workers[k].id, 3 + k);
        assert_int_equal(back.workers[k].core, 7 - k);
        assert_true(back.workers[k].steps && !back.workers[k].cuda);
    }
    assert_int_equal(back.block_count, 2);
    assert_memory_equal(back.blocks, record.blocks, 2 * sizeof *record.blocks);
    assert_true(back.steps == 3 && back.wall_seconds == record.wall_seconds);
    assert_true(back.load_start == 0.05 && isnan(back.load_end));
    assert_true(back.load_from == 1 && back.load_to == -1 && back.load_threads == 4);
    weir_run_record_release(&record);
    weir_run_record_release(&back);

    FILE *file = fopen(path, "w");
    fputs("no record", file);
    fclose(file);
    assert_int_equal(weir_record_file_read(path, &back), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), path));
    unlink(path);
    assert_int_equal(weir_record_file_read(path, &back), -WEIR_FAILED);
}

/* ---- repeats ------------------------------------------------------------------------------------------ */

static struct weir_comparison *compare(struct weir_compare_options *options, const struct weir_case *c) {
    struct weir_comparison *comparison;
    *options = (struct weir_compare_options){
        .policies = {(char *)"one", (char *)"two"}, .policy_count = 2, .workloads = {true}, .repeat = 4};
    assert_int_equal(weir_comparison_create(options, c, &comparison), 0);
    return comparison;
}

static void add(struct weir_comparison *comparison, int policy, double slowness, const char *digest,
                int expected) {
    struct weir_run_record record = make_record(slowness);
    assert_int_equal(weir_comparison_add(comparison, WEIR_UNIFORM, policy, &record, digest), expected);
    weir_run_record_release(&record);
}

static void repeats_have_a_median(void **state) {
    (void)state;
    struct weir_compare_options options;
    const struct weir_case c = {0};
    struct weir_comparison *comparison = compare(&options, &c);
    const double slowness[2][4] = {{1, 4, 2, 5}, {3, 3, 3, 3}};
    for (int repeat = 0; repeat < 4; repeat++)
        for (int policy = 0; policy < 2; policy++)
            add(comparison, policy, slowness[policy][repeat], "00ff", 0);
    assert_int_equal(weir_comparison_finish(comparison), 0);
    const struct weir_compared *compared = &comparison->workloads[WEIR_UNIFORM].policies[0];
    assert_int_equal(compared->count, 4);
    assert_true(fabs(compared->spread[WEIR_STEP_SECONDS].median - 3) < 1e-12);
    assert_int_equal(compared->median_run, 1); /* of 2 and 4 seconds, the slower */
    assert_int_equal(compared->runs[3].turn, 6);
    assert_true(fabs(compared->runs[3].curve[1] - 5) < 1e-12);
    assert_true(compared->spread[WEIR_LOSS].median < 1e-12);
    assert_int_equal(compared->runs[0].map[1 * 3 + 2], 1); /* block 1, step 2 */
    weir_comparison_destroy(comparison);
}

static void another_digest_is_an_error(void **state) {
    (void)state;
    struct weir_compare_options options;
    const struct weir_case c = {0};
    struct weir_comparison *comparison = compare(&options, &c);
    add(comparison, 0, 1, "00ff", 0);
    add(comparison, 1, 1, "00fe", -WEIR_FAILED);
    static const char *const words[] = {"results differ", "uniform", "two", "00fe", "00ff"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strstr(weir_error_text(), words[k]))
            fail_msg("\"%s\" does not say \"%s\"", weir_error_text(), words[k]);
    weir_comparison_destroy(comparison);
}

static void thinning_keeps_every_step(void **state) {
    (void)state;
    for (int steps = 1; steps < 500; steps += 7) {
        const int points = steps < 200 ? steps : 200;
        assert_int_equal(weir_thinned(steps, points, 0), 0);
        assert_int_equal(weir_thinned(steps, points, points), steps);
        for (int k = 0; k < points; k++)
            assert_true(weir_thinned(steps, points, k) < weir_thinned(steps, points, k + 1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vessels_fit_the_domain),    cmocka_unit_test(half_of_the_blocks_are_filled),
        cmocka_unit_test(spans_of_steps_are_read),   cmocka_unit_test(a_record_comes_back_from_its_file),
        cmocka_unit_test(repeats_have_a_median),     cmocka_unit_test(another_digest_is_an_error),
        cmocka_unit_test(thinning_keeps_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
