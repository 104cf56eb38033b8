/* What is computed from a run's record, on records made by hand whose answers are known. */
#include "graph/base/error.h"
#include "src/report/run_analysis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void same(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected) + 1e-15))
        fail_msg("%.15g is not %.15g", value, expected);
}

/* Index of an offset. */
static int at(int x, int y, int z) {
    return x + 1 + 3 * (y + 1) + 9 * (z + 1);
}

/* Workers are CPU workers on node 0, blocks have 100 fluid cells, 1000 bytes and no neighbours. */
static struct weir_run_record make(int64_t steps, int workers, int blocks) {
    struct weir_run_record record;
    assert_int_equal(weir_run_record_create(&record, steps * blocks, workers, blocks), 0);
    record.task_count = 0;
    record.steps = steps;
    for (int worker = 0; worker < workers; worker++)
        record.workers[worker] =
            (struct weir_recorded_worker){.id = worker, .steps = true, .device = worker, .core = worker};
    for (int block = 0; block < blocks; block++) {
        record.blocks[block].fluid_cells = record.blocks[block].cells = 100;
        record.blocks[block].bytes = 1000;
        for (int k = 0; k < WEIR_RECORD_OFFSETS; k++)
            record.blocks[block].neighbour[k] = -1;
    }
    return record;
}

static void add(struct weir_run_record *record, int block, int64_t step, int worker, double start,
                double end) {
    record->tasks[record->task_count++] = (struct weir_recorded_task){
        .step = step, .start = start, .end = end, .block = block, .worker = worker, .home = -1};
    record->wall_seconds = fmax(record->wall_seconds, end);
}

static void on_gpu(struct weir_run_record *record, int worker, int device) {
    record->workers[worker].cuda = true;
    record->workers[worker].device = device;
    record->workers[worker].memory_node = 1 + device;
}

/* Two blocks side by side along x, each at home on a worker of its own, which needs half of each second, or
 * all of it. Rows are put in backwards: their order means nothing. */
static struct weir_run_record pair(void) {
    struct weir_run_record record = make(4, 2, 2);
    record.blocks[0].neighbour[at(1, 0, 0)] = 1;
    record.blocks[1].neighbour[at(-1, 0, 0)] = 0;
    record.blocks[0].message_bytes[1] = 10;
    record.blocks[1].message_bytes[0] = 12;
    for (int step = 3; step >= 0; step--) {
        add(&record, 0, step, 0, step, step + 0.5);
        add(&record, 1, step, 1, step, step + 1);
    }
    return record;
}

static struct weir_run_analysis analysed(const struct weir_run_record *record) {
    struct weir_run_analysis analysis;
    if (weir_run_analyse(record, &analysis) != 0)
        fail_msg("%s", weir_error_text());
    return analysis;
}

static void release(struct weir_run_record *record, struct weir_run_analysis *analysis) {
    weir_run_record_release(record);
    weir_run_analysis_release(analysis);
}

static void speed_busy_and_loss(void **state) {
    (void)state;
    struct weir_run_record record = pair();
    struct weir_run_analysis a = analysed(&record);
    same(a.step_seconds, 1);
    same(a.mlups, 200e-6);
    assert_int_equal(a.home_count, 2);
    same(a.homes[0].busy, 0.5);
    same(a.homes[1].busy, 1);
    same(a.worker_busy[0], 0.5);
    same(a.worker_busy[1], 1);
    same(a.busy_mean, 0.75);
    same(a.busy_least, 0.5);
    assert_int_equal(a.homes[0].updates, 400);
    assert_int_equal(a.homes[1].tasks, 4);
    same(a.ideal_mlups, 300e-6); /* 400 in 2 s and 400 in 4 s */
    same(a.loss, 1.0 / 3);
    for (int step = 0; step < 4; step++)
        same(a.step_end[step], step + 1);
    release(&record, &a);
}

