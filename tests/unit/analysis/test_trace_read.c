/* Reading StarPU's files, on short ones written by hand. */
#include "src/trace/trace_read.h"

#include "graph/base/error.h"
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

static char folder[TEMPORARY_PATH];

static void put(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* One block, two steps from 7 on, two workers with StarPU's numbers 0 and 4. Milliseconds. */
static const char paje[] = "%EventDef\tPajeSetState\t10\n"
                           "6\tcollide_stream.b0.s7\tWS\tcollide_stream.b0.s7\t\"0.0 114.0 178.0\"\n"
                           "7\t90.0\tw0\tW\tt1\tCPU0\n"
                           "10\t95.000000000\tw0\tWS\t\"Sl\"\n"
                           "9\t100.000000000\tuser_user_event\tp\t20001\n"
                           "10\t101.000000000\tw0\tWS\t\"Fi\"\n"
                           "10\t101.250000000\tw0\tWS\t\"B\"\n" /* copies */
                           "10\t101.500000000\tw0\tWS\t\"B\"\n"
                           "10\t102.000000000\tw0\tWS\t\"collide_stream.b0.s7\"\n"
                           "20\t102.000000000\tw0\tWS\t\"collide_stream.b0.s7\"\t0\t\"V1\"\t0\t0\t11\t1\n"
                           "24\t103.000000000\tTF\tp\t512\tmm0\tcom_9\t5615\t\"\"\t0\t0\n"
                           "19\t103.500000000\tTF\tp\t512\tmm1\tcom_9\n"
                           "24\t103.600000000\tTF\tp\t512\tmm0\tcom_10\t5615\t\"\"\t0\t0\n" /* never ends */
                           "10\t104.000000000\tw0\tWS\t\"B\"\n"
                           "10\t105.000000000\tw7\tWS\t\"B\"\n" /* a worker that is not known */
                           "10\t106.000000000\tw4\tWS\t\"collide_stream.b0.s8\"\n"
                           "10\t109.000000000\tw4\tWS\t\"Sl\"\n"
                           "9\t110.000000000\tuser_user_event\tp\t20002\n";

/* Between the two steps stands a task of StarPU's own. */
static const char tasks[] =
    "Name: collide_stream.b0.s8\nModel: m\nJobId: 13\nDependsOn: 5 12 12\nWorkerId: 4\n"
    "SubmitTime: 100.5\nStartTime: 106\nEndTime: 109\nFootprint: fac71ff9\n\n"
    "Name: collide_stream.b0.s7\nJobId: 11\nWorkerId: 0\nSubmitTime: 100.25\n"
    "StartTime: 102\nEndTime: 104\n\n"
    "Name: _starpu_sync_task\nJobId: 12\nDependsOn: 11\nSubmitTime: 100.5\n\n";

static struct weir_run_record machine(void) {
    struct weir_run_record record;
    assert_int_equal(weir_run_record_create(&record, 0, 2, 1), 0);
    strcpy(record.stages[0], "collide_stream");
    record.workers[1].id = 4;
    return record;
}

static int read_files(const struct weir_run_record *record, int64_t steps, struct weir_trace *trace) {
    *trace = (struct weir_trace){.machine = record, .from = 7, .steps = steps};
    return weir_trace_read(folder, trace);
}

static void is_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%.15g is not %.15g", value, expected);
}

static void test_everything_is_found(void **state) {
    (void)state;
    struct weir_run_record record = machine();
    struct weir_trace trace;
    put("paje.trace", paje);
    put("tasks.rec", tasks);
    if (read_files(&record, 2, &trace) != 0)
        fail_msg("%s", weir_error_text());
    is_near(trace.seconds, 0.01);
    assert_int_equal(trace.task_count, 2);
    assert_int_equal(trace.tasks[0].job, 11);
    assert_int_equal(trace.tasks[1].step, 8);
    assert_int_equal(trace.tasks[1].footprint, 0xfac71ff9);
    assert_int_equal(trace.tasks[1].worker, 1);
    is_near(trace.tasks[1].start, 0.006);
    assert_int_equal(trace.tasks[1].dependency_count, 1); /* through StarPU's task, once */
    assert_int_equal(trace.dependencies[trace.tasks[1].first_dependency], 0);
    is_near(trace.tasks[1].ready, 0.004);
    is_near(trace.tasks[0].ready, 0.00025);
    assert_int_equal(trace.transfer_count, 1);
    assert_int_equal(trace.transfers[0].bytes, 512);
    assert_int_equal(trace.transfers[0].from, 0);
    assert_int_equal(trace.transfers[0].to, 1);
    is_near(trace.transfers[0].end - trace.transfers[0].start, 0.0005);
    static const int activities[] = {WEIR_WAITING_TASKS, WEIR_WAITING_DATA, WEIR_WAITING_DATA,
                                     WEIR_OVERHEAD,      WEIR_IN_KERNEL,    WEIR_IN_KERNEL,
                                     WEIR_OVERHEAD,      WEIR_IN_KERNEL,    WEIR_WAITING_TASKS};
    assert_int_equal(trace.change_count, 9);
    for (int k = 0; k < 9; k++)
        assert_int_equal(trace.changes[k].activity, activities[k]);
    weir_trace_release(&trace);
    weir_run_record_release(&record);
}

