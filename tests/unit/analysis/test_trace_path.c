/* The critical path of a window, and messages between ranks on it. */
#include "tests/unit/analysis/trace_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

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
    assert_int_equal(a.path.count, 3);
    for (int k = 0; k < 3; k++)
        assert_int_equal(b.trace.tasks[a.path.parts[k].task].job, k + 1);
    assert_int_equal(a.path.parts[0].after, WEIR_AFTER_BEGIN);
    assert_int_equal(a.path.parts[1].after, WEIR_AFTER_WORKER);
    assert_int_equal(a.path.parts[2].after, WEIR_AFTER_DEPENDENCY);
    same(a.path.parts[0].gap, 1);
    same(a.path.parts[1].gap, 0.5);
    same(a.path.parts[2].gap, 0.25);
    same(a.path.tail, 1);
    same(a.path.kernel_seconds, 2 + 2.5 + 2.75);
    same(a.path.steps[0].kernel_seconds, 4.5);
    same(a.path.steps[0].gap_seconds, 1.5);
    same(a.path.steps[1].kernel_seconds, 2.75);
    assert_int_equal(a.path.steps[0].tasks, 2);
    assert_int_equal(a.path.messages, 0);
    assert_int_equal(a.path.link_count, 0);
    same(a.path.chain_seconds, 2.5 + 2.75);
    same(a.path.late, 0);
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
    same(a.path.late, 1.0 / 3);
    same(b.trace.tasks[1].ready, 1);
    same(b.trace.tasks[2].ready, 3);
    done(&b, &a);
}

/* Rank 1 waits for a message that takes long; that to rank 0 is there before it is needed. */
static void test_message_that_bounds_the_step(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_ranks(&b, 3, 6.5, 9);
    message(&b, 1, 6, 2.5, 5.5);  /* rank 0 to 1: from its packing at 2.25 on, and 0.5 until it is unpacked */
    message(&b, 5, 2, 2.3, 2.35); /* rank 1 to 0 */
    analyse(&b, &a);
    assert_int_equal(a.path.count, 5);
    assert_int_equal(a.path.messages, 1);
    static const int jobs[] = {1, 2, 0, 7, 8}; /* 0: the message */
    static const double lengths[] = {2, 0.25, 3.25, 0.25, 2}, gaps[] = {0, 0, 0, 0.5, 0.25};
    for (int k = 0; k < 5; k++) {
        const struct weir_path_part *part = &a.path.parts[k];
        assert_int_equal(part->task < 0, jobs[k] == 0);
        if (part->task >= 0)
            assert_int_equal(b.trace.tasks[part->task].job, jobs[k]);
        same(part->seconds, lengths[k]);
        same(part->gap, gaps[k]);
    }
    assert_int_equal(a.path.parts[2].message, 1); /* by start, that to rank 0 is before it */
    assert_int_equal(a.path.parts[2].after, WEIR_AFTER_DEPENDENCY);
    assert_int_equal(a.path.parts[3].after, WEIR_AFTER_MESSAGE);
    same(a.path.parts[2].unsent, 0.25);
    same(a.path.message_seconds, 3.25);
    same(a.path.unsent_seconds, 0.25);
    same(a.path.tail, 0.5);
    assert_int_equal(a.path.steps[0].messages, 1);
    same(a.path.steps[0].message_seconds, 3.25);
    same(a.path.steps[1].message_seconds, 0);
    assert_int_equal(a.path.link_count, 1);
    assert_int_equal(a.path.links[0].from_rank, 0);
    assert_int_equal(a.path.links[0].to_rank, 1);
    assert_int_equal(a.path.links[0].bytes, 1000);
    same(a.path.links[0].seconds, 3.25);
    same(a.path.chain_seconds, 2 + 0.25 + 0.25 + 2); /* across ranks, and the message takes no time */
    same(b.trace.tasks[a.path.parts[3].task].ready, 5.5);
    assert_int_equal(a.message_count, 2);
    same(a.message_seconds, 3.05);
    same(a.message_hidden_seconds, 0);
    done(&b, &a);
}

/* The same message, while rank 1 has other things to do until long after it came: it is hidden, and not on
 * the path. */
