#include "tests/unit/analysis/trace_fixture.h"

#include "src/trace/trace_words.h"

#include "graph/base/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 128 };

void same(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected) + 1e-13))
        fail_msg("%.15g is not %.15g", value, expected);
}

void make(struct bench *b, int64_t steps, int workers, int blocks, double seconds) {
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

void change(struct bench *b, int worker, double time, enum weir_activity activity) {
    b->trace.changes[b->trace.change_count++] =
        (struct weir_trace_change){.time = time, .worker = worker, .activity = activity};
}

void task(struct bench *b, int block, int64_t step, int worker, double start, double end, int after) {
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

void transfer(struct bench *b, int64_t bytes, int from, int to, double start, double end) {
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

void message(struct bench *b, int64_t sender, int64_t receiver, double start, double end) {
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

void analyse(struct bench *b, struct weir_trace_analysis *a) {
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

void done(struct bench *b, struct weir_trace_analysis *a) {
    weir_trace_analysis_release(a);
    weir_trace_release(&b->trace);
    weir_run_record_release(&b->machine);
}

void make_ranks(struct bench *b, double second_on_0, double second_on_1, double seconds) {
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

void make_sections(struct bench *b, struct weir_trace_analysis *a, const double overhead[5]) {
    make(b, 10, 1, 1, 10);
    change(b, 0, 0, WEIR_IN_KERNEL);
    for (int step = 0; step < 10; step++)
        task(b, 0, step, 0, step, step + 1 - overhead[step / 2], step - 1);
    analyse(b, a);
}

void said(const struct bench *b, const struct weir_trace_analysis *a, const char *policy, const char *begin,
          const char *first, const char *second, const char *third) {
    char *sentence = weir_trace_words(&b->trace, a, policy);
    assert_non_null(sentence);
    assert_ptr_equal(strstr(sentence, begin), sentence);
    const char *place = sentence;
    for (int k = 0; k < 3; k++)
        assert_non_null(place = strstr(place, (const char *[]){first, second, third}[k]));
    free(sentence);
}