/* Two ranks with a block each. The clock of rank 1 is 50 ms ahead: of messages that take 2 ms, those to it
 * seem to take 52, and those from it to be there before they are sent. */
static const char paje_of_ranks[] = "9\t100.0\tuser_user_event\t0_p\t20001\n"
                                    "9\t150.5\tuser_user_event\t1_p\t20001\n"
                                    "10\t101.0\t0_w0\tWS\t\"collide_stream.b0.s7\"\n"
                                    "10\t152.0\t1_w0\tWS\t\"collide_stream.b1.s7\"\n"
                                    "24\t153.0\tTF\t1_p\t64\t1_mm0\t1_com_3\t0\t\"\"\t0\t0\n"
                                    "19\t154.0\tTF\t1_p\t64\t1_mm2\t1_com_3\n"
                                    "9\t110.0\tuser_user_event\t0_p\t20002\n"
                                    "9\t160.25\tuser_user_event\t1_p\t20002\n";
static const char tasks_of_ranks[] =
    "Name: collide_stream.b0.s7\nJobId: 0_5\nWorkerId: 0\nSubmitTime: 100.5\nStartTime: 101\nEndTime: 104\n"
    "MPIRank: 0\n\n"
    "Name: totals.b0.s8\nJobId: 0_6\nDependsOn: 0_5 0_4\nWorkerId: 0\nSubmitTime: 100.5\nStartTime: 105\n"
    "EndTime: 106\n\n"
    "Name: collide_stream.b1.s7\nJobId: 1_5\nWorkerId: 0\nSubmitTime: 151\nStartTime: 152\nEndTime: 155\n\n";
static const char messages_of_ranks[] =
    "Src: 0\nDst: 1\nTag: 1\nSendTime: 104.0\nRecvTime: 156.0\nSize: 1000\n\n"
    "Src: 1\nDst: 0\nTag: 1\nSendTime: 155.0\nRecvTime: 107.0\nSize: 2000\n\n";

static void test_ranks(void **state) {
    (void)state;
    struct weir_run_record record;
    struct weir_trace trace;
    assert_int_equal(weir_run_record_create(&record, 0, 2, 2), 0);
    strcpy(record.stages[0], "collide_stream");
    record.workers[1].rank = 1;
    put("paje.trace", paje_of_ranks);
    put("tasks.rec", tasks_of_ranks);
    put("comms.rec", messages_of_ranks);
    if (read_files(&record, 1, &trace) != 0)
        fail_msg("%s", weir_error_text());
    is_near(trace.seconds, 0.01025);
    assert_int_equal(trace.task_count, 3);
    assert_int_equal(trace.tasks[1].worker, 1);
    assert_int_equal(trace.tasks[1].job, WEIR_JOB_RANK + 5);
    is_near(trace.tasks[1].start, 0.002);
    assert_int_equal(trace.tasks[1].dependency_count, 0);
    assert_int_equal(trace.tasks[2].dependency_count, 1); /* rank 0's task 5, not rank 1's */
    assert_int_equal(trace.dependencies[trace.tasks[2].first_dependency], 0);
    assert_int_equal(trace.change_count, 2);
    is_near(trace.changes[1].time, 0.002);
    assert_int_equal(trace.transfer_count, 3);
    assert_int_equal(trace.transfers[0].from, 64);
    assert_int_equal(trace.transfers[0].to, 66);
    is_near(trace.transfers[0].start, 0.003);
    assert_int_equal(trace.transfers[1].from_rank, 0);
    assert_int_equal(trace.transfers[1].to_rank, 1);
    assert_int_equal(trace.transfers[1].bytes, 1000);
    is_near(trace.transfers[1].end - trace.transfers[1].start, 0.002);
    is_near(trace.transfers[2].end - trace.transfers[2].start, 0.002);
    weir_trace_release(&trace);
    weir_run_record_release(&record);
}

static void refuse(const char *paje_text, const char *tasks_text, int64_t steps, const char *word) {
    struct weir_run_record record = machine();
    struct weir_trace trace;
    put("paje.trace", paje_text);
    put("tasks.rec", tasks_text);
    assert_int_equal(read_files(&record, steps, &trace), -WEIR_FAILED);
    if (!strstr(weir_error_text(), word))
        fail_msg("\"%s\" does not tell of %s", weir_error_text(), word);
    weir_trace_release(&trace);
    weir_run_record_release(&record);
}