static void test_message_that_is_hidden(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_ranks(&b, 3, 6.5, 9);
    task(&b, 0, 0, 1, 2.25, 5.75, -1); /* 8 */
    b.trace.tasks[8].kind = weir_trace_kind(&b.trace, "totals");
    message(&b, 1, 6, 2.5, 5.5);
    message(&b, 5, 2, 2.3, 2.35);
    analyse(&b, &a);
    assert_int_equal(a.path.messages, 0);
    assert_int_equal(a.path.link_count, 0);
    same(a.path.message_seconds, 0);
    static const int jobs[] = {5, 6, 9, 7, 8};
    assert_int_equal(a.path.count, 5);
    for (int k = 0; k < 5; k++)
        assert_int_equal(b.trace.tasks[a.path.parts[k].task].job, jobs[k]);
    same(a.message_hidden_seconds, 3);
    same(b.trace.transfers[1].hidden, 3);
    done(&b, &a);
}

/* A rank passes on what another sent it, without a task between. */
static void test_message_that_is_passed_on(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 1, 3, 3, 10);
    for (int rank = 0; rank < 3; rank++)
        b.machine.workers[rank].rank = rank;
    task(&b, 0, 0, 0, 0, 1, -1);
    task(&b, 1, 0, 1, 0, 2, -1);
    task(&b, 2, 0, 2, 6, 7, -1);
    message(&b, 0, 2, 3.5, 5); /* as if from rank 0: what rank 1 passes on */
    transfer(&b, 10, 0, 64, 1, 3);
    b.trace.transfers[0].from_rank = 1;
    b.trace.transfers[0].sent_task = -1;
    b.trace.transfers[0].passed_message = 1;
    b.trace.transfers[1].to_rank = 1;
    b.trace.transfers[1].step = 10;
    b.trace.transfers[1].sent_task = 0;
    analyse(&b, &a);
    assert_int_equal(a.path.count, 4);
    assert_int_equal(a.path.messages, 2);
    same(a.path.message_seconds, 2 + 2);
    assert_int_equal(a.path.parts[2].after, WEIR_AFTER_MESSAGE);
    assert_int_equal(a.path.link_count, 2);
    same(a.path.chain_seconds, 2);
    done(&b, &a);
}

/* Clocks of ranks that disagree: each of two tasks seems to wait for the other's message. */
static void test_path_does_not_go_round(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 1, 2, 2, 10);
    b.machine.workers[1].rank = 1;
    task(&b, 0, 0, 0, 1, 4, -1);
    task(&b, 1, 0, 1, 2, 5, -1);
    message(&b, 0, 1, 2, 3);
    message(&b, 1, 0, 2, 3);
    analyse(&b, &a);
    assert_int_equal(a.path.tasks, 2);
    done(&b, &a);
}

/* A block that moves to another rank after its first step: who took which step is told, and nothing is wrong.
 */
static void test_block_that_moves(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 2, 2, 3, 6);
    b.machine.workers[1].rank = 1;
    b.machine.workers[1].memory_node = 64;
    task(&b, 0, 0, 0, 0, 1, -1);
    task(&b, 1, 0, 0, 1, 2, -1);
    task(&b, 2, 0, 1, 0, 1, -1);
    task(&b, 0, 1, 0, 2, 3, -1);
    task(&b, 1, 1, 1, 4, 5, -1);
    task(&b, 2, 1, 1, 1, 2, -1);
    message(&b, 1, 4, 2, 3.5);
    analyse(&b, &a);
    static const int workers[] = {0, 0, 1, 0, 1, 1}; /* [step][block] */
    for (int k = 0; k < 6; k++)
        assert_int_equal(a.run.worker_of[k], workers[k]);
    assert_int_equal(a.moves, 1);
    same(a.moved, 1.0 / 3);
    assert_int_equal(a.rank_moves, 1);
    assert_int_equal(a.least_bytes, 1000);
    assert_int_equal(a.path.messages, 1);
    done(&b, &a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_critical_path),
        cmocka_unit_test(test_late_tasks),
        cmocka_unit_test(test_message_that_bounds_the_step),
        cmocka_unit_test(test_message_that_is_hidden),
        cmocka_unit_test(test_message_that_is_passed_on),
        cmocka_unit_test(test_path_does_not_go_round),
        cmocka_unit_test(test_block_that_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
