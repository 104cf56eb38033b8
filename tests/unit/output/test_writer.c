/* The thread that finishes outputs: in order, not in the way of those who hand over, errors come back. */
#include "graph/base/error.h"
#include "src/output/writer.h"
#include "tests/unit/assert_close.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What the jobs of a test do, and what has come of them. */
struct log {
    sem_t gate; /* each job passes it once */
    atomic_int done, released, told;
    int order[32];
    pthread_t thread;
    char text[256];
};

struct task {
    struct log *log;
    int number;
    bool fails;
};

static void keep_text(void *context, const char *text) {
    struct log *log = context;
    log->told++;
    snprintf(log->text, sizeof log->text, "%s", text);
}

static int run(void *context) {
    struct task *task = context;
    sem_wait(&task->log->gate);
    task->log->thread = pthread_self();
    task->log->order[task->log->done++] = task->number;
    return task->fails ? weir_fail(WEIR_FAILED, "job %d failed", task->number) : 0;
}

static void release(void *context) {
    struct task *task = context;
    task->log->released++;
    free(task);
}

static struct weir_writer *start(struct log *log, unsigned open) {
    struct weir_writer *writer;
    memset(log, 0, sizeof *log);
    sem_init(&log->gate, 0, open);
    assert_int_equal(weir_writer_create(keep_text, log, &writer), 0);
    return writer;
}

static int add_with_room(struct weir_writer *writer, struct log *log, int number, bool fails, size_t bytes,
                         size_t room) {
    struct task *task = malloc(sizeof *task);
    *task = (struct task){log, number, fails};
    return weir_writer_add(writer, &(struct weir_job){run, release, task, bytes, room});
}

static int add(struct weir_writer *writer, struct log *log, int number, bool fails, size_t bytes) {
    return add_with_room(writer, log, number, fails, bytes, 0);
}

static void works_beside_who_hands_over(void **state) {
    (void)state;
    struct log log;
    struct weir_writer *writer = start(&log, 0);
    for (int k = 0; k < 4; k++)
        assert_int_equal(add(writer, &log, k, false, 1), 0); /* while the first waits for the gate */
    assert_int_equal(log.done, 0);
    for (int k = 0; k < 4; k++)
        sem_post(&log.gate);
    assert_int_equal(weir_writer_wait(writer), 0);
    assert_int_equal(log.done, 4);
    assert_int_equal(log.released, 4);
    for (int k = 0; k < 4; k++)
        assert_int_equal(log.order[k], k);
    assert_false(pthread_equal(log.thread, pthread_self()));
    weir_writer_destroy(writer);
}

static void does_what_is_left_at_the_end(void **state) {
    (void)state;
    struct log log;
    struct weir_writer *writer = start(&log, 3);
    for (int k = 0; k < 3; k++)
        assert_int_equal(add(writer, &log, k, false, 0), 0);
    weir_writer_destroy(writer);
    assert_int_equal(log.done, 3);
    assert_int_equal(log.released, 3);
}

struct flood {
    struct weir_writer *writer;
    struct log *log;
    size_t bytes, room;
    atomic_int added;
};

static void *flood(void *argument) {
    struct flood *f = argument;
    for (int k = 0; k < 20; k++, f->added++)
        assert_int_equal(add_with_room(f->writer, f->log, k, false, f->bytes, f->room), 0);
    return NULL;
}

/* Who has too much to hand over waits; how much that is, by number, by bytes, or where there is room for more
 * by that. */
static void takes_no_more_than_it_can_keep(void **state) {
    (void)state;
    static const size_t bytes[] = {0, 200 << 20, 1 << 20, 1 << 20}, room[] = {0, 1 << 30, 10 << 20, 2 << 20};
    static const int most[] = {5, 1, 9, 5}; /* of 5, four that wait, and one that is being done */
    for (int k = 0; k < 4; k++) {
        struct log log;
        struct flood f = {.writer = start(&log, 0), .log = &log, .bytes = bytes[k], .room = room[k]};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, flood, &f), 0);
        const struct timespec moment = {0, 50000000};
        for (int tries = 0; f.added < most[k] && tries < 200; tries++)
            nanosleep(&moment, NULL);
        nanosleep(&moment, NULL);
        assert_int_equal(f.added, most[k]);
        assert_true(bytes[k] == 0 || (size_t)most[k] * bytes[k] < weir_writer_bytes_most(bytes[k], room[k]));
        for (int i = 0; i < 20; i++)
            sem_post(&log.gate);
        pthread_join(thread, NULL);
        assert_int_equal(weir_writer_wait(f.writer), 0);
        assert_int_equal(log.done, 20);
        weir_writer_destroy(f.writer);
    }
}

static void errors_come_back(void **state) {
    (void)state;
    struct log log;
    struct weir_writer *writer = start(&log, 0);
    assert_int_equal(add(writer, &log, 0, false, 0), 0);
    assert_int_equal(add(writer, &log, 1, true, 0), 0);
    assert_int_equal(add(writer, &log, 2, true, 0), 0);
    for (int k = 0; k < 3; k++)
        sem_post(&log.gate);
    assert_int_equal(weir_writer_wait(writer), -WEIR_FAILED);
    assert_string_equal(weir_error_text(), "job 1 failed");
    assert_string_equal(log.text, "job 1 failed");
    assert_int_equal(add(writer, &log, 3, false, 0), -WEIR_FAILED);
    assert_string_equal(weir_error_text(), "job 1 failed");
    weir_writer_destroy(writer);
    assert_int_equal(log.told, 1);
    assert_int_equal(log.done, 2);
    assert_int_equal(log.released, 4);
}

static void can_be_abandoned(void **state) {
    (void)state;
    struct log log;
    struct weir_writer *writer = start(&log, 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(add(writer, &log, k, false, 0), 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    weir_writer_abandon(writer, &until); /* the first job hangs */
    for (int k = 0; k < 3; k++)
        sem_post(&log.gate);
    weir_writer_destroy(writer);
    assert_true(log.done <= 1);
    assert_int_equal(log.released, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works_beside_who_hands_over),
        cmocka_unit_test(does_what_is_left_at_the_end),
        cmocka_unit_test(takes_no_more_than_it_can_keep),
        cmocka_unit_test(errors_come_back),
        cmocka_unit_test(can_be_abandoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
