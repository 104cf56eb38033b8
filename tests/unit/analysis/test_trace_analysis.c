/* Where the time of a window went, on traces made by hand whose answers are known. */
#include "src/trace/trace_analysis.h"
#include "src/trace/trace_words.h"

#include "graph/base/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 128 };

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
                                   .awaited = calloc(MOST, sizeof *b->trace.awaited),
                                   .changes = calloc(MOST, sizeof *b->trace.changes),
                                   .transfers = calloc(MOST, sizeof *b->trace.transfers)};
    strcpy(b->machine.stages[0], "collide_stream");
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
    b->trace.transfers[b->trace.transfer_count++] = (struct weir_traced_transfer){.bytes = bytes,
                                                                                  .from = from,
                                                                                  .to = to,
                                                                                  .carries = -1,
                                                                                  .start = start,
                                                                                  .end = end,
                                                                                  .step = -1,
                                                                                  .sent_task = -1,
                                                                                  .passed_message = -1};
}

/* A message from the rank of one task's worker to that of another's, which waits for it. Both tasks are
 * there. */
static void message(struct bench *b, int64_t sender, int64_t receiver, double start, double end) {
    const int from = b->machine.workers[b->trace.tasks[sender].worker].rank,
              to = b->machine.workers[b->trace.tasks[receiver].worker].rank;
    struct weir_traced_task *waits = &b->trace.tasks[receiver];
    transfer(b, 1000, 64 * from, 64 * to, start, end);
    struct weir_traced_transfer *sent = &b->trace.transfers[b->trace.transfer_count - 1];
    sent->from_rank = from;
    sent->to_rank = to;
    sent->carries = 0;
    sent->step = waits->step;
    sent->sent_task = sender;
    assert_int_equal(waits->message_count, 0);
    waits->message_count = 1;
    waits->first_message = b->trace.awaited_count;
    b->trace.awaited[b->trace.awaited_count++] = b->trace.transfer_count - 1;
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
    const struct weir_critical_path *path = &a->path;
    double at = 0, in_steps = 0;
    for (int64_t k = 0; k < path->count; k++) { /* without holes, and nothing twice */
        same(path->parts[k].begin, at + path->parts[k].gap);
        at = path->parts[k].begin + path->parts[k].seconds;
    }
    same(at + path->tail, b->trace.seconds);
    same(path->kernel_seconds + path->message_seconds + path->gap_seconds, at);
    for (int64_t step = 0; step < b->trace.steps; step++)
        in_steps += path->steps[step].kernel_seconds + path->steps[step].message_seconds +
                    path->steps[step].gap_seconds;
    same(in_steps, at);
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

/* Two ranks with a worker and a block each, two steps of 2 s; the second steps wait for the first ones of the
 * other rank, by messages from the tasks in `pack`. */
static void make_ranks(struct bench *b, double second_on_0, double second_on_1, double seconds) {
    make(b, 2, 2, 2, seconds);
    b->machine.workers[1].rank = 1;
    b->machine.workers[1].memory_node = 64;
    assert_int_equal(weir_trace_kind(&b->trace, "pack"), 1);
    assert_int_equal(weir_trace_kind(&b->trace, "unpack"), 2);
    for (int rank = 0; rank < 2; rank++) {
        const double second = rank == 0 ? second_on_0 : second_on_1;
        const int first = (int)b->trace.task_count;
        task(b, rank, 0, rank, 0, 2, -1);                      /* 4 rank */
        task(b, -1, 0, rank, 2, 2.25, first);                  /* + 1: packs */
        task(b, -1, 0, rank, second - 0.5, second - 0.25, -1); /* + 2: unpacks */
        task(b, rank, 1, rank, second, second + 2, first + 2); /* + 3 */
        b->trace.tasks[first + 1].kind = 1;
        b->trace.tasks[first + 2].kind = 2;
        change(b, rank, 2.25, WEIR_WAITING_TASKS);
        change(b, rank, second + 2, WEIR_WAITING_TASKS);
    }
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

    make_ranks(&b, 6, 6, 8); /* both wait for messages */
    message(&b, 1, 6, 2.5, 5.5);
    message(&b, 5, 2, 2.5, 5.5);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_MESSAGES);
    said(&b, &a, "balanced", "Messages between ranks hold up the steps: ", " 41 %",
         " 1625 of 4000 ms in each step", "larger blocks");
    b.machine.blocks[0].neighbour[16] = 1; /* y+ */
    b.machine.blocks[1].neighbour[10] = 0;
    said(&b, &a, "balanced", "Messages between ranks", "every block of rank ", "smaller blocks",
         "fewer ranks along y");
    b.trace.shared_cores = true;
    said(&b, &a, "balanced", "Messages between ranks", " 41 %", "from rank ",
         "every rank four cores or more");
    done(&b, &a);

    make_ranks(&b, 6, 6, 8); /* as long, and messages came soon: something else held them up */
    message(&b, 1, 6, 2.5, 2.6);
    message(&b, 5, 2, 2.5, 2.6);
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_STARVED);
    done(&b, &a);

    make(&b, 1, 1, 1, 10); /* no loss, but a quarter of the time is not in steps of blocks */
    task(&b, 0, 0, 0, 0, 7.5, -1);
    task(&b, 0, 0, 0, 7.5, 10, -1);
    b.trace.tasks[1].kind = weir_trace_kind(&b.trace, "totals");
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    said(&b, &a, "balanced", "Workers compute 100 %", "in the kernels (75 %", "steps of blocks",
         "25 % totals)");
    done(&b, &a);

    make(&b, 1, 4, 4, 10); /* GPUs of two ranks always compute, while the last block waits for a message */
    for (int worker = 0; worker < 4; worker++) {
        b.machine.workers[worker].cuda = true;
        b.machine.workers[worker].device = 0;
        b.machine.workers[worker].rank = worker / 2;
        b.machine.workers[worker].memory_node = 64 * (worker / 2) + 1;
    }
    task(&b, 0, 0, 0, 0, 9.99, -1);
    task(&b, 1, 0, 1, 0, 4, -1);
    task(&b, 2, 0, 2, 0, 9.99, -1);
    task(&b, 3, 0, 3, 7, 10, -1);
    message(&b, 1, 3, 4, 6.5);
    analyse(&b, &a);
    same(a.path.message_seconds, 2.5);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    said(&b, &a, "balanced", "Workers compute 100 %", "no loss stands out, but messages",
         " 25 % of the critical path", "in the kernels, which");
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

