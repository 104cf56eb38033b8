/* Where the time of a window went, on traces made by hand whose answers are known. */
#include "src/trace_analysis.h"
#include "src/trace_words.h"

#include "graph/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

/* A trace whose tables have room for MOST entries each, and its machine: workers on node 0. */
struct bench {
    struct weir_run_record machine;
    struct weir_trace trace;
};

static void same(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected) + 1e-13))
        fail_msg("%.15g is not %.15g", value, expected);
}

static void make(struct bench *b, int64_t steps, int workers, int blocks, double seconds) {
    assert_int_equal(weir_run_record_create(&b->machine, 0, workers, blocks), 0);
    for (int k = 0; k < workers; k++)
        b->machine.workers[k] =
            (struct weir_recorded_worker){.id = k, .steps = true, .device = k, .core = k, .cores = 1};
    for (int block = 0; block < blocks; block++) {
        b->machine.blocks[block].fluid_cells = b->machine.blocks[block].cells = 100;
        b->machine.blocks[block].bytes = 1000;
        for (int k = 0; k < WEIR_RECORD_OFFSETS; k++)
            b->machine.blocks[block].neighbour[k] = -1;
    }
    b->trace = (struct weir_trace){.machine = &b->machine,
                                   .from = 10,
                                   .steps = steps,
                                   .seconds = seconds,
                                   .tasks = calloc(MOST, sizeof *b->trace.tasks),
                                   .dependencies = calloc(MOST, sizeof *b->trace.dependencies),
                                   .changes = calloc(MOST, sizeof *b->trace.changes),
                                   .transfers = calloc(MOST, sizeof *b->trace.transfers)};
    assert_int_equal(weir_trace_kind(&b->trace, "collide_stream"), 0);
}

static void change(struct bench *b, int worker, double time, enum weir_activity activity) {
    b->trace.changes[b->trace.change_count++] =
        (struct weir_trace_change){.time = time, .worker = worker, .activity = activity};
}

/* A task with what its worker does: in a kernel, then overhead. -1: waits for nothing. */
static void task(struct bench *b, int block, int64_t step, int worker, double start, double end, int after) {
    struct weir_traced_task *t = &b->trace.tasks[b->trace.task_count++];
    *t = (struct weir_traced_task){.block = block,
                                   .step = 10 + step,
                                   .job = b->trace.task_count,
                                   .worker = worker,
                                   .start = start,
                                   .end = end,
                                   .first_dependency = b->trace.dependency_count};
    if (after >= 0) {
        t->dependency_count = 1;
        b->trace.dependencies[b->trace.dependency_count++] = after;
    }
    change(b, worker, start, WEIR_IN_KERNEL);
    change(b, worker, end, WEIR_OVERHEAD);
}

static void transfer(struct bench *b, int64_t bytes, int from, int to, double start, double end) {
    b->trace.transfers[b->trace.transfer_count++] =
        (struct weir_traced_transfer){.bytes = bytes, .from = from, .to = to, .start = start, .end = end};
}

static void analyse(struct bench *b, struct weir_trace_analysis *a) {
    assert_int_equal(weir_trace_order(&b->trace), 0);
    if (weir_trace_analyse(&b->trace, a) != 0)
        fail_msg("%s", weir_error_text());
    for (int worker = 0; worker < b->machine.worker_count; worker++) {
        double sum = 0;
        for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
            sum += a->workers[worker].seconds[k];
        same(sum, b->trace.seconds);
    }
    double path = a->path_kernel_seconds + a->path_tail;
    for (int64_t k = 0; k < a->path_count; k++)
        path += a->path[k].gap;
    same(path, b->trace.seconds);
}

static void done(struct bench *b, struct weir_trace_analysis *a) {
    weir_trace_analysis_release(a);
    weir_trace_release(&b->trace);
    weir_run_record_release(&b->machine);
}

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

/* The last task waited for a block elsewhere, which waited for its worker. */
static void test_critical_path(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 2, 2, 2, 10);
    task(&b, 0, 0, 0, 1, 3, -1);    /* 0: first on worker 0 */
    task(&b, 1, 0, 0, 3.5, 6, -1);  /* 1: waits for worker 0 */
    task(&b, 0, 1, 1, 6.25, 9, 1);  /* 2: waits for 1 */
    task(&b, 1, 1, 0, 6.5, 7.5, 1); /* 3: not on the path */
    analyse(&b, &a);
    assert_int_equal(a.path_count, 3);
    for (int k = 0; k < 3; k++)
        assert_int_equal(b.trace.tasks[a.path[k].task].job, k + 1);
    assert_false(a.path[1].dependency);
    assert_true(a.path[2].dependency);
    same(a.path[0].gap, 1);
    same(a.path[1].gap, 0.5);
    same(a.path[2].gap, 0.25);
    same(a.path_tail, 1);
    same(a.path_kernel_seconds, 2 + 2.5 + 2.75);
    same(a.steps[0].kernel_seconds, 4.5);
    same(a.steps[0].gap_seconds, 1.5);
    same(a.steps[1].kernel_seconds, 2.75);
    assert_int_equal(a.steps[0].tasks, 2);
    same(a.chain_seconds, 2.5 + 2.75);
    same(a.late, 0);
    done(&b, &a);
}

