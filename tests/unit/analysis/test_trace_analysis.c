/* Where the time of a window went, on traces made by hand whose answers are known. */
#include "tests/unit/analysis/trace_fixture.h"

#include "graph/base/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Two workers, a block each, two steps; the second waits for data between them, and for the first at the end.
 */
static void test_time_is_divided(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 2, 2, 2, 10);
    change(&b, 0, -1, WEIR_OVERHEAD); /* before the window: holds until the first change in it */
    task(&b, 0, 0, 0, 1, 4, -1);      /* 0 */
    task(&b, 0, 1, 0, 5, 9, 0);       /* 1 */
    task(&b, 1, 0, 1, 0.5, 2.5, -1);  /* 2 */
    change(&b, 1, 2.75, WEIR_WAITING_DATA);
    task(&b, 1, 1, 1, 4.5, 6.5, 2); /* 3 */
    change(&b, 1, 7, WEIR_WAITING_TASKS);
    change(&b, 1, 12, WEIR_OVERHEAD); /* beyond the window */
    analyse(&b, &a);
    same(a.workers[0].seconds[WEIR_IN_KERNEL], 7);
    same(a.workers[0].seconds[WEIR_OVERHEAD], 3);
    same(a.workers[1].seconds[WEIR_IN_KERNEL], 4);
    same(a.workers[1].seconds[WEIR_WAITING_DATA], 1.75);
    same(a.workers[1].seconds[WEIR_WAITING_TASKS], 0.5 + 3);
    same(a.workers[1].seconds[WEIR_OVERHEAD], 0.75);
    assert_int_equal(a.workers[0].tasks, 2);
    same(a.total[WEIR_IN_KERNEL], 11);
    same(a.balanced_step_seconds, (20 - 3.5) / 4);
    same(a.transfers_free_seconds, (20 - 1.75) / 4);
    same(a.overhead_free_seconds, (20 - 3.75) / 4);
    assert_int_equal(a.kinds[0].count, 4);
    same(a.kinds[0].median, 2.5);
    same(a.kind_seconds[0], 11);
    assert_int_equal(a.moves, 0);
    done(&b, &a);
}

/* Two workers feed one GPU, a third is a core. The GPU computes while any of its two does, and waits for what
 * one of them waits for, data before tasks, when none does. */
static void test_workers_of_a_gpu_share_it(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 1, 3, 3, 10);
    for (int worker = 0; worker < 2; worker++) {
        b.machine.workers[worker].cuda = true;
        b.machine.workers[worker].device = 0;
    }
    task(&b, 0, 0, 0, 1, 5, -1); /* 0 waits for tasks until 1, then computes until 5 */
    change(&b, 0, 5, WEIR_WAITING_TASKS);
    change(&b, 1, 0.5, WEIR_WAITING_DATA); /* 1 waits for data until 4, for tasks after 8 */
    task(&b, 1, 0, 1, 4, 8, -1);
    change(&b, 1, 8, WEIR_OVERHEAD);
    change(&b, 1, 8.5, WEIR_WAITING_TASKS);
    task(&b, 2, 0, 2, 0, 10, -1);
    analyse(&b, &a);
    same(a.workers[0].seconds[WEIR_WAITING_TASKS], 6);
    assert_int_equal(a.run.home_count, 2);
    same(a.homes[0].seconds[WEIR_IN_KERNEL], 7);
    same(a.homes[0].seconds[WEIR_WAITING_DATA], 0.5);
    same(a.homes[0].seconds[WEIR_OVERHEAD], 0.5);
    same(a.homes[0].seconds[WEIR_WAITING_TASKS], 2);
    assert_int_equal(a.homes[0].tasks, 2);
    same(a.homes[1].seconds[WEIR_IN_KERNEL], 10);
    same(a.total[WEIR_IN_KERNEL], 17);
    same(a.total[WEIR_WAITING_TASKS], 2);
    same(a.balanced_step_seconds, (20 - 2) / 2.0);
    done(&b, &a);

    make(&b, 4, 2, 1, 10); /* each of the two is idle half of the time, the GPU never */
    for (int worker = 0; worker < 2; worker++) {
        b.machine.workers[worker].cuda = true;
        b.machine.workers[worker].device = 0;
    }
    for (int step = 0; step < 4; step++) {
        task(&b, 0, step, step % 2, 2.5 * step, 2.5 * step + 2.5, step - 1);
        change(&b, step % 2, 2.5 * step + 2.5, WEIR_WAITING_TASKS);
    }
    analyse(&b, &a);
    same(a.workers[0].seconds[WEIR_WAITING_TASKS], 5);
    same(a.homes[0].seconds[WEIR_IN_KERNEL], 10);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    done(&b, &a);
}

/* Copies to the memory of worker 1, which computes from 2 to 4 and from 6 to 8; worker 0 does all the time.
 */