/* A worker that takes ten steps of a second each; what else it does in each of the five sections. */
static void make_sections(struct bench *b, struct weir_trace_analysis *a, const double overhead[5]) {
    make(b, 10, 1, 1, 10);
    change(b, 0, 0, WEIR_IN_KERNEL);
    for (int step = 0; step < 10; step++)
        task(b, 0, step, 0, step, step + 1 - overhead[step / 2], step - 1);
    analyse(b, a);
}

/* The loss of the window is that of all its sections, of most, or of too few for an advice. */
static void test_sections(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_sections(&b, &a, (double[]){0.3, 0.25, 0.2, 0.25, 0.3});
    assert_int_equal(a.sections.count, 5);
    for (int k = 0; k < 5; k++)
        same(a.sections.section[k].shares.overhead, (double[]){0.3, 0.25, 0.2, 0.25, 0.3}[k]);
    assert_int_equal(weir_section_votes_for(&a.sections, WEIR_LOSS_OVERHEAD).agree, 5);
    said(&b, &a, "balanced", "StarPU takes 26 %", "many steps of a lone block", "in 5 of 5 sections",
         "at 20 to 30 %.");
    done(&b, &a);

    make_sections(&b, &a, (double[]){0.3, 0.05, 0.2, 0.25, 0.3});
    said(&b, &a, "balanced", "StarPU takes 22 %", "many steps of a lone block", "in 4 of 5 sections",
         "at 5 to 30 %.");
    done(&b, &a);

    make_sections(&b, &a, (double[]){0.05, 0.05, 0.05, 0.25, 0.3}); /* as of something that began meanwhile */
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_OVERHEAD);
    assert_false(weir_sections_agree(&a.sections, WEIR_LOSS_OVERHEAD));
    said(&b, &a, "balanced", "What is lost changes", "no loss stands out in 3, StarPU takes most in 2",
         "measure again", "--steps 40");
    done(&b, &a);

    make_sections(&b, &a, (double[]){0.05, 0, 0, 0, 0.02});
    said(&b, &a, "balanced", "Workers compute 99 %", "no loss stands out", "in 5 of 5 sections", "0 to 5 %.");
    done(&b, &a);

    assert_int_equal(weir_section_count(1), 1);
    assert_int_equal(weir_section_count(5), 2);
    assert_int_equal(weir_section_count(1000), 5);
}

/* Two workers with a block each and ten steps, of which those of worker 1 from `slow` on take three seconds
 * and not one, as long as there are; worker 0 waits for it. */
static void make_slow(struct bench *b, struct weir_trace_analysis *a, int slow, int slow_steps) {
    double time = 0;
    make(b, 10, 2, 2, 10 + 2 * slow_steps);
    snprintf(b->machine.workers[1].name, sizeof b->machine.workers[1].name, "CPU 1");
    for (int step = 0; step < 10; step++) {
        const double length = step >= slow && step < slow + slow_steps ? 3 : 1;
        task(b, 0, step, 0, time, time + 1, -1);
        change(b, 0, time + 1, WEIR_WAITING_TASKS);
        task(b, 1, step, 1, time, time + length, -1);
        time += length;
    }
    analyse(b, a);
}

