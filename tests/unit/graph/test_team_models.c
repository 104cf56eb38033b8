/* StarPU's models of tasks, over several starts of StarPU: times that a team took say nothing of a single
 * core, and the other way round. */
#include "codelets/task_expectations.h"
#include "codelets/task_kind.h"
#include "graph/runtime/runtime.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/find_kernels.h"

#include <stdlib.h>
#include <time.h>

enum { TASKS = 5 };

static struct weir_task_kind kinds[4]; /* StarPU knows their models until it stops */

static void sleep_a_while(void *buffers[], void *argument) {
    (void)buffers;
    (void)argument;
    const struct timespec duration = {.tv_nsec = 1000000};
    nanosleep(&duration, NULL);
}

/* One start of StarPU on these workers, and some tasks for its models to learn from. Whether they expected
 * anything before. cores: of the first worker. */
static bool start(struct weir_task_kind *kind, enum weir_worker_choice workers, int *cores) {
    const struct weir_runtime_options options = {.policy = "static", .workers = workers, .cpus_max = 1};
    struct weir_runtime *runtime;
    assert_int_equal(weir_runtime_create(&options, &runtime), 0);
    weir_task_kind_init(kind, "team_models", find_kernels(WEIR_D2Q9, WEIR_BGK, WEIR_SINGLE), sleep_a_while,
                        NULL);
    *cores = weir_runtime_worker(runtime, 0)->cores;
    const struct weir_buffers none = {.count = 0};
    const struct weir_task_options nothing = {0};
    weir_task_expectations_start();
    for (int k = 0; k < TASKS; k++) {
        assert_int_equal(weir_task_submit(kind, &none, &nothing), 0);
        starpu_task_wait_for_all();
    }
    struct weir_task_expectation *expected;
    const int sizes = weir_task_expectations_end(&expected); /* of teams, whatever the number of tasks */
    assert_in_range(sizes, 1, weir_runtime_worker_count(runtime));
    assert_int_equal(expected[0].cores, *cores);
    bool known = false;
    for (int k = 0; k < sizes; k++)
        known = known || !isnan(expected[k].seconds);
    free(expected);
    weir_runtime_destroy(runtime);
    return known;
}

static void test_team_and_core(void **state) {
    (void)state;
    int cores;
    setenv("STARPU_CALIBRATE", "2", 1); /* StarPU learns, and forgets what an earlier test has left */
    assert_false(start(&kinds[0], WEIR_WORKERS_TEAM, &cores));
    setenv("STARPU_CALIBRATE", "1", 1);
    if (cores < 2)
        skip(); /* there is one core only: a team of one is that core */
    assert_false(start(&kinds[1], WEIR_WORKERS_CPU, &cores));
    assert_int_equal(cores, 1);
    assert_true(start(&kinds[2], WEIR_WORKERS_TEAM, &cores));
    assert_true(start(&kinds[3], WEIR_WORKERS_CPU, &cores));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_team_and_core)};
    setenv("STARPU_CALIBRATE_MINIMUM", "1", 1);
    setenv("STARPU_HISTORY_MAX_ERROR", "1000000",
           1); /* models forget times that vary as they do on a busy machine */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