/* The same steps, in two stages of half their time, of which another worker may take the first. */
static void a_step_of_two_stages_is_one_step(void **state) {
    (void)state;
    struct weir_run_record whole = pair()
    , record = make(8, 2, 2);
    record.steps = 4;
    record.stage_count = 2;
    memcpy(record.blocks, whole.blocks, sizeof *record.blocks * 2);
    for (int step = 3; step >= 0; step--)
        for (int block = 0; block < 2; block++)
            for (int stage = 0; stage < 2; stage++) {
                const double half = block == 0 ? 0.25 : 0.5, start = step + stage * half;
                add(&record, block, step, block, start, start + half);
                record.tasks[record.task_count - 1].stage = stage;
            }
    struct weir_run_analysis a = analysed(&record), expected = analysed(&whole);
    same(a.mlups, expected.mlups);
    same(a.ideal_mlups, expected.ideal_mlups);
    assert_int_equal(a.homes[1].tasks, 8);
    assert_int_equal(a.homes[1].updates, expected.homes[1].updates);
    assert_int_equal(a.home_bytes, expected.home_bytes);
    for (int step = 0; step < 4; step++)
        same(a.step_end[step], step + 1);
    weir_run_analysis_release(&a);
    for (int k = 0; k < record.task_count; k++)
        record.tasks[k].worker =
            record.tasks[k].stage == 0 ? 1 - record.tasks[k].block : record.tasks[k].block;
    a = analysed(&record);
    assert_int_equal(a.home_bytes, expected.home_bytes); /* of those who complete steps */
    assert_int_equal(a.moves, 0);
    weir_run_analysis_release(&a);
    record.tasks[1].stage = 0; /* twice the first stage */
    assert_int_equal(weir_run_analyse(&record, &a), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "twice"));
    release(&whole, &expected);
    weir_run_record_release(&record);
}

/* Even steps have the stages 0 and 1, odd ones 0 and 2. */
static void steps_of_two_kinds(void **state) {
    (void)state;
    struct weir_run_record whole = pair()
    , record = make(8, 2, 2);
    record.steps = 4;
    record.stage_count = 3;
    memcpy(record.blocks, whole.blocks, sizeof *record.blocks * 2);
    for (int step = 0; step < 4; step++)
        for (int block = 0; block < 2; block++)
            for (int part = 0; part < 2; part++) {
                const double half = block == 0 ? 0.25 : 0.5, start = step + part * half;
                add(&record, block, step, block, start, start + half);
                record.tasks[record.task_count - 1].stage = part == 0 ? 0 : 1 + step % 2;
            }
    struct weir_run_analysis a = analysed(&record), expected = analysed(&whole);
    same(a.ideal_mlups, expected.ideal_mlups);
    assert_int_equal(a.homes[1].tasks, 8);
    assert_int_equal(a.homes[1].updates, expected.homes[1].updates);
    for (int step = 0; step < 4; step++)
        same(a.step_end[step], step + 1);
    weir_run_analysis_release(&a);
    /* The last stage of the last step is missing, or is not that of odd steps. */
    record.tasks[record.task_count - 1].stage = 1;
    assert_int_equal(weir_run_analyse(&record, &a), -WEIR_FAILED);
    record.task_count--;
    assert_int_equal(weir_run_analyse(&record, &a), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "not each block took each of 4 steps"));
    release(&whole, &expected);
    weir_run_record_release(&record);
}

static void messages_between_homes_of_a_node(void **state) {
    (void)state;
    struct weir_run_record record = pair();
    struct weir_run_analysis a = analysed(&record);
    assert_int_equal(a.node_bytes, 0);
    assert_int_equal(a.home_bytes, 3 * 22); /* between 4 steps lie 3 transitions */
    same(a.home_bytes_per_step, 22);
    assert_int_equal(a.moves, 0);
    release(&record, &a);
}

static void messages_between_nodes(void **state) {
    (void)state;
    struct weir_run_record record = pair();
    on_gpu(&record, 1, 0);
    struct weir_run_analysis a = analysed(&record);
    assert_int_equal(a.node_bytes, 3 * 22);
    same(a.node_bytes_per_step, 22);
    assert_int_equal(a.home_bytes, 0);
    release(&record, &a);
}

/* Block 0's message through x+ is read by block 1 beside it and by block 2 across the edge. */
static struct weir_run_record fan(void) {
    struct weir_run_record record = make(2, 4, 3);
    record.blocks[0].message_bytes[1] = 10;
    record.blocks[1].neighbour[at(-1, 0, 0)] = 0;
    record.blocks[2].neighbour[at(-1, -1, 0)] = 0;
    for (int step = 0; step < 2; step++)
        for (int block = 0; block < 3; block++)
            add(&record, block, step, block, step, step + 1);
    return record;
}

static void a_message_crosses_to_a_node_once(void **state) {
    (void)state;
    struct weir_run_record record = fan();
    on_gpu(&record, 1, 0);
    on_gpu(&record, 2, 0); /* another stream of the same GPU */
    struct weir_run_analysis a = analysed(&record);
    assert_int_equal(a.node_bytes, 10);
    assert_int_equal(a.home_bytes, 0);
    weir_run_analysis_release(&a);

    on_gpu(&record, 2, 1);
    a = analysed(&record);
    assert_int_equal(a.node_bytes, 20);
    weir_run_analysis_release(&a);

    record.workers[2] = record.workers[0]; /* a CPU worker beside the writer's */
    record.workers[2].device = 2;
    a = analysed(&record);
    assert_int_equal(a.node_bytes, 10);
    assert_int_equal(a.home_bytes, 10);
    release(&record, &a);
}