/* What looks as if work were uneven is something else that used a worker's core. */
static void test_disturbed_worker(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_slow(&b, &a, 4, 3);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_IMBALANCE);
    assert_int_equal(a.disturbance.compared, 20);
    assert_int_equal(a.disturbance.slow, 3);
    assert_int_equal(a.disturbance.worker, 1);
    same(a.disturbance.slow_seconds, 6);
    same(a.disturbance.slow_share, 6.0 / 16);
    same(a.disturbance.slow_factor, 3);
    said(&b, &a, "balanced", "Something else used this machine", "CPU 1 took 3 times as long as usual",
         "lost 38 % of its time", "measure again");
    done(&b, &a);

    make_slow(&b, &a, 0, 10); /* always slow: that is how it is */
    assert_int_equal(a.disturbance.slow, 0);
    said(&b, &a, "balanced", "Work is dealt out unevenly: ", "waits 67 %", "smaller blocks", "5 of 5");
    done(&b, &a);

    make(&b, 10, 2, 1, 16); /* slow after each move, as a block is whose cells are in another's cache */
    for (int step = 0, worker = 0; step < 10; step++) {
        const bool moves = step == 3 || step == 6 || step == 8;
        worker = moves ? !worker : worker;
        const double start = step < 1 ? 0 : b.trace.tasks[step - 1].end;
        task(&b, 0, step, worker, start, start + (moves ? 3 : 1), step - 1);
    }
    analyse(&b, &a);
    assert_int_equal(a.disturbance.slow, 0);
    done(&b, &a);
}

/* What /proc says: no advice where it is much against the loss; a note in the table where it is not. */
static void test_disturbed_cores(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make_sections(&b, &a, (double[]){0.3, 0.25, 0.2, 0.25, 0.3});
    b.trace.cores = (struct weir_core_loss){.others = 0.5, .waited = 0.2, .lost = 0.2, .switches = 100};
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    assert_true(weir_trace_is_disturbed(&a));
    said(&b, &a, "balanced", "Something else used this machine", "others took 50 %", "waited as much as 20 %",
         "measure again");
    weir_trace_analysis_release(&a);
    b.trace.cores.lost = 0.12; /* less than half of the loss */
    analyse(&b, &a);
    assert_false(weir_trace_is_disturbed(&a));
    weir_trace_analysis_release(&a);
    b.trace.cores.lost = NAN;
    analyse(&b, &a);
    said(&b, &a, "balanced", "StarPU takes 26 %", "many steps of a lone block", "5 of 5", ".");
    done(&b, &a);
}

/* Blocks of 100 cells, whose steps take a second per fluid cell, `beside` more for one beside a wall, half a
 * second for a solid one, and in odd steps a tenth less. */
static void make_walls(struct bench *b, struct weir_trace_analysis *a, const int (*cells)[2], int blocks,
                       double beside) {
    double time = 0;
    make(b, 4, 1, blocks, 1);
    for (int step = 0; step < 4; step++)
        for (int block = 0; block < blocks; block++) {
            const int fluid = cells[block][0], near = cells[block][1];
            const double seconds = (fluid + beside * near + 0.5 * (100 - fluid)) * (step % 2 ? 0.9 : 1);
            b->machine.blocks[block].fluid_cells = fluid;
            b->machine.blocks[block].near_wall_cells = near;
            task(b, block, step, 0, time, time + seconds, -1);
            time += seconds;
        }
    b->trace.seconds = time;
    analyse(b, a);
}

