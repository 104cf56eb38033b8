/* StarPU's models of tasks, over several starts of StarPU: times that a team took say nothing of a single
 * core, and the other way round. */
#include "codelets/task_expectations.h"
#include "codelets/task_kind.h"
#include "graph/runtime.h"
#include "tests/unit/assert_close.h"

#include <stdlib.h>
#include <time.h>

enum { TASKS = 15 }; /* models know nothing before they have ten */

static struct weir_task_kind kinds[4]; /* StarPU knows their models until it stops */
static int milliseconds;

static void sleep_for_it(void *buffers[], void *argument) {
    (void)buffers;
    (void)argument;
    const struct timespec duration = {.tv_nsec = 1000000L * milliseconds};
    nanosleep(&duration, NULL);
}

/* One start of StarPU on these workers: what is expected of the task on the first of them before tasks of
 * this length have run, in milliseconds, 0: nothing. cores: of that worker. */
static double start(struct weir_task_kind *kind, enum weir_worker_choice workers, int task_milliseconds,
                    int *cores) {
    const struct weir_runtime_options options = {.policy = "static", .workers = workers, .cpus_max = 1};
    struct weir_runtime *runtime;
    assert_int_equal(weir_runtime_create(&options, &runtime), 0);
    weir_task_kind_init(kind, "team_models", weir_kernels_find(WEIR_D2Q9, WEIR_BGK, WEIR_SINGLE),
                        sleep_for_it, NULL);
    *cores = weir_runtime_worker(runtime, 0)->cores;
    milliseconds = task_milliseconds;
    const struct weir_buffers none = {.count = 0};
    const struct weir_task_options nothing = {0};
    weir_task_expectations_start();
    for (int k = 0; k < TASKS; k++) {
        assert_int_equal(weir_task_submit(kind, &none, &nothing), 0);
        starpu_task_wait_for_all();
    }
    struct weir_task_expectation *expected;
    assert_int_equal(weir_task_expectations_end(&expected), 1); /* once, whatever the number of tasks */
    assert_int_equal(expected[0].cores, *cores);
    const double seconds = expected[0].seconds;
    free(expected);
    weir_runtime_destroy(runtime);
    return isnan(seconds) ? 0 : 1e3 * seconds;
}

static void test_team_and_core(void **state) {
    (void)state;
    int cores;
    setenv("STARPU_CALIBRATE", "2", 1); /* StarPU learns, and forgets what an earlier test has left */
    assert_true(start(&kinds[0], WEIR_WORKERS_TEAM, 3, &cores) == 0);
    setenv("STARPU_CALIBRATE", "1", 1);
    if (cores < 2)
        skip(); /* there is one core only: a team of one is that core */
    assert_true(start(&kinds[1], WEIR_WORKERS_CPU, 12, &cores) == 0);
    assert_int_equal(cores, 1);
    const double team = start(&kinds[2], WEIR_WORKERS_TEAM, 3, &cores),
                 core = start(&kinds[3], WEIR_WORKERS_CPU, 12, &cores);
    assert_true(team >= 3 && team < 12);
    assert_true(core >= 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_team_and_core)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