/* A halo message from rank 0 to rank 1 and a sum that rank 1 sends on to rank 2 as it came. Jobs 20 and up
 * are StarPU's own: one at each end of a message, and one more before what is received. Tags are those of
 * graph/ranks/rank_tags.h: kind 0 and 1, senders 0 and 1. */
static const char paje_with_ends[] = "9\t100.0\tuser_user_event\t0_p\t20001\n"
                                     "9\t100.0\tuser_user_event\t1_p\t20001\n"
                                     "9\t100.0\tuser_user_event\t2_p\t20001\n"
                                     "9\t120.0\tuser_user_event\t0_p\t20002\n"
                                     "9\t120.0\tuser_user_event\t1_p\t20002\n"
                                     "9\t120.0\tuser_user_event\t2_p\t20002\n";
static const char tasks_with_ends[] =
    "Name: collide_stream.b0.s7\nJobId: 0_5\nWorkerId: 0\nSubmitTime: 100\nStartTime: 101\nEndTime: 104\n\n"
    "Name: pack.s7\nJobId: 0_6\nDependsOn: 0_5\nWorkerId: 0\nSubmitTime: 100\nStartTime: 104\nEndTime: "
    "105\n\n"
    "Name: collide_stream.b1.s7\nJobId: 1_5\nWorkerId: 0\nSubmitTime: 100\nStartTime: 101\nEndTime: 104\n\n"
    "Name: unpack.s7\nJobId: 1_6\nDependsOn: 1_21\nWorkerId: 0\nSubmitTime: 100\nStartTime: 108\nEndTime: "
    "109\n\n"
    "Name: collide_stream.b2.s7\nJobId: 2_5\nWorkerId: 0\nSubmitTime: 100\nStartTime: 101\nEndTime: 104\n\n"
    "Name: report_totals.s7\nJobId: 2_6\nDependsOn: 2_21\nWorkerId: 0\nSubmitTime: 100\nStartTime: "
    "115\nEndTime: "
    "116\n\n"
    "Name: _starpu_data_acquire_cb_pre\nJobId: 0_20\nDependsOn: 0_6\n\n"
    "Name: _starpu_data_acquire_cb_pre\nJobId: 1_20\nDependsOn: 1_5\n\n"
    "Name: _starpu_data_acquire_cb_release\nJobId: 1_21\nDependsOn: 1_20\n\n"
    "Name: _starpu_data_acquire_cb_pre\nJobId: 0_30\nDependsOn: 0_5\n\n"
    "Name: _starpu_data_acquire_cb_release\nJobId: 1_31\nDependsOn: 1_30\n\n"
    "Name: _starpu_data_acquire_cb_pre\nJobId: 1_30\nDependsOn: 1_5\n\n"
    "Name: _starpu_data_acquire_cb_pre\nJobId: 1_32\nDependsOn: 1_31\n\n"
    "Name: _starpu_data_acquire_cb_release\nJobId: 2_21\nDependsOn: 2_20\n\n";
static const char messages_with_ends[] =
    "Src: 1\nDst: 2\nTag: 521\nSendTime: 110\nRecvTime: 114\nSendJobId: 1_32\nRecvJobId: 2_21\nSize: 10\n\n"
    "Src: 0\nDst: 1\nTag: 513\nSendTime: 104.5\nRecvTime: 107\nSendJobId: 0_30\nRecvJobId: 1_31\nSize: 10\n\n"
    "Src: 0\nDst: 1\nTag: 0\nSendTime: 105.5\nRecvTime: 106\nSendJobId: 0_20\nRecvJobId: 1_21\nSize: 900\n\n";

static void test_ends_of_messages(void **state) {
    (void)state;
    struct weir_run_record record;
    struct weir_trace trace;
    assert_int_equal(weir_run_record_create(&record, 0, 3, 3), 0);
    strcpy(record.stages[0], "collide_stream");
    for (int rank = 0; rank < 3; rank++)
        record.workers[rank].rank = rank;
    put("paje.trace", paje_with_ends);
    put("tasks.rec", tasks_with_ends);
    put("comms.rec", messages_with_ends);
    if (read_files(&record, 1, &trace) != 0)
        fail_msg("%s", weir_error_text());
    assert_int_equal(trace.transfer_count, 3);
    const struct weir_traced_transfer *sum = &trace.transfers[0], *halo = &trace.transfers[1],
                                      *passed = &trace.transfers[2];
    assert_string_equal(weir_carried_name(sum->carries), "sum");
    assert_string_equal(weir_carried_name(halo->carries), "halo");
    assert_int_equal(halo->bytes, 900);
    assert_int_equal(trace.tasks[halo->sent_task].job, 6);
    assert_int_equal(halo->passed_message, -1);
    assert_int_equal(halo->step, 7);
    assert_int_equal(trace.tasks[sum->sent_task].job, 5);
    assert_int_equal(passed->passed_message, 0);
    assert_int_equal(passed->sent_task, -1);
    int awaited = 0;
    for (int64_t k = 0; k < trace.task_count; k++) {
        const struct weir_traced_task *task = &trace.tasks[k];
        awaited += task->message_count;
        if (task->job == WEIR_JOB_RANK + 6) { /* the unpacking */
            assert_int_equal(task->message_count, 1);
            assert_int_equal(trace.awaited[task->first_message], 1);
            assert_int_equal(task->dependency_count, 1); /* through the receiving end, what it waits for */
            is_near(task->ready, 0.006);
        }
    }
    assert_int_equal(awaited, 2);
    weir_trace_release(&trace);
    weir_run_record_release(&record);
}

