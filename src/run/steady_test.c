#include "src/run/steady_test.h"

#include "graph/base/error.h"

/* Steps between a test and the stop that it may lead to: the result arrives meanwhile, the time loop does not
 * wait, and the step at which a run stops does not depend on how fast it came. */
enum { STEADY_LAG = 32 };

void weir_steady_test_init(struct weir_steady_test *test) {
    *test = (struct weir_steady_test){.tested_step = -1};
    weir_future_init(&test->future);
}

void weir_steady_test_release(struct weir_steady_test *test) {
    weir_future_release(&test->future);
}

void weir_steady_test_begin(struct weir_steady_test *test, const struct weir_case *c,
                            struct weir_simulation *simulation, int64_t first,
                            const struct weir_run_sums *before) {
    test->limit = c->steady;
    test->every = c->steady_every;
    test->simulation = simulation;
    test->first = first;
    test->before = before;
}

static void receive_change(void *context, int64_t step, double change, double speed) {
    struct weir_steady_test *test = context;
    const int64_t since = step - test->first;
    /* The checkpoint that the run goes on from has the answer of a test at its step; where it is of another,
     * the first test after it has a shorter time to compare. */
    test->steady = since == 0            ? test->before && test->before->steady
                   : since < test->every ? false
                                         : change <= test->limit * speed;
    weir_future_set(&test->future);
}

static void ignore_change(void *context, int64_t step, double change, double speed) {
    (void)context, (void)step, (void)change, (void)speed;
}

/* Where the run goes on from a checkpoint between two tests: the velocities that the next one compares with,
 * and the answer of the last one. */
static int take_up(struct weir_steady_test *test) {
    test->tested_step = test->before->tested_step;
    test->steady = test->before->steady;
    if (test->tested_step >= 0)
        weir_future_set(&test->future);
    return weir_simulation_change(test->simulation, ignore_change, test);
}

static int64_t lag(const struct weir_steady_test *test) {
    return test->every < STEADY_LAG ? test->every : STEADY_LAG;
}

bool weir_steady_test_is_due(const struct weir_steady_test *test, int64_t step) {
    return test->limit <= 0 || step % test->every == 0;
}

int weir_steady_test_step(struct weir_steady_test *test, bool *steady) {
    *steady = false;
    if (test->limit <= 0)
        return 0;
    const int64_t step = weir_simulation_submitted(test->simulation);
    const bool due = weir_steady_test_is_due(test, step);
    if (test->before && step == test->first && !due)
        WEIR_TRY(take_up(test));
    if (test->tested_step >= 0 && step == test->tested_step + lag(test)) {
        *steady = weir_steady_test_answer(test);
        test->tested_step = -1;
    }
    if (*steady || !due)
        return 0;
    weir_future_reset(&test->future);
    test->tested_step = step;
    return weir_simulation_change(test->simulation, receive_change, test);
}

int64_t weir_steady_test_next(const struct weir_steady_test *test, int64_t step) {
    if (test->limit <= 0)
        return INT64_MAX;
    const int64_t due = (step / test->every + 1) * test->every, answer = test->tested_step + lag(test);
    return test->tested_step >= 0 && answer < due ? answer : due;
}

bool weir_steady_test_answer(struct weir_steady_test *test) {
    return test->tested_step >= 0 && weir_simulation_await(test->simulation, &test->future) && test->steady;
}