static void edges_and_corners_leave_by_the_first_axis(void **state) {
    (void)state;
    assert_int_equal(weir_run_record_face(at(1, 0, 0)), 0); /* from the right, through its low face */
    assert_int_equal(weir_run_record_face(at(-1, 1, 1)), 1);
    assert_int_equal(weir_run_record_face(at(0, 1, -1)), 2);
    assert_int_equal(weir_run_record_face(at(0, -1, 0)), 3);
    assert_int_equal(weir_run_record_face(at(0, 0, 1)), 4);
    assert_int_equal(weir_run_record_face(at(0, 0, -1)), 5);
}

static void blocks_that_move(void **state) {
    (void)state;
    struct weir_run_record record = make(5, 3, 1);
    on_gpu(&record, 2, 0);
    const int who[5] = {0, 1, 2, 2, 0}; /* to another core, to the GPU, stays, and back */
    for (int step = 0; step < 5; step++)
        add(&record, 0, step, who[step], step, step + 1);
    struct weir_run_analysis a = analysed(&record);
    assert_int_equal(a.moves, 3);
    same(a.moves_per_100_steps, 75);
    assert_int_equal(a.home_bytes, 1000);
    assert_int_equal(a.node_bytes, 2000);
    const int moved[5] = {1, 1, 0, 1, 0};
    for (int step = 0; step < 5; step++) {
        assert_int_equal(a.moved_after[step], moved[step]);
        assert_int_equal(a.worker_of[step], who[step]);
    }
    release(&record, &a);
}

/* Two streams of a GPU that overlap: the GPU is busy while either is, and moving between them is no move. */
static void streams_of_a_gpu_are_one_home(void **state) {
    (void)state;
    struct weir_run_record record = make(2, 2, 2);
    on_gpu(&record, 0, 0);
    on_gpu(&record, 1, 0);
    add(&record, 0, 0, 0, 0, 2);
    add(&record, 1, 0, 1, 1, 3);
    add(&record, 0, 1, 1, 3.5, 5);
    add(&record, 1, 1, 0, 4, 4.5); /* inside the other */
    struct weir_run_analysis a = analysed(&record);
    assert_int_equal(a.home_count, 1);
    same(a.homes[0].busy_seconds, 4.5);
    same(a.homes[0].busy, 0.9);
    same(a.worker_busy[0], 0.5);
    same(a.worker_busy[1], 0.7);
    same(a.loss, 0.1);
    assert_int_equal(a.moves, 0);
    assert_int_equal(a.home_bytes + a.node_bytes, 0);
    release(&record, &a);
}

/* A light block may run ahead: a step is over when its share of updates is done, whoever did them. */
static void progress_counts_updates(void **state) {
    (void)state;
    struct weir_run_record record = make(2, 1, 2);
    record.blocks[1].fluid_cells = 300;
    add(&record, 0, 0, 0, 0, 1);
    add(&record, 0, 1, 0, 1, 2);
    add(&record, 1, 0, 0, 2, 5); /* 500 of 800 updates: the first step, 400, is over */
    add(&record, 1, 1, 0, 5, 8);
    struct weir_run_analysis a = analysed(&record);
    same(a.step_end[0], 5);
    same(a.step_end[1], 8);
    release(&record, &a);
}

static void refused(const struct weir_run_record *record, const char *words) {
    struct weir_run_analysis analysis;
    assert_int_equal(weir_run_analyse(record, &analysis), -WEIR_FAILED);
    if (!strstr(weir_error_text(), words))
        fail_msg("\"%s\" does not say \"%s\"", weir_error_text(), words);
    assert_null(analysis.homes);
}

static void impossible_records_are_refused(void **state) {
    (void)state;
    struct weir_run_record record = pair();
    record.tasks[0].step = 2;
    refused(&record, "twice");
    record.tasks[0].step = 4;
    refused(&record, "not possible");
    record.tasks[0].step = 3;
    record.task_count--;
    refused(&record, "7 tasks are there, and not each block took each of 4 steps of 2 blocks");
    record.task_count++;
    record.workers[0].steps = false;
    refused(&record, "takes none");
    record.workers[0].steps = true;
    record.blocks[0].neighbour[0] = 2;
    refused(&record, "neighbour");
    record.steps = 0;
    refused(&record, "no step");
    weir_run_record_release(&record);
}

/* Ten blocks; worker 0 takes a second for each, worker 1 one and a half. `late` steps are shared 5 : 5 and
 * take 7.5 s, all others 6 : 4 and 6 s, which is the ideal. */