static void test_what_is_incomplete_is_refused(void **state) {
    (void)state;
    char cut[sizeof paje];
    memcpy(cut, paje, sizeof paje);
    *strstr(cut, "9\t110.0") = '\0';
    refuse(cut, tasks, 2, "cut short");
    refuse("", "", 2, "cut short");
    refuse(paje, tasks, 3, "2 of 3");
    char half[sizeof tasks];
    memcpy(half, tasks, sizeof tasks);
    *strstr(half, "EndTime: 104") = '\0';
    refuse(paje, half, 2, "1 of 2");
}

/* Lines about ranks that the run did not have, as a damaged file or one of another run has them, are
 * nobody's. */
static void test_ranks_that_were_not_there(void **state) {
    (void)state;
    static const char more_paje[] = "9\t1.0\tuser_user_event\t-3_p\t20001\n"
                                    "9\t1.0\tuser_user_event\t123456789_p\t20001\n"
                                    "10\t101.0\t-1_w0\tWS\t\"B\"\n"
                                    "24\t103.0\tTF\t1_p\t64\t-9_mm0\t1_com_4\t0\t\"\"\t0\t0\n"
                                    "19\t104.0\tTF\t1_p\t64\t-9_mm2\t1_com_4\n"
                                    "24\t105.0\tTF\t1_p\t64\t1_mm0\t1_com_5\t0\t\"\"\t0\t0\n"
                                    "19\t106.0\tTF\t1_p\t64\t4294967296_mm2\t1_com_5\n";
    static const char more_tasks[] =
        "Name: collide_stream.b0.s7\nJobId: -7_5\nWorkerId: 0\nSubmitTime: 100\nStartTime: 101\nEndTime: "
        "104\n\n"
        "Name: _starpu_sync_task\nJobId: 99999999999999_12\nDependsOn: -4_11 0_9223372036854775807\n\n";
    static const char more_messages[] =
        "Src: -1\nDst: 1\nTag: 1\nSendTime: 104.0\nRecvTime: 156.0\nSize: 1\n\n"
        "Src: 4294967296\nDst: 1\nTag: 1\nSendTime: 104.0\nRecvTime: 156.0\nSize: 1\n\n"
        "Src: 0\nDst: 700\nTag: 1\nSendTime: 104.0\nRecvTime: 156.0\nSize: 1\n\n";
    struct weir_run_record record;
    struct weir_trace trace;
    char text[4096];
    assert_int_equal(weir_run_record_create(&record, 0, 2, 2), 0);
    strcpy(record.stages[0], "collide_stream");
    record.workers[1].rank = 1;
    snprintf(text, sizeof text, "%s%s", more_paje, paje_of_ranks);
    put("paje.trace", text);
    snprintf(text, sizeof text, "%s%s", more_tasks, tasks_of_ranks);
    put("tasks.rec", text);
    snprintf(text, sizeof text, "%s%s", more_messages, messages_of_ranks);
    put("comms.rec", text);
    if (read_files(&record, 1, &trace) != 0)
        fail_msg("%s", weir_error_text());
    is_near(trace.seconds, 0.01025);
    assert_int_equal(trace.task_count, 3);
    assert_int_equal(trace.change_count, 2);
    assert_int_equal(trace.transfer_count, 3);
    weir_trace_release(&trace);
    weir_run_record_release(&record);
}

static int make_folder(void **state) {
    (void)state;
    return make_temporary_folder(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/paje.trace", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/tasks.rec", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/comms.rec", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests_of_reading[] = {
        cmocka_unit_test(test_everything_is_found),           cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_ranks_that_were_not_there),     cmocka_unit_test(test_ends_of_messages),
        cmocka_unit_test(test_what_is_incomplete_is_refused),
    };
    return cmocka_run_group_tests(tests_of_reading, make_folder, remove_folder);
}