static void test_hidden_transfers(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 2, 2, 2, 10);
    b.machine.workers[1].cuda = true;
    b.machine.workers[1].memory_node = 1;
    task(&b, 0, 0, 0, 0, 5, -1);
    task(&b, 0, 1, 0, 5, 10, -1);
    task(&b, 1, 0, 1, 2, 4, -1);
    task(&b, 1, 1, 1, 6, 8, -1);
    transfer(&b, 100, 0, 1, 2.5, 3.5); /* hidden */
    transfer(&b, 200, 0, 1, 3, 7);     /* 1 + 1 of 4 */
    transfer(&b, 300, 0, 1, 4.5, 5.5); /* not */
    analyse(&b, &a);
    assert_int_equal(a.transfer_bytes, 600);
    same(a.transfer_seconds, 6);
    same(a.hidden_seconds, 3);
    same(a.hidden, 0.5);
    assert_int_equal(a.least_bytes, 0); /* no neighbours, nothing moved */
    done(&b, &a);

    make(&b, 1, 2, 1, 10); /* to the main memory, where a core serves outputs: the GPU may go on meanwhile */
    b.machine.workers[0].steps = false;
    b.machine.workers[1].cuda = true;
    b.machine.workers[1].memory_node = 1;
    task(&b, 0, 0, 1, 2, 4, -1);
    transfer(&b, 100, 1, 0, 3, 5);
    assert_int_equal(weir_trace_kind(&b.trace, "report_totals"), 1);
    task(&b, -1, 0, 0, 4, 6, -1);
    b.trace.tasks[1].kind = 1;
    analyse(&b, &a);
    same(a.hidden_seconds, 1);
    done(&b, &a);
}

static void test_no_transfers(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 1, 1, 1, 1);
    task(&b, 0, 0, 0, 0, 1, -1);
    analyse(&b, &a);
    assert_true(isnan(a.hidden));
    assert_true(isnan(a.times[0].expected) && isnan(a.times[0].deviation));
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    done(&b, &a);
}

/* A core, a team and a GPU with a step each, and a second size of block of which nothing is expected. */
static void test_expectations(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    const struct weir_task_expectation expectations[] = {
        {.kind = "totals", .footprint = 7, .cores = 1, .seconds = 1},
        {.kind = "collide_stream", .footprint = 7, .cores = 6, .seconds = 3}, /* of a smaller team */
        {.kind = "collide_stream", .footprint = 7, .cores = 8, .seconds = 2.5},
        {.kind = "collide_stream", .footprint = 7, .cores = 1, .seconds = 4},
        {.kind = "collide_stream", .footprint = 8, .cores = 8, .seconds = NAN},
        {.kind = "collide_stream", .footprint = 7, .cuda = true, .device = 1, .seconds = 1},
        {.kind = "collide_stream", .footprint = 7, .cuda = true, .device = 0, .seconds = 0.5},
    };
    make(&b, 2, 3, 3, 10);
    b.machine.workers[1].cores = 8;
    b.machine.workers[2].cuda = true;
    b.machine.workers[2].device = 0;
    b.trace.expectations = expectations;
    b.trace.expectation_count = sizeof expectations / sizeof *expectations;
    task(&b, 0, 0, 0, 0, 3, -1);
    task(&b, 0, 1, 0, 3, 9, -1);
    task(&b, 1, 0, 1, 0, 5, -1);
    task(&b, 1, 1, 1, 5, 10, -1);
    task(&b, 2, 0, 2, 0, 0.75, -1);
    task(&b, 2, 1, 2, 1, 2, -1);
    for (int k = 0; k < 6; k++)
        b.trace.tasks[k].footprint = k == 3 ? 8 : 7;
    analyse(&b, &a);
    assert_int_equal(a.time_count, 3);
    assert_int_equal(a.times[0].workers, WEIR_CORE);
    same(a.times[0].seconds, 9);
    same(a.times[0].expected, 4);
    same(a.times[0].deviation, 9.0 / 8 - 1);
    same(a.times[0].mean_deviation, (1.0 + 2) / 8);
    assert_int_equal(a.times[1].workers, WEIR_TEAM);
    assert_int_equal(a.times[1].spread.count, 2);
    assert_int_equal(a.times[1].expected_count, 1);
    same(a.times[1].expected, 2.5);
    same(a.times[1].deviation, 1);
    assert_int_equal(a.times[2].workers, WEIR_GPU);
    same(a.times[2].expected, 0.5);
    same(a.times[2].mean_deviation, 0.75);
    done(&b, &a);
}

static void test_lost_steps_are_told(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 2, 1, 1, 10);
    task(&b, 0, 0, 0, 0, 7, -1);
    assert_int_equal(weir_trace_analyse(&b.trace, &a), -WEIR_FAILED);
    done(&b, &a);
}

static void test_names(void **state) {
    (void)state;
    char kind[WEIR_TRACE_KIND_NAME];
    struct weir_traced_task t;
    assert_true(weir_task_name_read("collide_stream.b12.s105", kind, &t));
    assert_string_equal(kind, "collide_stream");
    assert_int_equal(t.block, 12);
    assert_int_equal(t.step, 105);
    assert_true(weir_task_name_read("report_totals.s7", kind, &t));
    assert_int_equal(t.block, -1);
    assert_int_equal(t.step, 7);
    assert_false(weir_task_name_read("binding", kind, &t));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_is_divided),
        cmocka_unit_test(test_workers_of_a_gpu_share_it),
        cmocka_unit_test(test_hidden_transfers),
        cmocka_unit_test(test_no_transfers),
        cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_lost_steps_are_told),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
