/* What Weir's scheduling policy notes of a worker group's load: when it had something to do, and when as much
 * as it takes at once; and which tasks it takes first where priorities count. */
#include "codelets/task_kind.h"
#include "graph/runtime/scheduler.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/find_kernels.h"

#include <time.h>

/* StarPU knows their models until it stops. */
static struct weir_task_kind kind, waiting, noting;

static struct weir_worker_groups groups;

enum { WIDTH = 2, MILLISECONDS = 20 };

static void sleep_a_while(void *buffers[], void *argument) {
    (void)buffers;
    (void)argument;
    nanosleep(&(struct timespec){.tv_nsec = 1000000L * MILLISECONDS}, NULL);
}

static void submit(int tasks, starpu_data_handle_t one_after_the_other) {
    static const struct weir_home home = {.group = 0};
    for (int k = 0; k < tasks; k++) {
        struct weir_buffers buffers = {.count = 0};
        if (one_after_the_other)
            weir_buffers_add(&buffers, one_after_the_other, STARPU_RW);
        const struct weir_task_options options = {.home = &home};
        assert_int_equal(weir_task_submit(&kind, &buffers, &options), 0);
    }
}

static void test_full(void **state) {
    (void)state;
    int value = 0;
    starpu_data_handle_t handle;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value, sizeof value);
    submit(4, handle);
    starpu_task_wait_for_all();
    const struct weir_scheduler_load one = weir_scheduler_load(0);
    assert_int_equal(one.ended, 4);
    assert_int_equal(one.ended_full, 0);
    assert_true(one.full == 0);
    assert_true(one.busy >= 4e-3 * MILLISECONDS);

    submit(8, NULL);
    starpu_task_wait_for_all();
    const struct weir_scheduler_load both = weir_scheduler_load(0);
    assert_int_equal(both.ended, 12);
    assert_int_equal(both.ended_full, 7); /* the last is alone */
    assert_true(both.full >= 3e-3 * MILLISECONDS);
    assert_true(both.full <= both.busy - one.busy);
    starpu_data_unregister(handle);
}

static void test_empty(void **state) {
    (void)state;
    const struct weir_scheduler_load before = weir_scheduler_load(0);
    nanosleep(&(struct timespec){.tv_nsec = 1000000L * MILLISECONDS}, NULL);
    const struct weir_scheduler_load after = weir_scheduler_load(0);
    assert_true(after.busy == before.busy && after.full == before.full && after.ended == before.ended);
}

/* Priorities of tasks, in the order in which they began, once both workers were let go. */
static struct {
    atomic_int held;
    atomic_bool go;
    atomic_int count;
    int priority[8];
} begun;

static void wait_to_go(void *buffers[], void *argument) {
    (void)buffers, (void)argument;
    atomic_fetch_add(&begun.held, 1);
    while (!begun.go)
        starpu_sleep(1e-4F);
}

static void note_and_sleep(void *buffers[], void *argument) {
    begun.priority[atomic_fetch_add(&begun.count, 1)] = starpu_task_get_current()->priority;
    sleep_a_while(buffers, argument);
}

/* Both workers take what goes first of the tasks that wait, however they were submitted. */
static void test_priorities(void **state) {
    (void)state;
    static const struct weir_home home = {.group = 0};
    static const int order[8] = {3, 0, 6, 1, 7, 4, 2, 5};
    const struct weir_buffers none = {.count = 0};
    weir_scheduler_heed_priorities();
    for (int k = 0; k < WIDTH; k++)
        assert_int_equal(weir_task_submit(&waiting, &none, &(struct weir_task_options){.home = &home}), 0);
    while (begun.held < WIDTH)
        starpu_sleep(1e-4F);
    for (int k = 0; k < 8; k++) {
        const struct weir_task_options options = {.home = &home, .priority = order[k]};
        assert_int_equal(weir_task_submit(&noting, &none, &options), 0);
    }
    begun.go = true;
    starpu_task_wait_for_all();
    assert_int_equal(begun.count, 8);
    for (int k = 0; k < 8; k++)
        assert_int_equal(begun.priority[k] / WIDTH, (7 - k) / WIDTH);
}

static int start(void **state) {
    (void)state;
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = WIDTH;
    conf.ncuda = 0;
    conf.sched_policy = &weir_scheduler_policy;
    if (starpu_init(&conf) != 0)
        return -1;
    /* As the workers of a GPU make one worker group. */
    for (int id = 0; id < WIDTH; id++)
        weir_worker_groups_add(&groups, WEIR_WORKER_GROUP_GPU, 0, id, 0);
    weir_scheduler_serve(&groups, false);
    weir_task_kind_init(&kind, "sleep", find_kernels(WEIR_D2Q9, WEIR_BGK, WEIR_SINGLE), sleep_a_while, NULL);
    weir_task_kind_init(&waiting, "wait", find_kernels(WEIR_D2Q9, WEIR_BGK, WEIR_SINGLE), wait_to_go, NULL);
    weir_task_kind_init(&noting, "note", find_kernels(WEIR_D2Q9, WEIR_BGK, WEIR_SINGLE), note_and_sleep,
                        NULL);
    return 0;
}

static int stop(void **state) {
    (void)state;
    starpu_shutdown();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_full), cmocka_unit_test(test_empty),
                                       cmocka_unit_test(test_priorities)};
    return cmocka_run_group_tests(tests, start, stop);
}