/* Three tasks on a worker, of which the last is submitted when the others have ended. */
static void test_late_tasks(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 3, 1, 1, 10);
    task(&b, 0, 0, 0, 0, 1, -1);
    task(&b, 0, 1, 0, 1, 2, 0);
    task(&b, 0, 2, 0, 4, 5, 1);
    b.trace.tasks[2].submitted = 3;
    analyse(&b, &a);
    same(a.late, 1.0 / 3);
    same(b.trace.tasks[1].ready, 1);
    same(b.trace.tasks[2].ready, 3);
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

/* The sentence about a trace: how it begins, and what comes in it in this order. */
static void said(const struct bench *b, const struct weir_trace_analysis *a, const char *policy,
                 const char *begin, const char *first, const char *second, const char *third) {
    char *sentence = weir_trace_words(&b->trace, a, policy);
    assert_non_null(sentence);
    assert_ptr_equal(strstr(sentence, begin), sentence);
    const char *place = sentence;
    for (int k = 0; k < 3; k++)
        assert_non_null(place = strstr(place, (const char *[]){first, second, third}[k]));
    free(sentence);
}

/* Each of the losses, where it is the main one. */
static void test_main_loss(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;

    make(&b, 3, 2, 2, 3); /* both blocks change their worker in every step */
    for (int step = 0; step < 3; step++)
        for (int block = 0; block < 2; block++)
            task(&b, block, step, (block + step) % 2, step, step + 1, -1);
    analyse(&b, &a);
    assert_int_equal(a.moves, 4);
    same(a.moved, 1);
    assert_int_equal(a.home_bytes, 4000);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_BOUNCING);
    said(&b, &a, "starpu:lws", "Blocks bounce: ", " 100 % ", "starpu:lws", "balanced or static");
    said(&b, &a, "static", "Blocks bounce: ", " 100 % ", "static", "fewer, larger blocks");
    done(&b, &a);

    make(&b, 3, 2, 2, 60); /* the same, while hardly anything is done */
    for (int step = 0; step < 3; step++)
        for (int block = 0; block < 2; block++)
            task(&b, block, step, (block + step) % 2, step, step + 1, -1);
    for (int worker = 0; worker < 2; worker++)
        change(&b, worker, 3, WEIR_WAITING_TASKS);
    b.trace.tasks[4].worker = b.trace.tasks[2].worker; /* both blocks stay once */
    b.trace.tasks[5].worker = b.trace.tasks[3].worker;
    analyse(&b, &a);
    same(a.moved, 0.5);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STARVED);
    done(&b, &a);

    make(&b, 1, 2, 2, 10); /* one has ten times the work of the other */
    task(&b, 0, 0, 0, 0, 10, -1);
    task(&b, 1, 0, 1, 0, 1, -1);
    change(&b, 1, 1, WEIR_WAITING_TASKS);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_IMBALANCE);
    done(&b, &a);

    make(&b, 1, 2, 2, 10); /* neither has anything to do */
    for (int worker = 0; worker < 2; worker++) {
        task(&b, worker, 0, worker, 5, 10, -1);
        change(&b, worker, 10, WEIR_WAITING_TASKS);
    }
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STARVED);
    done(&b, &a);

    make(&b, 1, 1, 1, 10);
    change(&b, 0, 0, WEIR_WAITING_DATA);
    task(&b, 0, 0, 0, 6, 10, -1);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_DATA);
    done(&b, &a);

    make(&b, 1, 1, 1, 10);
    task(&b, 0, 0, 0, 0, 7, -1);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_OVERHEAD);
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
        cmocka_unit_test(test_time_is_divided),     cmocka_unit_test(test_critical_path),
        cmocka_unit_test(test_hidden_transfers),    cmocka_unit_test(test_no_transfers),
        cmocka_unit_test(test_expectations),        cmocka_unit_test(test_main_loss),
        cmocka_unit_test(test_lost_steps_are_told), cmocka_unit_test(test_names),
        cmocka_unit_test(test_late_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