static void test_cells_beside_walls(void **state) {
    (void)state;
    static const int cells[][2] = {{100, 0}, {100, 10}, {90, 30}, {80, 20}, {60, 45}, {75, 60}};
    struct bench b;
    struct weir_trace_analysis a;
    make_walls(&b, &a, cells, 6, 2);
    same(a.near_wall.share, 165.0 / 505);
    assert_true(fabs(a.near_wall.factor - 3) < 1e-6);
    assert_true(fabs(a.near_wall.seconds - 2 * 165 * 4 * 0.95) < 1e-3);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NEAR_WALL);
    said(&b, &a, "balanced", "Cells beside walls are the loss: 33 %", "3 times as long as others",
         "37 % of the workers' time", "in 2 of 2 sections");
    done(&b, &a);

    make_walls(&b, &a, cells, 6, 0); /* they cost nothing */
    assert_true(isnan(a.near_wall.factor));
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_NONE);
    said(&b, &a, "balanced", "Workers compute 100 %", "in the kernels",
         "33 % of the fluid cells lie beside walls", ".");
    b.trace.limit_gbs = 2e-6;
    b.trace.bytes_per_update = 1000;
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    same(a.gbs, 1e-9 * 1000 * 4 * 505 / b.trace.seconds);
    said(&b, &a, "balanced", "Workers compute", "move 9", "2e-06 GB/s that this run measured",
         "bench kernels");
    done(&b, &a);

    static const int alike[][2] = {{90, 30}, {90, 30}, {90, 30}, {90, 30}, {90, 30}};
    make_walls(&b, &a, alike, 5, 2); /* nothing tells what is whose */
    same(a.near_wall.share, 1.0 / 3);
    assert_true(isnan(a.near_wall.factor) && isnan(a.near_wall.seconds));
    done(&b, &a);

    const struct weir_machine machine = {
        .kind_count = 2,
        .kinds = {{.kind = WEIR_WORKER_GROUP_GPU, .count = 1, .rates = {0.01, 0.01, 0}},
                  {.kind = WEIR_WORKER_GROUP_CORE,
                   .count = 1,
                   .rates = {.fluid_cell_seconds = 0.95, .solid_cell_seconds = 0.475}}}};
    make_walls(&b, &a, alike, 5, 2); /* but what the machine needs without walls is known */
    b.trace.measured = &machine;
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    assert_true(a.near_wall.measured);
    assert_true(fabs(a.near_wall.factor - 3) < 1e-6);
    assert_true(fabs(a.near_wall.seconds - 2 * 150 * 4 * 0.95) < 1e-3);
    said(&b, &a, "balanced", "Cells beside walls are the loss: 33 %", "3 times as long as others", "2 of 2",
         ".");
    done(&b, &a);
    make_walls(&b, &a, alike, 5, 0.2); /* no more than the model may be off */
    b.trace.measured = &machine;
    weir_trace_analysis_release(&a);
    analyse(&b, &a);
    assert_true(isnan(a.near_wall.factor));
    done(&b, &a);

    make_walls(&b, &a, cells, 3, 2); /* as many blocks as unknowns: any noise would fit */
    assert_true(isnan(a.near_wall.factor));
    done(&b, &a);
}

/* Two blocks whose tasks StarPU takes as long for: larger ones would help, unlike of a lone block above. */
static void test_larger_blocks(void **state) {
    (void)state;
    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 4, 1, 2, 8);
    for (int step = 0; step < 4; step++)
        for (int block = 0; block < 2; block++)
            task(&b, block, step, 0, 2 * step + block, 2 * step + block + 0.5, -1);
    analyse(&b, &a);
    said(&b, &a, "balanced", "StarPU takes 50 %", "use larger blocks", "2 of 2", "50 to 50 %.");
    done(&b, &a);
}

/* Smaller blocks are no advice where tasks come too late, or cost StarPU much already: they would be more. */
static void test_no_smaller_blocks_than_pay(void **state) {
    (void)state;
    const struct weir_loss_shares late = {.tasks = 0.3, .least_tasks = 0.05, .late = 0.5};
    const struct weir_loss_shares uneven = {.tasks = 0.3, .least_tasks = 0.05, .late = 0.1};
    assert_int_equal(weir_main_loss_of(&late), WEIR_LOSS_SUBMISSION);
    assert_int_equal(weir_main_loss_of(&uneven), WEIR_LOSS_IMBALANCE);

    struct bench b;
    struct weir_trace_analysis a;
    make(&b, 10, 2, 2, 10);
    for (int step = 0; step < 10; step++) {
        task(&b, 0, step, 0, step, step + 0.8, -1);
        task(&b, 1, step, 1, step, step + 0.3, -1);
        change(&b, 1, step + 0.4, WEIR_WAITING_TASKS);
    }
    analyse(&b, &a);
    assert_int_equal(weir_trace_main_loss(&a), WEIR_LOSS_IMBALANCE);
    said(&b, &a, "balanced", "Work is dealt out unevenly: ", "choose larger blocks", "cost StarPU more",
         "5 of 5");
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
        cmocka_unit_test(test_critical_path),
        cmocka_unit_test(test_hidden_transfers),
        cmocka_unit_test(test_no_transfers),
        cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_main_loss),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_disturbed_worker),
        cmocka_unit_test(test_disturbed_cores),
        cmocka_unit_test(test_cells_beside_walls),
        cmocka_unit_test(test_larger_blocks),
        cmocka_unit_test(test_no_smaller_blocks_than_pay),
        cmocka_unit_test(test_lost_steps_are_told),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_late_tasks),
        cmocka_unit_test(test_message_that_bounds_the_step),
        cmocka_unit_test(test_message_that_is_hidden),
        cmocka_unit_test(test_message_that_is_passed_on),
        cmocka_unit_test(test_path_does_not_go_round),
        cmocka_unit_test(test_block_that_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