static struct weir_run_record slowed(int steps, int late) {
    struct weir_run_record record = make(steps, 2, 10);
    double now = 0;
    for (int step = 0; step < steps; step++) {
        const int first = step < late ? 5 : 6;
        for (int block = 0; block < 10; block++)
            if (block < first)
                add(&record, block, step, 0, now + block, now + block + 1);
            else
                add(&record, block, step, 1, now + 1.5 * (block - first), now + 1.5 * (block - first + 1));
        now += step < late ? 7.5 : 6;
    }
    return record;
}

static struct weir_recovery recovery_of(const struct weir_run_record *record, double from, double to) {
    struct weir_run_analysis a = analysed(record);
    struct weir_recovery recovery;
    assert_int_equal(weir_run_recovery(record, &a, from, to, &recovery), 0);
    weir_run_analysis_release(&a);
    return recovery;
}

static void recovery_is_found(void **state) {
    (void)state;
    struct weir_run_record record = slowed(60, 20);
    const struct weir_recovery r = recovery_of(&record, 0, record.wall_seconds);
    assert_int_equal(r.phase_steps, 60);
    assert_int_equal(r.smoothing, 10);
    same(r.ideal_step_seconds, 6);
    same(r.settled_step_seconds, 6);
    same(r.settled_moves_per_100_steps, 0);
    assert_int_equal(r.steps, 26); /* six of ten steps at 6 s bring the mean below 6 / 0.9 */
    same(r.seconds, 20 * 7.5 + 6 * 6);
    weir_run_record_release(&record);
}

static void what_never_recovers_says_so(void **state) {
    (void)state;
    struct weir_run_record record = slowed(60, 60);
    const struct weir_recovery r = recovery_of(&record, 0, record.wall_seconds);
    same(r.ideal_step_seconds, 6);
    same(r.settled_step_seconds, 7.5);
    assert_int_equal(r.steps, -1);
    assert_true(isnan(r.seconds));
    weir_run_record_release(&record);
}

/* Only the phase counts: here the steps from the 21st on, which are as they should be from the start. */
static void a_phase_begins_where_it_is_said_to(void **state) {
    (void)state;
    struct weir_run_record record = slowed(60, 20);
    struct weir_recovery r = recovery_of(&record, 150, record.wall_seconds);
    assert_int_equal(r.phase_steps, 40);
    assert_int_equal(r.smoothing, 6);
    assert_int_equal(r.steps, 6); /* as soon as there is a mean */
    r = recovery_of(&record, 0, 150);
    assert_int_equal(r.phase_steps, 20);
    assert_int_equal(r.steps, -1);
    r = recovery_of(&record, 150, 160);
    assert_int_equal(r.phase_steps, 1);
    assert_int_equal(r.steps, -1);
    assert_true(isnan(r.ideal_step_seconds));
    weir_run_record_release(&record);
}

/* Two steps of one block, the second taken by another worker, who helps out: the home counts where there is
 * one. */
static void visits_are_no_moves(void **state) {
    (void)state;
    for (int home = -1; home < 2; home++) {
        struct weir_run_record record = make(2, 2, 1);
        add(&record, 0, 0, 0, 0, 1);
        add(&record, 0, 1, 1, 1, 2);
        for (int step = 0; step < 2; step++)
            record.tasks[step].home = home;
        struct weir_run_analysis a = analysed(&record);
        assert_int_equal(a.moves, home < 0);
        release(&record, &a);
    }
}

static void settled_moves_are_counted(void **state) {
    (void)state;
    struct weir_run_record record = make(31, 2, 1);
    for (int step = 0; step < 31; step++)
        add(&record, 0, step, step >= 20 && step % 2 ? 1 : 0, step, step + 1);
    const struct weir_recovery r = recovery_of(&record, 0, 31);
    same(r.settled_moves_per_100_steps, 100); /* of the last ten steps each is elsewhere */
    weir_run_record_release(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_busy_and_loss),
        cmocka_unit_test(a_step_of_two_stages_is_one_step),
        cmocka_unit_test(steps_of_two_kinds),
        cmocka_unit_test(messages_between_homes_of_a_node),
        cmocka_unit_test(messages_between_nodes),
        cmocka_unit_test(a_message_crosses_to_a_node_once),
        cmocka_unit_test(edges_and_corners_leave_by_the_first_axis),
        cmocka_unit_test(blocks_that_move),
        cmocka_unit_test(streams_of_a_gpu_are_one_home),
        cmocka_unit_test(progress_counts_updates),
        cmocka_unit_test(impossible_records_are_refused),
        cmocka_unit_test(recovery_is_found),
        cmocka_unit_test(what_never_recovers_says_so),
        cmocka_unit_test(a_phase_begins_where_it_is_said_to),
        cmocka_unit_test(settled_moves_are_counted),
        cmocka_unit_test(visits_are_no_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
